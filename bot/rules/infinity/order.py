"""From typed lines to the rolls of one order and who is compared with whom (rules page, Who rolls against whom)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from bot.rules.errors import BadInput, Example
from bot.rules.game import Side
from bot.rules.infinity import states, sums
from bot.rules.infinity.declared import (
    BURST_MOST,
    Action,
    Edition,
    Meeting,
    Mod,
    Order,
    Profile,
    Save,
    TrooperRoll,
    checked,
)
from bot.rules.infinity.fields import Draft, Situation
from bot.rules.infinity.sums import Part, part
from bot.rules.infinity.trooper import Trooper
from bot.rules.infinity.words import Line, Typed
from bot.rules.text import Names, Text


@dataclass(frozen=True, slots=True)
class Aim:
    """A trooper of the channel who attacks, and whom."""

    name: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOrder:
    """An order that the active player declared and to which others still add their troopers' AROs, line by line.

    ``roster`` are the troopers that its names may stand for. ``attacks`` are those of which the active player has
    still to say how they are made.
    """

    lines: tuple[str, ...]
    edition: Edition = "n5"
    roster: tuple[Trooper, ...] = ()
    attacks: tuple[Aim, ...] = ()
    kind: Literal["open"] = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What the active player said, from which the sums of both sides are made once the other side has answered.

    ``roll`` and ``meeting`` are as they were declared. ``mods``, ``special`` and ``around`` are what was said of the
    roll; ``trooper`` and ``target`` those of the channel. ``roster`` are the troopers that the answer may name.
    """

    roll: TrooperRoll
    meeting: Meeting
    around: Situation
    mods: tuple[Mod, ...] = ()
    special: int | None = None
    trooper: Trooper | None = None
    target: Trooper | None = None
    roster: tuple[Trooper, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Order):
    """A Face to Face that was opened with one side declared; ``rolls`` holds the other side once it has answered."""

    opening: Opening


def challenge(one: Draft, target: Draft, edition: Edition, roster: Sequence[Trooper]) -> Challenge:
    """A roll that waits for the answer of its target. Raises ``BadInput`` where something is missing."""
    order = duel(one, None, edition, target, awaits=True)
    opening = Opening(
        roll=order.rolls[0],
        meeting=order.meetings[0],
        mods=tuple(one.mods),
        special=one.special,
        around=one.around,
        trooper=one.trooper,
        target=target.trooper,
        roster=tuple(roster),
    )
    return Challenge(rolls=order.rolls, meetings=order.meetings, edition=edition, awaits=True, opening=opening)


def with_answer(waiting: Challenge, reaction: Draft) -> Challenge:
    """The challenge with both sides declared: each adds its MODs to the other's sum."""
    opening = waiting.opening
    one, profile = opening.roll, opening.meeting.profile
    mine = Draft(
        name=one.name,
        attribute=one.attribute,
        stat=one.stat,
        mods=list(opening.mods),
        burst=one.burst,
        special=opening.special,
        action=one.action,
        dice=one.dice,
        weapon=one.weapon,
        situation=asdict(opening.around),
        trooper=opening.trooper,
        anyway=one.anyway,
    )
    both = duel(mine, reaction, waiting.edition)
    theirs = replace(both.rolls[1], profile=both.rolls[1].profile or profile)
    mine_again = replace(both.rolls[0], profile=one.profile)
    made = replace(waiting, rolls=(mine_again, theirs), meetings=both.meetings, awaits=False, answered=True)
    return checked(made)


Declared = Challenge | Order | Save | OpenOrder

UNATTACKED, DIRECT, COUP, BERSERK, ELSEWHERE, STILL = "unattacked", "direct", "coup", "berserk", "elsewhere", "still"
"""Why a roll is a Normal Roll: nobody attacks who dodges, a Direct Template is not rolled face to face, neither is a
Berserk attack, a Coup de Grâce needs no roll, the target acts against somebody else, or does not react."""


def berserks(one: Part) -> bool:
    """Whether both sides make Normal Rolls, because of a Berserk attack of N4 or N3."""
    return one.around.berserk and one.edition != "n5" and one.action is Action.CC


@dataclass(frozen=True, slots=True)
class Entry:
    """A roll at its place in the order, and the names it is aimed at.

    ``line`` and ``target`` say where it was typed; a line's own roll has no ``target``, a reaction to it has.
    """

    place: int
    part: Part
    aims: tuple[str, ...]
    line: int
    target: int | None = None

    @property
    def name(self) -> str:
        return key(self.part.name)

    @property
    def is_normal(self) -> bool:
        return bool(self.part.draft.normal) or berserks(self.part)

    @property
    def affects(self) -> bool:
        """Whether it does something to whom it is aimed at, so that a Dodge or Reset is compared with it."""
        return self.part.action.is_attack or self.part.action is Action.HACK


def key(name: str) -> str:
    """A trooper's name, as names are compared."""
    return " ".join(name.split()).casefold()


def assemble(typed: Typed, edition: Edition) -> Order:
    """The order that the lines make; a typed edition beats ``edition``. Raises ``BadInput`` where they contradict."""
    edition = typed.edition or edition
    lines = numbered(typed.lines)
    entries = entered(lines, edition)
    for line, entry in zip(lines, [one for one in entries if one.target is None], strict=True):
        check_targets(line, entry.part)
    side = sides(lines, entries)
    check_splits(entries, side)
    known = profiles(lines)
    meetings = tuple(all_met(lines, entries, known))
    for meeting in meetings:
        check_enemies(meeting, entries, side)
    rolls = tuple(roll(entry, lines, entries, meetings, side, known) for entry in entries)
    return checked(Order(rolls=rolls, meetings=meetings, edition=edition))


def numbered(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Reactions of one name are several troopers, since a reaction is not split: Fusilier #1, Fusilier #2.

    A trooper of the channel is one trooper, however often it is named.
    """
    count = Counter(key(one.name) for line in lines for one in line.targets if one.has_roll and one.trooper is None)
    own = {key(line.roll.name) for line in lines}
    seen: Counter[str] = Counter()

    def named(one: Draft) -> Draft:
        if not one.has_roll or one.trooper or count[key(one.name)] < 2 or key(one.name) in own:
            return one
        seen[key(one.name)] += 1
        return replace(one, name=f"{one.name} #{seen[key(one.name)]}")

    return tuple(replace(line, targets=tuple(named(one) for one in line.targets)) for line in lines)


def entered(lines: tuple[Line, ...], edition: Edition) -> list[Entry]:
    """Every roll, in the order in which it was typed."""
    entries: list[Entry] = []
    for number, line in enumerate(lines):
        aims = tuple(key(target.name) for target in line.targets)
        entries.append(Entry(len(entries), part(line.roll, edition), aims, number))
        for at, target in enumerate(line.targets):
            if target.has_roll:
                entries.append(Entry(len(entries), part(target, edition), (key(line.roll.name),), number, at))
    return entries


def check_targets(line: Line, own: Part) -> None:
    """Refuse a line that says two things at once."""
    name = own.name
    field = Text("targets of {name}", name=name)
    if key(name) in [key(target.name) for target in line.targets]:
        raise BadInput(field, name, Text("Use somebody else."))
    if len(line.targets) > 1 and own.action in (Action.SHOOT, Action.CC):
        given = ", ".join(target.name for target in line.targets)
        raise BadInput(
            field, given, Text("Use one target a line: split the Burst over several lines, or write `template`.")
        )
    for target in line.targets:
        if line.roll.normal and target.has_roll:
            allowed = Text("Use a name without numbers after `normal`: a Normal Roll is not compared.")
            raise BadInput(field, f"{target.name} {target.attribute or ''}".strip(), allowed)


def check_splits(entries: list[Entry], side: dict[str, Side]) -> None:
    """Burst is split *before* rolling, over at most 6 dice; a reaction is not split, a Dodge or Reset is one roll."""
    for entry in entries:
        own = [other for other in entries if other.name == entry.name]
        called = entry.part.name
        if len(own) > 1 and (entry.target is not None or not entry.part.action.is_attack):
            allowed = Text(
                "Use one roll. Are these two troopers? Call them `{called} #1` and `{called} #2`.", called=called
            )
            raise BadInput(Text("rolls of {called}", called=called), Text("{count} rolls", count=len(own)), allowed)
        if len(own) == 1:
            continue
        weapon = entry.part.weapon if entry.part.trooper and side[entry.name] is Side.ATTACKER else None
        most = weapon.burst if weapon else BURST_MOST
        if weapon is not None and entry.part.draft.burst is None and entry.part.draft.dice is None:
            raise BadInput(
                Text("Burst of {called}", called=called),
                None,
                Text("Use dice for each target, as in `b2`; {most} in all.", most=most),
            )
        burst = sum(sums.burst(other.part, active=True) for other in own)
        if burst > most:
            allowed = Text(
                "Use at most {most} dice over all targets; another trooper of that name is `{called} #2`.",
                most=most,
                called=called,
            )
            raise BadInput(Text("Burst of {called}", called=called), Text("{burst} dice", burst=burst), allowed)


def check_enemies(meeting: Meeting, entries: list[Entry], side: dict[str, Side]) -> None:
    """Friends are never compared."""
    if meeting.b is None:
        return
    one, other = entries[meeting.a], entries[meeting.b]
    if side[one.name] is side[other.name]:
        given = Names([one.part.name, other.part.name])
        raise BadInput("order", given, Text("Use enemies on both ends of a `vs`: other lines make these two friends."))


def all_met(lines: tuple[Line, ...], entries: list[Entry], known: dict[str, Profile]) -> list[Meeting]:
    """Every meeting once, line by line; a roll that meets nobody is a Normal Roll, and says why."""
    own = [entry for entry in entries if entry.target is None]
    found = {one.place: met(one, lines[one.line], entries, known) for one in own}
    paired = {place for meetings in found.values() for meeting in meetings for place in (meeting.a, meeting.b)}
    every: list[Meeting] = []
    for one in entries:
        alone = [] if one.place in paired else [unpaired(one, lines[one.line], known)]
        every += [meeting for meeting in found.get(one.place) or alone if not is_known(meeting, every)]
    return every


def unpaired(one: Entry, line: Line, known: dict[str, Profile]) -> Meeting:
    """The Normal Roll of somebody whose roll is compared with nobody's, and why."""
    if one.part.action.is_evasion and not one.is_normal:
        return Meeting(a=one.place, because=UNATTACKED)
    if one.target is None:
        return Meeting(a=one.place)
    profile = known.get(key(line.roll.name))
    because = BERSERK if line.roll.around.berserk else DIRECT
    return Meeting(a=one.place, target=line.roll.name, profile=profile, because=because)


def met(one: Entry, line: Line, entries: list[Entry], known: dict[str, Profile]) -> list[Meeting]:
    """The meetings of a line's roll with its targets; a Dodge that names nobody is met by its attackers' lines."""
    if one.part.action.is_evasion and not one.is_normal:
        check_named(one, line, entries)
        return [Meeting(a=one.place, b=foe.place) for foe in attackers(one, entries) if line.targets]
    meetings: list[Meeting] = []
    for at, target in enumerate(line.targets):
        foes = opposing(one, at, target, entries)
        meetings += [Meeting(a=one.place, b=foe.place) for foe in foes]
        if not foes:
            because = BERSERK if berserks(one.part) else "" if one.is_normal else unopposed(one, target, entries)
            profile = known.get(key(target.name))
            meetings.append(Meeting(a=one.place, target=target.name, profile=profile, because=because))
    return meetings


def attackers(one: Entry, entries: list[Entry]) -> list[Entry]:
    """Whom a Dodge or a Reset is compared with: every attack on the one who makes it, and no other."""
    return [foe for foe in entries if foe.affects and one.name in foe.aims and not foe.is_normal]


def check_named(one: Entry, line: Line, entries: list[Entry]) -> None:
    """Refuse a Dodge from somebody who does not roll at all: that is a name misspelt, or a line forgotten."""
    for target in line.targets:
        if not target.has_roll and not any(foe.affects for foe in entries if foe.name == key(target.name)):
            raise BadInput(
                Text("targets of {part}", part=one.part.name),
                target.name,
                Text("Use attackers who roll in this order: give {target} a Success Value.", target=target.name),
                Example(f"{target.name} 12"),
            )


def opposing(one: Entry, at: int, target: Draft, entries: list[Entry]) -> list[Entry]:
    """Which rolls of a target an attack or a skill is compared with: those that affect it.

    An attack meets every Dodge and Reset of its target, and an attack that is aimed back. A Direct Template is not
    compared with a shot back: both are Normal Rolls, and both can hit.
    """
    if one.is_normal:
        return []
    inline = [foe for foe in entries if (foe.line, foe.target) == (one.line, at)]
    theirs = inline or [foe for foe in entries if foe.name == key(target.name)]
    back = [foe for foe in theirs if (foe.part.action.is_evasion or one.name in foe.aims) and not foe.is_normal]
    back = [foe for foe in back if not foe.part.action.is_evasion or one.affects]
    if Action.DIRECT in (one.part.action, *(foe.part.action for foe in back)):
        return [foe for foe in back if foe.part.action.is_evasion]
    return back


def unopposed(one: Entry, target: Draft, entries: list[Entry]) -> str:
    """Why an attack with a target is a Normal Roll."""
    theirs = [foe for foe in entries if foe.name == key(target.name)]
    if one.part.around.coup:
        return COUP
    if one.part.action is Action.DIRECT or any(foe.part.action is Action.DIRECT for foe in theirs):
        return DIRECT
    if theirs:
        return ELSEWHERE
    return STILL


def is_known(meeting: Meeting, meetings: list[Meeting]) -> bool:
    """Whether the same two rolls meet already, whichever was named first."""
    pair = {meeting.a, meeting.b}
    return any(pair == {known.a, known.b} and meeting.target == known.target for known in meetings)


def sides(lines: tuple[Line, ...], entries: list[Entry]) -> dict[str, Side]:
    """Each trooper's side. Who splits Burst is active, else who is answered, else who stands first."""
    pairs = [(key(line.roll.name), key(target.name)) for line in lines for target in line.targets]
    split = [one.name for one in entries if sum(other.name == one.name for other in entries) > 1]
    answered = [aim for entry in entries if entry.target is not None for aim in entry.aims]
    known: dict[str, Side] = {}
    for first in (*split, *answered, *(entry.name for entry in entries)):
        reached = [] if first in known else [first]
        for current in reached:
            known.setdefault(current, Side.ATTACKER)
            enemies = [two if one == current else one for one, two in pairs if current in (one, two)]
            reached += [enemy for enemy in enemies if enemy not in known]
            known |= {enemy: known[current].other for enemy in enemies if enemy not in known}
    return known


def profiles(lines: tuple[Line, ...]) -> dict[str, Profile]:
    """What is known of each trooper who may be hit: of the channel, and what was typed."""
    found: dict[str, Profile] = {}
    for draft in [draft for line in lines for draft in (line.roll, *line.targets)]:
        stats = {stat: number for stat, number in draft.armour.items() if stat in ("ARM", "BTS")}
        if draft.stat in ("PH", "WIP") and draft.attribute is not None:
            stats[draft.stat] = draft.attribute
        wounds = next((draft.armour[stat] for stat in ("STR", "W") if stat in draft.armour), None)
        known = found.get(key(draft.name))
        if draft.trooper is not None and known is None:
            known = replace(draft.trooper.profile, kept=key(draft.name) == key(draft.trooper.name))
        if known is not None or stats or wounds or draft.player or draft.states:
            known = known or Profile()
            said = tuple(dict.fromkeys((*known.states, *draft.states)))
            known = replace(known, player=draft.player or known.player, states=said)
            known = replace(known, **{stat.lower(): number for stat, number in stats.items()})  # type: ignore[arg-type]  # ARM, BTS, PH and WIP are fields
            if wounds is not None:
                known = replace(known, wounds=wounds, structure="STR" in draft.armour)
            found[key(draft.name)] = known
    return found


def roll(
    entry: Entry,
    lines: tuple[Line, ...],
    entries: list[Entry],
    meetings: Sequence[Meeting],
    side: dict[str, Side],
    known: dict[str, Profile],
) -> TrooperRoll:
    """The roll of an entry with the sum of its MODs."""
    pairs = [(one.a, one.b) for one in meetings if one.b is not None and entry.place in (one.a, one.b)]
    others = [entries[b if a == entry.place else a].part for a, b in pairs]
    line = lines[entry.line]
    target = line.roll if entry.target is not None else line.targets[0] if line.targets else None
    if target is not None and target.trooper is None:
        target = next((other.part.draft for other in entries if other.name == key(target.name)), target)
    far = [around for around in (*(one.around for one in others), line.roll.around) if around.distance is not None]
    first = next(other.place for other in entries if other.name == entry.name) == entry.place
    attackers = [other.name for other in entries if other.part.action in states.ATTACKING]
    own = side[entry.name]
    return made(
        entry.part,
        others,
        target,
        far[0] if far else sums.NOWHERE,
        own,
        known.get(entry.name),
        is_first=first,
        revealed=target is not None and own is Side.DEFENDER and key(target.name) in attackers,
    )


def made(
    one: Part,
    others: Sequence[Part],
    target: Draft | None,
    far: Situation,
    side: Side,
    profile: Profile | None,
    *,
    is_first: bool = True,
    revealed: bool = False,
) -> TrooperRoll:
    """A roll with the sum of its MODs: aimed at ``target``, compared with the ``others``.

    ``is_first``: of a Burst that is split over several targets the first roll has the special dice of skills.
    ``revealed``: the target attacks in this order, so that it is no marker any more for who reacts.
    Raises ``Forbidden`` for what a state of the trooper or the target forbids, unless ``anyway`` was said.
    """
    faced = [other for other in others if other.action is not Action.DIRECT]
    active = side is Side.ATTACKER
    anyway = False
    try:
        check_states(one, target, revealed=revealed)
    except states.Forbidden:
        if not one.draft.anyway:
            raise
        anyway = True
    return TrooperRoll(
        attribute=one.attribute,
        stat=one.stat,
        mods=sums.mods(one, target, faced, active=active, far=far),
        burst=sums.burst(one, active=active),
        special=sums.special(one, faced) if is_first else one.draft.special or 0,
        action=one.action,
        name=one.name,
        side=side,
        dice=one.draft.dice,
        weapon=one.weapon,
        profile=profile,
        cover=sums.covers(one, target),
        not_counted=sums.not_counted(one, target, faced),
        anyway=anyway,
    )


def check_states(one: Part, target: Draft | None, *, revealed: bool) -> None:
    """Raises ``Forbidden`` for what a state of the trooper or the target forbids."""
    states.check(one.name, one.states, Action.CC if one.around.coup else one.action)
    if one.around.coup:
        states.check_coup(target.name if target else "", sums.states_of(target))
    elif target is not None and not revealed:
        states.check_target(target.name, sums.states_of(target), one.action, intuitive=one.around.intuitive)


def duel(a: Draft, b: Draft | None, edition: Edition, target: Draft | None = None, *, awaits: bool = False) -> Order:
    """One roll against another; without ``b`` a Normal Roll against ``target``, or one that waits for its answer.

    Raises ``BadInput`` where something is missing.
    """
    one, other = part(a, edition), part(b, edition) if b else None
    known = [profiles((Line(roll=draft),)).get(key(draft.name)) if draft else None for draft in (a, b or target)]
    said = [draft.around for draft in (a, b) if draft and draft.around.distance is not None]
    far = said[0] if said else sums.NOWHERE
    faced = [other] if other and compares(one, other) else []
    rolls = [made(one, faced, b or target, far, Side.ATTACKER, known[0])]
    name = target.name if target else ""
    if other is None or b is None:
        alone = Meeting(a=0, target=name, profile=known[1])
        return checked(Order(rolls=tuple(rolls), meetings=(alone,), edition=edition, awaits=awaits))
    revealed = one.action in states.ATTACKING
    rolls.append(made(other, [one] if faced else [], a, far, Side.DEFENDER, known[1], revealed=revealed))
    evades = one.action.is_evasion or other.action.is_evasion
    if not compares(one, other) and not (evades and Action.DIRECT in (one.action, other.action)):
        because = DIRECT if Action.DIRECT in (one.action, other.action) else BERSERK
        meetings = (
            Meeting(a=0, target=other.name or Text("the defender"), profile=known[1], because=because),
            Meeting(a=1, target=one.name or Text("the attacker"), profile=known[0], because=because),
        )
        return checked(Order(rolls=tuple(rolls), meetings=meetings, edition=edition))
    return checked(Order(rolls=tuple(rolls), meetings=(Meeting(a=0, b=1),), edition=edition))


def compares(one: Part, other: Part) -> bool:
    """Whether two rolls are compared face to face."""
    return Action.DIRECT not in (one.action, other.action) and not berserks(one) and not berserks(other)

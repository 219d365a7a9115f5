"""From typed lines to the rolls of one order and who is compared with whom (rules page, Who rolls against whom)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Final, Literal

from bot.rules.errors import BadInput, Example
from bot.rules.game import Side
from bot.rules.infinity import limits, needs, programs, skills, states, sums, words
from bot.rules.infinity.declared import (
    Action,
    Ammo,
    Doubt,
    Edition,
    Meeting,
    Mod,
    Order,
    Profile,
    Save,
    TrooperRoll,
    checked,
)
from bot.rules.infinity.fields import SHARED, Draft, Situation
from bot.rules.infinity.sums import Part, part
from bot.rules.infinity.trooper import Trooper, with_states
from bot.rules.pieces import key
from bot.rules.text import N_, Name, Names, Text


@dataclass(frozen=True, slots=True)
class Aim:
    """A trooper of the channel who attacks, and whom."""

    name: Name
    targets: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOrder:
    """An order that the active player declared and to which others still add their troopers' AROs, line by line.

    ``roster`` are the troopers that its names may stand for. ``attacks`` are those of which the active player has
    still to say how they are made. ``asks``: whose turn it is is known, so that the reactive side is asked for its AROs
    and says when there are no more. ``doubt`` is as in an order.

    ``first`` is a trooper whose first skill has no dice, as a Move: the AROs to that come before its ``second`` skill.
    ``waits``: who waits with the ARO to a marker's first skill, and may declare it against the second one.
    ``over``: it needed no die at all.
    """

    lines: tuple[str, ...]
    edition: Edition = "n5"
    roster: tuple[Trooper, ...] = ()
    attacks: tuple[Aim, ...] = ()
    asks: bool = False
    doubt: Doubt | None = None
    first: str = ""
    second: bool = False
    waits: tuple[str, ...] = ()
    over: bool = False
    kind: Literal["open"] = "open"

    rolls: ClassVar[tuple[TrooperRoll, ...]] = ()
    involved: ClassVar[tuple[tuple[Name, Profile | None], ...]] = ()
    awaits: ClassVar[bool] = True


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
    order = faced(one, None, edition, target)
    roll, meeting = order.rolls[0], order.meetings[0]
    said = Opening(roll=roll, meeting=meeting, mods=tuple(one.mods), special=one.special, around=one.around)
    opening = replace(said, trooper=one.trooper, target=target.trooper, roster=tuple(roster))
    return Challenge(rolls=order.rolls, meetings=order.meetings, edition=edition, awaits=True, opening=opening)


def with_answer(waiting: Challenge, reaction: Draft) -> Challenge:
    """The challenge with both sides declared: each adds its MODs to the other's sum."""
    opening = waiting.opening
    one, profile = opening.roll, opening.meeting.profile
    said: dict[str, Any] = {name: getattr(one, name) for name in OF_A_ROLL}
    said |= {name: getattr(opening, name) for name in ("special", "trooper")}
    mine = Draft(**said, mods=list(opening.mods), situation=asdict(opening.around))
    both = duel(mine, reaction, waiting.edition)
    theirs = replace(both.rolls[1], profile=both.rolls[1].profile or profile)
    rolls = (replace(both.rolls[0], profile=one.profile), theirs)
    return checked(replace(waiting, rolls=rolls, meetings=both.meetings, awaits=False, answered=True))


OF_A_ROLL: Final = ("name", "attribute", "stat", "burst", "action", "dice", "weapon", "anyway")
"""What a roll keeps as it was said."""

Declared = Challenge | Order | Save | OpenOrder

UNATTACKED, DIRECT, COUP, BERSERK, ELSEWHERE, STILL = "unattacked", "direct", "coup", "berserk", "elsewhere", "still"
"""Why a roll is a Normal Roll: nobody attacks who dodges, a Direct Template is not rolled face to face, neither is a
Berserk attack, a Coup de Grâce needs no roll, the target acts against somebody else, or does not react."""
SKILL, NO_DODGE, NO_RESET, NO_PAIN = "skill", "no dodge", "no reset", "no pain"
"""And in N5: a skill touches nobody's roll, and what somebody declares does not answer what is declared against it."""
PAST = "past"
"""Smoke stops only attacks with a roll whose line of fire crosses it, and not those of a Visor."""

NEVER: Final = (Action.DISCOVER, Action.DOCTOR, Action.ENGINEER, Action.SENSOR, Action.GUTS)
"""Skills that are never rolled face to face, in N5."""
ANSWERED: Final[Mapping[Action, tuple[Action, ...]]] = {
    Action.DODGE: (Action.SHOOT, Action.TEMPLATE, Action.CC),
    Action.RESET: (Action.HACK,),
}
"""What a Dodge and a Reset answer in N5; a Reset answers a Guided attack as well."""


def berserks(one: Part) -> bool:
    """Whether both sides make Normal Rolls, because of a Berserk attack of N4 or N3."""
    return one.around.berserk and one.edition != "n5" and one.action is Action.CC


def unmet(one: Part, other: Part) -> str:
    """Why two rolls of which each touches the other's trooper are not rolled face to face; "" where they are.

    Which reaction answers which attack is the table of N5; before it a Dodge and a Reset answer every attack. A Dodge
    of a Direct Template is a Normal Roll, but told beside it, since it evades the template.
    """
    if sums.is_screen(one) or sums.is_screen(other):
        return "" if is_stopped(one, other) or is_stopped(other, one) else PAST
    evasion, attack = (one, other) if one.action.is_evasion else (other, one)
    if berserks(one) or berserks(other):
        return BERSERK
    if Action.DIRECT in (one.action, other.action) and not evasion.action.is_evasion:
        return DIRECT
    if Action.DIRECT in (one.action, other.action):
        return "" if evasion.action is Action.DODGE or evasion.edition != "n5" else NO_RESET
    if one.edition != "n5":
        return SKILL if evasion.action.is_evasion and not touches(attack) else ""
    if one.action in NEVER or other.action in NEVER:
        return SKILL
    if evasion.action.is_evasion and not answers(evasion, attack):
        return NO_DODGE if evasion.action is Action.DODGE else NO_RESET
    is_pain = programs.of(one.weapon).keeps_burst or programs.of(other.weapon).keeps_burst
    return NO_PAIN if is_pain and not one.action is other.action is Action.HACK else ""


def is_stopped(shot: Part, screen: Part) -> bool:
    """Whether an attack is compared with smoke, or with Eclipse, which stops a Visor too."""
    around, visor = shot.around, shot.trooper.visor if shot.trooper else 0
    has_line = not (around.guided or around.speculative or around.intuitive or around.past)
    shoots = shot.action in skills.SHOTS and not sums.is_screen(shot) and has_line
    reflects = screen.weapon is not None and Ammo.ECLIPSE in screen.weapon.ammo
    return sums.is_screen(screen) and shoots and (reflects or not visor)


def answers(evasion: Part, attack: Part) -> bool:
    """Whether a Dodge or a Reset is compared with what is declared against it."""
    is_guided = evasion.action is Action.RESET and sums.is_guided(attack)
    return is_guided or attack.action in ANSWERED[evasion.action]


def touches(one: Part) -> bool:
    """Whether a roll does something to whom it is aimed at, so that a Dodge or Reset may answer it."""
    return one.action.is_attack or one.action is Action.HACK


@dataclass(frozen=True, slots=True)
class Entry:
    """A roll at its place in the order, and the names it is aimed at.

    ``line`` and ``target`` say where it was typed; a line's own roll has no ``target``, a reaction to it has.
    """

    place: int
    part: Part
    aims: tuple[str, ...]
    line: words.Line
    target: int | None = None

    @property
    def name(self) -> str:
        return key(self.part.name)

    @property
    def is_normal(self) -> bool:
        return bool(self.part.draft.normal) or berserks(self.part)


def assemble(typed: words.Typed, edition: Edition, first: str = "") -> Order:
    """The order that the lines make; a typed edition beats ``edition``. Raises ``BadInput`` where they contradict.

    ``first``: the trooper whose order it is, though it may roll nothing; else the lines tell who is active.
    """
    edition = typed.edition or edition
    lines = numbered(typed.lines)
    drafts = [draft for line in lines for draft in (line.roll, *line.targets)]
    return needs.with_all_used(drafts, lambda said: built(tuple(said_otherwise(lines, said)), edition, key(first)))


def said_otherwise(lines: tuple[words.Line, ...], drafts: Sequence[Draft]) -> Iterator[words.Line]:
    """The lines with other drafts in the places of theirs."""
    left = iter(drafts)
    for line in lines:
        yield replace(line, roll=next(left), targets=tuple(islice(left, len(line.targets))))


def built(lines: tuple[words.Line, ...], edition: Edition, first: str = "") -> Order:
    """The order that lines make. Raises ``BadInput`` where they contradict."""
    entries = entered(lines, edition)
    for entry in entries:
        if entry.target is None:
            check_targets(entry)
    side = sides(entries, first)
    check_splits(entries, side)
    known = profiles(lines)
    entries = [replace(one, part=out_of_suppression(one.part, side[one.name])) for one in entries]
    meetings = all_met(entries, known)
    for meeting in meetings:
        check_enemies(meeting, entries, side)
    rolls = tuple(roll(entry, entries, meetings, side, known) for entry in entries)
    return checked(Order(rolls=rolls, meetings=tuple(meetings), edition=edition))


def numbered(lines: tuple[words.Line, ...]) -> tuple[words.Line, ...]:
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


def entered(lines: tuple[words.Line, ...], edition: Edition) -> list[Entry]:
    """Every roll, in the order in which it was typed."""
    entries: list[Entry] = []
    for line in lines:
        aims = tuple(key(target.name) for target in line.targets)
        entries.append(Entry(len(entries), aimed(part(line.roll, edition), line.targets), aims, line))
        for at, target in enumerate(line.targets):
            if target.has_roll:
                entries.append(Entry(len(entries), part(target, edition), (key(line.roll.name),), line, at))
    return entries


def aimed(own: Part, targets: Sequence[Draft]) -> Part:
    """A roll with its targets known: in N5 a CC Attack on an Unconscious trooper is a Coup de Grâce.

    Who has a Sensor uses it to discover whoever is Camouflaged.
    """
    hidden = own.action is Action.DISCOVER and any("Camouflaged" in sums.states_of(one) for one in targets)
    if hidden and sums.has(own, "Sensor"):
        own = replace(own, draft=replace(own.draft, situation={**own.draft.situation, "sensor": True}))
    is_coup = own.edition == "n5" and own.action is Action.CC and len(targets) == 1
    if not is_coup or states.UNCONSCIOUS not in sums.states_of(targets[0]) or targets[0].has_roll:
        return own
    draft = own.draft
    return part(replace(draft, situation={**draft.situation, "coup": True}), own.edition)


def out_of_suppression(own: Part, side: Side) -> Part:
    """A roll without Suppressive Fire, where what its trooper declares ends that; N3 leaves it to the players."""
    if states.SUPPRESSIVE not in own.states or own.edition == "n3" or (side is Side.DEFENDER and keeps_fire(own)):
        return own
    draft, trooper = own.draft, own.trooper
    said = [state for state in draft.states if state != states.SUPPRESSIVE]
    trooper = with_states(trooper, (states.SUPPRESSIVE,), on=False) if trooper else None
    return replace(part(replace(draft, states=said, trooper=trooper), own.edition), ended=(states.SUPPRESSIVE,))


def keeps_fire(own: Part) -> bool:
    """Whether a reaction is a BS Attack by Suppressive Fire: with a weapon that has the trait, and in no other state.

    Where no weapon of the profile has it, the weapon is believed.
    """
    arms = own.trooper.weapons if own.trooper else ()
    has_trait = own.weapon is None or SUPPRESSES in own.weapon.traits
    believed = not any(SUPPRESSES in one.traits for one in arms)
    broken = set(own.states) & set(states.BREAKS_SUPPRESSIVE) or own.around.fireteam
    return own.action in skills.SHOTS and (has_trait or believed) and not broken


SUPPRESSES: Final = "suppressive"


def check_targets(one: Entry) -> None:
    """Refuse a line that says two things at once."""
    name, targets = one.part.name, one.line.targets
    field = Text("targets of {name}", name=Name(name))
    if one.name in one.aims:
        raise BadInput(field, name, Text("Use somebody else."))
    if len(targets) > 1 and one.part.action in (Action.SHOOT, Action.CC) and not sums.is_screen(one.part):
        allowed = Text("Use one target a line: split the Burst over several lines, or write `template`.")
        raise BadInput(field, ", ".join(target.name for target in targets), allowed)
    compared = next((target for target in targets if target.has_roll), None)
    if one.line.roll.normal and compared is not None:
        allowed = Text("Use a name without numbers after `normal`: a Normal Roll is not compared.")
        raise BadInput(field, f"{compared.name} {compared.attribute or ''}".strip(), allowed)


def check_splits(entries: list[Entry], side: dict[str, Side]) -> None:
    """Burst is split *before* rolling, over at most 6 dice; a reaction is not split, a Dodge or Reset is one roll."""
    for entry in entries:
        own, draft = [other for other in entries if other.name == entry.name], entry.part.draft
        if len(own) == 1:
            continue
        called = Name(entry.part.name)
        if entry.target is not None or not entry.part.action.is_attack:
            message = N_("Use one roll. Are these two troopers? Call them `{called} #1` and `{called} #2`.")
            field, count = Text("rolls of {called}", called=called), Text("{count} rolls", count=len(own))
            raise BadInput(field, count, Text(message, called=called))
        weapon = entry.part.weapon if draft.trooper and side[entry.name] is Side.ATTACKER else None
        most, field = weapon.burst if weapon else limits.BURST_MOST, Text("Burst of {called}", called=called)
        if weapon is not None and draft.burst is None and draft.dice is None:
            raise BadInput(field, None, Text("Use dice for each target, as in `b2`; {most} in all.", most=most))
        burst = sum(sums.burst(other.part, active=True) for other in own)
        if burst > most:
            message = N_("Use at most {most} dice over all targets; another trooper of that name is `{called} #2`.")
            raise BadInput(field, Text("{burst} dice", burst=burst), Text(message, most=most, called=called))


def check_enemies(meeting: Meeting, entries: list[Entry], side: dict[str, Side]) -> None:
    """Friends are never compared."""
    if meeting.b is None:
        return
    one, other = entries[meeting.a], entries[meeting.b]
    if side[one.name] is side[other.name]:
        given = Names([one.part.name, other.part.name])
        raise BadInput("order", given, Text("Use enemies on both ends of a `vs`: other lines make these two friends."))


def all_met(entries: list[Entry], known: dict[str, Profile]) -> list[Meeting]:
    """Every meeting once, line by line; a roll that meets nobody is a Normal Roll, and says why."""
    found = {one.place: met(one, entries, known) for one in entries if one.target is None}
    paired = {place for meetings in found.values() for meeting in meetings for place in (meeting.a, meeting.b)}
    every: list[Meeting] = []
    for one in entries:
        its = found.get(one.place) or ([] if one.place in paired else [alone(one, entries, known)])
        every += [meeting for meeting in its if not is_known(meeting, every)]
    return every


def alone(one: Entry, entries: list[Entry], known: dict[str, Profile]) -> Meeting:
    """The Normal Roll of somebody whose roll is compared with nobody's.

    It says why, but where an attack says that, or somebody asked for it.
    """
    why = ""
    if one.part.action.is_evasion and not one.is_normal:
        why = "" if attackers(one, entries) else UNATTACKED
    elif one.target is not None:
        own = next((foe for foe in entries if foe.target is None and foe.line is one.line), one)
        why = unmet(own.part, one.part)
    if one.target is None or one.part.action.is_evasion or sums.is_screen(one.part):
        return Meeting(a=one.place, because=why)
    foe = one.line.roll.name
    return Meeting(a=one.place, target=Name(foe), profile=known.get(key(foe)), because=why)


def met(one: Entry, entries: list[Entry], known: dict[str, Profile]) -> list[Meeting]:
    """The meetings of a line's roll with its targets; a Dodge that names nobody is met by its attackers' lines."""
    if one.part.action.is_evasion and not one.is_normal:
        check_named(one, entries)
        foes = [foe for foe in attackers(one, entries) if not unmet(one.part, foe.part)]
        return [Meeting(a=one.place, b=foe.place) for foe in foes if one.aims]
    if sums.is_screen(one.part):
        foes = [foe for foe in entries if one.name in foe.aims and not foe.is_normal and not unmet(one.part, foe.part)]
        return [Meeting(a=one.place, b=foe.place) for foe in foes]
    meetings: list[Meeting] = []
    for at, target in enumerate(one.line.targets):
        foes = opposing(one, at, target, entries)
        if (screen := screening(one, target, entries)) is not None:
            profile = known.get(key(target.name))
            meetings.append(Meeting(a=one.place, b=screen.place, target=Name(target.name), profile=profile))
            continue
        meetings += [Meeting(a=one.place, b=foe.place) for foe in foes]
        if not foes:
            because = BERSERK if berserks(one.part) else "" if one.is_normal else unopposed(one, target, entries)
            profile = known.get(key(target.name))
            meetings.append(Meeting(a=one.place, target=Name(target.name), profile=profile, because=because))
    return meetings


def screening(one: Entry, target: Draft, entries: list[Entry]) -> Entry | None:
    """The smoke that protects a target of an attack which somebody else throws, and which the attack crosses."""
    others = (foe for foe in entries if sums.is_screen(foe.part) and foe.name not in (key(target.name), one.name))
    return next((foe for foe in others if one.part.around.crossed and is_stopped(one.part, foe.part)), None)


def attackers(one: Entry, entries: list[Entry]) -> list[Entry]:
    """Whom a Dodge or a Reset may be compared with: every attack on the one who makes it, and no other."""
    return [foe for foe in entries if touches(foe.part) and one.name in foe.aims and not foe.is_normal]


def check_named(one: Entry, entries: list[Entry]) -> None:
    """Refuse a Dodge from somebody who does not roll at all: that is a name misspelt, or a line forgotten."""
    for target in one.line.targets:
        if not target.has_roll and not any(touches(foe.part) for foe in entries if foe.name == key(target.name)):
            message = N_("Use attackers who roll in this order: give {target} a Success Value.")
            field = Text("targets of {part}", part=Name(one.part.name))
            allowed = Text(message, target=Name(target.name))
            raise BadInput(field, target.name, allowed, Example(f"{target.name} 12"))


def opposing(one: Entry, at: int, target: Draft, entries: list[Entry]) -> list[Entry]:
    """Which rolls of a target an attack or a skill is compared with: those that affect it.

    Those are a Dodge or Reset of its target and an attack that is aimed back, unless the one does not answer the other.
    """
    if one.is_normal:
        return []
    inline = [foe for foe in entries if foe.line is one.line and foe.target == at]
    theirs = inline or [foe for foe in entries if foe.name == key(target.name)]
    return [foe for foe in theirs if is_back(one, foe) and not unmet(one.part, foe.part)]


def is_back(one: Entry, foe: Entry) -> bool:
    """Whether what an enemy declares may touch a roll that is aimed at it."""
    acts = foe.part.action.is_evasion or sums.is_screen(foe.part) or one.name in foe.aims
    return acts and not foe.is_normal


def unopposed(one: Entry, target: Draft, entries: list[Entry]) -> str:
    """Why an attack with a target is a Normal Roll."""
    theirs = [foe for foe in entries if foe.name == key(target.name)]
    if one.part.around.coup:
        return COUP
    if one.part.action is Action.DIRECT or any(foe.part.action is Action.DIRECT for foe in theirs):
        return DIRECT
    whys = [unmet(one.part, foe.part) for foe in theirs if is_back(one, foe)]
    if whys or theirs:
        return whys[0] if whys else ELSEWHERE
    return SKILL if one.part.action in NEVER and one.part.edition == "n5" else STILL


def is_known(meeting: Meeting, meetings: list[Meeting]) -> bool:
    """Whether the same two rolls meet already, whichever was named first."""
    pair = {meeting.a, meeting.b}
    return any(pair == {known.a, known.b} and meeting.target == known.target for known in meetings)


def sides(entries: list[Entry], active: str = "") -> dict[str, Side]:
    """Each trooper's side. Who splits Burst is active, else who is answered, else who stands first.

    Where it is known who is ``active``, whoever has nothing to do with that one reacts.
    """
    pairs = [(one.name, aim) for one in entries if one.target is None for aim in one.aims]
    pairs += [
        (one.name, foe.name)
        for one in entries
        if one.part.around.crossed
        for foe in entries
        if sums.is_screen(foe.part)
    ]
    split = [one.name for one in entries if sum(other.name == one.name for other in entries) > 1]
    answered = [aim for entry in entries if entry.target is not None for aim in entry.aims]
    known = reached({active: Side.ATTACKER}, active, pairs) if active else {}
    rest = Side.DEFENDER if active else Side.ATTACKER
    for first in (*split, *answered, *(entry.name for entry in entries)):
        known = known if first in known else reached(known | {first: rest}, first, pairs)
    return known


def reached(known: dict[str, Side], first: str, pairs: Sequence[tuple[str, str]]) -> dict[str, Side]:
    """The sides that are known, and those of all enemies of ``first``, of their enemies, and so on."""
    left = [first]
    for current in left:
        enemies = [two if one == current else one for one, two in pairs if current in (one, two)]
        new = {enemy: known[current].other for enemy in enemies if enemy not in known}
        left += new
        known = known | new
    return known


def profiles(lines: tuple[words.Line, ...]) -> dict[str, Profile]:
    """What is known of each trooper who may be hit: of the channel, and what was typed."""
    found: dict[str, Profile] = {}
    for draft in [draft for line in lines for draft in (line.roll, *line.targets)]:
        known = found.get(key(draft.name))
        if draft.trooper is not None and known is None:
            known = replace(draft.trooper.profile, kept=key(draft.name) == key(draft.trooper.name))
        typed = typed_stats(draft)
        if known is not None or typed or draft.player or draft.states:
            known = known or Profile()
            said = tuple(dict.fromkeys((*known.states, *draft.states)))
            found[key(draft.name)] = replace(known, player=draft.player or known.player, states=said, **typed)
    return found


def typed_stats(draft: Draft) -> dict[str, Any]:
    """The fields of a profile that were typed in a line."""
    found: dict[str, Any] = {stat.lower(): draft.armour[stat] for stat in ("ARM", "BTS") if stat in draft.armour}
    if draft.stat in ("PH", "WIP") and draft.attribute is not None:
        found[draft.stat.lower()] = draft.attribute
    wounds = next((draft.armour[stat] for stat in ("STR", "W") if stat in draft.armour), None)
    return found | ({"wounds": wounds, "structure": "STR" in draft.armour} if wounds is not None else {})


def roll(
    entry: Entry, entries: list[Entry], meetings: list[Meeting], side: dict[str, Side], known: dict[str, Profile]
) -> TrooperRoll:
    """The roll of an entry with the sum of its MODs."""
    met = [one.places for one in meetings if entry.place in one.places]
    others = [entries[place].part for places in met for place in places if place != entry.place]
    own, line = side[entry.name], entry.line
    target = next(iter(line.targets if entry.target is None else [line.roll]), None)
    target = None if sums.is_screen(entry.part) else target
    if target is not None:
        target = as_said_elsewhere(target, entries)
    facing = [other for other in entries if faces(entry, other)]
    is_wide = entry.target is None and entry.part.action is Action.TEMPLATE  # its line is that to the main target
    said = [other for other in facing if not is_wide or other.name in entry.aims[:1]]
    said += [other for other in entries if other.line is line and other.target is None]
    if sums.is_screen(entry.part):  # it is thrown at a point
        said = []
    far = line_facts(other.part.around for other in said if not sums.is_screen(other.part))
    is_first = next(other.place for other in entries if other.name == entry.name) == entry.place
    attacking = [other.name for other in entries if other.part.action in states.ATTACKING]
    revealed = target is not None and own is Side.DEFENDER and key(target.name) in attacking
    parts = [other.part for other in facing]
    profile = known.get(entry.name)
    return made(entry.part, others, target, far, own, profile, parts, is_first=is_first, revealed=revealed)


def faces(one: Entry, other: Entry) -> bool:
    """Whether two rolls have a line between them: each acts on the other's trooper, or one of them evades the other."""
    evades = one.part.action.is_evasion and one.name in other.aims
    return evades or (other.name in one.aims and (one.name in other.aims or other.part.action.is_evasion))


def line_facts(said: Iterable[Situation]) -> Situation:
    """What was said of a line by either end: the distance, visibility zones, whether it is out of line of fire."""
    every = tuple(said)
    far = next((one for one in every if one.distance is not None), sums.NOWHERE)
    return far.with_facts(name for name in SHARED if any(getattr(one, name) for one in every))


def as_said_elsewhere(target: Draft, entries: list[Entry]) -> Draft:
    """A target with what its own line says of it: its states, and who it is."""
    own = next((other.part.draft for other in entries if other.name == key(target.name)), None)
    if own is None or own is target:
        return target
    if target.trooper is None:
        return own
    return replace(target, states=list(dict.fromkeys((*target.states, *own.states))))


def made(
    one: Part,
    others: Sequence[Part],
    target: Draft | None,
    far: Situation,
    side: Side,
    profile: Profile | None,
    facing: Sequence[Part] = (),
    *,
    is_first: bool = True,
    revealed: bool = False,
) -> TrooperRoll:
    """A roll with the sum of its MODs: aimed at ``target``, compared with the ``others``, ``facing`` who acts on it.

    ``is_first``: of a Burst that is split over several targets the first roll has the special dice of skills.
    ``revealed``: the target attacks in this order, so that it is no marker any more for who reacts.
    Raises ``Forbidden`` for what a state of the trooper or the target forbids, unless ``anyway`` was said.
    """
    faced = [other for other in others if Action.DIRECT not in (one.action, other.action)]
    unseen = one.action is Action.DODGE and any(map(sums.is_unseen, others)) and not (one.around.zone or far.zone)
    if unseen and not faced and all(map(sums.is_unseen, others)):
        one, unseen = replace(one, draft=replace(one.draft, situation={**one.draft.situation, "zone": True})), False
    active = side is Side.ATTACKER
    anyway = False
    try:
        needs.check(one, target, far, facing, active=active, revealed=revealed)
    except states.Forbidden:
        if not one.draft.anyway:
            raise
        anyway = True
    return TrooperRoll(
        attribute=one.attribute,
        stat=one.stat,
        mods=sums.mods(one, target, faced, active=active, far=far, facing=facing),
        burst=sums.burst(one, active=active, far=far),
        special=sums.special(one, faced) if is_first else one.draft.special or 0,
        action=one.action,
        name=Name(one.name),
        side=side,
        dice=one.draft.dice,
        weapon=one.weapon,
        profile=profile,
        cover=sums.covers(one, target),
        not_counted=sums.not_counted(one, target, faced),
        anyway=anyway,
        guided=sums.is_guided(one),
        burden=sums.OUT_OF_SIGHT if unseen and not sums.senses(one) else 0,
        ended=one.ended,
    )


def duel(a: Draft, b: Draft | None, edition: Edition, target: Draft | None = None) -> Order:
    """One roll against another; without ``b`` a Normal Roll against ``target``.

    Raises ``BadInput`` where something is missing.
    """
    drafts = [a] if b is None else [a, b]
    return needs.with_all_used(drafts, lambda said: faced(said[0], said[1] if b else None, edition, target))


def faced(a: Draft, b: Draft | None, edition: Edition, target: Draft | None = None) -> Order:
    """The order of one roll, or of two against each other."""
    one = out_of_suppression(part(a, edition), Side.ATTACKER)
    other = out_of_suppression(part(b, edition), Side.DEFENDER) if b else None
    known = [profiles((words.Line(roll=draft),)).get(key(draft.name)) if draft else None for draft in (a, b or target)]
    thrown = any(said is not None and sums.is_screen(said) for said in (one, other))  # each has a distance of its own
    far = sums.NOWHERE if thrown else line_facts(said.around for said in (one, other) if said)
    why = unmet(one, other) if other else ""
    met = [other] if other and not why else []
    rolls = [made(one, met, b or target, far, Side.ATTACKER, known[0], [other] if other else ())]
    meetings: tuple[Meeting, ...] = (Meeting(a=0, b=1),)
    if other is None:
        meetings = (Meeting(a=0, target=Name(target.name if target else ""), profile=known[1]),)
    else:
        revealed = one.action in states.ATTACKING
        rolls.append(made(other, [one] if met else [], a, far, Side.DEFENDER, known[1], [one], revealed=revealed))
    if other is not None and why:
        meetings = (alone_of(0, one, other.name, known[1], why), alone_of(1, other, one.name, known[0], why))
    return checked(Order(rolls=tuple(rolls), meetings=meetings, edition=edition))


def against_each(drafts: Iterable[Draft], names: Sequence[str], edition: Edition) -> Order:
    """The first roll compared with each of the others, who are called by these names where they have none."""
    own, *theirs = (duel(one, None, edition).rolls[0] for one in drafts)
    named = ((one, Name(one.name or name)) for one, name in zip(theirs, names, strict=True))
    enemies = (replace(one, side=Side.DEFENDER, name=name) for one, name in named)
    meetings = tuple(Meeting(a=0, b=place) for place in range(1, len(theirs) + 1))
    return checked(Order(rolls=(own, *enemies), meetings=meetings, edition=edition))


def alone_of(place: int, one: Part, target: str, profile: Profile | None, why: str) -> Meeting:
    """The Normal Roll of one side of a duel; a Dodge or a Reset is aimed at nobody."""
    if one.action.is_evasion or sums.is_screen(one):
        return Meeting(a=place)
    return Meeting(a=place, target=Name(target), profile=profile, because=why)

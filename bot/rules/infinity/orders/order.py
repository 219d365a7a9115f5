"""Turns typed lines into the rolls of one order and their comparisons (rules page, Who rolls against whom)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Final, Literal

from bot.rules.errors import BadInputError, Example
from bot.rules.game import Side
from bot.rules.infinity.orders import modifiers, requirements, typed_orders
from bot.rules.infinity.orders.fields import NAMELESS, SHARED, Draft, Situation
from bot.rules.infinity.orders.modifiers import DeclaredSkill, TargetedRoll, read_skill
from bot.rules.infinity.troopers import declared as declarations, limits, programs, skills, states
from bot.rules.infinity.troopers.declared import Action, Edition, Meeting, Order, TargetProfile, TrooperRoll
from bot.rules.infinity.troopers.trooper import Trooper, with_states
from bot.rules.pieces import key
from bot.rules.text import N_, Code, Name, Names, Text


@dataclass(frozen=True, slots=True)
class TrooperAim:
    """An attacking trooper of the channel, and its target."""

    name: Name
    targets: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOrder:
    """A declared order to which others add their troopers' AROs, line by line.

    ``roster``: the troopers it may name. ``attacks``: those not yet specified. ``asks``: the turn is known, so the
    reactive side is asked for its AROs and ends them. ``doubt`` is as in an order.

    ``first``: a trooper whose first skill has no dice, as a Move: AROs come before its ``second`` skill. ``fires``: it
    goes into Suppressive Fire instead, a Long Skill. ``waits``: who delays an ARO to a marker's first skill until the
    second. ``over``: it needed no dice.
    """

    lines: tuple[str, ...]
    edition: Edition = "n5"
    roster: tuple[Trooper, ...] = ()
    attacks: tuple[TrooperAim, ...] = ()
    asks: bool = False
    doubt: declarations.Doubt | None = None
    first: str = ""
    second: bool = False
    fires: bool = False
    waits: tuple[str, ...] = ()
    over: bool = False
    kind: Literal["open"] = "open"

    rolls: ClassVar[tuple[TrooperRoll, ...]] = ()
    involved: ClassVar[tuple[tuple[Name, TargetProfile | None], ...]] = ()
    awaits: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Order):
    """An opened Face to Face with one side declared; ``rolls`` has the other side once it answered. ``own`` and
    ``target`` are the declarations. ``roster``: the troopers that the answer may name.
    """

    own: Draft
    target: Draft
    roster: tuple[Trooper, ...] = ()


def challenge(own: Draft, target: Draft, edition: Edition, roster: Sequence[Trooper]) -> Challenge:
    """Create a roll that waits for its target's answer. Raises ``BadInputError`` if something is missing."""
    own = replace(own, weapon=declarations.Weapon(**own.words), words={}) if own.words else own
    order = compare(own, (), edition, target)
    said = Challenge(rolls=order.rolls, meetings=order.meetings, edition=edition, own=own, target=target)
    return replace(said, awaits=True, roster=tuple(roster))


def with_answer(waiting: Challenge, reaction: Draft) -> Challenge:
    """Add the answer to a challenge, and each side's MODs to the other's sum."""
    both = compare(waiting.own, (replace(reaction, normal=reaction.normal or False),), waiting.edition)
    mine, theirs = both.rolls
    rolls = mine, replace(theirs, profile=theirs.profile or waiting.meetings[0].profile)
    return declarations.check_order(replace(waiting, rolls=rolls, meetings=both.meetings, awaits=False, answered=True))


Declared = Challenge | Order | declarations.Save | OpenOrder

UNATTACKED, DIRECT, COUP, BERSERK, ELSEWHERE, STILL = "unattacked", "direct", "coup", "berserk", "elsewhere", "still"
"""Why a roll is a Normal Roll: nobody attacks who dodges, a Direct Template is not rolled face to face, neither is a
Berserk attack, a Coup de Grâce needs no roll, the target acts against somebody else, or does not react."""
SKILL, NO_DODGE, NO_RESET, NO_PAIN = "skill", "no dodge", "no reset", "no pain"
"""Further reasons in N5: a skill affects nobody's roll, or the reaction can't answer the declaration."""
PAST = "past"
"""Smoke stops only attacks with a roll whose line of fire crosses it, and not with a Visor."""

NEVER: Final = (
    Action.DISCOVER,
    *declarations.AIDS,
    Action.SENSOR,
    Action.GUTS,
    Action.DEACTIVATE,
    *declarations.DEPLOYS,
)
"""Skills never rolled Face to Face, in N5."""
ANSWERED: Final[Mapping[Action, tuple[Action, ...]]] = {
    Action.DODGE: (Action.SHOOT, Action.TEMPLATE, Action.CC),
    Action.RESET: (Action.HACK,),
}
"""Actions that a Dodge or Reset answers in N5. A Reset also answers a Guided attack."""
UNANSWERED: Final[Mapping[Action, str]] = {Action.DODGE: NO_DODGE, Action.RESET: NO_RESET}


def berserks(declared: DeclaredSkill) -> bool:
    """Whether both make Normal Rolls because of a Berserk attack (N4 or N3)."""
    return declared.situation.berserk and declared.edition != "n5" and declared.action is Action.CC


def no_contest_reason(declared: DeclaredSkill, other: DeclaredSkill) -> str:
    """Return why two mutually targeting rolls aren't Face to Face; "" if they are.

    N5 has a table of reactions; before, a Dodge and a Reset answer every attack. A Dodge of a Direct Template is a
    Normal Roll, but shown beside it, since it evades it.
    """
    both, actions = (declared, other), {declared.action, other.action}
    if any(map(modifiers.is_screen, both)):
        return "" if is_stopped(declared, other) or is_stopped(other, declared) else PAST
    if any(map(berserks, both)):
        return BERSERK
    evasion, attack = both if declared.action.is_evasion else (other, declared)
    evades, is_n5 = evasion.action.is_evasion, declared.edition == "n5"
    if Action.DIRECT in actions:
        answers_it = evades_direct(evasion, attack) or (evades and not is_n5)
        return "" if answers_it else UNANSWERED.get(evasion.action, DIRECT)
    if not is_n5:
        return SKILL if evades and not attack.action.affects_target else ""
    if not actions.isdisjoint(NEVER):
        return SKILL
    if evades and not answers(evasion, attack):
        return UNANSWERED[evasion.action]
    is_pain = any(programs.of(each.weapon).keeps_burst for each in both)
    return NO_PAIN if is_pain and actions != {Action.HACK} else ""


def evades_direct(evasion: DeclaredSkill, attack: DeclaredSkill) -> bool:
    """Whether it is the skill that evades a Direct attack: a Reset from Comms Attacks, else a Dodge."""
    return evasion.action is (Action.RESET if modifiers.is_comms(attack) else Action.DODGE)


def is_stopped(shot: DeclaredSkill, screen: DeclaredSkill) -> bool:
    """Whether an attack is compared with smoke, or with Eclipse, which stops a Visor too."""
    around = shot.situation
    has_line = not (around.guided or around.speculative or around.intuitive or around.past)
    shoots = shot.action in skills.SHOTS and not modifiers.is_screen(shot) and has_line
    reflects = screen.weapon is not None and declarations.Ammo.ECLIPSE in screen.weapon.ammo
    return modifiers.is_screen(screen) and shoots and (reflects or not shot.visor)


def answers(evasion: DeclaredSkill, attack: DeclaredSkill) -> bool:
    """Whether a Dodge or Reset is compared with the other declaration."""
    is_guided = evasion.action is Action.RESET and modifiers.is_guided(attack)
    return is_guided or attack.action in ANSWERED[evasion.action]


Lines = Sequence[typed_orders.OrderLine]


@dataclass(frozen=True)
class PlacedRoll:
    """A roll with its place and its targets' names. ``line`` and ``target``: where it was typed; a line's own roll has
    no ``target``, a reaction has one.
    """

    place: int
    part: DeclaredSkill
    aims: tuple[str, ...]
    line: typed_orders.OrderLine
    target: int | None = None

    @cached_property
    def name(self) -> str:
        return key(self.part.name)

    @property
    def is_normal(self) -> bool:
        return bool(self.part.draft.normal) or berserks(self.part) or self.part.situation.contact


def assemble(typed: typed_orders.TypedOrder, edition: Edition, first: str = "") -> Order:
    """Build an order from lines; a typed edition overrides ``edition``. Raises ``BadInputError`` for contradictions.
    ``first``: the active trooper, even without a roll; default: from the lines.
    """
    edition = typed.edition or edition
    lines = number_duplicates(rolling(typed))
    first = first or (typed.still.roll.name if typed.still else "")

    def make(drafts: Sequence[Draft]) -> Order:
        left = iter(drafts)
        said = [replace(line, roll=next(left), targets=tuple(islice(left, len(line.targets)))) for line in lines]
        entries = list_entries(said, edition)
        for entry in entries:
            if entry.target is None:
                check_targets(entry)
        side = sides(entries, key(first))
        check_splits(entries, side)
        return declarations.check_order(order_of(said, entries, side, edition))

    return requirements.make_order_checked(drafts_of(lines), make)


def rolling(typed: typed_orders.TypedOrder) -> tuple[typed_orders.OrderLine, ...]:
    """Return the lines with dice. Raises ``BadInputError`` without any."""
    if not typed.rolling:
        message = N_("{name} rolls no dice. Write who reacts, too: {example}.")
        example = Code("`Ana move vs Ortega Combi at 12`")
        raise BadInputError("order", None, Text(message, name=Name(typed.lines[0].roll.name), example=example))
    return typed.rolling


def drafts_of(lines: Lines) -> list[Draft]:
    return [draft for line in lines for draft in (line.roll, *line.targets)]


def order_of(lines: Lines, entries: list[PlacedRoll], side: dict[str, Side], edition: Edition) -> Order:
    """The order of rolls whose sides are known: who meets whom, and the sum of each."""
    known = profiles(lines)
    entries = [replace(item, part=out_of_suppression(item.part, side[item.name])) for item in entries]
    meetings = [with_main_target(item, entries) for item in all_meetings(entries, known)]
    for meeting in meetings:
        entry, *others = (entries[place] for place in meeting.places)
        for other in others:
            if side[entry.name] is side[other.name]:
                allowed = Text("Use enemies on both sides of `vs`: other lines make these two allies.")
                raise BadInputError("order", Names([entry.part.name, other.part.name]), allowed)
    rolls = tuple(roll(entry, entries, meetings, side, known) for entry in entries)
    return Order(rolls=rolls, meetings=tuple(meetings), edition=edition)


def number_duplicates(lines: Lines) -> Lines:
    """Number reactions of one name, Fusilier #1 and Fusilier #2: they are several troopers, since a reaction is not
    split.

    A trooper of the channel is one trooper, however often it is named.
    """
    targets = (target for line in lines for target in line.targets)
    count = Counter(key(target.name) for target in targets if target.has_roll and target.trooper is None)
    own = {key(line.roll.name) for line in lines}
    seen: Counter[str] = Counter()

    def named(draft: Draft) -> Draft:
        if not draft.has_roll or draft.trooper or count[key(draft.name)] < 2 or key(draft.name) in own:
            return draft
        seen[key(draft.name)] += 1
        return replace(draft, name=f"{draft.name} #{seen[key(draft.name)]}")

    return [replace(line, targets=tuple(map(named, line.targets))) for line in lines]


def list_entries(lines: Lines, edition: Edition) -> list[PlacedRoll]:
    entries: list[PlacedRoll] = []
    for line in lines:
        aims = tuple(key(target.name) for target in line.targets)
        entries.append(PlacedRoll(len(entries), with_targets(read_skill(line.roll, edition), line.targets), aims, line))
        for at, target in enumerate(line.targets):
            if target.has_roll:
                entries.append(PlacedRoll(len(entries), read_skill(target, edition), (key(line.roll.name),), line, at))
    return entries


def with_targets(own: DeclaredSkill, targets: Sequence[Draft]) -> DeclaredSkill:
    """Return a roll with known targets: in N5 a CC Attack on an Unconscious one is a Coup de Grâce; a Sensor discovers
    Camouflaged ones.
    """
    hidden = own.action is Action.DISCOVER and any("Camouflaged" in modifiers.states_of(target) for target in targets)
    if hidden and modifiers.has(own, "Sensor"):
        own = replace(own, draft=own.draft.with_fact("sensor"))
    is_coup = own.edition == "n5" and own.action is Action.CC and len(targets) == 1
    if not is_coup or states.UNCONSCIOUS not in modifiers.states_of(targets[0]) or targets[0].has_roll:
        return own
    return read_skill(own.draft.with_fact("coup"), own.edition)


def out_of_suppression(own: DeclaredSkill, side: Side) -> DeclaredSkill:
    """Return a roll without Suppressive Fire, if its declaration ends that; N3 leaves it to the players."""
    if states.SUPPRESSIVE not in own.states or own.edition == "n3" or (side is Side.DEFENDER and keeps_fire(own)):
        return own
    draft, trooper = own.draft, own.trooper
    said = [state for state in draft.states if state != states.SUPPRESSIVE]
    trooper = with_states(trooper, (states.SUPPRESSIVE,), on=False) if trooper else None
    return replace(read_skill(replace(draft, states=said, trooper=trooper), own.edition), ended=(states.SUPPRESSIVE,))


def keeps_fire(own: DeclaredSkill) -> bool:
    """Whether a reaction is a BS Attack by Suppressive Fire: with a weapon of that trait (if any weapon has it), and in
    no other state.
    """
    arms = own.trooper.weapons if own.trooper else ()
    has_trait = own.weapon is None or SUPPRESSES in own.weapon.traits
    believed = not any(SUPPRESSES in arm.traits for arm in arms)
    broken = set(own.states) & set(states.BREAKS_SUPPRESSIVE) or own.situation.fireteam
    return own.action in skills.SHOTS and (has_trait or believed) and not broken


SUPPRESSES: Final = "suppressive"


def check_targets(entry: PlacedRoll) -> None:
    """Refuse contradictions in one line."""
    name, targets = entry.part.name, entry.line.targets
    field = Text("targets of {name}", name=Name(name))
    if entry.name in entry.aims:
        raise BadInputError(field, name, Text("Use someone else."))
    aims_at_one = entry.part.action in (Action.SHOOT, Action.CC, Action.HACK) and not modifiers.is_screen(entry.part)
    if len(targets) > 1 and aims_at_one:
        allowed = Text("Use one target per line: split the Burst over several lines, or write `template`.")
        raise BadInputError(field, ", ".join(target.name for target in targets), allowed)
    compared = next((target for target in targets if target.has_roll), None)
    if entry.line.roll.normal and compared is not None:
        allowed = Text("Use a name without numbers after `normal`: a Normal Roll has no opposing roll.")
        raise BadInputError(field, f"{compared.name} {compared.attribute or ''}".strip(), allowed)


def check_splits(entries: list[PlacedRoll], side: dict[str, Side]) -> None:
    """Check a split Burst: *before* rolling, at most 6 dice; reactions aren't split, a Dodge or Reset is one roll."""
    for entry in entries:
        own, draft = [other for other in entries if other.name == entry.name], entry.part.draft
        if len(own) == 1:
            continue
        called, weapon, count = Name(entry.part.name), entry.part.weapon, Text("{count} rolls", count=len(own))
        if entry.target is not None or not entry.part.action.affects_target:
            message = N_("Use one roll. Are these two troopers? Call them `{called} #1` and `{called} #2`.")
            raise BadInputError(Text("rolls of {called}", called=called), count, Text(message, called=called))
        if weapon is not None and "single-target" in weapon.traits:
            message = N_("The {weapon} can't split its Burst. Name one target.")
            field = Text("targets of {called}", called=called)
            raise BadInputError(field, count, Text(message, weapon=weapon.name))
        most, field = limits.MAX_BURST, Text("Burst of {called}", called=called)
        if weapon is not None and draft.trooper and side[entry.name] is Side.ATTACKER:
            most = weapon.burst
            if (draft.burst, draft.dice) == (None, None):
                asks = Text("Use dice for each target, as in `b2`; {most} in all.", most=most)
                raise BadInputError(field, None, asks)
        burst = sum(modifiers.burst(other.part, active=True) for other in own)
        if burst > most:
            message = N_("Use at most {most} dice over all targets; call another trooper with that name `{called} #2`.")
            raise BadInputError(field, Text("{burst} dice", burst=burst), Text(message, most=most, called=called))


def all_meetings(entries: list[PlacedRoll], known: dict[str, TargetProfile]) -> list[Meeting]:
    """Return all meetings once, in line order; a roll without one is a Normal Roll with its reason."""
    result = {item.place: meetings_of(item, entries, known) for item in entries if item.target is None}
    paired = {place for meetings in result.values() for meeting in meetings for place in (meeting.a, meeting.b)}
    every: list[Meeting] = []
    for entry in entries:
        its = result.get(entry.place) or ([] if entry.place in paired else [normal_roll(entry, entries, known)])
        every += [meeting for meeting in its if not is_known(meeting, every)]
    return every


def with_main_target(meeting: Meeting, entries: list[PlacedRoll]) -> Meeting:
    """Return a meeting with the template's Critical limited to the main (first) target, as in N5."""
    names = {key(meeting.target), *(entries[place].name for place in meeting.places)}
    others = (
        place
        for place in meeting.places
        if (entry := entries[place]).part.action is Action.TEMPLATE and entry.aims and entry.aims[0] not in names
        if entry.part.edition == "n5" and not modifiers.is_screen(entry.part)
    )
    return replace(meeting, plain=next(others, None))


def normal_roll(entry: PlacedRoll, entries: list[PlacedRoll], known: dict[str, TargetProfile]) -> Meeting:
    """Return an unopposed roll's Normal Roll, with a reason unless an attack has it or it was requested."""
    why = ""
    if entry.part.action.is_evasion and not entry.is_normal:
        why = "" if attackers(entry, entries) else UNATTACKED
    elif entry.target is not None:
        own = next((foe for foe in entries if foe.target is None and foe.line is entry.line), entry)
        why = no_contest_reason(own.part, entry.part)
    if entry.target is None or entry.part.action.is_evasion or modifiers.is_screen(entry.part):
        return Meeting(a=entry.place, because=why)
    foe = entry.line.roll.name
    return Meeting(a=entry.place, target=Name(foe), profile=known.get(key(foe)), because=why)


def meetings_of(entry: PlacedRoll, entries: list[PlacedRoll], known: dict[str, TargetProfile]) -> list[Meeting]:
    """Return a line's meetings with its targets; a Dodge without names meets its attackers."""
    evades, is_screen = entry.part.action.is_evasion and not entry.is_normal, modifiers.is_screen(entry.part)
    if evades:
        check_named(entry, entries)
    if evades or is_screen:
        foes = attackers(entry, entries) if entry.aims or is_screen else []
        return [Meeting(a=entry.place, b=foe.place) for foe in foes if not no_contest_reason(entry.part, foe.part)]
    meetings: list[Meeting] = []
    for at, target in enumerate(entry.line.targets):
        foes = opposing_rolls(entry, at, target, entries)
        alone = Meeting(a=entry.place, target=Name(target.name), profile=known.get(key(target.name)))
        if (screen := smoke_for(entry, target, entries)) is not None:
            meetings.append(replace(alone, b=screen.place))
        elif foes:
            meetings += [Meeting(a=entry.place, b=foe.place) for foe in foes]
        else:
            meetings.append(replace(alone, because=normal_roll_reason(entry, target, entries)))
    return meetings


def smoke_for(entry: PlacedRoll, target: Draft, entries: list[PlacedRoll]) -> PlacedRoll | None:
    """Return another trooper's smoke that protects an attack's target and is crossed."""
    if not entry.part.situation.crossed:
        return None
    apart = (key(target.name), entry.name)
    others = (foe for foe in entries if modifiers.is_screen(foe.part) and foe.name not in apart)
    return next((foe for foe in others if is_stopped(entry.part, foe.part)), None)


def attackers(entry: PlacedRoll, entries: list[PlacedRoll]) -> list[PlacedRoll]:
    """Return the attacks on the trooper that a Dodge, a Reset, or smoke may be compared with."""
    return [foe for foe in entries if foe.part.action.affects_target and entry.name in foe.aims and not foe.is_normal]


def check_named(entry: PlacedRoll, entries: list[PlacedRoll]) -> None:
    """Refuse a Dodge from somebody who does not roll at all: that is a name misspelt, or a line forgotten."""
    attacking = {foe.name for foe in entries if foe.part.action.affects_target}
    for target in entry.line.targets:
        if not target.has_roll and key(target.name) not in attacking:
            message = N_("Use attackers who roll in this order: give {target} a Success Value.")
            field = Text("targets of {part}", part=Name(entry.part.name))
            allowed = Text(message, target=Name(target.name))
            raise BadInputError(field, target.name, allowed, Example(f"{target.name} 12"))


def opposing_rolls(entry: PlacedRoll, at: int, target: Draft, entries: list[PlacedRoll]) -> list[PlacedRoll]:
    """Return a target's rolls compared with an attack or a skill: its Dodge or Reset, or an attack back, if one answers
    the other.
    """
    if entry.is_normal:
        return []
    inline = [foe for foe in entries if foe.line is entry.line and foe.target == at]
    theirs = inline or [foe for foe in entries if foe.name == key(target.name)]
    return [foe for foe in theirs if is_back(entry, foe) and not no_contest_reason(entry.part, foe.part)]


def is_back(entry: PlacedRoll, foe: PlacedRoll) -> bool:
    """Whether an enemy's declaration may affect a roll aimed at it."""
    acts = foe.part.action.is_evasion or modifiers.is_screen(foe.part) or entry.name in foe.aims
    return acts and not foe.is_normal


def normal_roll_reason(entry: PlacedRoll, target: Draft, entries: list[PlacedRoll]) -> str:
    if entry.is_normal:
        return BERSERK if berserks(entry.part) else ""
    theirs = [foe for foe in entries if foe.name == key(target.name)]
    if entry.part.situation.coup:
        return COUP
    if Action.DIRECT in (entry.part.action, *(foe.part.skill for foe in theirs)):
        return DIRECT
    whys = [no_contest_reason(entry.part, foe.part) for foe in theirs if is_back(entry, foe)]
    if whys or theirs:
        return whys[0] if whys else ELSEWHERE
    return SKILL if entry.part.action in NEVER and entry.part.edition == "n5" else STILL


def is_known(meeting: Meeting, meetings: list[Meeting]) -> bool:
    """Whether two rolls already meet, in either direction."""
    pair = {meeting.a, meeting.b}
    return any(pair == {known.a, known.b} and meeting.target == known.target for known in meetings)


def sides(entries: list[PlacedRoll], active: str = "") -> dict[str, Side]:
    """Return each trooper's side. The one who splits Burst is active, else who is answered, else the first. If
    ``active`` is known, others react.
    """
    pairs = [(item.name, aim) for item in entries if item.target is None for aim in item.aims]
    crossing = [item.name for item in entries if item.part.situation.crossed]
    pairs += [(name, foe.name) for foe in entries if modifiers.is_screen(foe.part) for name in crossing]
    names = [item.name for item in entries]
    split = [name for name in names if names.count(name) > 1]
    answered = [aim for entry in entries if entry.target is not None for aim in entry.aims]
    known, rest = dict[str, Side](), Side.ATTACKER
    if active:
        known, rest = reachable_sides({active: Side.ATTACKER}, active, pairs), Side.DEFENDER
    for first in (*split, *answered, *names):
        known = known if first in known else reachable_sides(known | {first: rest}, first, pairs)
    return known


def reachable_sides(known: dict[str, Side], first: str, pairs: Sequence[tuple[str, str]]) -> dict[str, Side]:
    """Return known sides, and those inferred from ``first``'s enemies, their enemies, and so on."""
    left = [first]
    for current in left:
        enemies = [two if item == current else item for item, two in pairs if current in (item, two)]
        new = {enemy: known[current].other for enemy in enemies if enemy not in known}
        left += new
        known = known | new
    return known


def profiles(lines: Lines) -> dict[str, TargetProfile]:
    result: dict[str, TargetProfile] = {}
    for draft in drafts_of(lines):
        known = result.get(key(draft.name))
        if draft.trooper is not None and known is None:
            known = replace(draft.trooper.profile, kept=key(draft.name) == key(draft.trooper.name))
        typed = typed_stats(draft)
        if known is not None or typed or draft.player or draft.states:
            known = known or TargetProfile()
            said = tuple(dict.fromkeys((*known.states, *draft.states)))
            result[key(draft.name)] = replace(known, player=draft.player or known.player, states=said, **typed)
    return result


def typed_stats(draft: Draft) -> dict[str, Any]:
    result: dict[str, Any] = {stat.lower(): draft.armour[stat] for stat in ("ARM", "BTS") if stat in draft.armour}
    if draft.stat in ("PH", "WIP") and draft.attribute is not None:
        result[draft.stat.lower()] = draft.attribute
    wounds = next((draft.armour[stat] for stat in ("STR", "W") if stat in draft.armour), None)
    return result | ({"wounds": wounds, "structure": "STR" in draft.armour} if wounds is not None else {})


def roll(
    entry: PlacedRoll,
    entries: list[PlacedRoll],
    meetings: list[Meeting],
    side: dict[str, Side],
    known: dict[str, TargetProfile],
) -> TrooperRoll:
    met = [meeting.places for meeting in meetings if entry.place in meeting.places]
    others = [entries[place].part for places in met for place in places if place != entry.place]
    active = side[entry.name] is Side.ATTACKER
    target = next(iter(entry.line.targets if entry.target is None else [entry.line.roll]), None)
    target = None if target is None or modifiers.is_screen(entry.part) else with_own_line(target, entries)
    facing = [other for other in entries if has_line_between(entry, other)]
    far = line_to_target(entry, entries, facing)
    aimed = TargetedRoll(entry.part, target, active, far, [other.part for other in facing])
    is_first = next(other.place for other in entries if other.name == entry.name) == entry.place
    attacking = [other.name for other in entries if other.part.action in states.ATTACKING]
    revealed = target is not None and not active and key(target.name) in attacking
    return build_roll(aimed, others, known.get(entry.name), is_first=is_first, revealed=revealed)


def line_to_target(entry: PlacedRoll, entries: list[PlacedRoll], facing: Sequence[PlacedRoll]) -> Situation:
    """Return the facts of a roll's line from anyone; of a template's, the one to its main target."""
    if modifiers.is_screen(entry.part):  # thrown at a point
        return modifiers.NOWHERE
    is_wide = entry.target is None and entry.part.action is Action.TEMPLATE
    said = [other for other in facing if not is_wide or other.name in entry.aims[:1]]
    said += [other for other in entries if other.line is entry.line and other.target is None]
    return line_facts(other.part.situation for other in said if not modifiers.is_screen(other.part))


def has_line_between(entry: PlacedRoll, other: PlacedRoll) -> bool:
    """Whether a line connects two rolls: each acts on the other, or one evades the other."""
    evades = entry.part.action.is_evasion and entry.name in other.aims
    return evades or (other.name in entry.aims and (entry.name in other.aims or other.part.action.is_evasion))


def line_facts(said: Iterable[Situation]) -> Situation:
    """Return a line's facts from either end: distance, visibility zones, no line of fire."""
    if not (every := tuple(said)):
        return modifiers.NOWHERE
    far = next((situation for situation in every if situation.distance is not None), modifiers.NOWHERE)
    return far.with_facts(name for name in SHARED if any(getattr(situation, name) for situation in every))


def with_own_line(target: Draft, entries: list[PlacedRoll]) -> Draft:
    own = next((other.part.draft for other in entries if other.name == key(target.name)), None)
    if own is None or own is target:
        return target
    if target.trooper is None:
        return own
    return replace(target, states=list(dict.fromkeys((*target.states, *own.states))))


def build_roll(
    aimed: TargetedRoll,
    others: Sequence[DeclaredSkill],
    profile: TargetProfile | None,
    *,
    is_first: bool,
    revealed: bool,
) -> TrooperRoll:
    """Build a roll with the sum of its MODs, compared with the ``others``.

    ``is_first``: only the first roll of a split Burst has skills' special dice. ``revealed``: the target attacks,
    and so is no marker for who reacts. Raises ``ForbiddenByStateError`` for what a rule or a state of either
    forbids, unless ``anyway``.
    """
    declared, target, active, far = aimed.one, aimed.target, aimed.active, aimed.far
    faced = [other for other in others if Action.DIRECT not in (declared.action, other.action)]
    is_burdened = declared.action is Action.DODGE and not (declared.situation.zone or far.zone)
    unseen = list(map(modifiers.is_unseen, others)) if is_burdened else []
    if unseen and all(unseen) and not faced:
        declared, unseen = replace(declared, draft=declared.draft.with_fact("zone")), []
        aimed = replace(aimed, one=declared)
    anyway = False
    try:
        requirements.check(aimed, revealed=revealed)
    except states.ForbiddenByStateError:
        if not declared.draft.anyway:
            raise
        anyway = True
    keeps_mods = any(declared.action in dict(row.keeps) for _, row in declared.rows)
    return TrooperRoll(
        attribute=declared.attribute,
        stat=declared.stat,
        mods=modifiers.mods(aimed, faced),
        burst=modifiers.burst(declared, active=active, far=far),
        special=modifiers.special(declared, faced) if is_first else declared.draft.special or 0,
        action=declared.action,
        name=Name(declared.name),
        side=Side.ATTACKER if active else Side.DEFENDER,
        dice=declared.draft.dice,
        weapon=declared.weapon,
        profile=profile,
        cover=modifiers.is_cover_effective(declared, target),
        not_counted=modifiers.not_counted(declared, target, faced),
        anyway=anyway,
        guided=modifiers.is_guided(declared),
        burden=modifiers.OUT_OF_SIGHT if any(unseen) and not keeps_mods else 0,
        ended=declared.ended,
        reroll=modifiers.reroll(declared),
    )


def compare(own: Draft, foes: Sequence[Draft], edition: Edition, target: Draft | None = None) -> Order:
    """Compare one roll with each foe's; without any a Normal Roll against ``target``. Raises ``BadInputError`` if
    something is missing.
    """
    if not foes:
        own, foes = replace(own, normal=True), [target] if target else []
    else:
        foes = [foe if is_target(foe) else replace(foe, normal=foe.normal or False) for foe in foes]
    drafts, names = list[Draft](), dict[str, str]()
    for draft in (own, *foes):
        new = draft.name or NAMELESS
        while key(new) in map(key, (each.name for each in drafts)):
            new += NAMELESS
        names |= {new: draft.name} if new != draft.name else {}
        drafts.append(replace(draft, name=new))

    def make(said: Sequence[Draft]) -> Order:
        line = typed_orders.OrderLine(roll=said[0], targets=tuple(said[1:]))
        lines = rolling(typed_orders.TypedOrder(lines=(line,)))
        entries = list_entries(lines, edition)
        return order_of(lines, entries, sides(entries, key(said[0].name)), edition)

    return declarations.check_order(rename_troopers(requirements.make_order_checked(drafts, make), names))


def is_target(foe: Draft) -> bool:
    """Whether a foe is only a target, without dice."""
    return foe.action in declarations.NO_DICE or (foe.trooper is not None and not foe.has_roll)


def rename_troopers(order: Order, names: Mapping[str, str]) -> Order:
    def called(name: str) -> Name:
        return Name(names.get(name, name))

    rolls = (
        replace(roll, name=called(roll.name), mods=tuple(replace(mod, by=called(mod.by)) for mod in roll.mods))
        for roll in order.rolls
    )
    meetings = (replace(meeting, target=called(meeting.target)) for meeting in order.meetings)
    return replace(order, rolls=tuple(rolls), meetings=tuple(meetings)) if names else order

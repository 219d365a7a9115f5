"""From typed lines to the rolls of one order and who meets whom (rules page, Who rolls against whom)."""

from dataclasses import dataclass, replace

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.infinity.check import checked
from bot.rules.infinity.declared import BURST_MOST, Action, Edition, Meeting, Order, Roll


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One typed line: a roll and its targets, each with a roll of its own or by name only.

    ``normal``: the roll is not compared with anything.
    """

    roll: Roll
    targets: tuple[Roll | str, ...] = ()
    normal: bool = False

    @property
    def named(self) -> tuple[str, ...]:
        """The targets' names, as names are compared."""
        return tuple(name(target) for target in self.targets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A typed order, line by line; ``edition`` is None where none was typed."""

    lines: tuple[Line, ...]
    edition: Edition | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A roll at its place in the order, and the names it is aimed at.

    ``line`` and ``target`` say where it was typed; a line's own roll has no ``target``, a reaction to it has.
    """

    place: int
    roll: Roll
    aims: tuple[str, ...]
    line: int
    target: int | None = None
    normal: bool = False

    @property
    def name(self) -> str:
        return name(self.roll)


def name(target: Roll | str) -> str:
    """A trooper's name, as names are compared."""
    return (target.name if isinstance(target, Roll) else target).casefold()


def assemble(typed: Typed, edition: Edition) -> Order:
    """The order that the lines make; a typed edition beats ``edition``. Raises ``BadInput`` where they contradict."""
    for line in typed.lines:
        check_targets(line)
    entries = entered(typed.lines)
    check_splits(entries)
    side = sides(typed.lines, entries)
    rolls = tuple(replace(entry.roll, side=side[entry.name]) for entry in entries)
    meetings = tuple(all_met(typed.lines, entries))
    return checked(Order(rolls=rolls, meetings=meetings, edition=typed.edition or edition))


def entered(lines: tuple[Line, ...]) -> list[Entry]:
    """Every roll, in the order in which it was typed."""
    entries: list[Entry] = []
    for number, line in enumerate(lines):
        entries.append(Entry(len(entries), line.roll, line.named, number, normal=line.normal))
        for at, target in enumerate(line.targets):
            if isinstance(target, Roll):
                entries.append(Entry(len(entries), target, (name(line.roll),), number, at))
    return entries


def check_targets(line: Line) -> None:
    """Refuse a line that says two things at once."""
    field, roll = f"targets of {line.roll.name}", line.roll
    if name(roll) in line.named:
        raise BadInput(field, roll.name, "somebody else")
    if len(line.targets) > 1 and roll.action is Action.SHOOT:
        given = ", ".join(target.name if isinstance(target, Roll) else target for target in line.targets)
        raise BadInput(field, given, "one target a line: split the Burst over several lines, or write `template`")
    for target in line.targets:
        if line.normal and isinstance(target, Roll):
            given = f"{target.name} {target.attribute}"
            raise BadInput(field, given, "a name without numbers after `normal`: a Normal Roll is not compared")


def check_splits(entries: list[Entry]) -> None:
    """Burst is split *before* rolling, over at most 6 dice; a reaction is not split, a Dodge or Reset is one roll."""
    for entry in entries:
        own = [other for other in entries if other.name == entry.name]
        called, burst = entry.roll.name, sum(other.roll.burst for other in own)
        if burst > BURST_MOST:
            raise BadInput(f"Burst of {called}", f"{burst} dice", f"at most {BURST_MOST} dice over all targets")
        if len(own) > 1 and (entry.target is not None or not entry.roll.action.is_attack):
            allowed = f"one: its Burst is not split. Name {called} without numbers to compare the same dice again"
            raise BadInput(f"rolls of {called}", f"{len(own)} rolls", allowed)


def all_met(lines: tuple[Line, ...], entries: list[Entry]) -> list[Meeting]:
    """Every meeting once, line by line; a roll that meets nobody is a Normal Roll."""
    own = [entry for entry in entries if entry.target is None]
    found = [met(one, lines[one.line], entries) for one in own]
    paired = {place for meetings in found for meeting in meetings for place in (meeting.a, meeting.b)}
    every: list[Meeting] = []
    for one, meetings in zip(own, found, strict=True):
        alone = [] if one.place in paired else [Meeting(a=one.place)]
        every += [meeting for meeting in meetings or alone if not is_known(meeting, every)]
    return every


def met(one: Entry, line: Line, entries: list[Entry]) -> list[Meeting]:
    """The meetings of a line's roll with its targets."""
    meetings: list[Meeting] = []
    for at, target in enumerate(line.targets):
        if isinstance(target, Roll):
            foes = [entry for entry in entries if (entry.line, entry.target) == (one.line, at)]
        else:
            foes = [] if line.normal else opposing(one, target, entries)
        meetings += [Meeting(a=one.place, b=foe.place) for foe in foes]
        meetings += [] if foes else [Meeting(a=one.place, target=str(target))]
    return meetings


def opposing(one: Entry, target: str, entries: list[Entry]) -> list[Entry]:
    """Which rolls of ``target``, named without numbers, ``one`` meets face to face: those that affect it.

    An attack meets every Dodge and Reset of its target, and an attack that is aimed back; without any it is a Normal
    Roll. A Dodge meets the attacks aimed at it, else every attack of the one it names.
    """
    theirs = [entry for entry in entries if entry.name == name(target)]
    if one.roll.action.is_attack:
        return [foe for foe in theirs if not foe.roll.action.is_attack or (one.name in foe.aims and not foe.normal)]
    attacks = [foe for foe in theirs if foe.roll.action.is_attack]
    if not attacks:
        allowed = f"attackers who roll in this order: give {target} a Success Value, as in `{target} 12`"
        raise BadInput(f"targets of {one.roll.name}", target, allowed)
    return [foe for foe in attacks if one.name in foe.aims] or attacks


def is_known(meeting: Meeting, meetings: list[Meeting]) -> bool:
    """Whether the same two rolls meet already, whichever was named first."""
    pair = {meeting.a, meeting.b}
    return any(pair == {known.a, known.b} and meeting.target == known.target for known in meetings)


def sides(lines: tuple[Line, ...], entries: list[Entry]) -> dict[str, Side]:
    """Each trooper's side. Who splits Burst is active, else who is answered, else who stands first."""
    pairs = [(name(line.roll), target) for line in lines for target in line.named]
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

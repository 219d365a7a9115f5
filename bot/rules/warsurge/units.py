"""Units of a channel: defensive stats, HP left, and weapons.

Typed in one line: ``Defence 5, Save 4+, HP 12; Rifle: Power 6, Dice 4; Cannon: Power 12, AP 2``. Semicolons separate
weapons; a colon follows each name. Stats before the first name are the unit's; an unnamed weapon may be there too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.rules import json_reader, profile
from bot.rules.dice import MAX_DICE
from bot.rules.errors import AllowedWords, AtMost, BadInputError, Example, PlayerError, UnknownWordError, WholeNumber
from bot.rules.name import clean, search_key
from bot.rules.text import N_, UNNAMED, Code, Count, Name, Noun, Shown, Text, english

MAX_TYPED: Final = 1_000_000
"""Maximum typed Power and Defence; values above the caps count as the caps."""
SAVES: Final = range(2, 7)
"""Armour saves are 2+ to 6+."""
MAX_AP: Final = 5
"""AP 5 leaves no save: it would need 7+ or more."""
MAX_HP: Final = 999
MAX_WEAPONS: Final = 6
"""Maximum weapons of a unit, and of a volley."""
MAX_WEAPON_NAME: Final = 24
MAX_LINE: Final = 400
"""Characters of a typed line."""
EXAMPLE: Final = Code("Defence 5, Save 4+, HP 12; Rifle: Power 6, Dice 4; Cannon: Power 12, AP 2")


@dataclass(frozen=True, slots=True)
class StatRange:
    """A stat in a line: its spelling, minimum, and maximum."""

    title: Shown
    least: int
    most: int

    def to_text(self, number: int) -> str:
        return f"{english(self.title)} {number}{'+' if self is UNIT_STATS['save'] else ''}"


UNIT_STATS: Final = {
    "defence": StatRange(Text("Defence"), 0, MAX_TYPED),
    "save": StatRange(Text("Save"), SAVES[0], SAVES[-1]),
    "hp": StatRange(Code("HP"), 1, MAX_HP),
}
WEAPON_STATS: Final = {
    "power": StatRange(Text("Power"), 0, MAX_TYPED),
    "dice": StatRange(Text("Dice"), 1, MAX_DICE),
    "ap": StatRange(Code("AP"), 0, MAX_AP),
}
STATS: Final = UNIT_STATS | WEAPON_STATS
SPELLINGS: Final = {"defense": "defence", "die": "dice"}
"""Other spellings of a stat."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon. ``power`` None: typed with each attack. ``ap``: how much it worsens the target's armour save."""

    name: Name = UNNAMED
    power: int | None = None
    dice: int = 1
    ap: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit. None: typed with each attack; without ``hp`` no HP are counted. ``lost``: HP lost so far."""

    name: Name
    defence: int | None = None
    save: int | None = None
    hp: int | None = None
    lost: int = 0
    weapons: tuple[Weapon, ...] = ()

    @property
    def hp_left(self) -> int | None:
        return None if self.hp is None else self.hp - self.lost

    @property
    def is_destroyed(self) -> bool:
        return self.hp_left == 0

    def suffer(self, hp_loss: int) -> "Unit":
        return self if self.hp is None else replace(self, lost=min(self.hp, self.lost + hp_loss))


Units = Mapping[str, Unit]


# A line


def parse(name: str, line: str) -> Unit:
    """Parse a unit's line, with full HP.

    Raises ``UnknownWordError`` for an unknown word, ``BadInputError`` for a number out of range, too many weapons, or
    an empty or long line. Any text of at most ``MAX_LINE`` characters costs under 100,000 steps.
    """
    if not clean(name):
        raise BadInputError("name", name, Text("Use a name with visible characters."))
    unit, weapons = read_line(line, "stats")
    return Unit(name=clean(name), weapons=weapons, **unit)


def parse_weapons(line: str) -> tuple[Weapon, ...]:
    """Parse only weapons: ``Rifle: Power 6, Dice 4; Cannon: Power 12``. Raises as ``parse``. Any text of at most
    ``MAX_LINE`` characters costs under 100,000 steps.
    """
    unit, weapons = read_line(line, "weapons")
    for word, number in unit.items():
        why = Text("A weapon has {stats}.", stats=Code(titles(WEAPON_STATS)))
        raise UnknownWordError("weapons", STATS[word].to_text(number), why)
    return weapons


def read_line(line: str, field: str) -> tuple[dict[str, int], tuple[Weapon, ...]]:
    """Parse the unit's stats and its weapons, unnamed ones first."""
    parts = [part for part in line.split(";") if part.strip(" ,")]
    if not parts or len(line) > MAX_LINE:
        raise BadInputError(field, line, AtMost(MAX_LINE), Example(EXAMPLE))
    unit: dict[str, int] = {}
    weapons: dict[str, Weapon] = {}
    for part in parts:
        before, colon, after = part.partition(":")
        name = weapon_name(before, field) if colon else ""
        stats = read_stats(after if colon else part, field, WEAPON_STATS if colon else STATS)
        if not stats:
            why = Text("Use the stats of {name} after the colon.", name=Name(name))
            raise BadInputError(field, part.strip(), why, Example(f"{name}: Power 6, Dice 4"))
        for word in [word for word in stats if word in UNIT_STATS]:
            if word in unit:
                raise duplicate_error(field, STATS[word].title)
            unit[word] = stats.pop(word)
        if stats and name.casefold() in weapons:
            raise duplicate_error(field, Name(name) or Text("a weapon without a name"))
        if stats:
            weapons[name.casefold()] = Weapon(Name(name), **stats)
    if len(weapons) > MAX_WEAPONS:
        given = Count(len(weapons), "weapon", "weapons")
        raise BadInputError(field, given, AtMost(MAX_WEAPONS, Noun("weapon", "weapons")))
    return unit, tuple(sorted(weapons.values(), key=lambda weapon: weapon.name != ""))


def read_stats(text: str, field: str, known: Mapping[str, StatRange]) -> dict[str, int]:
    """Parse ``Power 6, 4 dice AP-1`` to numbers by stat; the number may precede or follow."""
    tokens = re.findall(r"-?\d+\+?|[^\s\d,]+", text)
    if len(tokens) % 2:
        tokens.append("")
    stats: dict[str, int] = {}
    for first, second in zip(tokens[::2], tokens[1::2], strict=True):
        word, number = (second, first) if first[-1:] in "+0123456789" else (first, second)
        stat = SPELLINGS.get(word.casefold(), word.casefold())
        if stat not in known:
            message = N_("You can use {stats}, each with a whole number: `{example}`.")
            allowed = Text(message, stats=Code(titles(known)), example=EXAMPLE)
            raise UnknownWordError(field, word or number, AllowedWords(tuple(known), allowed))
        if stat in stats:
            raise duplicate_error(field, known[stat].title)
        stats[stat] = read_number(known[stat], number)
    return stats


def read_number(stat: StatRange, text: str) -> int:
    """Parse a stat's number: a save may be ``4+``, and AP ``-1``, its effect on a save."""
    match = re.fullmatch(r"(-?)(\d{1,9})(\+?)", text)
    allowed = WholeNumber(stat.least, stat.most)
    if match is None or (match[3] and stat is not STATS["save"]):
        raise BadInputError(stat.title, text or None, allowed)
    sign = -1 if match[1] and stat is not STATS["ap"] else 1
    return json_reader.check_whole_number(stat.title, sign * int(match[2]), stat.least, stat.most)


def weapon_name(text: str, field: str) -> str:
    name = clean(text)
    if not name or len(name) > MAX_WEAPON_NAME or "," in name:
        why = Text("Use a weapon name of at most {most} characters before the colon.", most=MAX_WEAPON_NAME)
        raise BadInputError(field, text.strip(), why)
    return name


def duplicate_error(field: str, what: Shown) -> BadInputError:
    return BadInputError(field, Text("{what} twice", what=what), Text("Use each stat and each weapon once."))


def titles(stats: Mapping[str, StatRange]) -> str:
    return ", ".join(english(stat.title) for stat in stats.values())


def write(unit: Unit) -> Code:
    """Format a unit with full HP for ``parse``."""
    return Code("; ".join(filter(None, (write_stats(unit), *map(write_weapon, unit.weapons)))))


def line_of_numbers(numbers: Mapping[str, int | None]) -> Code:
    return Code(", ".join(STATS[word].to_text(number) for word, number in numbers.items() if number is not None))


def write_stats(unit: Unit) -> Code:
    """Format a unit without its weapons: ``Defence 5, Save 4+, HP 12``."""
    return line_of_numbers({"defence": unit.defence, "save": unit.save, "hp": unit.hp})


def write_weapon(weapon: Weapon) -> Code:
    """Format ``Rifle: Power 6, Dice 4``, without a single die or AP 0."""
    dice = weapon.dice if weapon.dice > 1 or weapon.power is None else None
    text = line_of_numbers({"power": weapon.power, "dice": dice, "ap": weapon.ap or None})
    return Code(f"{weapon.name}: {text}" if weapon.name else text)


# The units of a channel


def add_or_replace(units: Units, unit: Unit) -> dict[str, Unit | None]:
    """Add a unit, or replace its namesake. Raises ``PlayerError`` for too many."""
    message = N_("This channel already has {units_most} units. Remove one with `/warsurge profile remove` first.")
    return profile.add_or_replace(units, unit, Text(message, units_most=profile.MAX_PROFILES))


def find(units: Units, name: str, field: str = "name") -> Unit:
    """Return the unit of this name, ignoring case. Raises ``BadInputError`` naming the nearest."""
    none = Text("Use a unit in this channel. Add one with `/warsurge profile set` first.")
    return profile.find(units, name, field, none, N_("Use a unit in this channel: {names}."))


def with_hp(unit: Unit, left: int | None) -> Unit:
    """Set a unit's HP left; None: all. Raises ``PlayerError`` if its HP are not counted."""
    if unit.hp is None:
        raise PlayerError("{unit} has no HP yet. Add it with `/warsurge profile set`, like `HP 12`.", unit=unit.name)
    return replace(unit, lost=0 if left is None else unit.hp - json_reader.check_whole_number("left", left, 0, unit.hp))


def choose_weapons(unit: Unit, names: str) -> tuple[Weapon, ...]:
    """Return a unit's weapons by name, separated by commas or semicolons; all for "". Raises ``UnknownWordError`` for
    an unknown weapon, ``BadInputError`` for one named twice.
    """
    known = {search_key(weapon.name): weapon for weapon in unit.weapons if weapon.name}
    weapons: list[Weapon] = []
    for name in filter(None, map(clean, re.split("[,;]", names))):
        if search_key(name) not in known:
            none = Text("{unit} has no named weapon. Add one with `/warsurge profile set`.", unit=unit.name)
            names = Name(", ".join(weapon.name for weapon in known.values()))
            some = Text("Weapons of {unit}: {weapons}.", unit=unit.name, weapons=names)
            raise UnknownWordError("weapons", name, AllowedWords(tuple(known), some if known else none))
        if known[search_key(name)] in weapons:
            raise duplicate_error("weapons", name)
        weapons.append(known[search_key(name)])
    return tuple(weapons) or unit.weapons

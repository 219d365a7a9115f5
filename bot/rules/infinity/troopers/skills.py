"""Effects of skills, equipment, and their bracketed extras: one table for sums, results, and help.

Each row is *counted* (computed), *asked* (a typed word enables it), *not counted* (concerns dice, and the card names
it), or *shown* (no dice). An unknown name is not counted, and every roll of its trooper names it. Sources: rules page,
From the profile to the number; the official wiki of N5 and N4; Human Sphere for N3.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from bot.rules.data_tables import table
from bot.rules.infinity.troopers.declared import KITS, Action, Ammo, Edition, ModKind
from bot.rules.text import Name, Sentences, Shown, Text, labeled


class SkillChange(StrEnum):
    COUNTED = "counted"
    ASKED = "asked"
    LEFT = "not counted"
    SHOWN = "shown"


SHOTS: Final = (Action.SHOOT, Action.TEMPLATE)
SEEN: Final = (*SHOTS, Action.DISCOVER)
"""Actions that need to see their target, and suffer from concealment."""
AIMED: Final = (*SHOTS, *KITS)
"""Actions rolled with a weapon's range bands."""
EDITIONS: Final[tuple[Edition, ...]] = ("n5", "n4", "n3")
BRACKET: Final = 99
"""A MOD equal to the number in the skill's brackets, in the rows too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEffect:
    """A skill's effect on one kind of roll.

    ``of``: the trooper's own roll (``own``), that of anyone acting against it (``foe``), or an opposing roll (``met``).
    ``on``: that roll's actions; ``doing``: the trooper's own; () is any. ``mod``: added to the sum. ``special`` and
    ``burst`` add dice, ``power`` Damage. ``asked``: the condition's field of ``Situation``; ``needs``: a skill that the
    roller must have.
    """

    of: Literal["own", "foe", "met"]
    on: tuple[Action, ...] = ()
    doing: tuple[Action, ...] = ()
    mod: int = 0
    special: int = 0
    burst: int = 0
    power: int = 0
    asked: str = ""
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A row of the table.

    ``level``: 0 for any. ``default``: the number without brackets; None: then not counted. ``kind``: its MODs'.
    ``extends``: actions of its extras. ``ignores``: kinds of MODs absent from its trooper's ``ignores_on`` rolls;
    ``keeps``: the only negative ones kept; ``spares``: those absent from rolls against its trooper. ``touches`` and
    ``touches_foe``: rolls of its trooper, and against it, that name it if not counted. ``hides``: a Visor reduces its
    number.
    """

    name: str
    does: Text
    how: SkillChange = SkillChange.COUNTED
    also: tuple[str, ...] = ()
    editions: tuple[Edition, ...] = EDITIONS
    level: int = 0
    default: int | None = 0
    effects: tuple[SkillEffect, ...] = ()
    kind: ModKind = ModKind.SKILL
    extends: tuple[Action, ...] = ()
    ignores: tuple[ModKind, ...] = ()
    ignores_on: tuple[Action, ...] = ()
    keeps: tuple[tuple[Action, tuple[ModKind, ...]], ...] = ()
    spares: tuple[ModKind, ...] = ()
    touches: tuple[Action, ...] = ()
    touches_foe: tuple[Action, ...] = ()
    hides: bool = False


TABLE: Final = (
    *table("infinity/tables/skills.json", Skill),
    *(
        Skill(name=name, does=Text("it matters on the table and affects no roll"), how=SkillChange.SHOWN)
        for name in table("infinity/tables/no_dice.json", str)
    ),
)
"""All known names. A name may have rows for levels and editions."""
LEVELLED: Final = table("infinity/tables/levelled.json", str)
"""Skills whose bare number is a level."""


def normalized_name(name: str) -> str:
    """Normalize a name: no case, hyphens, dots, or signs."""
    return " ".join(re.sub(r"[^0-9a-z+]+", " ", name.casefold().replace("º", " ").replace("°", " ")).split())


BY_NAME: Final[Mapping[str, str]] = {normalized_name(word): row.name for row in TABLE for word in (row.name, *row.also)}
"""Table names by spelling."""
NAME_WORDS: Final = max(len(name.split()) for name in BY_NAME)


# Extras in brackets


MOD: Final = re.compile(r"([+-]\d{1,2})")
SPECIAL: Final = re.compile(r"\+?(\d)\s?(?:SD|special dice|special die)", re.IGNORECASE)
BURST: Final = re.compile(r"(?:\+?(\d)\s?B|B\s?\+\s?(\d))", re.IGNORECASE)
VALUE: Final = re.compile(r"(PH|WIP|BS|CC)\s?=\s?(\d{1,2})", re.IGNORECASE)
ARMOUR: Final = re.compile(r"(ARM|BTS)\s?\+\s?(\d)", re.IGNORECASE)
IN_COMBAT: Final = re.compile(r"CC\s?(-\d{1,2})", re.IGNORECASE)
SAVE: Final = re.compile(r"SR\s?(-\d)", re.IGNORECASE)
REROLL: Final = re.compile(r"re-?roll\s?(?:(-\d)|(?:WIP|PH)\s?=\s?(\d{1,2}))?", re.IGNORECASE)
DISTANCE: Final = re.compile(r"[+-]?\d{1,2}(?:\.\d)?\s?(?:\"|″|”|''|in|inch|inches|cm)", re.IGNORECASE)
GUIDED: Final = ("BS Attack", "Guided")
"""The skill, and its extra, that allow the word `guided`."""
WORDED: Final = (GUIDED, ("Doctor", "2W"), ("Combat Jump", "Explosion"), ("Impersonation", "IMP-2"))
"""Skills with a counted extra that is no number."""
ANY_TEXT: Final = ("Immunity", "Terrain", "Peripheral")
"""Skills with free text after their name."""
REROLLING: Final = ("Doctor", "Engineer", "Discover", "Infiltration")
"""Skills whose failed rolls an extra lets reroll."""
DEVICES: Final = ("Hacker", "Hacking Device", "Hacking Device Plus", "Killer Hacking Device", "EVO Hacking Device")
"""Skills and equipment with programs, devices, or skills in brackets."""
UPGRADE: Final = re.compile(r"upgrades?\b:?", re.IGNORECASE)
ITEM: Final = re.compile(r"[^,()]++(?:\([^()]*+\))?")
CONTINUOUS: Final = ("continuous damage", "continous damage", "continuous")


@dataclass(frozen=True, slots=True)
class HeldSkill:
    """A profile's skill: its table name, else as written; level and extras."""

    name: str
    level: int = 0
    extras: tuple[str, ...] = ()
    is_known: bool = True

    @property
    def text(self) -> str:
        """Return the skill as in profiles: ``Martial Arts L4``, ``Mimetism (-6)``."""
        level = f" L{self.level}" if self.level else ""
        return f"{self.name}{level}" + "".join(f" ({extra})" for extra in self.extras)

    @property
    def numbers(self) -> tuple[int, ...]:
        result = map(MOD.fullmatch, self.extras)
        return tuple(int(match[1]) for match in result if match)

    def row(self, edition: Edition) -> Skill | None:
        rows = [row for row in ROWS.get(self.name, ()) if edition in row.editions]
        exact = [row for row in rows if row.level == self.level]
        return next(iter(exact or [row for row in rows if not row.level]), None)

    def number(self, row: Skill) -> int | None:
        return self.numbers[0] if self.numbers else row.default

    def mod(self, row: Skill, effect: SkillEffect) -> int:
        return (self.number(row) or 0) if effect.mod == BRACKET else effect.mod


def rows_of(held: Iterable[HeldSkill], edition: Edition) -> list[tuple[HeldSkill, Skill]]:
    """The skills that the table of an edition has, each with its row."""
    return [(skill, row) for skill in held if (row := skill.row(edition)) is not None]


ROWS: Final[dict[str, list[Skill]]] = {}
for _row in TABLE:
    ROWS.setdefault(_row.name, []).append(_row)

GROUPS: Final = re.compile(r"\s?\(((?:[^()]|\([^()]*\))*)\)")
ECM: Final = re.compile(r"(hacker|hacking|comms|guided)\s*([+-]\d{1,2})", re.IGNORECASE)
REST: Final = re.compile(r"(?:l|level)?\s?([1-9])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def read(text: str) -> HeldSkill | None:
    """Parse a skill: ``Martial Arts 4``, ``MA4``, ``Mimetism -6``, ``BS Attack (+1SD)``; None for none.

    The longest table name matches; a level or extras follow. One pair of brackets may hold several extras; a nested
    list is one.
    """
    lists = ([group] if "(" in group else group.split(",") for group in GROUPS.findall(text))
    inside = tuple(" ".join(item.split()) for group in lists for item in group if item.strip())
    base = " ".join(GROUPS.sub(" ", text).split())
    words = base.split()
    for length in range(min(len(words), NAME_WORDS), 0, -1):
        name = BY_NAME.get(normalized_name(" ".join(words[:length])))
        if name is not None:
            return with_rest(name, " ".join(words[length:]), inside)
    joined = re.fullmatch(r"([A-Za-z][A-Za-z -]*?)\s?([1-9]|[+-]\d{1,2})", base)
    if joined and (name := BY_NAME.get(normalized_name(joined[1]))):
        return with_rest(name, joined[2], inside)
    return None


def with_rest(name: str, rest: str, inside: tuple[str, ...]) -> HeldSkill | None:
    """Return a skill with the text after its name; None if that is no level or extra."""
    if name == "ECM" and inside and (which := ECM.fullmatch(inside[0])):
        return HeldSkill(BY_NAME[normalized_name(f"ECM {which[1]}")], 0, (which[2], *inside[1:]))
    if name in LEVELLED and (level := REST.fullmatch(rest or "".join(inside[:1]))):
        return HeldSkill(name, int(level[1]), inside if rest else inside[1:])
    if rest.isdecimal() and name in ("Mimetism", "Surprise Attack", "Albedo", "Firewall"):
        rest = f"-{rest}"
    if not rest:
        return HeldSkill(name, 0, inside)
    return HeldSkill(name, 0, (rest, *inside)) if is_extra(rest) or name in ANY_TEXT else None


def is_extra(text: str) -> bool:
    forms = (MOD, SPECIAL, BURST, VALUE, ARMOUR, SAVE, DISTANCE)
    return any(form.fullmatch(text) for form in forms) or text.casefold() in CONTINUOUS or ammo_of(text) is not None


def parse_skill(text: str) -> HeldSkill:
    return read(text) or HeldSkill(" ".join(text.split()), is_known=False)


@lru_cache(maxsize=1024)
def parse_all(texts: tuple[str, ...]) -> tuple[HeldSkill, ...]:
    """Return a profile's distinct skills, also those in a device's brackets: ``Hacking Device (UPGRADE: Firewall)``."""
    held = tuple(map(parse_skill, texts))
    more = (read(item) for skill in held for item in upgrades(skill))
    return tuple(dict.fromkeys((*held, *filter(None, more))))


def upgrades(skill: HeldSkill) -> list[str]:
    """Return the upgrades in a hacking device's brackets with extras: ``Trinity (+1B)``."""
    if skill.name not in DEVICES:
        return []
    return [item.strip() for extra in skill.extras for item in ITEM.findall(UPGRADE.sub("", extra))]


def ammo_of(extra: str) -> Ammo | None:
    known = {ammo.casefold(): ammo for ammo in (Ammo.AP, Ammo.SHOCK, Ammo.DA, Ammo.EXP, Ammo.T2, Ammo.EM, Ammo.STUN)}
    return known.get(extra.casefold().removesuffix(" ammo").removesuffix(" ammunition"))


def is_distance(name: str, extra: str) -> bool:
    """Whether an extra is movement: ``Dodge (+2")``, and ``Dodge (+5)`` of the data. A Dodge's MODs are multiples of
    three; the data's distances are centimeters, 5 for 2 inches.
    """
    number = MOD.fullmatch(extra)
    return bool(DISTANCE.fullmatch(extra)) or (name == "Dodge" and number is not None and int(number[1]) % 3 != 0)


def mods_of(skill: HeldSkill) -> tuple[int, ...]:
    """Return the MODs among an action's extras, without distances."""
    return tuple(int(extra) for extra in skill.extras if MOD.fullmatch(extra) and not is_distance(skill.name, extra))


def dice_of(extras: tuple[str, ...]) -> tuple[int, int]:
    bursts = [int(match[1] or match[2]) for extra in extras if (match := BURST.fullmatch(extra))]
    return sum(bursts), sum(int(match[1]) for extra in extras if (match := SPECIAL.fullmatch(extra)))


def is_counted(name: str, extra: str) -> bool:
    """Whether an action's extra is in the sum or result; a distance isn't."""
    is_reroll = name in REROLLING and REROLL.fullmatch(extra) is not None
    return is_extra(extra) or is_distance(name, extra) or (name, extra) in WORDED or is_reroll


def group(skill: HeldSkill, edition: Edition) -> SkillChange:
    """Return a profile skill's group: counted, asked, not counted, shown."""
    row = skill.row(edition)
    if row is None:
        return SkillChange.LEFT
    if row.extends and not all(is_counted(skill.name, extra) for extra in skill.extras):
        return SkillChange.LEFT
    if row.extends and all(is_distance(skill.name, extra) for extra in skill.extras):
        return SkillChange.SHOWN
    return SkillChange.LEFT if row.default is None and not skill.numbers else row.how


def groups(profile: Iterable[str], edition: Edition = "n5") -> dict[SkillChange, list[str]]:
    """Return a profile's skills by group, without shown ones."""
    result: dict[SkillChange, list[str]] = {SkillChange.COUNTED: [], SkillChange.ASKED: [], SkillChange.LEFT: []}
    for skill in map(parse_skill, profile):
        how = group(skill, edition)
        if how in result and skill.text not in result[how]:
            result[how].append(skill.text)
    return {how: names for how, names in result.items() if names}


def uncounted_skills(skills: tuple[str, ...], action: Action, edition: Edition, *, foe: bool) -> Iterator[str]:
    """Yield skills that concern a roll but aren't counted: the roller's or, with ``foe``, the target's."""
    for skill in map(parse_skill, skills):
        row = skill.row(edition)
        if row is None:
            rows = ROWS.get(skill.name, ())
            effects = [effect for known in rows for effect in known.effects if (effect.of == "own") != foe]
            if not skill.is_known or any(action in (effect.on or effect.doing) for effect in effects):
                yield skill.text
        elif group(skill, edition) is SkillChange.LEFT and action in (row.touches_foe if foe else row.touches):
            yield skill.text


def names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.name for row in TABLE))


def skill_help() -> tuple[tuple[Shown, Shown], ...]:
    """Return the counted, asked, and uncounted skills for the help: heading and lines."""
    rows = {how: [row for row in TABLE if row.how is how] for how in SkillChange}
    counted = Sentences(dict.fromkeys(Name(row.name) for row in rows[SkillChange.COUNTED]), ", ")
    asked, left = (
        [labeled(Name(row.name), row.does) for row in rows[how]] for how in (SkillChange.ASKED, SkillChange.LEFT)
    )
    return (
        (Text("Automated"), counted),
        (Text("Automated if you say so"), Sentences(dict.fromkeys(asked), "\n")),
        (Text("Play by hand: the card lists them"), Sentences(dict.fromkeys(left), "\n")),
    )

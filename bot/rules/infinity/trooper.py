"""Troopers of a channel: profiles that names stand for, and the wounds and states that they carry.

Written in one line, or one line for each weapon; commas between the parts:

BS 12, CC 14, PH 10, WIP 13, ARM 1, BTS 3, W 1, LI, Mimetism (-3), MSV 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from bot.rules.errors import AtMost, BadInput, BadWord, Example, Known, PlayerError, Whole, shown
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import (
    ATTRIBUTE_MOST,
    BURST_MOST,
    POWER_MOST,
    SV_MOST,
    WOUNDS_MOST,
    Action,
    Profile,
    Weapon,
)
from bot.rules.name import NAME_MOST, clean
from bot.rules.reading import whole
from bot.rules.text import Names, Text

TROOPERS_MOST: Final = 24
"""In a channel; so many still fit on one card."""
LINE_MOST: Final = 1000
WEAPONS_MOST: Final = 8
SKILLS_MOST: Final = 16
SKILL_LONGEST: Final = 40

SUCCESS_VALUES: Final = ("SV", "BS", "CC", "PH", "WIP")
"""What a roll may be made with; SV is a Success Value that has no name."""
STATS: Final[Mapping[str, tuple[int, int]]] = {
    **dict.fromkeys(SUCCESS_VALUES, (0, SV_MOST)),
    "Burst": (1, BURST_MOST),
    "ARM": (0, ATTRIBUTE_MOST),
    "BTS": (0, ATTRIBUTE_MOST),
    "PS": (0, POWER_MOST),
    "Damage": (0, POWER_MOST),
    "W": (1, WOUNDS_MOST),
    "STR": (1, WOUNDS_MOST),
    "S": (0, 9),
}
"""The stats as they are written, with the least and the most of each."""
TYPES: Final = ("LI", "MI", "HI", "SK", "WB", "REM", "TAG", "VH")
EXAMPLE: Final = f"BS 12, WIP 13, ARM 1, W 1, LI, Mimetism (-3), {weapons.EXAMPLE}"

UNCONSCIOUS: Final = "Unconscious"
DEAD: Final = "Dead"
DOWN: Final = (UNCONSCIOUS, DEAD)
SUPPRESSIVE: Final = "Suppressive Fire"
STATES: Final = (
    *("Isolated", "Immobilized-A", "Immobilized-B", "Stunned", "Targeted", "Possessed", "Sepsitorized"),
    *(SUPPRESSIVE, *DOWN),
)
"""What a trooper may be in, by command or by a roll."""

SKILL_MOD: Final = re.compile(r"(.*?)\s*\(([+-]\d{1,2})\)")
VISOR: Final = re.compile(r"(?:msv|(?:multispectral )?visor)\s*l?(\d)", re.IGNORECASE)
NUMBERED: Final = re.compile(
    r"(msv|multispectral visor|visor|martial arts|fireteam|sixth sense)\s*l?\d+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Trooper:
    """A name and all that it stands for. ``lost`` are Wounds (or STR) that are gone."""

    name: str
    stats: Mapping[str, int]
    type: str = ""
    skills: tuple[str, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    lost: int = 0
    states: tuple[str, ...] = ()

    @property
    def wounds(self) -> int | None:
        """W, or STR; None where nobody said it."""
        return self.stats.get("STR", self.stats.get("W"))

    @property
    def is_down(self) -> bool:
        return any(state in DOWN for state in self.states)

    @property
    def visor(self) -> int:
        """The level of the Multispectral Visor, 0 without one."""
        return max((int(found[1]) for skill in self.skills if (found := VISOR.match(skill))), default=0)

    def skill(self, *names: str) -> tuple[int, ...]:
        """The numbers in brackets behind these skills: -6 for ``Mimetism (-6)``; a skill may stand there twice."""
        found = [match for skill in self.skills if (match := SKILL_MOD.fullmatch(skill))]
        return tuple(int(match[2]) for match in found if match[1].casefold() in names)

    def has(self, name: str) -> bool:
        """Whether it has a skill, whatever stands behind it."""
        return any(skill.casefold().startswith(name) for skill in self.skills)

    @property
    def profile(self) -> Profile:
        """What counts of it once it is hit."""
        return Profile(
            arm=self.stats.get("ARM"),
            bts=self.stats.get("BTS"),
            ph=self.stats.get("PH"),
            wip=self.stats.get("WIP"),
            wounds=self.wounds,
            structure="STR" in self.stats,
            type=self.type,
            lost=self.lost,
            kept=True,
            states=self.states,
        )


DASHES: Final = str.maketrans("−–—", "---")
TOKEN: Final = re.compile(
    r"\([^()]*\)|,|(?:sv|bs|cc|ph|wip)?[0-9]{1,3}(?:[+-][0-9]{1,3})*(?=\([^()]*[+-]\s?[0-9])|[^\s,]+", re.IGNORECASE
)
"""A word of a line; commas and brackets are words of their own, and so is the value in ``SV12(-3)``."""
BORROWED: Final = re.compile(r"([^:]+?)\s+of\s+([^:]+)", re.IGNORECASE)
"""``Combi of Angus``: a weapon copied from another trooper."""
PARTS_LINES: Final = re.compile(r"[,;]|\s/\s")
"""What ends a name in a line of an order."""

Roster = Mapping[str, Trooper]
"""The troopers of a channel, by name."""


def parse(name: str, line: str, held: Roster | None = None) -> Trooper:
    """The trooper of a line like ``EXAMPLE``; ``Combi of Angus`` is a weapon of another trooper, one of ``held``.

    Raises ``BadWord`` for a word that does not fit, ``BadInput`` for a number out of range, an empty or a long line.
    """
    parts = [part for one in re.split(r"[,;\n]", line) if (part := " ".join(one.split()))]
    if not parts or len(line) > LINE_MOST:
        raise BadInput("stats", line, AtMost(LINE_MOST), Example(EXAMPLE))
    if not clean(name) or len(name) > NAME_MOST or PARTS_LINES.search(name):
        raise BadInput(
            "name",
            name,
            Text("Use 1 to {most} characters that can be seen, without commas and semicolons.", most=NAME_MOST),
        )
    stats: dict[str, int] = {}
    skills: list[str] = []
    arms: list[Weapon] = []
    kind = ""
    for part in parts:
        if ":" in part:
            arms.append(weapons.parse(part, "stats"))
        elif (copied := borrowed(held or {}, part)) is not None:
            arms.append(copied)
        elif part.upper() in TYPES:
            kind = part.upper()
        elif is_skill(part):
            skills.append(clean(part))
        else:
            label, number = read_stat(part)
            if label in stats:
                raise BadWord("stats", part, Text("{label} stands there twice. Write each stat once.", label=label))
            stats[label] = number
    check_lengths(skills, arms)
    return Trooper(
        clean(name), {label: stats[label] for label in STATS if label in stats}, kind, tuple(skills), tuple(arms)
    )


def borrowed(held: Roster, words: str) -> Weapon | None:
    """The weapon that ``Combi of Angus`` names; None where it names no trooper. Raises ``BadInput`` for no weapon."""
    match = BORROWED.fullmatch(words.strip())
    owner = next((one for one in held.values() if match is not None and same(one.name, clean(match[2]))), None)
    if match is None or owner is None:
        return None
    found = weapon_of(owner, match[1])
    if found is None:
        names = ", ".join(one.name for one in owner.weapons) or "none yet"
        raise BadInput("weapon", words, Text("Use a weapon of {owner}: {names}.", owner=owner.name, names=names))
    return found


def check_lengths(skills: list[str], arms: list[Weapon]) -> None:
    if len(arms) > WEAPONS_MOST or len({one.name.casefold() for one in arms}) < len(arms):
        raise BadInput(
            "stats",
            f"{len(arms)} weapons",
            Text("Use at most {most} weapons, each with a name of its own.", most=WEAPONS_MOST),
        )
    if len(skills) > SKILLS_MOST or any(len(skill) > SKILL_LONGEST for skill in skills):
        raise BadInput(
            "stats",
            f"{len(skills)} skills",
            Text("Use at most {most} skills of {longest} characters.", most=SKILLS_MOST, longest=SKILL_LONGEST),
        )


def is_skill(part: str) -> bool:
    """Whether a part is a skill: a number in brackets, a level, or words that are no stat.

    Words that begin with a stat are none: ``BS twelve`` is a slip of somebody who means the stat, and so is a short
    word with a number.
    """
    if SKILL_MOD.fullmatch(part) or NUMBERED.fullmatch(part) or part.endswith(")"):
        return True
    if numbered := re.fullmatch(r"(\D+) ?\d+", part):
        word = numbered[1].strip().casefold()
        return len(word) > 4 and not get_close_matches(word, [label.casefold() for label in STATS], n=1, cutoff=0.6)
    labels = [label.casefold() for label in STATS]
    near = get_close_matches(part.casefold(), labels, n=1, cutoff=0.8) or {*part.casefold().split()} & {*labels}
    return (
        not near
        and part[0].isalnum()
        and not part.isdecimal()
        and not re.fullmatch(r"\S*\d\S*", part)
        and len(part) > 2
    )


def read_stat(part: str) -> tuple[str, int]:
    """A stat as it is written, and its number."""
    word, number = part, ""
    if found := re.fullmatch(r"([^0-9]*?) ?(-?[0-9]+)", part):
        word, number = found[1], found[2]
    labels = {label.casefold(): label for label in STATS}
    label = labels.get(word.casefold())
    if label is None:
        allowed = Text(
            "You can write {stats} with a number, a troop type, a skill like `Mimetism (-3)`, or a weapon like "
            "`{weapon}`.",
            stats=", ".join(STATS),
            weapon=weapons.EXAMPLE,
        )
        raise BadWord("stats", word or part, Known(tuple(labels), allowed))
    least, most = STATS[label]
    if not number or abs(int(number[:6])) > SV_MOST:
        raise BadInput(label, int(number[:6]) if number else None, Whole(least, most))
    return label, whole(label, int(number), least, most)


def write(trooper: Trooper) -> str:
    """The line of a trooper, which ``parse`` reads; without wounds and states."""
    stats = [f"{label} {number}" for label, number in trooper.stats.items()]
    kind = [trooper.type] if trooper.type else []
    return ", ".join([*stats, *kind, *trooper.skills, *map(weapons.write, trooper.weapons)])


def condition(trooper: Trooper) -> str:
    """``1 of 2 Wounds lost, Isolated``; empty for one who is well."""
    unit = "STR" if "STR" in trooper.stats else "Wound" if (trooper.wounds or trooper.lost) == 1 else "Wounds"
    number = f"{min(trooper.lost, trooper.wounds)} of {trooper.wounds}" if trooper.wounds else f"{trooper.lost}"
    lost = [f"{number} {unit} lost"] if trooper.lost else []
    return ", ".join([*lost, *trooper.states])


# Changes by command; each gives the troopers that change, by name


Changes = Mapping[str, Trooper | None]


def put(held: Roster, trooper: Trooper) -> Changes:
    """A trooper comes in, in the place of one of that name, whose wounds and states stay."""
    now = next((one for one in held.values() if same(one.name, trooper.name)), None)
    if now is None and len(held) >= TROOPERS_MOST:
        raise PlayerError(
            f"This channel has {TROOPERS_MOST} troopers already. Remove one with `/infinity profile remove` first."
        )
    return {trooper.name: replace(trooper, lost=now.lost, states=now.states) if now else trooper}


def arm(held: Roster, name: str, weapon: Weapon) -> Changes:
    """A trooper gets a weapon, in the place of one of that name."""
    trooper = find(held, name)
    kept = [one for one in trooper.weapons if not same(one.name, weapon.name)]
    check_lengths([], [*kept, weapon])
    return {trooper.name: replace(trooper, weapons=(*kept, weapon))}


def copy(held: Roster, name: str, as_name: str) -> Changes:
    """The same profile under another name, unharmed."""
    made = replace(find(held, name), name=clean(as_name), lost=0, states=())
    if not made.name or PARTS_LINES.search(as_name):
        raise BadInput("as", as_name, Text("Use a name that can be seen, without commas and semicolons."))
    if any(same(one.name, made.name) for one in held.values()):
        raise BadInput("as", as_name, Text("Use a name that no trooper of this channel has."))
    return put(held, made)


def harm(held: Roster, name: str, lost: int | None, state: str, *, on: bool = True) -> Changes:
    """Set the Wounds that a trooper has lost, or bring or end a state. Raises ``BadInput``."""
    trooper = find(held, name)
    if lost is not None:
        down = tuple(one for one in trooper.states if one not in DOWN)
        trooper = wounded(replace(trooper, lost=0, states=down), whole("wounds", lost, 0, 2 * WOUNDS_MOST))
    if state:
        known = {one.casefold(): one for one in STATES}
        if state.strip().casefold() not in known:
            raise BadInput("state", state, Known(tuple(STATES)))
        trooper = with_states(trooper, (known[state.strip().casefold()],), on=on)
    return {trooper.name: trooper}


def find(held: Roster, name: str) -> Trooper:
    """The trooper of that name, whatever its case. Raises ``BadInput`` naming the nearest ones."""
    known = {clean(one).casefold(): trooper for one, trooper in held.items()}
    asked = clean(name).casefold()
    if asked in known:
        return known[asked]
    near = get_close_matches(asked, known, n=3) or sorted(known)[:5]
    if not near:
        raise BadInput("name", name, Text("This channel has no trooper yet. Add one first."))
    names = tuple(known[one].name for one in near)
    raise BadInput(
        "name",
        name,
        Known(names, Text("Use a trooper of this channel: {names}.", names=Names(map(shown, names), "or"))),
    )


def same(one: str, other: str) -> bool:
    return clean(one).casefold() == clean(other).casefold()


def wounded(trooper: Trooper, wounds: int, *, shock: bool = False) -> Trooper:
    """The trooper after losing Wounds: Unconscious at none left, Dead beyond.

    Shock kills a trooper of 1 W at once (rules page, Saving Rolls).
    """
    lost, most = trooper.lost + wounds, trooper.wounds
    after = replace(trooper, lost=lost)
    if most is None or lost < most or not wounds:
        return after
    is_dead = lost > most or (shock and most == 1 and "W" in trooper.stats) or DEAD in trooper.states
    kept = tuple(state for state in trooper.states if state not in DOWN)
    return replace(after, states=(*kept, DEAD if is_dead else UNCONSCIOUS))


def with_states(trooper: Trooper, states: tuple[str, ...], *, on: bool = True) -> Trooper:
    """The trooper with states more, or less."""
    kept = tuple(state for state in trooper.states if state not in states)
    return replace(trooper, states=(*kept, *states) if on else kept)


def words_of(text: str) -> list[str]:
    """The words of a line, with plain dashes."""
    return TOKEN.findall(text.translate(DASHES))


def spoken(name: str) -> str:
    """A name as the words of a line say it."""
    return " ".join(words_of(name)).casefold()


def weapon_of(trooper: Trooper, words: str) -> Weapon | None:
    """The weapon that words name: all of its name, or a word of only one weapon's name."""
    asked = spoken(words)
    exact = [one for one in trooper.weapons if spoken(one.name) == asked]
    part = [one for one in trooper.weapons if asked in spoken(one.name).split()]
    return exact[0] if exact else part[0] if len(part) == 1 else None


def only_weapon(trooper: Trooper, *, close: bool = False) -> Weapon | None:
    """The one weapon that an attack can mean; None where there are several, or none."""
    fitting = [one for one in trooper.weapons if (one.action is Action.CC) == close]
    return fitting[0] if len(fitting) == 1 else None

"""Troopers of a channel: named profiles with wounds and states.

Written in one line, or one per weapon; parts separated by commas:

BS 12, CC 14, PH 10, WIP 13, ARM 1, BTS 3, W 1, LI, Mimetism (-3), MSV 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, islice
from string import digits, whitespace
from typing import Any, Final, Literal
from unicodedata import combining, normalize

from bot.rules import profile
from bot.rules.errors import AllowedWords, AtMost, BadInputError, Example, PlayerError, UnknownWordError
from bot.rules.infinity.troopers import limits, programs, skills, states, weapon as weapons
from bot.rules.infinity.troopers.declared import KITS, Action, TargetProfile, Weapon
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.skills import HeldSkill
from bot.rules.json_reader import check_whole_number
from bot.rules.name import MAX_NAME, clean, one_line, search_key
from bot.rules.text import N_, Code, Name, Names, Sentences, Shown, Text

MAX_TROOPERS: Final = 40
"""Maximum per channel: two tournament lists and some more."""
MAX_LINE: Final = 2500
"""Maximum characters of a line; the longest of 11,623 official profiles has 1,819."""
MAX_WEAPONS: Final = 40
MAX_SKILLS: Final = 40
SKILL_LONGEST: Final = 120

SUCCESS_VALUES: Final = ("SV", "BS", "CC", "PH", "WIP")
"""Attributes for rolls; SV is an unnamed Success Value."""
STATS: Final[Mapping[str, tuple[int, int]]] = {
    **dict.fromkeys(SUCCESS_VALUES, (0, limits.MAX_SV)),
    "Burst": (1, limits.MAX_BURST),
    **dict.fromkeys(("ARM", "BTS"), (0, limits.MAX_ATTRIBUTE)),
    **dict.fromkeys(("PS", "Damage"), (0, limits.MAX_POWER)),
    **dict.fromkeys(("W", "STR"), (1, limits.MAX_WOUNDS)),
    "S": (0, 9),
}
"""Stats as written, with minimum and maximum."""
TYPES: Final = ("LI", "MI", "HI", "SK", "WB", "REM", "TAG", "VH")
LABELS: Final[Mapping[str, str]] = {**{label: label for label in STATS}, "VITA": "W", "Wounds": "W", "DAM": "Damage"}
"""Profile words by stat; VITA is N5's W."""
PARTS: Final = re.compile(r"[,;\n]")
"""Separators of a line's parts, outside brackets."""
BRACKET: Final = re.compile(r"[()]")
WORD: Final = re.compile(r"(?:\s?\([^()]*(?:\([^()]*\)[^()]*)*\)|\S)+")
"""A word with its brackets."""
MAX_WORDS: Final = skills.NAME_WORDS + 3
"""Maximum words of a skill with a level and extras, if another follows without a comma."""
STAT: Final = re.compile(rf"({'|'.join(sorted(LABELS, key=len, reverse=True))})\s?=?\s?(-?\d+)(?=\s|$)", re.IGNORECASE)
QUOTED: Final = re.compile(r'"([^"]+)"')
SECRET_PLACE: Final = re.compile(r"(?:Hidden|Lieutenant) \d+(?:-\d+)?", re.IGNORECASE)
"""Names of places on a list of secrets."""
EXAMPLE: Final = f"BS 12, WIP 13, ARM 1, W 1, LI, Mimetism (-3), {weapons.EXAMPLE}"


@dataclass(frozen=True, slots=True)
class Trooper:
    """A named trooper. ``lost``: Wounds (or STR) that are gone.

    ``owner``: a player's number, 0 for anybody. ``spent``: each use of a disposable weapon by name. ``group``: its
    combat group. ``last``: its last order's line. ``team``: its Fireteam's level, from the turn. ``is_marker``: a
    marker, whose trooper only its owner knows. ``points``: its cost, ``list_points``: the whole list's, 0 if unknown:
    its owner's secrets.
    """

    name: Name
    stats: Mapping[str, int]
    type: str = ""
    skills: tuple[str, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    lost: int = 0
    states: tuple[str, ...] = ()
    owner: int = 0
    spent: tuple[str, ...] = ()
    group: int = 1
    last: str = ""
    team: int = 0
    is_marker: bool = False
    points: int = 0
    list_points: int = 0
    kind: Literal["trooper"] = "trooper"

    @property
    def wounds(self) -> int | None:
        """Return W, or STR; None if unknown."""
        return self.stats.get("STR", self.stats.get("W"))

    @property
    def is_down(self) -> bool:
        return any(state in states.DOWN for state in self.states)

    @property
    def parsed_skills(self) -> tuple[HeldSkill, ...]:
        return skills.parse_all(self.skills)

    @property
    def visor(self) -> int:
        levels = (max(skill.level, 1) for skill in self.parsed_skills if skill.name == "Multispectral Visor")
        return max(levels, default=0)

    @property
    def arms(self) -> tuple[Weapon, ...]:
        return (*self.weapons, *programs.carried_programs(self.parsed_skills))

    @property
    def optional_words(self) -> tuple[str, ...]:
        """Return skills named by a line's words, and actions' extras: ``BS Attack (Guided)``."""
        return tuple(name for skill in self.parsed_skills for name in (skill.name, skill.text))

    def has(self, *names: str) -> bool:
        return any(skill.name in names for skill in self.parsed_skills)

    @property
    def profile(self) -> TargetProfile:
        known: dict[str, Any] = {stat.lower(): self.stats.get(stat) for stat in ("ARM", "BTS", "PH", "WIP")}
        unharmed = TargetProfile(**known, wounds=self.wounds, structure="STR" in self.stats, type=self.type, kept=True)
        return replace(unharmed, lost=self.lost, states=self.states, skills=self.skills)


DASHES: Final = str.maketrans("−–—:", "--- ")
TOKEN: Final = re.compile(
    r"\([^()]*\)|,|(?:sv|bs|cc|ph|wip)?[0-9]{1,3}(?:[+-][0-9]{1,3})*(?=\([^()]*[+-]\s?[0-9])|[^\s,]+", re.IGNORECASE
)
"""A word of a line; commas, brackets, and the value in ``SV12(-3)`` are words."""
NAME_WORD: Final = re.compile(r"[^\W_]+")
NUMBERED: Final = re.compile(r"(?P<base>[^#]+) #(?P<number>\d+)(?: \((?P<apart>.+)\))?")
"""A numbered name: ``FENNEC #1 (Hacker)``."""
NAME_WORDS: Final = 16
"""Maximum words of a name: it has 32 characters."""
BORROWED: Final = re.compile(r"([^:]+?) of ([^:]+)", re.IGNORECASE)
"""A weapon copied from another trooper: ``Combi of Angus``."""
PARTS_LINES: Final = re.compile(r"[,;]|\s/\s")
"""Pattern for the end of a name in an order's line."""

PRIVATE: Final = ("Lieutenant", "Chain of Command", "Counterintelligence")
"""A list's skills that are secret (rules page, Secrets)."""
Roster = Mapping[str, Trooper]
"""The troopers of a channel, by name."""


def public(trooper: Trooper) -> Trooper:
    open_ = tuple(skill.text for skill in trooper.parsed_skills if skill.name not in PRIVATE)
    shown = trooper.skills if len(open_) == len(trooper.skills) else open_
    return replace(trooper, skills=shown, points=0, list_points=0)


def troopers_of(table: Mapping[str, Any]) -> dict[str, Trooper]:
    return {name: piece for name, piece in table.items() if isinstance(piece, Trooper)}


def find_exact(held: Roster, name: str) -> Trooper | None:
    """Return the trooper with this name, ignoring case and accents."""
    asked = folded(clean(name))
    return next((trooper for trooper in held.values() if asked and folded(trooper.name) == asked), None)


def parse(name: str, line: str, held: Roster | None = None) -> Trooper:
    """Parse a trooper's line like ``EXAMPLE``; ``Combi of Angus`` copies a weapon of one of ``held``.

    Raises ``UnknownWordError`` for an unknown word, ``BadInputError`` for a number out of range, an empty or too long
    line. Any text of at most ``MAX_LINE`` characters costs under 100,000 steps.
    """
    pieces = split_outside_brackets(PARTS, line) if len(line) <= MAX_LINE else []
    parts = [part for piece in pieces if (part := " ".join(piece.split()))]
    if not parts:
        raise BadInputError("stats", line, AtMost(MAX_LINE), Example(EXAMPLE))
    check_name("name", name)
    read = ParsedTrooper({}, [], [], [])
    for part in parts:
        if ":" in part and not part.startswith('"') and not skills.read(part):
            read.arms.append(weapons.parse(part, "stats"))
        elif (copied := weapon_of_other(held or {}, part)) is not None:
            read.arms.append(copied)
        else:
            read_part(part, read)
    check_lengths(read.skills, read.arms)
    stats = {label: read.stats[label] for label in STATS if label in read.stats}
    said = tuple(dict.fromkeys(read.states))
    return Trooper(clean(name), stats, read.type, tuple(read.skills), tuple(read.arms), states=said)


def check_name(option: str, name: str) -> None:
    """Raise ``BadInputError`` for an invalid name, or that of a place on a list of secrets."""
    if not clean(name) or len(name) > MAX_NAME or PARTS_LINES.search(name) or "*" in name:
        message = N_("Use 1 to {most} visible characters, without commas, semicolons, and asterisks.")
        raise BadInputError(option, name, Text(message, most=MAX_NAME))
    if SECRET_PLACE.fullmatch(clean(name)):
        raise BadInputError(option, name, Text("Use another name. That one is reserved for lists of secrets."))


@dataclass(slots=True)
class ParsedTrooper:
    stats: dict[str, int]
    skills: list[str]
    arms: list[Weapon]
    states: list[str]
    type: str = ""


def split_outside_brackets(separator: re.Pattern[str], text: str) -> list[str]:
    """Split a text at separators outside brackets, in linear time. An unclosed bracket contains nothing."""
    opened, closed = list[int](), list[tuple[int, int]]()
    for bracket in BRACKET.finditer(text):
        if bracket[0] == "(":
            opened.append(bracket.start())
        elif opened:
            start = opened.pop()
            while closed and closed[-1][0] > start:
                closed.pop()
            closed.append((start, bracket.end()))
    pieces, at = list[str](), 0
    for start, end in closed:
        pieces += [text[at:start], "." * (end - start)]
        at = end
    bare = "".join([*pieces, text[at:]])
    edges = [0, *chain.from_iterable(match.span() for match in separator.finditer(bare)), len(text)]
    return [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def read_part(part: str, read: ParsedTrooper) -> None:
    """Parse the text between commas: any number of stats, types, and skills, separated by spaces."""
    left = part
    while left:
        first = left.split(maxsplit=1)[0].upper()
        if quoted := QUOTED.match(left):
            read.skills.append(clean_skill(quoted[1]))
            left = left[quoted.end() :].strip()
        elif stat := STAT.match(left):
            add_stat(read, stat[1], stat[2])
            left = left[stat.end() :].strip()
        elif first in TYPES:
            read.type, left = first, left[len(first) :].strip()
        else:
            left = read_skill(left, read, whole_part=part)


def read_skill(left: str, read: ParsedTrooper, *, whole_part: str) -> str:
    """Parse a text's leading skill or state; return the rest. Raises ``UnknownWordError`` for none."""
    ends = [match.end() for match in islice(WORD.finditer(left), MAX_WORDS)]
    first = skills.BY_NAME.get(skills.normalized_name(left.split(maxsplit=1)[0]))
    whole_text = [len(left)] * (first in skills.ANY_TEXT)
    for text in (left[:end] for end in (*whole_text, *reversed(ends))):
        if (skill := skills.read(text)) is not None:
            read.skills.append(skill.text)
            check_lengths(read.skills, read.arms)
            return left[len(text) :].strip()
        if (row := states.BY_NAME.get(text.casefold())) is not None:
            read.states.append(row.name)
            return left[len(text) :].strip()
    if left == whole_part and (is_slip(left) or left[0].isdecimal()):
        read_stat(left)
    known = (*(label.casefold() for label in STATS), *(name.casefold() for name in skills.names()))
    message = N_('If it\'s a skill with no effect here, write it in quotes: `"{skill}"`.')
    raise UnknownWordError("stats", left, AllowedWords(known, Text(message, skill=Name(one_line(left, 20)))))


def add_stat(read: ParsedTrooper, word: str, number: str) -> None:
    label, value = read_stat(f"{word} {number}")
    if label in read.stats:
        twice = Text("{label} appears twice. Write each stat once.", label=Code(label))
        raise UnknownWordError("stats", f"{word} {number}", twice)
    read.stats[label] = value


def clean_skill(text: str) -> str:
    """Return an unknown skill for storage, without separators."""
    return one_line(re.sub(r'[,;:"]+', " ", text), SKILL_LONGEST)


def weapon_of_other(held: Roster, words: str) -> Weapon | None:
    """Return the weapon of ``Combi of Angus``; None without a trooper. Raises ``BadInputError`` for no weapon."""
    match = BORROWED.fullmatch(" ".join(words.split()))
    owner = find_exact(held, match[2]) if match is not None else None
    if match is None or owner is None:
        return None
    weapon = weapon_of(owner, match[1])
    if weapon is None:
        names = ", ".join(item.name for item in owner.weapons) or Text("none yet")
        allowed = Text("Use one of {owner}'s weapons: {names}.", owner=owner.name, names=names)
        raise BadInputError("weapon", words, allowed)
    return weapon


def check_lengths(skills: list[str], arms: list[Weapon]) -> None:
    if len(arms) > MAX_WEAPONS or len({weapon.name.casefold() for weapon in arms}) < len(arms):
        allowed = Text("Use at most {most} weapons, each with a different name.", most=MAX_WEAPONS)
        raise BadInputError("stats", Text("{count} weapons", count=len(arms)), allowed)
    if len(skills) > MAX_SKILLS or any(len(skill) > SKILL_LONGEST for skill in skills):
        allowed = Text("Use at most {most} skills of {longest} characters.", most=MAX_SKILLS, longest=SKILL_LONGEST)
        raise BadInputError("stats", Text("{count} skills", count=len(skills)), allowed)


def is_slip(part: str) -> bool:
    """Whether a stat is meant: ``BS twelve``, ``Brust 3``, ``BS``."""
    labels = [label.casefold() for label in LABELS]
    word = part.rstrip(whitespace + digits).casefold()
    return bool(get_close_matches(word, labels, n=1, cutoff=0.6) or {*part.casefold().split()} & {*labels})


def read_stat(part: str) -> tuple[str, int]:
    message = N_(
        "You can write {stats} with a number, a troop type, a skill like `Mimetism (-3)`, or a weapon like `{weapon}`."
    )
    allowed = Text(message, stats=Code(", ".join(STATS)), weapon=Code(weapons.EXAMPLE))
    return profile.read_stat(part, STATS, {word.casefold(): label for word, label in LABELS.items()}, allowed)


def write(trooper: Trooper) -> str:
    """Format a trooper for ``parse``, without wounds and states."""
    stats = [f"{label} {number}" for label, number in trooper.stats.items()]
    kind = [trooper.type] if trooper.type else []
    named = [skill if skills.read(skill) else f'"{skill}"' for skill in trooper.skills]
    return ", ".join([*stats, *kind, *named, *map(weapons.write, trooper.weapons)])


def condition(trooper: Trooper) -> Shown:
    """Return ``1 of 2 Wounds lost, Isolated``; empty if unharmed."""
    unit = "STR" if "STR" in trooper.stats else "W" if (trooper.wounds or trooper.lost) == 1 else "Ws"
    lost = min(trooper.lost, trooper.wounds or trooper.lost)
    message = TOLD[unit, "of" if trooper.wounds else "lost"]
    told = [Text(message, lost=lost, most=trooper.wounds)] if trooper.lost else []
    return Sentences([*told, *map(Text, trooper.states)], ", ")


# Changes by command; each returns the changed troopers by name


Changes = Mapping[str, Trooper | None]


def add_or_replace(held: Roster, trooper: Trooper) -> Changes:
    """Add a trooper, or replace a namesake, keeping its wounds and states."""
    now = find_exact(held, trooper.name)
    if now is None and len(held) >= MAX_TROOPERS:
        raise PlayerError(Text(TOLD["room", "one"], troopers_most=MAX_TROOPERS))
    states_now = tuple(dict.fromkeys((*now.states, *trooper.states))) if now else ()
    return {trooper.name: replace(trooper, lost=now.lost, states=states_now, owner=now.owner) if now else trooper}


def arm(held: Roster, name: str, weapon: Weapon) -> Changes:
    trooper = find(held, name)
    kept = [item for item in trooper.weapons if not is_same_name(item.name, weapon.name)]
    check_lengths([], [*kept, weapon])
    return {trooper.name: replace(trooper, weapons=(*kept, weapon))}


def copy(held: Roster, name: str, as_name: str) -> Changes:
    check_name("as", as_name)
    trooper = replace(find(held, name), name=clean(as_name), lost=0, states=())
    if trooper.is_marker:
        raise PlayerError("A marker can't be copied. Put more markers on the table with `/infinity marker`.")
    if find_exact(held, trooper.name) is not None:
        raise BadInputError("as", as_name, Text("Use a name that no trooper in this channel has."))
    return add_or_replace(held, trooper)


def harm(held: Roster, name: str, lost: int | None, state: str, *, on: bool = True) -> Changes:
    """Set a trooper's lost Wounds, or begin or end a state. Raises ``BadInputError``."""
    trooper = find(held, name)
    if lost is not None:
        up = with_states(replace(trooper, lost=0), (*states.DOWN, *states.STANDING), on=False)
        trooper = wound(up, check_whole_number("wounds", lost, 0, 2 * limits.MAX_WOUNDS))
    if state:
        row = states.BY_NAME.get(state.strip().casefold())
        if row is None:
            raise BadInputError("state", state, AllowedWords(states.STATES))
        trooper = with_states(trooper, (row.name,), on=on)
    return {trooper.name: trooper}


def find(held: Roster, name: str) -> Trooper:
    """Return the trooper of this name, ignoring case. Raises ``BadInputError`` naming the nearest."""
    asked = search_key(name)
    result = None if asked in map(search_key, held) else find_by_words(held, words_of(name))
    if result is not None and folded(asked) in names_of(result[0].name):
        return result[0]
    none, near = Text("This channel has no troopers yet. Add one first."), N_("Use a trooper in this channel: {names}.")
    return profile.find(held, name, none=none, near=near)


def give(held: Roster, name: str, owner: int) -> Changes:
    trooper = find(held, name)
    return {trooper.name: replace(trooper, owner=owner)}


def find_by_words(held: Roster, words: Sequence[str]) -> tuple[Trooper, int] | None:
    """Return the trooper named by the first words (longest match), and their number.

    ``FENNEC 1``, ``fennec hacker`` are ``FENNEC #1 (Hacker)``; so is ``fennec`` if it is the only one, or the only one
    with the following weapon. Raises ``UnknownWordError`` if several match.
    """
    for length in range(min(NAME_WORDS, len(words)), 0, -1):
        asked = folded(" ".join(words[:length]))
        named = troopers = [trooper for trooper in held.values() if asked in names_of(trooper.name)]
        if len(named) > 1:
            exact = [trooper for trooper in named if line_name(trooper.name) == asked]
            troopers = exact or [trooper for trooper in named if weapon_first(trooper, words[length:])]
        if len(troopers) == 1:
            return troopers[0], before_weapon(troopers[0], words, length)
        if named:
            several = Names([trooper.name for trooper in named])
            which = Text("Several troopers have that name: {names}. Add the number.", names=several)
            raise UnknownWordError("name", " ".join(words[:length]), which)
    return None


def before_weapon(trooper: Trooper, words: Sequence[str], length: int) -> int:
    """Return the number of name words: ``fennec hmg`` is the one with the HMG, and it, unless a weapon follows."""
    if line_name(trooper.name) == folded(" ".join(words[:length])) or weapon_first(trooper, words[length:]):
        return length
    parts = (at for at in range(1, length) if folded(" ".join(words[:at])) in names_of(trooper.name))
    return next((at for at in parts if weapon_of(trooper, " ".join(words[at:length])) is not None), length)


@lru_cache(maxsize=1024)
def names_of(name: str) -> frozenset[str]:
    """Return a trooper's names in a line: full, and if numbered, by number or suffix."""
    match = NUMBERED.fullmatch(name)
    if match is None:
        return frozenset({line_name(name), line_name(re.sub(r"[()]+", " ", name)), line_name(name.partition(" (")[0])})
    base, number, apart = match["base"], match["number"], match["apart"] or ""
    more = (number, f"#{number}", apart, *apart.split(), "")
    return frozenset({line_name(name), *(line_name(f"{base} {item}") for item in more)})


def weapon_first(trooper: Trooper, words: Sequence[str]) -> bool:
    lengths = range(1, min(NAME_WORDS, len(words)) + 1)
    return any(weapon_of(trooper, " ".join(words[:length])) is not None for length in lengths)


def is_same_name(item: str, other: str) -> bool:
    return clean(item).casefold() == clean(other).casefold()


def wound(trooper: Trooper, wounds: int, *, shock: bool = False) -> Trooper:
    """Return the trooper with Wounds lost: Unconscious at zero, Dead beyond.

    Shock kills a trooper of 1 W at once, and one that would act without Wounds (Dogged, No Wound Incapacitation).
    Remote Presence with STR is Unconscious twice; an Exrah is Dead instead of Unconscious.
    """
    lost, most = trooper.lost + wounds, trooper.wounds
    after = replace(trooper, lost=lost)
    if most is None or lost < most or not wounds:
        return after
    goes_on = next((name for name in states.STANDING if trooper.has(name)), "")
    more = int(trooper.has("Remote Presence") and "STR" in trooper.stats)
    is_shot = shock and "W" in trooper.stats and (most == 1 or bool(goes_on))
    is_dead = lost > most + more or is_shot or states.DEAD in trooper.states or trooper.has("Exrah")
    stood = with_states(after, (*states.DOWN, *states.STANDING), on=False)
    return with_states(stood, (states.DEAD if is_dead else goes_on or states.UNCONSCIOUS,))


def heal(trooper: Trooper, wounds: int = 1) -> Trooper:
    """Restore a trooper's Wounds or STR; an Unconscious one stands up."""
    up = with_states(trooper, (*states.DOWN, *states.STANDING), on=False)
    return replace(up, lost=max(0, min(trooper.lost, trooper.wounds or trooper.lost) - wounds))


def add_state(trooper: Trooper, state: str) -> Trooper:
    """Add a state; Dead replaces all others of that kind."""
    down = (*states.DOWN, *states.STANDING) if state == states.DEAD else ()
    return with_states(with_states(trooper, down, on=False), (state,))


def treated(trooper: Trooper, action: Action, *, passed: bool, wounds: int = 1) -> Trooper:
    """Return a trooper after a Doctor's or Engineer's roll on it, or its own PH Roll for a MediKit or GizmoKit.

    Success restores Wounds and ends Unconscious; failure is Dead, with STR one more lost. A standing trooper loses its
    states instead; by a kit, only with Tech-Recovery.
    """
    repairs = action in (Action.ENGINEER, Action.GIZMOKIT)
    ends: tuple[str, ...] = states.REPAIRED if repairs else ("Stunned",)
    if action in KITS and not trooper.has("Tech-Recovery"):
        ends = ()
    lies = bool({states.UNCONSCIOUS, "No Wound Incapacitation"} & set(trooper.states))
    is_broken = repairs and trooper.lost > 0 and not set(ends) & set(trooper.states)
    if states.DEAD in trooper.states or not (lies or is_broken):
        return with_states(trooper, ends, on=False) if passed else trooper
    if passed:
        return heal(trooper, wounds)
    return wound(trooper, 1) if repairs else add_state(trooper, states.DEAD)


def with_states(trooper: Trooper, changed: tuple[str, ...], *, on: bool = True) -> Trooper:
    """Add or remove states; many of them end Suppressive Fire."""
    gone = (*changed, states.SUPPRESSIVE) if on and set(changed) & set(states.BREAKS_SUPPRESSIVE) else changed
    kept = tuple(state for state in trooper.states if state not in gone)
    return replace(trooper, states=(*kept, *changed) if on else kept)


def words_of(text: str) -> list[str]:
    return TOKEN.findall(text.translate(DASHES))


def line_name(name: str) -> str:
    return folded(" ".join(words_of(name)))


def folded(text: str) -> str:
    return text.casefold() if text.isascii() else fold_accents(text)


@lru_cache(maxsize=1024)
def fold_accents(text: str) -> str:
    return "".join(sign for sign in normalize("NFKD", text) if not combining(sign)).casefold()


def weapon_of(trooper: Trooper, words: str) -> Weapon | None:
    """Return a weapon by its name, without its mode, or some of its words; None if several match."""
    asked = weapon_key(words) if all(map(weapon_words, words.split())) else None
    named = [weapon for weapon in trooper.arms if asked == weapon_key(weapon.name)]
    named = named[:1] or [weapon for weapon in trooper.arms if asked == weapon_key(weapon.name.partition("(")[0])]
    named = named or weapons_with(trooper, words)
    return named[0] if len(named) == 1 else None


def weapons_with(trooper: Trooper, words: str) -> list[Weapon]:
    asked = {*weapon_words(words)} if all(map(weapon_words, words.split())) else None
    return [weapon for weapon in trooper.arms if asked <= {*weapon_words(weapon.name)}] if asked else []


@lru_cache(maxsize=1024)
def weapon_words(name: str) -> tuple[str, ...]:
    """Return a weapon name's words, without accents, signs, and final s."""
    return tuple(word.removesuffix("s") for word in NAME_WORD.findall(line_name(name)))


@lru_cache(maxsize=1024)
def weapon_key(name: str) -> str:
    words = weapon_words(name)
    return "".join(word for word in words if word != "rifle") or "".join(words)


def initials(name: str) -> str:
    return "".join(word[0] for word in weapon_words(name))


def kind_of(action: Action) -> Action:
    """Return close combat, hacking, a kit, or shooting."""
    return action if action in (Action.CC, Action.HACK, *KITS) else Action.SHOOT

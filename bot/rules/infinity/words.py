"""The words that players type for many rolls at once, a line each (``;`` or `` / `` also ends a line):

Angus 12 b2 vs Ortega 11                       Face to Face, two dice against one
Angus 12 b1 vs Diaz 11                         the rest of a split Burst
Murat 13 normal vs Angus                       a Normal Roll: not compared
Ana 10 dodge                                   one roll, compared with each who attacks Ana
Angus Combi at 20 cover vs Ortega pistol       troopers of the channel, with their weapons
Angus BS 12 AP PS 5 vs Ortega 11 ARM 3         a weapon, and what is saved with

After a name stand, in any order:

12 · SV 12 · BS12 · PH 10      the Success Value before MODs, with MODs joined to it or not: ``12-3``
-3 +6 · (-3) · -3 (rain)       MODs, with a word for what they are
b2 · x2 · burst 2 · sd         dice, special dice
dodge · reset · template · direct · cc · hack · discover · doctor · engineer · guts · normal
at 20 · at 8-16 · cover · surprise · low · poor · zero · melee 2 · suppressive · speculative · spearhead · coordinated
fireteam 4 · zoc               what changes the Success Value (see ``sums``)
AP PS 5 · BTS/2 · continuous   a weapon, if it is not a trooper's
ARM 3 BTS 6 PH 10 W 2          what is saved with
@1                             the first of the people whom the order names, who plays the trooper
rolls 9, 4                     faces that lie already; the Burst may then stay silent
n5 · n4 · n3                   the edition of the whole order

A target without anything else has no roll. ``write`` is the inverse of ``parse``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.rules.errors import BadInput, BadWord, Collector
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import (
    ATTRIBUTE_MOST,
    BURST_MOST,
    ENEMIES_MOST,
    MOD_MOST,
    MODS_MOST,
    SIDES,
    SPECIAL_MOST,
    SV_MOST,
    WOUNDS_MOST,
    Action,
    Edition,
    Mod,
    Weapon,
)
from bot.rules.infinity.trooper import Roster, Trooper, spoken, weapon_of, words_of
from bot.rules.name import NAME_MOST, clean
from bot.rules.phrase import Phrase

LINES_MOST: Final = 12
LINE_END: Final = re.compile(r"[;\n]|\s/\s")
EXAMPLE: Final = "`Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus`"
EXAMPLES: Final = (
    ("Angus 12 b2 vs Ortega 11", "Face to Face: two dice against one"),
    ("Angus 12 b2 vs Ortega 11; Angus 12 b1 vs Diaz 11", "a line for each roll: the Burst split over two targets"),
    ("Murat 13 normal vs Angus", "a Normal Roll: compared with nothing"),
    ("Ana 10 dodge", "one roll, compared with every attack on Ana"),
    ("Murat 13 template vs Ana 10 dodge, Bran 11 dodge", "a template: one roll against each"),
    ("Angus 12 -3 +6 +1sd vs Ortega 11", "MODs with their sign, and a special die"),
    ("Angus 12 at 20 cover vs Ortega 11", "20 inches away, and Ortega is in Partial Cover"),
    ("Angus 12 AP PS 5 vs Ortega 11 ARM 3 W 1", "a weapon and armour without a profile, for the Saving Rolls"),
    ("Angus 12 b2 rolls 9, 4 vs Ortega 11 rolls 5", "dice rolled by hand"),
)
"""Worked examples for people: a line of an order, and what it means."""
VERSUS: Final = ("vs", "vs.", "versus", "against")
COMMAS: Final = (",", "and", "&")
JOINING: Final = ("in", "with", "using", "a", "partial")
ACTIONS: Final[Mapping[str, Action]] = {
    action.value: action for action in Action if action not in (Action.WIP, Action.PH)
}
STATS: Final = ("sv", "bs", "cc", "ph", "wip")
EDITION_WORDS: Final[Mapping[str, Edition]] = {"n5": "n5", "n4": "n4", "n3": "n3", "codeone": "n4"}
ROLLS: Final = ("rolls", "rolled", "dice")
FLAGS: Final[Mapping[str, tuple[str, object]]] = {
    "cover": ("cover", True),
    "suppressive": ("suppressive", True),
    "speculative": ("speculative", True),
    "spearhead": ("coordinated", "spearhead"),
    "coordinated": ("coordinated", "other"),
    "zoc": ("zone", True),
    "low": ("visibility", "low"),
    "poor": ("visibility", "poor"),
    "zero": ("visibility", "zero"),
}
"""Words that say what happens around a roll, and the field of ``Situation`` that each fills."""
VISIBLE: Final = ("visibility", "zone")
"""``low visibility zone`` says no more than ``low``."""
OF_THE_SHOT: Final = frozenset({"distance", "beyond", "cover", "visibility", "melee"})
"""Fields of ``Situation`` that lie between a shooter and a target, on whichever side of ``vs`` they are said."""
WEAPON_WORDS: Final = ("ps", "dam", "damage", "continuous", "bioweapon", "nonlethal")
ARMOUR: Final = ("arm", "bts", "w", "str")

KNOWN: Final = (
    *("vs", *ACTIONS, "normal", "burst", "sd", *ROLLS, *EDITION_WORDS, *FLAGS, "at", "surprise", "melee", "fireteam"),
    *(*STATS, *WEAPON_WORDS, *ARMOUR),
)
RESERVED: Final = frozenset({*KNOWN, *VERSUS, *COMMAS} - {"low", "poor", "zero", "w", "str", "zoc"})
AFTER: Final = (
    "You can write MODs (`-3`), `b2`, `sd`, `dodge`, `reset`, `template`, `normal`, `at 20`, `cover`, `rolls 9, 4`, "
    "`vs`, or `;` before another line."
)
NOTHING: Final = ("0", "-", "none")
"""What people write to say that there are no MODs."""

VALUE: Final = re.compile(r"(\d{1,3})((?:[+-]\d{1,3})*)", re.ASCII)
STAT_VALUE: Final = re.compile(r"(sv|bs|cc|ph|wip)(\d{1,3}(?:[+-]\d{1,3})*)", re.ASCII)
MODS: Final = re.compile(r"(?:[+-]\d{1,3})+", re.ASCII)
BRACKETS: Final = re.compile(
    r"\(\s*(?:(?P<before>[^()+-]*?)\s*)?(?P<mods>(?:[+-]\s?\d{1,3}\s*)+)(?P<after>[^()+-]*?)\s*\)", re.ASCII
)
BURST: Final = re.compile(r"[bx](\d{1,3})", re.ASCII)
SPECIAL: Final = re.compile(r"\+?(\d{0,3})sd", re.ASCII)
INCHES: Final = re.compile(r"(\d{1,3})(?:\"|″|in|inch|inches)", re.ASCII)
BETWEEN: Final = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)
NUMBER: Final = re.compile(r"\d{1,3}", re.ASCII)
NUMBERED_MOST: Final = 5
"""A lone number up to this behind a name may number a trooper as well as be a Success Value: it is asked."""
NAME_WORDS: Final = 16
"""Words of a name at most: it has 32 characters."""
WHAT_LONGEST: Final = 24
PLAYER: Final = re.compile(r"@([1-9]\d?)", re.ASCII)
"""One of the people whom an order names, by number; who that is, is no business of the rules."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What happens around a roll and changes its Success Value, as it was said of that roll.

    ``distance`` in inches; where only a range band is known, its end, and ``beyond`` its beginning. ``cover``: the
    target is in Partial Cover. ``surprise``: 3 or 6, the MOD of the Surprise Attack that the trooper makes. ``melee``:
    allies in the close combat that is shot into. ``fireteam``: its level. ``zone``: the attacker is out of line of fire
    but in Zone of Control, or the template was not seen.
    """

    distance: int | None = None
    beyond: int | None = None
    cover: bool = False
    surprise: int = 0
    visibility: str = ""
    melee: int = 0
    suppressive: bool = False
    speculative: bool = False
    coordinated: str = ""
    fireteam: int = 0
    zone: bool = False


@dataclass(slots=True)
class Draft:
    """What was typed of one trooper; None is what nobody said. Without a roll it is a target only."""

    name: str = ""
    attribute: int | None = None
    stat: str = ""
    mods: list[Mod] = field(default_factory=list)
    burst: int | None = None
    special: int | None = None
    action: Action | None = None
    dice: tuple[int, ...] | None = None
    normal: bool | None = None
    weapon: Weapon | None = None
    words: dict[str, Any] = field(default_factory=dict)
    armour: dict[str, int] = field(default_factory=dict)
    situation: dict[str, Any] = field(default_factory=dict)
    trooper: Trooper | None = None
    player: int | None = None

    @property
    def around(self) -> Situation:
        return Situation(**self.situation)

    @property
    def has_roll(self) -> bool:
        """Whether it rolls, or is named as a target only."""
        said = (self.attribute, self.burst, self.action, self.dice, self.weapon, self.special, self.normal)
        return any(one is not None for one in said) or bool(self.stat or self.mods or self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One typed line: a roll and its targets, each with a roll of its own or by name only."""

    roll: Draft
    targets: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A typed order, line by line; ``edition`` is None where none was typed."""

    lines: tuple[Line, ...]
    edition: Edition | None = None


class Words(Phrase):
    """Words of a line or a field, read from the left; brackets and commas are words of their own.

    ``allowed`` is for the error that points at one of them.
    """

    def __init__(
        self, text: str, field: str, allowed: str = AFTER, roster: Roster | None = None, names: Sequence[str] = ()
    ) -> None:
        super().__init__(text, field)
        self.words: list[str] = words_of(text)
        self.allowed = allowed
        self.roster = {spoken(name): one for name, one in (roster or {}).items()}
        self.names = frozenset(names)
        self.edition: Edition | None = None

    def bad(self, allowed: str = "") -> BadWord:
        """The error that points at the next word."""
        known = () if self.peek() in KNOWN or NUMBER.fullmatch(self.peek()) else KNOWN
        return BadWord(self.field, self.words[0] if self.words else "the end", allowed or self.allowed, known)

    def number(self, what: str, least: int, most: int) -> int:
        """The next word, a number from ``least`` to ``most``."""
        if not NUMBER.fullmatch(self.peek()):
            raise self.bad(f"A number from {least} to {most} belongs here: {what}.")
        return within(what, int(self.take()), least, most)

    def once(self, known: object) -> None:
        """Refuse the next word if the same was said before."""
        if known is not None:
            raise self.bad("That is said already.")


def within(what: str, number: int, least: int, most: int) -> int:
    """The number, if it is from ``least`` to ``most``."""
    if not least <= number <= most:
        raise BadInput(what, number, f"a whole number from {least} to {most}")
    return number


# Lines


def parse(text: str, roster: Roster | None = None) -> Typed:
    """The lines of an order.

    Raises ``BadWord`` at the first word of a line that does not fit, ``BadInput`` out of range, ``Collected`` where
    several lines are wrong.
    """
    typed = [line for line in LINE_END.split(text) if line.strip()]
    names = numbered_names(typed)
    lines: list[Line] = []
    edition: Edition | None = None
    with Collector() as wrong:
        for number, one in enumerate(typed, 1):
            with wrong.also():
                words = Words(one, f"line {number}" if len(typed) > 1 else "order", roster=roster, names=names)
                while read_edition(words):
                    pass
                if words.words:
                    lines.append(read_line(words))
                if words.edition and edition not in (None, words.edition):
                    raise BadInput("edition", f"{edition} and {words.edition}", "one edition for the whole order")
                edition = edition or words.edition
    if not 0 < len(lines) <= LINES_MOST:
        raise BadInput("order", f"{len(lines)} lines", f"1 to {LINES_MOST} lines, as in {EXAMPLE}")
    return Typed(lines=tuple(lines), edition=edition)


def numbered_names(lines: list[str]) -> list[str]:
    """Names that end in a small number where a line surely means a name: another number follows, as a value."""
    found = re.compile(
        rf"(?:^|vs\.?|versus|against|,|and)\s*([^,;]*?\D\s+[1-9])\s+(?:(?:{'|'.join(STATS)})\s*)?\d", re.IGNORECASE
    )
    return [" ".join(name.split()).casefold() for line in lines for name in found.findall(line)]


def read_line(words: Words) -> Line:
    draft = read_roll(words)
    if not draft.has_roll and draft.trooper is None:
        raise BadWord(words.field, draft.name, f"A Success Value follows the name, as in `{draft.name} 12`.")
    targets = read_targets(words) if words.peek() in VERSUS else ()
    if words.words:
        raise words.bad(f"Write one trooper before `vs`; commas and `and` stand between its targets, as in {EXAMPLE}.")
    for target in targets:
        if not target.has_roll:
            count_for_the_shot(draft, target, alone=len(targets) == 1)
    return Line(roll=draft, targets=targets)


def count_for_the_shot(draft: Draft, target: Draft, *, alone: bool) -> None:
    """Move what was said of a target without a roll to the roll that is aimed at it: ``vs Ortega at 20 cover``."""
    for key in sorted(OF_THE_SHOT & target.situation.keys()):
        value = target.situation.pop(key)
        if not alone:
            raise BadInput(f"words after {target.name}", key, "that before `vs`, since it counts for all targets")
        if draft.situation.setdefault(key, value) != value:
            raise BadInput(f"{key} of {draft.name}", f"{draft.situation[key]} and {value}", f"one {key}")


def read_targets(words: Words) -> tuple[Draft, ...]:
    """``vs Ortega 11, Diaz and Ana``: each target with a roll of its own, or by name only."""
    targets: list[Draft] = []
    while not targets or words.peek() in COMMAS:
        words.take()
        target = read_roll(words)
        if target.normal:
            raise BadWord(words.field, "normal", "It stands before `vs`; a target's own Normal Roll has its own line.")
        targets.append(target)
    within("number of targets", len(targets), 1, ENEMIES_MOST)
    return tuple(targets)


# One roll


def read_roll(words: Words) -> Draft:
    """A name with its roll, or the name alone."""
    draft = read_name(words)
    read_player(words, draft)
    if draft.trooper is None and not says_something_else(words.peek()):
        read_value(words, draft, f"A Success Value follows the name, as in `{draft.name} 12`.")
    while words.peek() not in ("", *COMMAS, *VERSUS):
        read_word(words, draft)
    if draft.trooper is None and draft.attribute is None and draft.has_roll:
        if draft.action is not Action.DIRECT and draft.words.get("action") is not Action.DIRECT:
            raise BadInput(f"Success Value of {draft.name}", None, f"a number, as in `{draft.name} 12`")
        draft.attribute = 0
    return draft


def says_something_else(word: str) -> bool:
    """Whether a word behind a name is no Success Value, but something that may stand before it."""
    forms = (MODS, BRACKETS, SPECIAL, BURST, INCHES)
    return (word in KNOWN and word not in STATS) or any(form.fullmatch(word) for form in forms)


def read_name(words: Words) -> Draft:
    """A trooper of the channel, by as many words as its name has; otherwise all words up to the first that counts."""
    if (known := trooper_first(words)) is not None:
        return known
    parts: list[str] = []
    while words.words and not is_reserved(words.peek(), bool(parts)):
        parts.append(words.take())
        if is_number_of_a_name(words, parts):
            parts.append(words.take())
    typed = " ".join(parts)
    name = clean(typed)
    if not name:
        raise words.bad("A line starts with a name, and so does a target, as in `Angus 12 b2 vs Ortega 11`.")
    if len(typed) > NAME_MOST:
        raise BadInput("name", typed, f"at most {NAME_MOST} characters")
    return Draft(name=name)


def trooper_first(words: Words) -> Draft | None:
    """The trooper of the channel whose name stands next, the longest name first; ``#2`` is another one like it.

    ``Fusilier 2`` is ``Fusilier #2`` where the channel has it. Raises ``BadWord`` where 2 may be a Success Value too.
    """
    for length in range(min(NAME_WORDS, len(words.words)), 0, -1):
        trooper = words.roster.get(" ".join(words.words[:length]).casefold())
        if trooper is not None:
            del words.words[:length]
            if words.peek().startswith("#"):
                return Draft(name=clean(f"{trooper.name} {words.take()}"), trooper=replace(trooper, lost=0, states=()))
            numbered = words.roster.get(spoken(f"{trooper.name} #{words.peek()}"))
            if numbered is not None:
                words.take()
                return Draft(name=numbered.name, trooper=numbered)
            check_number(words, trooper.name)
            return Draft(name=trooper.name, trooper=trooper)
    return None


def is_number_of_a_name(words: Words, parts: list[str]) -> bool:
    """Whether the next number belongs to the name: a value follows it, or another line names a trooper so."""
    number = words.peek()
    if not re.fullmatch(r"[1-9]", number):
        return False
    after = words.peek(1)
    valued = VALUE.fullmatch(after) or STAT_VALUE.fullmatch(after) or after in STATS
    return bool(valued) or f"{' '.join(parts)} {number}".casefold() in words.names


def is_reserved(word: str, follows: bool) -> bool:
    """Whether a word means something, so that it cannot be part of a name; ``B2`` can, as its first word."""
    forms = (VALUE, MODS, SPECIAL, STAT_VALUE, BRACKETS, PLAYER, *((BURST, INCHES) * follows))
    return word in RESERVED or any(form.fullmatch(word) for form in forms)


def read_value(words: Words, draft: Draft, allowed: str) -> None:
    """The Success Value behind a name, with MODs joined to it or not; a target needs none."""
    if words.peek() in ("", *COMMAS, *VERSUS) or words.peek() in ARMOUR:
        return
    if not read_stat(words, draft):
        if not VALUE.fullmatch(words.peek()):
            raise words.bad(allowed)
        if draft.name:
            check_number(words, draft.name)
        set_value(draft, words.take())


def check_number(words: Words, name: str) -> None:
    """Refuse a small number right behind a name: it may number the trooper, or be the Success Value."""
    number = words.peek()
    if NUMBER.fullmatch(number) and int(number) in range(1, NUMBERED_MOST + 1):
        raise words.bad(
            f"Is `{name} {number}` a trooper, or is {number} the Success Value? "
            f"Write `{name} #{number}`, or `{name} SV {number}`."
        )


def read_stat(words: Words, draft: Draft) -> bool:
    """``SV 12``, ``BS12``; a trooper's attribute may stand without its number."""
    joined = STAT_VALUE.fullmatch(words.peek())
    if joined is None and words.peek() not in STATS:
        return False
    if joined is None and words.peek() == "cc" and not VALUE.fullmatch(words.peek(1)):
        return False  # the action, not the attribute
    words.once(draft.attribute)
    words.once(draft.stat or None)
    if joined is not None:
        words.take()
        draft.stat = "" if joined[1] == "sv" else joined[1].upper()
        set_value(draft, joined[2])
        return True
    stat = words.take().upper()
    draft.stat = "" if stat == "SV" else stat
    if VALUE.fullmatch(words.peek()):
        set_value(draft, words.take())
    elif draft.trooper is None or stat not in draft.trooper.stats:
        raise words.bad(f"A number from 0 to {SV_MOST} belongs here: {stat}.")
    else:
        draft.stat = stat
    return True


def set_value(draft: Draft, text: str) -> None:
    match = VALUE.fullmatch(text)
    assert match is not None, "the caller has looked"  # noqa: S101 - states how this is called
    draft.attribute = within("Success Value", int(match[1]), 0, SV_MOST)
    add_mods(draft, match[2])


Reads = Callable[[Words, Draft], bool]


def read_word(words: Words, draft: Draft, readers: Sequence[Reads] = ()) -> None:
    """One thing more that is said of a roll; raises ``BadWord`` for anything else, or said twice."""
    if not any(read(words, draft) for read in readers or READERS):
        raise words.bad()


def read_edition(words: Words, draft: Draft | None = None) -> bool:  # noqa: ARG001 - of the order, not of one roll
    if words.peek() not in EDITION_WORDS:
        return False
    words.once(words.edition)
    words.edition = EDITION_WORDS[words.take().lower()]
    return True


def read_player(words: Words, draft: Draft) -> bool:
    match = PLAYER.fullmatch(words.peek())
    if match is None:
        return False
    words.once(draft.player)
    words.take()
    draft.player = int(match[1])
    return True


def read_joining_word(words: Words, draft: Draft) -> bool:  # noqa: ARG001 - it says nothing of the roll
    """A word that people say before others and that means nothing by itself: ``in partial cover``, ``with a Combi``."""
    if words.peek() not in JOINING or words.peek(1) in ("", *COMMAS, *VERSUS):
        return False
    words.take()
    return True


def read_arms(words: Words, draft: Draft) -> bool:
    """A weapon of the trooper, by as many words as its name has."""
    if draft.trooper is None:
        return False
    for length in range(min(NAME_WORDS, len(words.words)), 0, -1):
        found = weapon_of(draft.trooper, " ".join(words.words[:length]))
        if found is not None:
            words.once(draft.weapon)
            del words.words[:length]
            draft.weapon = found
            return True
    return False


def read_number(words: Words, draft: Draft) -> bool:
    """The Success Value, where it does not stand behind the name."""
    if not VALUE.fullmatch(words.peek()):
        return False
    words.once(draft.attribute)
    set_value(draft, words.take())
    return True


def read_special(words: Words, draft: Draft) -> bool:
    """``sd``, ``+1sd``, ``+1 sd``; read before the MODs, one of which ``+1`` would be."""
    apart = words.peek(1) == "sd" and MODS.fullmatch(words.peek()) is not None
    match = SPECIAL.fullmatch(words.peek() + "sd" * apart)
    if match is None:
        return False
    words.once(draft.special)
    draft.special = within("special dice", int(match[1] or 1), 1, SPECIAL_MOST)
    del words.words[: 1 + apart]
    return True


def read_mods(words: Words, draft: Draft) -> bool:
    """``-3``, ``(-3)``, ``-3 (rain)``, ``(rain -3)``."""
    match = BRACKETS.fullmatch(words.peek())
    if match is not None:
        words.take()
        add_mods(draft, match["mods"].replace(" ", ""), match["before"] or match["after"] or "")
        return True
    if not MODS.fullmatch(words.peek()):
        return False
    typed = words.take()
    what = ""
    if words.peek().startswith("(") and not BRACKETS.fullmatch(words.peek()):
        what = words.take().strip("() ")
    add_mods(draft, typed, what)
    return True


def add_mods(draft: Draft, text: str, what: str = "") -> None:
    label = clean(what)[:WHAT_LONGEST]
    draft.mods += [Mod(within("MOD", int(one), -MOD_MOST, MOD_MOST), label) for one in re.findall(r"[+-]\d+", text)]
    within("number of MODs", len(draft.mods), 0, MODS_MOST)


def read_burst(words: Words, draft: Draft) -> bool:
    match = BURST.fullmatch(words.peek())
    if match is None and words.peek() != "burst":
        return False
    words.once(draft.burst)
    words.take()
    draft.burst = within("Burst", int(match[1]), 1, BURST_MOST) if match else words.number("Burst", 1, BURST_MOST)
    return True


def read_normal(words: Words, draft: Draft) -> bool:
    if words.peek() != "normal":
        return False
    words.once(draft.normal)
    words.take()
    draft.normal = True
    return True


def read_action(words: Words, draft: Draft) -> bool:
    if words.peek() not in ACTIONS:
        return False
    words.once(draft.action)
    draft.action = ACTIONS[words.take().lower()]
    return True


def read_dice(words: Words, draft: Draft) -> bool:
    """``rolls 9, 4``: numbers, with or without commas; a name after a comma is the next target."""
    if words.peek() not in ROLLS:
        return False
    words.once(draft.dice)
    words.take()
    faces = [words.number("face", 1, SIDES)]
    while NUMBER.fullmatch(words.peek()) or (words.peek() in COMMAS and NUMBER.fullmatch(words.peek(1))):
        if words.peek() in COMMAS:
            words.take()
        faces.append(words.number("face", 1, SIDES))
    draft.dice = tuple(faces)
    return True


def read_situation(words: Words, draft: Draft) -> bool:
    """What happens around the roll."""
    word, found = words.peek(), draft.situation
    if word in FLAGS:
        key, value = FLAGS[word]
        words.once(found.get(key))
        words.take()
        found[key] = value
        while key == "visibility" and words.peek() in VISIBLE:
            words.take()
    elif word in ("at", "range") or INCHES.fullmatch(word):
        read_distance(words, found)
    elif word == "surprise":
        words.once(found.get("surprise"))
        words.take()
        typed = words.take().strip("()-") if words.peek().strip("()") in ("-3", "-6") else "3"
        found["surprise"] = int(typed)
    elif word in ("melee", "fireteam"):
        words.once(found.get(word))
        words.take()
        found[word] = words.number(word, 1, 5)
    else:
        return False
    return True


def read_distance(words: Words, found: dict[str, Any]) -> None:
    """``at 20``, ``at 20 inches``, ``20"``, or a range band: ``at 8-16``."""
    words.once(found.get("distance"))
    if words.peek() in ("at", "range"):
        words.take()
        if match := BETWEEN.fullmatch(words.peek()):
            words.take()
            found["distance"] = within("inches", int(match[2]), 1, weapons.INCHES_MOST)
            found["beyond"] = within("inches", int(match[1]), 0, found["distance"] - 1)
            return
    match = INCHES.fullmatch(words.peek())
    found["distance"] = within("inches", int(match[1]), 0, weapons.INCHES_MOST) if match else None
    if match is None:
        found["distance"] = words.number("inches", 0, weapons.INCHES_MOST)
        if words.peek() in ("in", "inch", "inches", '"'):
            words.take()
    else:
        words.take()


def read_armour(words: Words, draft: Draft) -> bool:
    """``ARM 3``, ``BTS 6``, ``W 2``: what a trooper saves with, and what it can lose."""
    if words.peek() not in ARMOUR or not NUMBER.fullmatch(words.peek(1)):
        return False
    key = words.take().upper()
    words.once(draft.armour.get(key))
    most = WOUNDS_MOST if key in ("W", "STR") else ATTRIBUTE_MOST
    draft.armour[key] = words.number(key, 0, most)
    return True


def read_weapon_words(words: Words, draft: Draft) -> bool:
    """``AP PS 5``, ``E/M``, ``BTS/2``: a weapon that is no trooper's."""
    word = words.peek()
    is_one = word in WEAPON_WORDS or weapons.POWER.fullmatch(word) or word in weapons.SAVED_WITH
    if not is_one and not weapons.is_ammunition(word):
        return False
    if draft.weapon is not None:
        raise words.bad("The weapon says that already.")
    weapons.read_word(words.words, draft.words, words.field)
    return True


READERS: Final = (
    *(
        read_player,
        read_joining_word,
        read_arms,
        read_edition,
        read_special,
        read_mods,
        read_burst,
        read_normal,
        read_situation,
        read_armour,
    ),
    *(read_action, read_stat, read_number, read_dice, read_weapon_words),
)


# Fields of a form or of a command


def modifiers(field_name: str, text: str) -> tuple[Mod, ...]:
    """MODs with their sign, with spaces or commas between them; ``0`` or ``none`` are none."""
    draft = Draft()
    add_typed(draft, field_name, text, "Write MODs with their sign, as in `-3 +6`.", (read_mods,))
    return tuple(draft.mods)


def add_bonus(draft: Draft, field_name: str, text: str, more: Sequence[Reads] = ()) -> None:
    """Add typed MODs to a roll, and special dice: ``-3 +1sd``; ``more`` may stand there as well."""
    allowed = "Write MODs with their sign, as in `-3 +6`, and `+1sd` for a special die."
    add_typed(draft, field_name, text, allowed, (read_special, read_mods, *more))


def add_typed(draft: Draft, field_name: str, text: str, allowed: str, readers: Sequence[Reads]) -> None:
    words = Words(text.replace(",", " "), field_name, allowed)
    while words.words and words.peek() not in NOTHING:
        if NUMBER.fullmatch(words.peek()):
            raise words.bad(f"It has no sign. Write `+{words.peek()}` or `-{words.peek()}`.")
        read_word(words, draft, readers)


def numbers(field_name: str, text: str, least: int, most: int) -> tuple[int, ...]:
    """At least one number, with spaces, commas or ``/`` between them."""
    found = tuple(re.split(r"[\s,/]+", text.strip()))
    if not all(NUMBER.fullmatch(one) and least <= int(one) <= most for one in found):
        raise BadInput(field_name, text, f"whole numbers from {least} to {most}")
    return tuple(int(one) for one in found)


# Writing


def write(typed: Typed) -> str:
    """The lines as they may be typed; ``parse`` gives the same back."""
    return "\n".join([*([typed.edition] if typed.edition else []), *map(write_line, typed.lines)])


def write_line(line: Line) -> str:
    return write_roll(line.roll) + (f" vs {', '.join(map(write_roll, line.targets))}" if line.targets else "")


def write_roll(draft: Draft) -> str:
    """The words of a roll; reading them gives it back."""
    around, parts = draft.around, [draft.name]
    parts += [f"@{draft.player}"] if draft.player else []
    if draft.attribute is not None:
        parts.append(f"{draft.stat or 'SV'} {draft.attribute}")
    elif draft.stat:
        parts.append(draft.stat)
    parts += [f"{mod.number:+d}{f' ({mod.what})' if mod.what else ''}" for mod in draft.mods]
    parts += [draft.weapon.name] if draft.weapon else []
    parts += [f"b{draft.burst}"] if draft.burst else []
    parts += [f"+{draft.special}sd"] if draft.special else []
    parts += [draft.action.value] if draft.action else []
    parts += ["normal"] if draft.normal else []
    beyond = "" if around.beyond is None else f"{around.beyond}-"
    parts += [f"at {beyond}{around.distance}"] if around.distance is not None else []
    parts += [f"surprise -{around.surprise}"] if around.surprise else []
    parts += [f"{word} {draft.situation[word]}" for word in ("melee", "fireteam") if word in draft.situation]
    parts += [word for word, (key, value) in FLAGS.items() if draft.situation.get(key) == value]
    parts += [f"{key} {number}" for key, number in draft.armour.items()]
    parts += ["rolls " + ", ".join(map(str, draft.dice))] if draft.dice else []
    return " ".join(parts)

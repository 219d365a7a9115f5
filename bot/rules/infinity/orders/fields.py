"""The facts that can be declared about a roll, in one table for typed lines, JSON, and forms.

A line uses words (``b3 cover melee 2 ARM 3``), JSON keys (``{"burst": 3, "cover": true, "melee": 2}``), a form the
options of ``AROUND_SHOT`` and ``AROUND_REACTION``; ``tables`` has the rows of both. Facts that aren't a number or a
flag (MODs, distance, faces) have parsers below.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.rules.data_tables import table
from bot.rules.errors import AllowedWords, BadInputError, UnknownWordError, nearest
from bot.rules.game import Option
from bot.rules.infinity.troopers import limits, programs, states, weapon as weapons
from bot.rules.infinity.troopers.declared import DEPLOYS, NO_DICE, SIDES, Action, Edition, Mod, Weapon
from bot.rules.infinity.troopers.skills import HeldSkill
from bot.rules.infinity.troopers.trooper import NAME_WORDS, Roster, Trooper, initials, weapon_of, weapons_with, words_of
from bot.rules.json_reader import JsonReader, check_whole_number
from bot.rules.name import clean
from bot.rules.phrase_parser import Phrase
from bot.rules.text import EMPTY, N_, Capitalized, Code, Name, Text


@dataclass(frozen=True, slots=True)
class Situation:
    """The declared circumstances of a roll that change its Success Value.

    ``distance`` in inches; of a range band its end, ``beyond`` its start. ``cover``: the target is in Partial Cover.
    ``surprise``: the Surprise Attack's MOD, 3 or 6; 1 for the profile's. ``melee``: allies in the close combat shot
    into. ``fireteam``: its level. ``zone``: the attacker is in Zone of Control without line of fire, or the template
    was not seen. ``low`` to ``saturation``: visibility zones on the line. ``crossed``: its line of fire crosses thrown
    smoke; ``past``: it does not. ``guided``, ``intuitive``, ``triangulated``: types of BS Attack. ``berserk``,
    ``sensor``: the skill is used. ``contact``: a kit is used without a roll. ``guard``: a CC Attack without contact.
    ``warned``: a Dodge after Look Out! ``coup``: a Coup de Grâce.
    """

    distance: int | None = None
    beyond: int | None = None
    cover: bool = False
    surprise: int = 0
    low: bool = False
    poor: bool = False
    zero: bool = False
    eclipse: bool = False
    white_noise: bool = False
    saturation: bool = False
    crossed: bool = False
    past: bool = False
    melee: int = 0
    speculative: bool = False
    coordinated: str = ""
    fireteam: int = 0
    zone: bool = False
    guided: bool = False
    intuitive: bool = False
    triangulated: bool = False
    berserk: bool = False
    sensor: bool = False
    guard: bool = False
    contact: bool = False
    warned: bool = False
    coup: bool = False

    def with_facts(self, names: Iterable[str]) -> "Situation":
        facts: dict[str, Any] = dict.fromkeys(names, True)
        return replace(self, **facts)


@dataclass(slots=True)
class Draft:
    """One trooper's declaration; None means unspecified. Without a roll it is only a target. ``states``: those typed
    besides the profile's. ``anyway``: allowed whatever its states forbid. ``awaited``: its reaction may still be
    declared.
    """

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
    states: list[str] = field(default_factory=list)
    trooper: Trooper | None = None
    player: int | None = None
    anyway: bool | None = None
    awaited: bool = False

    @property
    def as_situation(self) -> Situation:
        return Situation(**self.situation)

    @property
    def skills(self) -> tuple[HeldSkill, ...]:
        return self.trooper.parsed_skills if self.trooper else ()

    def with_fact(self, name: str) -> "Draft":
        return replace(self, situation={**self.situation, name: True})

    @property
    def has_roll(self) -> bool:
        said = (self.attribute, self.burst, self.action, self.dice, self.weapon, self.special, self.normal)
        sensor = self.situation.get("sensor", False)
        return any(item is not None for item in said) or bool(self.stat or self.mods or self.words or sensor)


# The table


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """A fact that can be declared. ``key``: its word and JSON key, ``name`` and ``where``: the field of a ``Draft``. A
    number from ``least`` to ``most`` follows the word, or its letter (``b3``); default ``silent``. Without ``most`` the
    word alone means ``value``.
    """

    key: str
    name: str
    where: str = "situation"
    least: int = 1
    most: int = 0
    silent: int | None = None
    value: object = True

    def set_value(self, draft: Draft, value: object) -> None:
        if self.where:
            getattr(draft, self.where)[self.name] = value
        else:
            setattr(draft, self.name, value)

    def of(self, draft: Draft) -> object:
        return getattr(draft, self.where).get(self.name) if self.where else getattr(draft, self.name)

    def read_json(self, reader: JsonReader, key: str, draft: Draft) -> None:
        if not reader.has(key):
            return
        if self.silent is not None and reader.take_raw(key) is True:
            self.set_value(draft, self.silent)
        elif self.most:
            self.set_value(draft, reader.take_whole_number(key, self.least, self.most))
        elif reader.flag(key):
            self.set_value(draft, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstance:
    """A circumstance offered by a form: typed ``words``, label, and detail. ``of``: its forms, "shot" or "reaction", or
    the skill that its shooter needs.
    """

    words: str
    says: Text
    number: int = 0
    does: Text = EMPTY
    of: tuple[str, ...]

    @property
    def option(self) -> Option:
        return Option(self.words, Text(self.says.message, number=self.number) if self.number else self.says, self.does)


TABLE: Final = table("infinity/tables/said.json", Keyword)
"""Keywords of numbers and words, in the order of lines and JSON."""
BY_WORD: Final[Mapping[str, Keyword]] = {row.key: row for row in TABLE}
OFFERED: Final = table("infinity/tables/around.json", Circumstance)
AROUND_SHOT: Final = tuple(row.option for row in OFFERED if "shot" in row.of)
AROUND_REACTION: Final = tuple(row.option for row in OFFERED if "reaction" in row.of)


def attack_circumstances(trooper: Trooper) -> tuple[Option, ...]:
    """Return the circumstances of a trooper's attack: general ones, and those of its skills and weapons. A profile
    without skills or weapon traits is incomplete, so it gets all.
    """
    words = {*trooper.optional_words}
    own = tuple(row.option for row in OFFERED if words & {*row.of})
    traits = {trait for weapon in trooper.weapons for trait in weapon.traits}
    barred = {"surprise"} if trooper.skills else set()
    barred |= {"speculative"} if traits and "speculative" not in traits else set()
    return (*own, *(option for option in AROUND_SHOT if option.value.partition(" ")[0] not in barred))


def reaction_circumstances(trooper: Trooper, *, screened: bool) -> tuple[Option, ...]:
    """Return the circumstances of a trooper's reaction; ``screened``: smoke is thrown."""
    of = {"reaction", "screened" if screened else "reaction", *({"Guard"} & {*trooper.optional_words})}
    return tuple(row.option for row in OFFERED if of & {*row.of})


EVADE: Final = (Action.DODGE, Action.RESET)
SHARED: Final = ("low", "poor", "zero", "eclipse", "white_noise", "saturation", "zone")
"""Facts of a line between two troopers: from either, they apply to both."""
COVERED: Final = frozenset({"cover"})
OF_THE_SHOT: Final = frozenset({"distance", "beyond", "melee", *COVERED, *SHARED})
"""Fields of ``Situation`` between shooter and target, on whichever side of ``vs``."""

NAMELESS: Final = "\u2060"
"""Invisible characters that distinguish unnamed troopers while an order is built."""
VERSUS: Final = ("vs", "vs.", "versus", "against", "shoots", "attacks")
COMMAS: Final = (",", "and", "&")
AT: Final = ("at", "range", "rng", "@")
JOINING: Final = ("in", "with", "using", "a", "partial", "through")
FOLLOWS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(SHARED, ("visibility", "zone")),
    **dict.fromkeys(("surprise", "speculative", "intuitive", "guided"), ("attack",)),
    "triangulated": ("fire",),
    "fireteam": ("level",),
}
"""Optional words: ``low visibility zone`` is ``low``, ``surprise attack`` is ``surprise``."""
ACTIONS: Final[Mapping[str, Action]] = {
    **{action.value: action for action in Action if action not in (Action.WIP, Action.PH, *NO_DICE, *DEPLOYS)},
    **{f"{action.value}s": action for action in EVADE},
}
SPELLED: Final = {"bs attack": Action.SHOOT, "cc attack": Action.CC, "paramedic": Action.MEDIKIT}
"""Actions by words without another meaning."""
MOVES: Final = ("move", "idle", "jump", "climb", "reload")
STILL: Final[Mapping[str, Action]] = {
    **dict.fromkeys((*MOVES, *(f"{word}s" for word in MOVES)), Action.MOVE),
    **dict.fromkeys(("place deployable", "cautious movement"), Action.MOVE),
    **dict.fromkeys(("look out", "look out!"), Action.LOOK_OUT),
}
"""Declarations without dice."""
DEPLOYING: Final[Mapping[str, Action]] = {
    **{action.value: action for action in DEPLOYS if action is not Action.IMPERSONATE},  # that word alone is a state
    "infiltrate": Action.INFILTRATE,
    "impersonate": Action.IMPERSONATE,
}
"""Rolls of deployment."""
STATS: Final = ("sv", "bs", "cc", "ph", "wip")
EDITION_WORDS: Final[Mapping[str, Edition]] = {"n5": "n5", "n4": "n4", "n3": "n3", "codeone": "n4"}
"""CodeOne uses N4's dice and saves."""
ROLLS: Final = ("rolls", "rolled", "dice")
WEAPON_WORDS: Final = (
    *("ps", "dam", "damage", "continuous", "bioweapon", "nonlethal"),
    *("deployable", "perimeter", "boost"),
)
STATE_WORDS: Final = frozenset(name.split()[0] for name in (*states.BY_NAME, *STILL, *DEPLOYING)) - {"camo", "sf"}
"""Words that end a name, since a state or a declaration without dice may follow."""
KNOWN: Final = (
    *("vs", *ACTIONS, "normal", "sd", *ROLLS, *EDITION_WORDS, "at", *STATS, *WEAPON_WORDS),
    *(BY_WORD.keys() - {"anyway"}),
)
RESERVED: Final = frozenset({*KNOWN, "anyway", *VERSUS, *COMMAS} - {"low", "poor", "zero", "w", "str", "zoc"})
AFTER: Final = Text(
    "You can write MODs (`-3`), `b2`, `sd`, `dodge`, `reset`, `template`, `normal`, `at 20`, `cover`, `rolls 9, 4`, "
    "`vs`, or `;` before another line."
)
NOTHING: Final = ("0", "-", "none")
"""Words for no MODs."""

VALUE: Final = re.compile(r"(\d{1,3})((?:[+-]\d{1,3})*)", re.ASCII)
STAT_VALUE: Final = re.compile(r"(sv|bs|cc|ph|wip)(\d{1,3}(?:[+-]\d{1,3})*)", re.ASCII)
MODS: Final = re.compile(r"(?:[+-]\d{1,3})+", re.ASCII)
BRACKETS: Final = re.compile(
    r"\((?P<before>[^()+-]*+)(?P<mods>(?:[+-]\s?\d{1,3}\s*+)++)(?P<after>[^()+-]*+)\)", re.ASCII
)
BURST: Final = re.compile(r"[bx](\d{1,3})", re.ASCII)
SPECIAL: Final = re.compile(r"\+?(\d{0,3})sd", re.ASCII)
INCHES: Final = re.compile(r"(\d{1,3})(?:\"|″|in|inch|inches)", re.ASCII)
BETWEEN: Final = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)
NUMBER: Final = re.compile(r"\d{1,3}", re.ASCII)
WHAT_LONGEST: Final = 24
PLAYER: Final = re.compile(r"@[1-9]\d?", re.ASCII)
"""A person in an order, by number; the rules don't know who it is."""


class LineWords(Phrase):
    """Words of a line or a field, read left to right; brackets and commas are words. ``allowed``: for errors at one of
    them.
    """

    def __init__(
        self, text: str, field: str, allowed: Text = AFTER, roster: Roster | None = None, names: Sequence[str] = ()
    ) -> None:
        super().__init__(text, field)
        self.words: list[str] = words_of(text)
        self.allowed = allowed
        self.roster = roster or {}
        self.names = frozenset(names)
        self.edition: Edition | None = None
        self.spoken_words: tuple[str, ...] = ()

    def not_allowed(self, allowed: Text | None = None) -> UnknownWordError:
        known = () if self.peek() in KNOWN or NUMBER.fullmatch(self.peek()) else (*self.spoken_words, *KNOWN)
        typed = self.words[0] if self.words else ""
        return UnknownWordError(self.field, typed, AllowedWords(known, allowed or self.allowed))

    def number(self, what: Text | str, least: int, most: int) -> int:
        if not NUMBER.fullmatch(self.peek()):
            message = N_("{what} must be a number from {least} to {most}.")
            called = Capitalized(what if isinstance(what, Text) else Code(what))
            raise self.not_allowed(Text(message, least=least, most=most, what=called))
        return check_whole_number(what, int(self.take()), least, most)

    def refuse_repetition(self, known: object) -> None:
        if known is not None:
            raise self.not_allowed(Text("That's already set: leave it out."))


# Facts that aren't a number or a flag

Reads = Callable[[LineWords, Draft], bool]


def read_word(words: LineWords, draft: Draft, readers: Sequence[Reads] = ()) -> None:
    """Parse one more fact of a roll; raises ``UnknownWordError`` for unknown or repeated ones."""
    if not any(read(words, draft) for read in readers or READERS):
        raise words.not_allowed()


def read_all(words: LineWords, draft: Draft, readers: Sequence[Reads] = ()) -> None:
    while words.words:
        if not words.skip(*COMMAS):
            read_word(words, draft, readers)


def read_said(words: LineWords, draft: Draft) -> bool:
    match = BURST.fullmatch(words.peek())
    row = BY_WORD["burst"] if match else BY_WORD.get(words.peek())
    if row is None or (row.where == "armour" and not NUMBER.fullmatch(words.peek(1))):
        return False
    words.refuse_repetition(row.of(draft))
    words.take()
    while words.peek() in FOLLOWS.get(row.name, ()):
        words.take()
    if match:
        row.set_value(draft, check_whole_number("Burst", int(match[1]), row.least, row.most))
    elif not row.most:
        row.set_value(draft, row.value)
    elif row.silent is None:
        what = row.name if row.where == "armour" else row.key.capitalize() if not row.where else row.key
        row.set_value(draft, words.number(what, row.least, row.most))
    else:
        typed = words.peek().strip("()-")
        has_number = typed in map(str, (row.least, row.most))
        row.set_value(draft, int(words.take().strip("()-")) if has_number else row.silent)
    return True


def read_burst(words: LineWords, draft: Draft) -> bool:
    return (words.peek() == "burst" or BURST.fullmatch(words.peek()) is not None) and read_said(words, draft)


def read_edition(words: LineWords, draft: Draft | None = None) -> bool:  # noqa: ARG001 - of the order, not of one roll
    if words.peek() not in EDITION_WORDS:
        return False
    words.refuse_repetition(words.edition)
    words.edition = EDITION_WORDS[words.take().lower()]
    return True


def single_keyword(attribute: str, meaning: Callable[[str], object]) -> Reads:
    """Return the parser of a word for one fact; ``meaning`` returns None for another word."""

    def read(words: LineWords, draft: Draft) -> bool:
        said = meaning(words.peek())
        if said is not None:
            words.refuse_repetition(getattr(draft, attribute))
            words.take()
            setattr(draft, attribute, said)
        return said is not None

    return read


read_player: Final = single_keyword("player", lambda word: int(word[1:]) if PLAYER.fullmatch(word) else None)
read_normal: Final = single_keyword("normal", {"normal": True}.get)
read_action: Final = single_keyword("action", ACTIONS.get)


def read_joining_word(words: LineWords, draft: Draft) -> bool:  # noqa: ARG001 - it says nothing of the roll
    """Skip a filler word before others: ``in partial cover``, ``with a Combi``."""
    if words.peek() not in JOINING or words.peek(1) in ("", *COMMAS, *VERSUS):
        return False
    if words.take() == "through" and words.peek() == "smoke":
        words.words[0] = "zero"
    return True


def read_state(words: LineWords, draft: Draft) -> bool:
    """Parse a state, by all words of its name: ``Suppressive Fire``, ``stunned``."""
    for length in (3, 2, 1):
        row = states.BY_NAME.get(" ".join(words.words[:length]).casefold())
        if row is not None and len(words.words) >= length:
            words.refuse_repetition(row.name if row.name in draft.states else None)
            del words.words[:length]
            draft.states.append(row.name)
            return True
    return False


def read_still(words: LineWords, draft: Draft) -> bool:
    """Parse a declaration without dice, or of deployment; after a Dodge, ``look out`` warns its trooper."""
    for length in (2, 1):
        said = {**STILL, **DEPLOYING, **SPELLED}.get(" ".join(words.words[:length]).casefold())
        if said is not None:
            del words.words[:length]
            if said is Action.LOOK_OUT and draft.action is Action.DODGE:
                draft.situation["warned"] = True
            else:
                draft.action = said
            return True
    return False


def read_white_noise(words: LineWords, draft: Draft) -> bool:
    """Parse ``white noise``: the program if no other action is declared, else a zone."""
    length = 1 if words.peek() == "whitenoise" else 2 if words.words[:2] == ["white", "noise"] else 0
    if not length:
        return False
    weapon = weapon_of(draft.trooper, "White Noise") if draft.trooper and draft.weapon is None else None
    draft.weapon = weapon or draft.weapon
    if weapon is None:
        words.refuse_repetition(draft.situation.get("white_noise"))
        draft.situation["white_noise"] = True
    del words.words[:length]
    words.skip(*FOLLOWS["white_noise"])
    return True


def read_arms(words: LineWords, draft: Draft) -> bool:
    """Parse a trooper's weapon by all words of its name; ``zero`` alone is a zone, not Zero Pain."""
    if draft.trooper is None or " ".join(words.words[:2]).casefold() in SPELLED:
        return False
    for length in range(min(NAME_WORDS, len(words.words)), int(words.peek() in BY_WORD), -1):
        weapon = weapon_of(draft.trooper, " ".join(words.words[:length]))
        if weapon is not None:
            words.refuse_repetition(draft.weapon)
            del words.words[:length]
            draft.weapon = weapon
            return True
    return False


def read_stat(words: LineWords, draft: Draft) -> bool:
    """Parse ``SV 12``, ``BS12``; a trooper's attribute needs no number."""
    joined = STAT_VALUE.fullmatch(words.peek())
    if joined is None and words.peek() not in STATS:
        return False
    if joined is None and words.peek() == "cc" and not VALUE.fullmatch(words.peek(1)):
        return False  # the action, not the attribute
    words.refuse_repetition(draft.attribute)
    words.refuse_repetition(draft.stat or None)
    stat = (joined[1] if joined else words.peek()).upper()
    draft.stat = "" if stat == "SV" else stat
    words.take()
    if joined is not None:
        set_value(draft, joined[2])
    elif VALUE.fullmatch(words.peek()):
        set_value(draft, words.take())
    elif draft.trooper is None or stat not in draft.trooper.stats:
        raise words.not_allowed(Text("{stat} must be a number from 0 to {most}.", most=limits.MAX_SV, stat=Code(stat)))
    else:
        draft.stat = stat
    return True


def read_number(words: LineWords, draft: Draft) -> bool:
    """Parse the Success Value, if not right after the name."""
    if not VALUE.fullmatch(words.peek()):
        return False
    if draft.words:
        weapons.refuse_bare_number(words.field, words.peek())
    words.refuse_repetition(draft.attribute)
    set_value(draft, words.take())
    return True


def set_value(draft: Draft, text: str) -> None:
    match = VALUE.fullmatch(text)
    assert match is not None, "the caller has looked"  # noqa: S101 - states how this is called
    draft.attribute = check_whole_number("Success Value", int(match[1]), 0, limits.MAX_SV)
    add_mods(draft, match[2])


def read_special(words: LineWords, draft: Draft) -> bool:
    """Parse ``sd``, ``+1sd``, ``+1 sd`` before the MODs, because ``+1`` would be one."""
    apart = words.peek(1) == "sd" and MODS.fullmatch(words.peek()) is not None
    match = SPECIAL.fullmatch(words.peek() + "sd" * apart)
    if match is None:
        return False
    words.refuse_repetition(draft.special)
    draft.special = check_whole_number("special dice", int(match[1] or 1), 1, limits.MAX_SPECIAL)
    del words.words[: 1 + apart]
    return True


def read_mods(words: LineWords, draft: Draft) -> bool:
    """Parse ``-3``, ``(-3)``, ``-3 (rain)``, ``(rain -3)``."""
    match = BRACKETS.fullmatch(words.peek())
    if match is not None:
        words.take()
        add_mods(draft, match["mods"].replace(" ", ""), match["before"].strip() or match["after"])
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
    label = Name(clean(what)[:WHAT_LONGEST])
    for item in re.findall(r"[+-]\d+", text):
        draft.mods.append(Mod(check_whole_number("MOD", int(item), -limits.MAX_MOD, limits.MAX_MOD), label))
    check_whole_number("number of MODs", len(draft.mods), 0, limits.MAX_MODS)


ONE_FACE: Final = Text("each face")
INCHES_AWAY: Final = Text("the distance in inches")


def read_dice(words: LineWords, draft: Draft) -> bool:
    """Parse ``rolls 9, 4``, with or without commas; a name after a comma is the next target."""
    if words.peek() not in ROLLS:
        return False
    words.refuse_repetition(draft.dice)
    words.take()
    faces = [words.number(ONE_FACE, 1, SIDES)]
    while NUMBER.fullmatch(words.peek()) or (words.peek() in COMMAS and NUMBER.fullmatch(words.peek(1))):
        words.skip(*COMMAS)
        faces.append(words.number(ONE_FACE, 1, SIDES))
    draft.dice = tuple(faces)
    return True


def read_distance(words: LineWords, draft: Draft) -> bool:
    """Parse ``at 20``, ``at 20 inches``, ``20"``, or a range band: ``at 8-16``."""
    if words.peek() not in AT and not INCHES.fullmatch(words.peek()):
        return False
    result = draft.situation
    words.refuse_repetition(result.get("distance"))
    words.skip(*AT)
    if between := BETWEEN.fullmatch(words.peek()):
        words.take()
        result["distance"] = check_whole_number(INCHES_AWAY, int(between[2]), 1, weapons.MAX_INCHES)
        result["beyond"] = check_whole_number(INCHES_AWAY, int(between[1]), 0, result["distance"] - 1)
    elif match := INCHES.fullmatch(words.peek()):
        words.take()
        result["distance"] = check_whole_number(INCHES_AWAY, int(match[1]), 0, weapons.MAX_INCHES)
    else:
        result["distance"] = words.number(INCHES_AWAY, 0, weapons.MAX_INCHES)
        words.skip("in", "inch", "inches", '"')
    return True


def read_weapon_words(words: LineWords, draft: Draft) -> bool:
    """Parse ``AP PS 5``, ``E/M``, ``BTS/2``: a weapon that isn't the trooper's."""
    word = words.peek()
    is_one = word in WEAPON_WORDS or weapons.POWER.fullmatch(word) or word in weapons.SAVED_WITH
    if not is_one and not weapons.is_ammunition(word):
        return False
    if draft.weapon is not None:
        raise words.not_allowed(Text("The weapon already says so."))
    weapons.read_word(words.words, draft.words, words.field)
    return True


def read_program(words: LineWords, draft: Draft) -> bool:
    typed = f"{' '.join(words.words[:NAME_WORDS])} ".casefold()
    lacks = next((item for item in programs.BY_NAME if typed.startswith(f"{item.casefold()} ")), None)
    if lacks and draft.trooper is not None:
        own = tuple(filter(None, (programs.of(arm).name for arm in draft.trooper.arms)))
        if programs.BY_NAME[lacks].skills:
            none = Text("{name} has no {skill}.", name=Name(draft.name), skill=Code(lacks))
            raise UnknownWordError(words.field, lacks, none)
        why = Text("{draft} doesn't have that program.", draft=Name(draft.name))
        brings = AllowedWords(own) if own else Text("Programs come with a hacking device.")
        raise BadInputError(Text("program of {draft}", draft=Name(draft.name)), lacks, why, brings)
    return False


def read_initials(words: LineWords, draft: Draft) -> bool:
    """Parse a weapon's initials: ``fo``. Refuses a word that only a weapon can be, unless exactly one matches."""
    word, trooper = words.peek().casefold(), draft.trooper
    if trooper is None or draft.weapon or draft.action or not word.isalpha() or not trooper.weapons:
        return False
    fitting = weapons_with(trooper, word) or [arm for arm in trooper.arms if initials(arm.name) == word]
    if len(fitting) == 1:
        words.take()
        draft.weapon = fitting[0]
        return True
    if not fitting and nearest(word, KNOWN):
        return False
    names = Name(", ".join(arm.name for arm in fitting or trooper.arms))
    allowed = Text("Use a weapon of {trooper}: {names}.", trooper=trooper.name, names=names)
    raise UnknownWordError(words.field, words.peek(), AllowedWords(tuple(arm.name for arm in trooper.arms), allowed))


READERS: Final = (
    *(read_player, read_joining_word, read_white_noise, read_arms, read_program, read_still, read_state, read_edition),
    *(read_special, read_mods, read_normal, read_said, read_distance, read_action, read_stat, read_number, read_dice),
    *(read_weapon_words, read_initials),
)
AROUND: Final = (read_state, read_said, read_distance)
"""Parsers of a roll's circumstances."""


# Fields of a form or of a command


def modifiers(field_name: str, text: str) -> tuple[Mod, ...]:
    """Parse signed MODs, with spaces or commas; ``0`` or ``none`` means none."""
    draft = Draft()
    add_typed(draft, field_name, text, Text("Write MODs with their signs, as in `-3 +6`."), (read_mods,))
    return tuple(draft.mods)


def add_bonus(draft: Draft, field_name: str, text: str, more: Sequence[Reads] = ()) -> None:
    """Add typed MODs and special dice to a roll: ``-3 +1sd``; ``more``: further parsers."""
    allowed = Text("Write MODs with their signs, as in `-3 +6`, and `+1sd` for a special die.")
    add_typed(draft, field_name, text, allowed, (read_special, read_mods, *more))


def add_typed(draft: Draft, field_name: str, text: str, allowed: Text, readers: Sequence[Reads]) -> None:
    words = LineWords(text.replace(",", " "), field_name, allowed)
    while words.words and (words.words[1:] or words.peek() not in NOTHING):
        if NUMBER.fullmatch(words.peek()):
            message = N_("The sign is missing. Write `+{number}` or `-{number}`.")
            raise words.not_allowed(Text(message, number=Code(words.peek())))
        read_word(words, draft, readers)


def numbers(field_name: str, text: str, least: int, most: int) -> tuple[int, ...]:
    """Parse one or more numbers with spaces, commas, or ``/`` between."""
    parts = tuple(re.split(r"[\s,/]+", text.strip()))
    if not all(NUMBER.fullmatch(item) and least <= int(item) <= most for item in parts):
        raise BadInputError(field_name, text, Text("Use whole numbers from {least} to {most}.", least=least, most=most))
    return tuple(int(item) for item in parts)

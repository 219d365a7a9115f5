"""Dice of games, each a row of ``systems.toml``: what is typed, rolled, and how it is read. Rows are parsed here once;
docs/systems.md documents them.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from itertools import compress
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from bot.rules.anydice.formula import Check, Formula, Known, Measure, Measured, fill_braces
from bot.rules.data_tables import reader
from bot.rules.text import Name

TABLE: Final = Path(__file__).with_name("systems.toml")
VS: Final = ("vs", "dc", "tn", "against", "diff", "difficulty")
"""Words before a number to reach."""
Tie = Literal["", "first", "defender", "again"]
"""Winner of a tie: nobody, the one who began, the defender, or both roll again."""
PATTERNS: Final = ("uncounted_words", "called_words", "numbered", "option_words", "letter_patterns")
"""Properties of a system that compile patterns, which costs more steps than a typed text may."""
Values = tuple[int | None, ...]
"""Each option's value, in row order; None if not typed."""


@dataclass(frozen=True, slots=True)
class SystemOption:
    """A number or word typed after the name. ``signed``: a bonus with its sign. ``sides``: a die, whose sides count.
    ``letter``: dice typed as letters. ``die``: such dice may be typed for their number. ``twice``: a word that doubles
    it. ``is_named``: never a bare number.
    """

    name: str
    least: Annotated[int, "from"] = 1
    most: Annotated[int, "to"] = 1
    default: int | None = None
    signed: bool = False
    optional: bool = False
    words: tuple[str, ...] = ()
    letter: str = ""
    die: int = 0
    sides: tuple[int, ...] = ()
    twice: str = ""
    is_named: Annotated[bool, "named"] = False

    @property
    def is_flag(self) -> bool:
        """Whether it is only a word."""
        return self.least == self.most and not self.sides

    @property
    def is_target(self) -> bool:
        return self.name == "target"

    @property
    def is_placed(self) -> bool:
        """Whether a bare number can be it, by position."""
        return not (self.signed or self.is_target or self.is_flag or self.letter or self.sides or self.is_named)

    @property
    def is_needed(self) -> bool:
        placed = (self.is_placed or self.sides) and self.default is None
        return bool(placed) and not self.optional

    def word_pattern(self, word: str) -> str:
        """Return the pattern of one of its words, with a number before or after it."""
        said = rf"(?P<twice>{self.twice}\s+)?" if self.twice else ""
        sign = "[-+]" if self.least < 0 and not self.is_target else "-"
        lead = rf"{sign}?\s?" if self.least < 0 else ""
        first = "" if self.is_target or self.is_flag else rf"(?:(?P<before>{lead}[0-9]{{1,3}})[\s-]*)?"
        number = r"(?:(?:dc|tn|dv|ac|[pm]d)\s*)?" if self.is_target else ""
        behind = rf"(?:\.?:?\s*{number}(?P<after>{sign}?[0-9]{{1,3}})(?![0-9])(?:s(?![a-z]))?)?"
        return rf"\s*{first}{said}{re.escape(word)}(?![a-z]){'' if self.is_flag else behind}"

    def write_option(self, value: int) -> str:
        if self.is_flag:
            return self.words[0]
        if self.letter:
            return f"{value}{self.letter}"
        if self.signed:
            return f"{value:+}"
        if self.is_target:
            return f"vs {value}"
        if self.sides:
            return f"d{value}"
        return str(value) if self.is_placed else f"{self.words[0]} {value}"


@dataclass(frozen=True, slots=True)
class NamedResult:
    """A result's name and condition. ``good``: green, red, or neither."""

    name: str
    when: Formula
    good: bool | None = None


@dataclass(frozen=True, slots=True)
class SideCount:
    """A number counted in addition to the result."""

    one: str
    many: str
    amount: Annotated[Formula, "is"]


@dataclass(frozen=True, slots=True)
class Chart:
    """A number in the odds chart, with its name."""

    name: str
    amount: Annotated[Formula, "is"]


@dataclass(frozen=True, slots=True)
class SymbolRow:
    name: str
    shape: str


@dataclass(frozen=True, slots=True)
class NotationPart:
    """A part of the notation, with options in braces, and when it is there."""

    text: str
    when: Formula | None

    @classmethod
    def from_row(cls, text: str) -> "NotationPart":
        written, _, when = text.partition(" if ")
        return cls(written, Formula.from_row(when) if when else None)


@dataclass(frozen=True, slots=True)
class Push:
    """Faces that a push keeps (``keep``, ``keep_of``), the option it ``adds`` to, and when ``never`` possible."""

    keep: tuple[int, ...]
    keep_of: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    adds: str = ""
    adds_if: Formula | None = None
    never: Formula | None = None

    def keeps(self, pool: str, face: object) -> bool:
        return face in self.keep_of.get(pool, self.keep)


@dataclass(frozen=True, kw_only=True, eq=False)
class System:
    """A row of the table, perhaps with options substituted in measures (``bound``)."""

    key: str
    title: Name
    names: tuple[str, ...]
    options: tuple[SystemOption, ...]
    roll: tuple[NotationPart, ...]
    beside: tuple[str, ...] = ()
    checks: Annotated[tuple[Check, ...], "check"] = ()
    values: Mapping[str, Formula] = field(default_factory=dict)
    score: Formula | None = None
    plain: bool = False
    results: tuple[NamedResult, ...]
    also: tuple[NamedResult, ...] = ()
    counts: tuple[SideCount, ...] = ()
    faces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marks: Mapping[str, SymbolRow] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    charts: tuple[Chart, ...] = ()
    push: Push | None = None
    uncounted: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    opposed: tuple[Formula, ...] = ()
    levels: tuple[str, ...] = ()
    ties: Tie = ""
    alone: bool = False
    times: int = 0
    first: bool = False
    source: str
    second_sources: tuple[str, ...]
    examples: tuple[tuple[str, str], ...]
    golden: tuple[Mapping[str, Any], ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)

    def option_values(self, given: Values) -> dict[str | Measured, int]:
        """Return options by name, and which were typed."""
        named = list(zip(self.options, given, strict=True))
        known: dict[str | Measured, int] = {
            option.name: option.default or 0 if value is None else value for option, value in named
        }
        return known | {f"given {option.name}": int(value is not None) for option, value in named}

    def notation(self, given: Values) -> str:
        """Return the dice in notation: ``3d10>=6 [regular] + 2d10>=6 [hunger]``."""
        known, written = self.option_values(given), ""
        for part in self.roll:
            if part.when is None or part.when.value(known):
                text = fill_braces(part.text, known)
                if text.startswith((">", "<")):
                    written = f"({written})"
                written += f"+{text}" if written and text[:1].isdigit() else text
        return written

    def write_canonical(self, given: Values) -> str:
        """Return the canonical text: ``v5 5 2 vs 3``, ``coc penalty 2 55``; numbers never adjoin."""
        last = max((at for at, value in enumerate(given) if value is not None), default=-1)
        named, words = list[str](), list[str]()
        for at, (option, value) in enumerate(zip(self.options, given, strict=True)):
            if value is not None and option.is_placed and self.is_side(value, given):
                words.append(f"{option.words[0]} {value}")
            elif value is not None:
                (named if option.is_named else words).append(option.write_option(value))
            elif option.is_placed and any(item.is_placed for item in self.options[at + 1 : last + 1]):
                words.append(str(option.default or 0))
        return " ".join([self.key, *named, *words])

    def is_side(self, value: int, given: Values) -> bool:
        """Whether a bare number would be read as a die that is not typed: ``godbound 4`` is a d4."""
        return any(value in option.sides and kind is None for option, kind in zip(self.options, given, strict=True))

    @cached_property
    def formulas(self) -> tuple[Formula, ...]:
        result = [*self.values.values(), *(item.when for item in (*self.results, *self.also))]
        result += [*self.opposed, *(count.amount for count in self.counts), *(chart.amount for chart in self.charts)]
        result += [self.push.never] if self.push and self.push.never else []
        return (*result, self.score) if self.score else tuple(result)

    @cached_property
    def uncounted_words(self) -> re.Pattern[str]:
        """Return a pattern of its game's words that change dice and aren't supported."""
        return re.compile(rf"\s*\b(?P<word>{'|'.join(map(re.escape, self.uncounted)) or '(?!)'})(?!\w)", re.IGNORECASE)

    @cached_property
    def placed(self) -> list[SystemOption]:
        return [option for option in self.options if option.is_placed]

    @cached_property
    def has_target(self) -> bool:
        return any(option.is_target for option in self.options)

    @cached_property
    def called_words(self) -> re.Pattern[str]:
        """Return a pattern of what its rolls are called, although such words change dice elsewhere."""
        called = "|".join(map(re.escape, self.called)) or "(?!)"
        return re.compile(rf"(?<!\s)\s*+(?:{called})(?!\w)", re.IGNORECASE)

    @cached_property
    def numbered(self) -> re.Pattern[str]:
        needs = (option for option in self.options if option.is_target or (option.is_named and option.least <= 0))
        words = [word for need in needs for word in need.words if word[1:]]
        return re.compile(rf"\b(?P<word>{'|'.join(words) or '(?!)'})(?!\w)")

    @cached_property
    def option_words(self) -> tuple[tuple[SystemOption, re.Pattern[str]], ...]:
        own = {word for option in self.options for word in option.words}
        return tuple(
            (option, re.compile(option.word_pattern(word), re.IGNORECASE))
            for option in self.options
            for word in (*option.words, *(item for item in VS if option.is_target and item not in own))
        ) + tuple((option, OR_MORE) for option in self.options if option.is_target)

    @cached_property
    def letter_patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Return the patterns of dice typed as letters: ``2g``, and ``2g1y``."""
        letters = sorted((option.letter for option in self.options if option.letter), key=len, reverse=True)
        one = rf"([0-9]{{0,2}}+)({'|'.join(letters) or '(?!)'})"
        sides = r"|(?:vs|versus|against)(?=\s)" if self.faces and not self.has_target else ""
        between = rf"\s*+(?:(?:\+{sides})\s*+)?"
        return re.compile(one), re.compile(rf"((?:{between}{one})++)(?![a-z0-9])", re.IGNORECASE)

    def words_in(self, text: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the game's words that aren't read after its dice, with the error's key."""
        for why, words in (("uncounted", self.uncounted_words), ("numbered", self.numbered)):
            if match := words.search(text):
                yield why, match

    @cached_property
    def pools(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(re.findall(r"\[(\w+)\]", " ".join(part.text for part in self.roll))))

    @cached_property
    def readings(self) -> tuple[str, ...]:
        return (*(result.name for result in (*self.results, *self.also)), *(count.one for count in self.counts))

    @cached_property
    def measures(self) -> tuple[Measured, ...]:
        return tuple(dict.fromkeys(measure for each in self.formulas for measure in each.measures))

    @cached_property
    def sees_explosions(self) -> bool:
        """Whether its measures see dice that explode out of others: those of sets alone."""
        return any(isinstance(item, Measure) and item.kind == "sets" for item in self.measures)

    @cached_property
    def needs_totals(self) -> bool:
        names = {name for formula in self.formulas for name in formula.names} - {option.name for option in self.options}
        return self.score is None or bool(names & {"rolled", "total", *self.pools})

    def formula_values(
        self, given: Values, pools: Mapping[str, int], rolled: int, measured: Iterable[int]
    ) -> dict[str | Measured, int]:
        """Return the values for its formulas: options, ``target``, pools' totals, all ``rolled``, and each measure."""
        result = {name: pools.get(name, 0) for name in self.pools} | self.option_values(given) | {"rolled": rolled}
        result.update(zip(self.measures, measured, strict=True))
        return result

    def evaluate(self, known: Known) -> tuple[dict[str | Measured, int], NamedResult | None]:
        """Return all values of a roll, from those of ``formula_values``, and its result. ``rank``: the result's place
        among ``levels``, 0 for the best, -1 for the next. ``good``: 1 if it is.
        """
        full = dict(known) | {"total": known["rolled"], "score": known["rolled"]}
        for name, value in self.values.items():
            full[name] = value.value(full)
        if self.score is not None:
            full["score"] = self.score.value(full)
        result = next((item for item in self.results if item.when.value(full)), None)
        order = self.levels or tuple(item.name for item in self.results)
        level = order.index(result.name) if result is not None else len(order)
        return full | {"rank": -level, "good": int(result is not None and bool(result.good))}, result

    def standing(self, known: Known) -> tuple[int, ...]:
        """Return values that decide against another roll of this system: compared in order, the higher wins."""
        full, _ = self.evaluate(known)
        return tuple(int(formula.value(full)) for formula in self.opposed)

    def read(self, known: Known) -> "Reading":
        """Return the reading of dice, from the values that ``formula_values`` returned."""
        full, result = self.evaluate(known)
        named = [*([result] if result else []), *(item for item in self.also if item.when.value(full))]
        good, said = result.good if result else None, tuple(item.name for item in named)
        counts = tuple((count, amount) for count in self.counts if (amount := count.amount.value(full)) > 0)
        charts = tuple(chart.amount.value(full) for chart in self.charts)
        score = full["score"] if self.score else None
        return Reading(score=score, good=good, said=said, counts=counts, charts=charts)

    def symbols(self, pool: str, face: int) -> str:
        """Return a face's symbols, letters of ``marks``; "" if it has a number."""
        faces = self.faces.get(pool, ())
        return faces[face - 1] if 0 < face <= len(faces) else ""

    def letters_of(self, pool: str, face: int) -> list[str]:
        symbols = self.symbols(pool, face)
        return [symbols] if symbols in self.marks or symbols.isdigit() else list(symbols)


@dataclass(frozen=True, slots=True)
class Reading:
    """A system's reading of dice: a number, names of the result and its side effects, and counts. ``score``: None if
    the dice's sum is the number. ``good``: whether the result is. ``charts``: each chart's value.
    """

    score: int | None
    good: bool | None
    said: tuple[str, ...]
    counts: tuple[tuple[SideCount, int], ...]
    charts: tuple[int, ...]

    def total(self, *, is_check: bool, plain: int) -> int:
        """Return what the roll comes to; ``plain``: by its dice alone, which don't know a natural 20."""
        if self.score is not None:
            return self.score
        return plain if self.good is None or not is_check else int(self.good)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the result, its side effects, and what is counted."""
        return (*self.said, *(count.one for count, _ in self.counts))

    @property
    def words(self) -> str:
        """Return the reading in English, as in JSON and golden rows."""
        counted = [f"{amount} {count.one if amount == 1 else count.many}" for count, amount in self.counts]
        return ", ".join([*self.said, *counted])


# The table


def system(key: str, row: Mapping[str, Any]) -> System:
    options = [{"name": name, **one} for name, one in row.get("options", {}).items()]
    item: System = reader(System)({**row, "key": key, "names": (key, *row["names"]), "options": options})
    return item


def with_numbers(item: Any, options: Mapping[Any, int]) -> Any:
    """Substitute options in a row part's formulas."""
    if isinstance(item, Formula):
        return item.bound(options)
    if isinstance(item, tuple):
        return tuple(with_numbers(each, options) for each in item)
    if isinstance(item, Mapping):
        return {key: with_numbers(each, options) for key, each in item.items()}
    return (
        replace(item, **{each.name: with_numbers(getattr(item, each.name), options) for each in fields(item)})
        if isinstance(item, NamedResult | SideCount | Chart | Push | System)
        else item
    )


@lru_cache(maxsize=1024)
def game_of(key: str, given: Values) -> System | None:
    """Return a roll's system with these options, or None."""
    item = SYSTEMS.get(key)
    is_open = item is not None and any(each.is_open for each in item.formulas)
    return with_numbers(item, item.option_values(given)) if item is not None and is_open else item


SYSTEMS: Final[dict[str, System]] = {
    key: system(key, row) for key, row in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()
}


# Typed words


@dataclass(eq=False)
class MissingDiceError(Exception):
    """A text names a system without dice; ``at``: the unparsed place."""

    system: System
    at: int
    missing: str = ""
    says: str = ""


NAMES: Final = sorted(((name, item) for item in SYSTEMS.values() for name in item.names), key=lambda one: -len(one[0]))
NAMES_ALONE: Final = tuple(name for name, _ in NAMES)
NAME_END: Final = "(?![a-z])(?!(?<=[0-9])[0-9])"
"""``wfrp45`` is no ``wfrp4`` with a 5 behind it."""
NAME_START: Final = re.compile(r"(?<![a-z])(?<!d[0-9])(?<!d[0-9][0-9])")
EDITION: Final = re.compile(r"\b([0-9]{1,2})(st|[nr]d|th) edition")


@cache
def name_end(edition: str, nth: str) -> re.Pattern[str]:
    """Return the pattern behind a name, perhaps with its edition: ``wfrp 4e``, ``coc 7th ed``, ``lancer rpg``."""
    editions = rf"|\s?{edition}(?:e(?:d(?:ition)?)?|{nth}(?:\sed(?:ition)?)?)\.?" if edition else ""
    return re.compile(rf"{NAME_END}(?:(?:\s(?:tt)?rpg|\ssystem{editions})(?![a-z0-9]))?")


def find_name(name: str, item: System, text: str) -> tuple[int, int] | None:
    """Return where a lower-case text has a system's name, except directly after a die: ``1d20cs20`` is no Cypher."""
    edition, nth = found.groups() if (found := EDITION.search(str(item.title))) else ("", "")
    at = text.find(name)
    while at >= 0:
        if NAME_START.match(text, at) and (end := name_end(edition, nth).match(text, at + len(name))):
            return at, end.end()
        at = text.find(name, at + 1)
    return None


SAME_LETTERS: Final = {0x130: "i", 0x131: "i", 0x17F: "s"}  # equal when ignoring case
NUMBER: Final = re.compile(
    r"\s*(?P<sign>[-+]|(?:plus|minus)(?=\s))?\s*(?P<number>[0-9]{1,4})(?![0-9]|d(?:[0-9]|\b))", re.IGNORECASE
)
DICE: Final = re.compile(
    r"\s*+(?P<plus>\+\s*+)?(?P<count>[0-9]{0,3}+)d(?P<sides>[0-9]{1,3}|%|f)?(?![a-z0-9])!?", re.IGNORECASE
)
MANY: Final = 2
"""Up to this, a number after dice is more likely a bonus than a target."""
FILLER: Final = re.compile(
    r"\s*(?:(?:with|and|an?|the|dice|die|at|pool|rating|rolls?|checks?|tests?|(?:skill|step|level)(?=\s+[0-9])"
    r"|(?:in|for|using|of|on)(?=\s*$))(?![a-z])|[,:/%]|[-–—](?=\s+[^\W\d_]))",
    re.IGNORECASE,
)
OR_MORE: Final = re.compile(r"\s*(?P<after>[0-9]{1,2})\+(?!\s*[0-9d])")
LABEL_WORD: Final = re.compile(
    r"\s*+(?!(?:not?|non|nor|or|if|unless|than|vs|versus|against|per|each|then|damage|dmg|harm|armou?r|soak)(?![a-z]))[^\W\d_]++(?:['’-]?[^\W\d_])*+(?![\d])",
    re.IGNORECASE,
)
"""A word that may name a roll, between a system's name and its numbers."""
PLAYED: Final = ("savage", "age", "7s")
"""Names that are words of play too: only numbers follow them."""
MIN_NAME: Final = 4
"""Shorter names stand first or last among other words."""


def read_typed_system(text: str) -> "TypedOptions | None":
    """Return the options of the system with the longest matching name, or None. Raises
    ``MissingDiceError`` if invalid.
    """
    wrong: MissingDiceError | None = None
    folded = text.translate(SAME_LETTERS).lower()
    for name, item in compress(NAMES, map(folded.__contains__, NAMES_ALONE)):
        if (place := find_name(name, item, folded)) is None:
            continue
        if item.first and not re.fullmatch(r"\s*+[0-9]*+\s*+", text[: place[0]]):
            continue
        try:
            typed_options = TypedOptions(item, text, name, place)
        except MissingDiceError as error:
            wrong = wrong or error
        else:
            if typed_options.is_named:
                return typed_options
    if wrong is not None:
        raise wrong
    return None


class TypedOptions:
    """A system's typed options, around its name. Raises ``MissingDiceError``."""

    def __init__(self, item: System, text: str, name: str, place: tuple[int, int]) -> None:
        self.system, self.text = item, text
        self.given: dict[str, int] = {}
        self.labels: list[tuple[int, int]] = []
        """Places of words that name the roll, between its numbers."""
        self.label_at: int | None = None
        self.bonus_end = -1
        self.is_counting = False
        """Whether a bare number was just read that could count the next word."""
        (begin, end), may_label = place, name not in PLAYED
        is_last = not text[end:].strip()
        self.read_until(0, begin, may_label=may_label and (is_last or len(name) >= MIN_NAME))
        self.is_named, has_front = not self.text[self.at : begin].strip(), bool(self.labels)
        if not self.is_named:
            return
        self.read_until(end, len(text), may_label=may_label)
        missing = self.missing()
        if has_front and (missing or not self.given):  # a name among other words
            self.is_named = False
            return
        if missing:
            raise MissingDiceError(item, self.at, missing=missing[0])
        known = item.option_values(self.values)
        if wrong := [check.says for check in item.checks if not check.when.value(known)]:
            raise MissingDiceError(item, self.at, says=wrong[0])

    @property
    def values(self) -> Values:
        return tuple(self.given.get(option.name) for option in self.system.options)

    def missing(self, but: SystemOption | None = None) -> list[str]:
        return [
            option.name
            for option in self.system.options
            if option.is_needed and option.name not in self.given and option != but
        ]

    def read_until(self, begin: int, end: int, *, may_label: bool) -> None:
        """Consume understood words before a position, and words between them, which name the roll; those at the end
        only before the system's name.
        """
        self.at, self.label_at, self.is_counting, label_end = begin, None, False, begin
        is_front = end < len(self.text)
        while self.text[self.at : end].strip():
            at = self.at
            if self.take_next(end):
                self.labels += [] if self.label_at is None else [(self.label_at, label_end)]
                self.label_at = None
            elif filler := FILLER.match(self.text, self.at, end):
                self.at = filler.end()
            elif may_label and not self.is_counting and (word := self.label_word(end)):
                self.label_at = at if self.label_at is None else self.label_at
                self.at = label_end = word.end()
            else:
                break
        if self.label_at is not None:
            self.labels += [(self.label_at, label_end)] * is_front
            self.at = self.at if is_front else self.label_at

    def label_word(self, end: int) -> re.Match[str] | None:
        called = self.system.called_words.match(self.text, self.at, end)
        is_uncounted = self.system.uncounted_words.match(self.text, self.at, end)
        word = called or (None if is_uncounted else LABEL_WORD.match(self.text, self.at, end))
        return word if word and word[0].strip().lower() not in NAMES_ALONE else None

    def take_next(self, end: int) -> bool:
        """Consume the next option before a position."""
        if self.system.uncounted_words.match(self.text, self.at, end):
            return False
        ways: tuple[Callable[[int], int | None], ...] = (self.dice, self.letters, self.named_number, self.number)
        after = next((after for way in ways if (after := way(end)) is not None), None)
        self.at = self.at if after is None else after
        return after is not None

    def set(self, option: SystemOption, value: int) -> bool:
        """Set an option, unless present or outside its limits."""
        in_limits = value in option.sides if option.sides else option.least <= value <= option.most
        is_new = in_limits and option.name not in self.given
        if is_new:
            self.given[option.name] = value
        return is_new

    def dice(self, end: int) -> int | None:
        """Parse ``d8`` for a die, ``3d6`` or ``3d`` for a number of dice, and dice rolled anyway."""
        match = DICE.match(self.text, self.at, end)
        if match is None:
            return None
        count, sides = int(match["count"] or 1), match["sides"]
        plain = match[0].strip(" +").lower()
        for option in () if match["plus"] or plain.endswith("!") else self.system.options:
            if option.sides and count == 1 and sides and sides.isdecimal() and self.set(option, int(sides)):
                return match.end()
            if option.die and match["count"] and sides in (None, str(option.die)) and self.set(option, count):
                return match.end()
        return match.end() if plain in map(str.lower, self.system.beside) else None

    def letters(self, end: int) -> int | None:
        """Parse ``2g1y``, ``ggypp``."""
        letters = {option.letter: option.name for option in self.system.options if option.letter}
        one, several = self.system.letter_patterns
        match = several.match(self.text, self.at, end) if letters else None
        if match is None:
            return None
        for count, letter in one.findall(match[1].lower()):
            name = letters[letter]
            self.given[name] = self.given.get(name, 0) + int(count or 1)
        limits = {option.name: option.most for option in self.system.options if option.letter}
        return match.end() if all(self.given.get(name, 0) <= most for name, most in limits.items()) else None

    def named_number(self, end: int) -> int | None:
        """Parse ``hunger 2``, ``2 penalty``, ``vs 15``, ``advantage``."""
        for option, pattern in self.system.option_words:
            match = pattern.match(self.text, self.at, end)
            if match and (after := self.with_word(option, match)) is not None:
                return after
        return None

    def with_word(self, option: SystemOption, match: re.Match[str]) -> int | None:
        """Return the end of a word with its number; a number outside the option's limits isn't its number."""
        groups = match.groupdict()
        before, after = groups.get("before"), groups.get("after")
        if before is not None:
            is_next = after is None or (any(self.words_next(match.end())) and not self.missing(but=option))
            ends = match.end() if after is None else match.start("after")
            is_next = is_next and self.is_count(option, before, match[0].split()[-1])
            return ends if is_next and self.set(option, int(before.replace(" ", ""))) else None
        if option.is_target and after is None:
            return None
        if after is not None and self.set(option, int(after)):
            return match.end()
        alone = 1 + bool(groups.get("twice"))
        ends = match.start("after") if after is not None else match.end()
        # `boon` alone is one, but not `hunger`, which may be zero.
        return ends if (option.least > 0 or option.letter) and self.set(option, alone) else None

    def is_count(self, option: SystemOption, before: str, word: str) -> bool:
        """Whether a number counts the word behind it: no first bonus (``+3 stunt``), or label's (``might 2 edge``)."""
        has_bonus = not any(one.signed and one.name not in self.given for one in self.system.options)
        is_label = self.label_at is not None and f"{word}s" in option.words and before != "1"
        return (before[0].isdecimal() or has_bonus or option.signed) and not is_label

    def words_next(self, at: int) -> Iterator[tuple[SystemOption, Any]]:
        """Yield the options with a word next: in ``3 base 2 skill`` the 2 belongs to the next one; and their number."""
        for option, pattern in self.system.option_words:
            match = None if option.is_target else pattern.match(self.text, at)
            if match and not match.groupdict().get("before"):
                yield option, match.groupdict().get("after")

    def may_count(self, value: int, at: int) -> bool:
        """Whether a bonus may be the next word's number: ``+1 boon`` is 1 more, or one boon."""
        return any(MANY < item.most >= abs(value) > 0 < item.least and not after for item, after in self.words_next(at))

    def counts_word(self, number: re.Match[str]) -> bool:
        """Whether a bare number stands beside a counted word, for which it is too large: ``3 edges`` is no bonus."""
        counted = tuple(word for option in self.system.options if option.most > 1 for word in option.words)
        behind = any(option.most > 1 and not after for option, after in self.words_next(number.end()))
        return behind or self.text[: number.start()].rstrip().lower().endswith(counted)

    def number(self, end: int) -> int | None:
        """Parse a signed bonus, or a bare number for the next option by position, or for a bonus."""
        match = NUMBER.match(self.text, self.at, end)
        if match is None:
            return None
        sign, value = match["sign"], int(match["number"])
        value = -value if sign in ("-", "minus") else value
        signed = [option for option in self.system.options if option.signed]
        if not sign:
            wanted = self.bare_number(match, value, signed)
            self.is_counting = bool(wanted) and (wanted[0].signed or end < len(self.text))
        elif self.may_count(value, match.end()):
            return None
        else:
            wanted = signed
        return match.end() if wanted and self.set(wanted[0], value + self.last_bonus(sign, match, wanted[0])) else None

    def last_bonus(self, sign: str | None, match: re.Match[str], option: SystemOption) -> int:
        """Return, and take back, the bonus right before a signed number: ``6+7`` is 13."""
        is_added = sign and not self.text[self.bonus_end : match.start()].strip()
        self.bonus_end = match.end() if option.signed else -1
        return self.given.pop(option.name, 0) if is_added else 0

    def bare_number(self, match: re.Match[str], value: int, signed: list[SystemOption]) -> list[SystemOption]:
        """Return the options that a bare number can be by its sides or position, else a bonus; none if it counts a
        word. Behind words that name the roll, it is the first number, and a bonus only where it can be no target.
        """
        is_named = self.label_at is not None
        if is_named and self.given:
            return []
        by_position = self.system.placed
        placed = [option for option in by_position if option.name not in self.given]
        sides = [option for option in self.system.options if value in option.sides and option.name not in self.given]
        if sides and not (sides[0].optional and any(option.is_needed for option in placed)):
            return sides
        if self.counts_word(match):
            return [option for option in placed if not option.optional or placed == by_position]
        return placed or (signed if not (is_named and self.system.has_target) else [])

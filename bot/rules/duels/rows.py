"""Two-player games as files of ``data/``: typed values, dice, and actions. A file is parsed here once, and rejected if
invalid; docs/duels.md documents the format.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final

from bot.rules.anydice.formula import Check, Formula
from bot.rules.data_tables import RowError, plain, read_key, reader
from bot.rules.game import Side
from bot.rules.text import InContext, Message, Name, Noun, Place, Text

FOLDER: Final = Path(__file__).with_name("data")
MAX_STEPS: Final = 40
MAX_KINDS: Final = 12
MAX_SIDES: Final = 100
MAX_BYTES: Final = 64_000
UNLIMITED: Final = Formula.from_row("99")
ALWAYS: Final = Formula.from_row("1")
BLANK: Final = "-"
SHAPES: Final = "burst, ringed burst, triangle, ringed triangle, chevron, hook, eye, spiral, arrow, dot, cross"


class DuelPhrase(InContext):
    """A file's message, whose English may be ambiguous elsewhere."""

    __slots__ = ()
    CONTEXT = "a word or a sentence of a duel"

    @classmethod
    def from_row(cls, message: str) -> "DuelPhrase":
        phrase = cls(message)
        phrase.context = cls.CONTEXT
        return phrase

    @staticmethod
    def fill(message: str, **places: Place) -> Text:
        return Text(Message(message), **places)


class DuelFileError(ValueError):
    """An invalid file: its name, the place, and what is expected there."""

    def __init__(self, file: str, place: str, expected: str) -> None:
        super().__init__(f"{file}, {place}: {expected}")
        self.place, self.expected = place, expected


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number that a side types: ``asks`` in words, its range, and its default; None if required. ``letter``: dice
    typed as ``3r``. ``before``: typed before its word, ``4 attacks``. ``flag``: a word alone. ``picks``: phrases, each
    for a value. ``token``: spent during the roll. ``plus``: that or better, ``3+``.
    """

    name: str
    side: Side
    asks: DuelPhrase
    words: tuple[str, ...] = ()
    letter: str = ""
    before: bool = False
    least: Annotated[int, "from"] = 0
    most: Annotated[int, "to"] = 1
    default: int | None = None
    flag: bool = False
    picks: Mapping[str, int] = field(default_factory=dict)
    token: bool = False
    plus: bool = False

    @property
    def phrases(self) -> tuple[str, ...]:
        return tuple(self.picks) or self.words or (self.name,)

    @property
    def usual(self) -> int | None:
        """Return the default value; None if required."""
        return 0 if self.default is None and (self.flag or self.token) else self.default

    @property
    def sample(self) -> str:
        return " · ".join(self.picks) if self.picks else self.write(max(self.least, min(self.most, 2)))

    def write(self, value: int) -> str:
        if self.picks:
            return next((phrase for phrase, meant in self.picks.items() if meant == value), "")
        if self.letter:
            return f"{value}{self.letter}"
        if self.flag:
            return self.phrases[0]
        return f"{value} {self.phrases[0]}" if self.before else f"{self.phrases[0]} {value}{'+' * self.plus}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A symbol: its name, singular and plural, its shape if drawn, and whether it counts for nothing."""

    noun: Noun
    shape: str = ""
    misses: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A number's symbol with its condition; the first true one applies."""

    symbol: str
    when: Formula

    @classmethod
    def from_row(cls, row: tuple[str, str]) -> "Read":
        symbol, when = row
        return cls(symbol, Formula.from_row("1" if when == "otherwise" else when))


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """A side's dice for a pool, by kind, and how their numbers are read."""

    pool: Annotated[str, "roll"]
    dice: Mapping[str, Formula]
    by: Side = Side.ATTACKER
    when: Annotated[Formula | None, "if"] = None


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """Values from here on."""

    values: Annotated[Mapping[str, Formula], "let"]
    when: Annotated[Formula | None, "if"] = None


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """An act of a side on a pool: mandatory (``must``), or optional (``may``).

    ``turns``: sides alternate. One effect: ``reroll`` that many dice at once, ``all`` matching ones, ``alike`` those of
    one number, ``only`` those with these symbols, each die ``once``; ``change`` a symbol into another; ``cancel`` one
    of some symbols; ``add`` a die that shows a symbol; or ``set`` values, which may accompany another effect. Each use
    costs tokens (``cost``) or dice with a symbol (``spend``, a symbol each, by pool), at most ``most`` times.
    """

    name: DuelPhrase
    by: Side
    may: bool
    pool: str = ""
    reroll: Formula | None = None
    all: bool = False
    alike: bool = False
    only: tuple[str, ...] = ()
    once: bool = True
    change: tuple[str, ...] = ()
    cancel: tuple[str, ...] = ()
    add: str = ""
    set: Mapping[str, Formula] = field(default_factory=dict)
    cost: Mapping[str, int] = field(default_factory=dict)
    spend: Mapping[str, str] = field(default_factory=dict)
    most: Formula = UNLIMITED
    when: Annotated[Formula | None, "if"] = None
    turns: bool = False

    @property
    def formulas(self) -> Iterator[Formula]:
        yield from filter(None, (self.reroll, self.most, self.when, *self.set.values()))

    @property
    def effects(self) -> int:
        """Return the number of its effects, which must be one besides values."""
        dice = sum(map(bool, (self.reroll, self.change, self.cancel, self.add)))
        return dice or int(bool(self.set))

    @property
    def is_limited(self) -> bool:
        """Whether its number of uses matters."""
        return self.most is not UNLIMITED or (self.reroll is not None and not self.cost)

    @property
    def symbols(self) -> Iterator[str]:
        yield from filter(None, (*self.change, *self.cancel, *self.only, self.add))
        yield from (symbol for symbols in self.spend.values() for symbol in symbols)


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Actions that a side takes in any order until done. ``turns``: sides alternate, ``by`` first, until neither can; a
    side that can't passes.
    """

    by: Side
    actions: tuple[Action, ...]
    turns: bool = False


Stage = Roll | Let | Action | Window
"""A part of a roll. A standalone ``Action`` is mandatory."""


@dataclass(frozen=True, slots=True)
class Result:
    """A roll's result: a number with its noun, and sentences for zero and for others (``{count}``). ``less``: the
    sentence for negative numbers. ``called``: names of all results, if the number only ranks them.
    """

    noun: Noun
    amount: Annotated[Formula, "is"]
    nothing: DuelPhrase | None = None
    some: DuelPhrase | None = None
    less: DuelPhrase | None = None
    called: Mapping[str, DuelPhrase] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class DuelGame:
    """A two-player game: its file's rows. ``each``: the number of independent attacks, whose results add up, while
    ``each_if`` is true for the typed values. ``most_dice``: the dice that a line can come to.
    ``golden``: worked rolls, which tests play.
    """

    key: str
    title: Name
    names: tuple[str, ...] = ()
    source: str
    second_sources: tuple[str, ...]
    dice: Mapping[str, Any]
    marks: Mapping[str, Mark]
    pools: Mapping[str, DuelPhrase]
    read: Mapping[str, tuple[Read, ...]] = field(default_factory=dict)
    numbers: tuple[NumberRow, ...]
    skip: tuple[str, ...] = ()
    values: Mapping[str, Formula] = field(default_factory=dict)
    check: tuple[Check, ...] = ()
    stages: tuple[Stage, ...]
    result: Result
    also: tuple[Result, ...] = ()
    each: str = ""
    each_if: Formula = ALWAYS
    most_dice: Formula = ALWAYS
    examples: tuple[tuple[str, DuelPhrase], ...] = ()
    golden: tuple[Any, ...] = ()

    @cached_property
    def pool_names(self) -> tuple[str, ...]:
        return tuple(self.pools)

    @cached_property
    def tokens(self) -> tuple[NumberRow, ...]:
        return tuple(row for row in self.numbers if row.token)

    @cached_property
    def lets(self) -> tuple[str, ...]:
        """Return the names of values set by steps."""
        given = [stage.values for stage in self.stages if isinstance(stage, Let)]
        given += [action.set for stage in self.stages for action in actions_of(stage)]
        return tuple(dict.fromkeys(name for values in given for name in values))

    @cached_property
    def faces(self) -> Mapping[str, tuple[str | int, ...]]:
        sides = ((kind, range(1, given + 1) if isinstance(given, int) else given) for kind, given in self.dice.items())
        return {kind: tuple(faces) for kind, faces in sides}


def actions_of(stage: Stage) -> tuple[Action, ...]:
    return stage.actions if isinstance(stage, Window) else (stage,) if isinstance(stage, Action) else ()


def read_duel(file: str, rows: Mapping[str, Any]) -> DuelGame:
    """Parse a file's game. Raises ``DuelFileError``."""
    stages = list[Stage]()
    try:
        for number, row in enumerate(plain(tuple, rows.get("step", ())), 1):
            stages = add_stage(stages, read_key(f"step {number}", read_step, row))
        given = read_key("numbers", lambda rows: plain(Mapping, rows), rows.get("numbers"))
        numbers = tuple(
            read_key(f"numbers.{name}", reader(NumberRow), {"name": name, **row}) for name, row in given.items()
        )
        parts = {name: part for name, part in rows.items() if name not in ("step", "numbers")}
        duel: DuelGame = reader(DuelGame)({**parts, "key": file, "numbers": (), "stages": ()})
    except RowError as error:
        place, *keys = error.keys or ("the file",)
        where = ".".join([place, *keys[:1]]) if isinstance(rows.get(place), Mapping) else place
        raise DuelFileError(file, where, error.expected + (f" in `{'.'.join(keys)}`" if keys else "")) from error
    duel = DuelGame(**{**vars(duel), "numbers": numbers, "stages": tuple(stages)})
    for where, fits, expected in checks(duel):
        if not fits:
            raise DuelFileError(file, where, expected)
    return duel


def read_step(row: Mapping[str, Any]) -> Stage:
    """Parse a step by its keyword. Raises ``RowError`` for an invalid one."""
    word = next((word for word in ("roll", "let", "may", "must") if word in plain(Mapping, row)), None)
    if word is None:
        raise RowError("a step with `roll`, `let`, `may`, or `must`")
    if word in ("roll", "let"):
        return reader(Roll if word == "roll" else Let)(row)  # type: ignore[no-any-return]  # a row as its type says
    rest = {name: part for name, part in row.items() if name != word}
    action: Action = reader(Action)({**rest, "name": row[word], "may": word == "may"})
    return Window(action.by, (action,), action.turns) if action.may else action


def add_stage(stages: list[Stage], stage: Stage) -> list[Stage]:
    """Add a stage; a side's consecutive options are one window, and so are alternating ones."""
    last = stages[-1] if stages else None
    if not isinstance(stage, Window) or not isinstance(last, Window) or last.turns is not stage.turns:
        return [*stages, stage]
    if not stage.turns and last.by is not stage.by:
        return [*stages, stage]
    return [*stages[:-1], Window(last.by, (*last.actions, *stage.actions), stage.turns)]


Checks = Iterator[tuple[str, bool, str]]
"""A place in a file, whether it is right, and what is expected there."""


def checks(duel: DuelGame) -> Checks:
    few = all(given <= MAX_SIDES if isinstance(given, int) else len(given) <= MAX_SIDES for given in duel.dice.values())
    yield "dice", few, f"dice with 2 to {MAX_SIDES} sides"
    shown = {face for face in chain(*duel.faces.values()) if isinstance(face, str)}
    read = {item.symbol for item in chain(*duel.read.values())}
    symbols = set("".join([*shown, *read]))
    names = {row.name for row in duel.numbers}
    yield "dice", 0 < len(duel.dice) <= MAX_KINDS, f"1 to {MAX_KINDS} kinds of dice"
    yield "step", 0 < len(duel.stages) <= MAX_STEPS, f"1 to {MAX_STEPS} steps"
    yield "marks", symbols - {BLANK} <= duel.marks.keys(), "a name for each symbol"
    yield "marks", {mark.shape for mark in duel.marks.values()} <= {"", *SHAPES.split(", ")}, f"a shape of {SHAPES}"
    yield from check_numbers(duel)
    for name, formula in duel.values.items():
        yield f"values.{name}", formula.names <= names, "numbers that are typed, and values before it"
        names.add(name)
    for item in duel.check:
        yield "check", item.when.names <= names, "numbers that are typed, and values"
    for where in ("each_if", "most_dice"):
        yield where, getattr(duel, where).names <= names, "numbers that are typed, and values"
    yield from check_stages(duel, names, symbols, {*shown, *read, *symbols, BLANK})
    yield "each", not duel.each or duel.each in names, "the name of a number"
    yield "result", bool(duel.result.called or (duel.result.nothing and duel.result.some)), "`nothing` and `some`"


def check_numbers(duel: DuelGame) -> Checks:
    for side in Side:
        words = [word for row in duel.numbers if row.side is side for word in row.phrases]
        yield "numbers", len(words) == len(set(words)), f"no word twice for the {side}"
    for row in duel.numbers:
        fits = row.least <= row.most and (row.default is None or 0 <= row.default <= max(row.most, row.default))
        yield f"numbers.{row.name}", fits, "a range from its least to its most"


def formulas_of(stage: Stage) -> Iterator[Formula]:
    if isinstance(stage, Roll | Let):
        yield from (stage.dice if isinstance(stage, Roll) else stage.values).values()
        yield from (stage.when,) if stage.when else ()
    for action in actions_of(stage):
        yield from action.formulas


def amounts_of(duel: DuelGame) -> list[Formula]:
    return [duel.result.amount, *(item.amount for item in duel.also)]


def check_stages(duel: DuelGame, names: set[str], symbols: set[str], faces: set[str]) -> Checks:
    """Check the steps in order: each reads only what exists by then."""
    known, tokens, rolled = set(names), {row.name for row in duel.tokens}, set[str]()
    known = known.union(*(action.set for stage in duel.stages for action in actions_of(stage)))
    number, makes, read = 1, dict[str, str](), set[str]()
    for stage in duel.stages:
        where = f"step {number}"
        if isinstance(stage, Roll):
            yield where, stage.pool in duel.pools and stage.dice.keys() <= duel.dice.keys(), "a pool and dice by name"
        for at, action in enumerate(actions_of(stage)):
            where = f"step {number + at}"
            makes |= dict.fromkeys(action.set, where)
            yield from ((where, fits, expected) for fits, expected in check_action(action, tokens, faces, rolled))
        used = set[str]().union(*(formula.names for formula in formulas_of(stage)))
        read |= used
        yield where, used <= known, f"names that are known by then, not {', '.join(sorted(used - known))}"
        if isinstance(stage, Roll):
            known |= {f"{stage.pool}.{symbol}" for symbol in symbols}
            rolled.add(stage.pool)
        elif isinstance(stage, Let):
            known |= set(stage.values)
            makes |= dict.fromkeys(stage.values, where)
        number += max(1, len(actions_of(stage)))
    shown = set[str]().union(*(amount.names for amount in amounts_of(duel)))
    yield "result", shown <= known, f"names that are known at the end, not {', '.join(sorted(shown - known))}"
    for name, where in makes.items():
        yield where, name in read | shown, f"a value that something reads, not {name}"


def check_action(action: Action, tokens: set[str], faces: set[str], rolled: set[str]) -> Iterator[tuple[bool, str]]:
    yield action.effects == 1, "one of reroll, change, cancel, add and set"
    yield action.cost.keys() <= tokens, "the names of tokens as its cost"
    yield not action.reroll or action.may or action.all, "a reroll that somebody may choose, or of `all`"
    yield len(action.change) in (0, 2), "two symbols in `change`"
    yield {*action.symbols} <= faces, "faces of dice"
    pools = {*filter(None, [action.pool]), *action.spend}
    yield pools <= rolled and bool(action.pool or action.set), "a pool that was rolled by then"


def load() -> Mapping[str, DuelGame]:
    """Return the folder's games by key, sorted by title."""
    read = [read_duel(path.stem, tomllib.loads(path.read_text(encoding="utf-8"))) for path in FOLDER.glob("*.toml")]
    return {duel.key: duel for duel in sorted(read, key=lambda duel: duel.title)}


DUELS: Final = load()

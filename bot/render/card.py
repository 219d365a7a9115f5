"""What a result looks like, before anybody draws it: a title, one sentence, strips of dice, and words.

A card is plain frozen data. ``ui/`` turns it into an embed with a picture, the terminal into text; both say the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

Fate = Literal["stands", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Tile:
    """One die as it is to be drawn.

    ``body`` picks the shape (``red``, ``green``, ``d20-attacker``, ``d20-defender``, ``d6``, ``dx36``, or ``sum`` for
    a number beside the dice), ``face`` the glyph or number. ``ghost`` is the face before its last reroll, ``badge``
    what changed it (``focus``, ``calculate``, ``force``, ``evade``, ``card``), ``added`` a die that was never rolled,
    ``critical`` a gold ring, ``framed`` the die that decided, ``linked`` one joined to the tile before it (a chain).
    """

    body: str
    face: str
    fate: Fate = "stands"
    badge: str = ""
    ghost: str = ""
    added: bool = False
    critical: bool = False
    framed: bool = False
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """A row of dice of one side, with its name in words.

    ``beside``: to be drawn beside the strip before it, if there is room, since the two meet.
    """

    label: str
    tiles: tuple[Tile, ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """One outcome of a chart: its label and its chance in each series."""

    label: str
    chances: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Laws as a bar chart: one colour per series, each with its mean in units of bars (0 is the first), or None.

    With ``cumulative`` a line shows the chance of at least so much.
    """

    series: tuple[str, ...]
    bars: tuple[Bar, ...]
    means: tuple[Fraction | None, ...] = ()
    cumulative: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A printed table: labels of its rows and columns, its cells, and the one that is marked (row, column).

    Of a mark without a column the whole row is meant, and the other way round. ``kinds`` names the kinds of cells,
    the first the best for the one who rolls; ``cell_kinds`` has of each cell its kind's place there.
    """

    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    marked: tuple[int | None, int | None] | None = None
    kinds: tuple[str, ...] = ()
    cell_kinds: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a scale: what it is called, the last value in it, and how it is for the one who rolls."""

    label: str
    last: int
    tone: Literal["bad", "good", "best"]


@dataclass(frozen=True, slots=True)
class Scale:
    """All values from ``least`` on, cut into sections, with the rolled one marked."""

    least: int
    sections: tuple[Section, ...]
    mark: int | None = None


Figure = Bars | Grid | Scale

Ahead = Literal["attacker", "defender", "nobody", "open"]


@dataclass(frozen=True, slots=True)
class Card:
    """A result to be read in this order: outcome, strips, turn, trail, small print.

    ``outcome`` is one sentence that can be read aloud on voice, ``turn`` says whose move it is (empty when over),
    ``facts`` are named blocks of text, ``trail`` the story in words, ``small`` the rule line, ``alt`` the picture in
    words. ``figure`` is drawn under the strips, in the same picture. ``ahead`` picks the colour.
    """

    title: str
    outcome: str
    strips: tuple[Strip, ...] = ()
    turn: str = ""
    trail: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    small: str = ""
    alt: str = ""
    figure: Figure | None = None
    ahead: Ahead = "open"


def chains(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """Each die with those that are linked to it."""
    starts = [index for index, tile in enumerate(tiles) if index == 0 or not tile.linked]
    for start, end in pairwise([*starts, len(tiles)]):
        yield tiles[start:end]


def join_names(items: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return items[0] if len(items) == 1 else " and ".join([", ".join(items[:-1]), items[-1]]) if items else ""


def quantity(count: int, noun: str, plural: str = "") -> str:
    """``1 hit``, ``2 hits``."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"

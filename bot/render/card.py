"""A result, ready to show: a title, one sentence, strips of dice, figures and facts.

A card is plain frozen data and knows nothing of Discord. ``ui/`` turns it into an embed with a picture, the terminal
turns it into text, and both say the same. Every game makes its cards of the shapes in this file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, cast

from bot.rules.dice import Rolled
from bot.rules.game import Side
from bot.rules.text import EMPTY, Shown

People = Mapping[Side, Shown]
"""Names of the people on each side; a side that nobody took is missing."""
Fate = Literal["stands", "failed", "unused", "cancelled", "spent", "dropped", "compared"]


def fate_of(die: Rolled, counts: Fate = "stands") -> Fate:
    """Return the last step of a die that no longer counts, else ``counts``."""
    return counts if die.counts else cast("Fate", die.trail[-1].how)


@dataclass(frozen=True, slots=True)
class Tile:
    """One die, as it is drawn.

    ``body``: its shape and color: ``red``, ``green``, ``d20-attacker``, ``d20-defender``, ``d6``, ``dx36``, or ``sum``
    for a number beside the dice. Any other word is drawn as a plain die.
    ``face``: its number or result: ``4``, ``hit``; ``blank`` or nothing for an empty face.
    ``fate``: ``stands`` if it counts, ``failed`` if not, ``unused`` if it could have become one that counts and
    did not; else the last step of a die that no longer counts: a spent one gets a check mark, any other is struck out.
    All but the first are dimmed.
    ``badge``: what changed the die: ``focus``, ``calculate``, ``force``, ``evade`` or ``card``.
    ``ghost``: the face that it showed before its last reroll.
    ``added``: it was added to the pool and never rolled.
    ``shapes``: the marks that are drawn in place of ``face``, which says them in words.
    ``critical``: a gold ring. ``framed``: the die that decided. ``linked``: joined to the tile before it, as a chain.
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
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Strip:
    """The dice of one side or one pool, with a label.

    ``beside``: drawn beside the strip before it if there is room, because the two are compared. ``won``: it is the
    better one of them; its label says so in words, and is drawn in gold.
    """

    label: Shown
    tiles: tuple[Tile, ...]
    beside: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """One outcome of a chart: its label, its chance in each series of the chart, and the least number that it shows."""

    label: Shown
    chances: tuple[Fraction, ...]
    least: int = 0


@dataclass(frozen=True, slots=True)
class Bars:
    """Distributions as a bar chart.

    ``series``: the names, one color for each. ``bars``: the outcomes from left to right.
    ``means``: for each series the place of its average, in bars (0 is the first), or None.
    """

    series: tuple[Shown, ...]
    bars: tuple[Bar, ...]
    means: tuple[Fraction | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: titles and labels of its rows and columns, and its cells by row.

    ``marked``: the (row, column) in a frame, counted from 0; with None for one of them, the whole row or column.
    ``kinds``: names of the kinds of cells, for the legend; the first is best for the person who rolls. ``cell_kinds``:
    for each cell the index of its kind in ``kinds``.
    """

    row_title: Shown
    column_title: Shown
    rows: tuple[Shown, ...]
    columns: tuple[Shown, ...]
    cells: tuple[tuple[Shown, ...], ...]
    marked: tuple[int | None, int | None] | None = None
    kinds: tuple[Shown, ...] = ()
    cell_kinds: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a scale: its label, its last value, and how good it is for the person who rolls."""

    label: Shown
    last: int
    tone: Literal["bad", "good", "best"]


@dataclass(frozen=True, slots=True)
class Scale:
    """A number line from ``least`` up, divided into sections; ``mark`` is the rolled value."""

    least: int
    sections: tuple[Section, ...]
    mark: int | None = None


Tone = Literal["green", "orange", "red", "blue", "violet", "gold"]


@dataclass(frozen=True, slots=True)
class TokenMark:
    """Tokens beside a ship: name, color, number, and ``text``: whom a lock is on, which damage card is faceup."""

    name: str
    tone: Tone
    count: int = 1
    text: Shown = EMPTY


@dataclass(frozen=True, slots=True)
class RosterShip:
    """A ship or a trooper in a roster: its initiative, what is left of hull and shields and of how many, its tokens.

    ``initiative``: None in games without one. ``body``: what its hull is called. ``dice``: its weapon value and its
    agility, None where they do not matter any more. ``below``: the upgrades that it carries, a line or two under its
    name. ``state``: ``next`` if it may act now, ``done`` if it has acted, ``out`` if it is destroyed; ``called``: that
    state in a word, where it is not the one of ships.
    """

    name: Shown
    initiative: int | None
    hull: tuple[int, int]
    shields: tuple[int, int] = (0, 0)
    marks: tuple[TokenMark, ...] = ()
    state: Literal["", "next", "done", "out"] = ""
    dice: tuple[int, int] | None = None
    below: Shown = EMPTY
    body: Literal["hull", "Wounds", "STR"] = "hull"
    called: Shown = EMPTY


@dataclass(frozen=True, slots=True)
class Team:
    """The ships or troopers of one side, under a title."""

    title: Shown
    units: tuple[RosterShip, ...]


@dataclass(frozen=True, slots=True)
class Roster:
    """The ships on a table by side. Two sides stand beside each other."""

    teams: tuple[Team, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    """One bar of several below each other: what it is of, its value in words, and its length as a share of the longest.

    ``mark``: where a line crosses it, as what was to be expected; ``detail``: a line of small print below it.
    ``leads``: it is the best one.
    """

    label: Shown
    value: Shown
    part: Fraction
    mark: Fraction | None = None
    detail: Shown = EMPTY
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Meters:
    """Bars from left to right, one below the other, under a title."""

    title: Shown
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True)
class Dial:
    """A maneuver of a ship: its speed, its arrow, its color, and all of that in words.

    ``arrow``: a letter of ``figures.dials.PATHS`` or ``MIRRORED``, ``O`` for no movement, "" where nothing is known.
    ``tone``: ``blue``, ``white``, ``red`` or ``purple``. ``below``: what follows, in small print. ``is_now``: it is the
    turn of this ship.
    """

    name: Shown
    speed: int
    arrow: str
    tone: str
    said: Shown
    below: Shown = EMPTY
    is_now: bool = False


@dataclass(frozen=True, slots=True)
class Dials:
    """Maneuvers, and perhaps the ships of both sides below them."""

    dials: tuple[Dial, ...]
    ships: Roster | None = None


Figure = Bars | Grid | Scale | Roster | Meters | Dials

Ahead = Literal["attacker", "defender", "passed", "failed", "unchecked", "nobody", "open"]


@dataclass(frozen=True, slots=True)
class Card:
    """A result. People read it in this order: outcome, dice, number, turn, facts, figure, trail, small print.

    ``title``: the game, and what was rolled: ``WARSURGE · Power 6 against Defence 4``.
    ``outcome``: one sentence that can be read aloud on voice.
    ``strips``: the dice. ``figure``: drawn under the dice, in the same picture.
    ``number``: what came out, the largest thing in the picture: ``40``, ``22 : 17``; the outcome says it too.
    ``unit``: a word or two beside it: ``damage``.
    ``turn``: who acts next and what they may do; empty when the roll is over.
    ``trail``: what happened to the dice, one line for each step.
    ``facts``: a name and a few lines of text each.
    ``small``: the rule or edition, odds and luck, in small print.
    ``below``: one short line under the dice, with what players need at a glance. A card with dice shows it instead of
    its facts, trail and small print; those are behind **How?**.
    ``reminders``: rules that matter here; people read them with the trail, behind **How?**.
    ``alt``: the picture in words, for people who do not see it.
    ``ahead``: who is winning, how a check against nobody ended, ``unchecked`` where nothing was checked, or ``open``
    while the roll is open; it decides the color.
    """

    title: Shown
    outcome: Shown
    strips: tuple[Strip, ...] = ()
    turn: Shown = EMPTY
    trail: tuple[Shown, ...] = ()
    facts: tuple[tuple[Shown, Shown], ...] = ()
    small: Shown = EMPTY
    below: Shown = EMPTY
    reminders: tuple[Shown, ...] = ()
    alt: Shown = EMPTY
    figure: Figure | None = None
    number: Shown = EMPTY
    unit: Shown = EMPTY
    ahead: Ahead = "nobody"


def chains(tiles: tuple[Tile, ...]) -> list[tuple[Tile, ...]]:
    """The dice in chains: each die together with those that are linked to it."""
    starts = [index for index, tile in enumerate(tiles) if index == 0 or not tile.linked]
    return [tiles[start:end] for start, end in pairwise([*starts, len(tiles)])]

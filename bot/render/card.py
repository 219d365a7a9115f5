"""A displayable result: a title, one sentence, strips of dice, figures, and facts. A card is plain frozen data,
independent of Discord. ``ui/`` turns it into an embed with a picture, the terminal into text. Every game uses these
types.
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
"""People's names by side, without free sides."""
Fate = Literal["stands", "failed", "unused", "cancelled", "spent", "dropped", "compared"]


def fate_of(die: Rolled, counts: Fate = "stands") -> Fate:
    """Return the last step of a die that no longer counts, else ``counts``."""
    return counts if die.counts else cast("Fate", die.trail[-1].how)


@dataclass(frozen=True, slots=True)
class Tile:
    """One drawn die.

    ``body``: its shape and color: ``red``, ``green``, ``d20-attacker``, ``d20-defender``, ``d6``, ``dx36``, or ``sum``
    for a number beside the dice; any other word is a plain die. ``face``: its number or result: ``4``, ``hit``;
    ``blank`` or "" for an empty face. ``fate``: ``stands`` if it counts, ``failed`` if not, ``unused`` if it could have
    counted after a change; else the last step of a die that no longer counts: spent has a check mark, others are struck
    out. All but the first are dimmed. ``badge``: what changed it: ``focus``, ``calculate``, ``force``, ``evade`` or
    ``card``. ``ghost``: its face before its last reroll. ``added``: added without a roll. ``shapes``: marks drawn
    instead of ``face``, which has their names. ``critical``: a gold ring. ``framed``: the deciding die. ``linked``:
    chained to the previous tile.
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
    """One side's or pool's dice, with a label. ``beside``: next to the previous strip if there is room, for comparison.
    ``won``: the better one; its label says so, and is gold.
    """

    label: Shown
    tiles: tuple[Tile, ...]
    beside: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """One outcome of a chart: its label, its chance per series, and its lowest number."""

    label: Shown
    chances: tuple[Fraction, ...]
    least: int = 0


@dataclass(frozen=True, slots=True)
class Bars:
    """Distributions as a bar chart. ``series``: names, one color each. ``bars``: outcomes from left to right.
    ``color``: the first series' color; dice have the first for the attacker, the second for the defender.
    """

    series: tuple[Shown, ...]
    bars: tuple[Bar, ...]
    color: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: titles and labels of rows and columns, and cells by row.

    ``marked``: the framed (row, column) from 0; with one None, the whole row or column. ``kinds``: names of cell kinds,
    for the legend, best for the roller first. ``cell_kinds``: each cell's index in ``kinds``.
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
    """A part of a scale: its label, its last value, and how good it is for the roller."""

    label: Shown
    last: int
    tone: Literal["bad", "good", "best"]


@dataclass(frozen=True, slots=True)
class Scale:
    """A number line from ``least`` up in sections; ``mark``: the rolled value."""

    least: int
    sections: tuple[Section, ...]
    mark: int | None = None


Tone = Literal["green", "orange", "red", "blue", "violet", "gold"]


@dataclass(frozen=True, slots=True)
class TokenMark:
    """Tokens of a ship: name, color, number, and ``text``: a lock's target, a faceup damage card."""

    name: str
    tone: Tone
    count: int = 1
    text: Shown = EMPTY


@dataclass(frozen=True, slots=True)
class RosterShip:
    """A ship or trooper in a roster: initiative, hull and shields left of their maxima, tokens.

    ``initiative``: None in games without one. ``body``: its hull's name. ``dice``: weapon value and agility, None if
    irrelevant. ``below``: its upgrades, one or two lines under its name. ``state``: ``next`` if it may act now,
    ``done`` if it has acted, ``out`` if destroyed; ``called``: that state's word, if not ships'.
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
    """One side's ships or troopers, under a title."""

    title: Shown
    units: tuple[RosterShip, ...]


@dataclass(frozen=True, slots=True)
class Roster:
    """A table's ships by side, two sides next to each other."""

    teams: tuple[Team, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    """A bar of a stack: its label, its value as text, and its length as a share of the longest. ``mark``: a
    crossing line, such as the expected value; ``detail``: small print below. ``leads``: the best one.
    """

    label: Shown
    value: Shown
    part: Fraction
    mark: Fraction | None = None
    detail: Shown = EMPTY
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Meters:
    """Stacked horizontal bars, under a title."""

    title: Shown
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True)
class Dial:
    """A ship's maneuver: speed, arrow, color, and all of that as text. ``arrow``: a letter of ``figures.dials.PATHS``
    or ``MIRRORED``, ``O`` for no movement, "" if unknown. ``tone``: ``blue``, ``white``, ``red`` or ``purple``.
    ``below``: small print. ``is_now``: it is this ship's turn.
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
    """Maneuvers, and perhaps both sides' ships below."""

    dials: tuple[Dial, ...]
    ships: Roster | None = None


Figure = Bars | Grid | Scale | Roster | Meters | Dials

Ahead = Literal["attacker", "defender", "passed", "failed", "unchecked", "nobody", "open"]


@dataclass(frozen=True, slots=True)
class Card:
    """A result, read in this order: outcome, dice, number, turn, facts, figure, trail, small print.

    ``title``: the game, and what was rolled: ``WARSURGE · Power 6 against Defence 4``. ``outcome``: one sentence to
    read aloud. ``strips``: the dice. ``figure``: below the dice, in the same picture. ``number``: the result, largest
    in the picture: ``40``, ``22 : 17``; the outcome has it too. ``unit``: a word or two beside it: ``damage``.
    ``turn``: who acts next and how; empty when the roll is over. ``trail``: the dice's history, one line per step.
    ``facts``: a name and some lines each. ``small``: small print: the rule or edition, odds and luck. ``below``: one
    short line under the dice for players; with dice it replaces facts, trail, and small print, which are behind
    **How?**. ``reminders``: rules that matter here, shown with the trail behind **How?**. ``alt``: the picture's alt
    text. ``ahead``: who is winning, a check's result, ``unchecked`` without one, or ``open`` while the roll is open;
    sets the color.
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
    """Group the dice into chains of linked ones."""
    starts = [index for index, tile in enumerate(tiles) if index == 0 or not tile.linked]
    return [tiles[start:end] for start, end in pairwise([*starts, len(tiles)])]

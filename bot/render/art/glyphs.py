"""The faces and the small signs. Each is drawn around (x, y) and stays within ``r`` of it, give or take a stroke."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from bot.render.art.path import Point, arc, box, eased, moved
from bot.render.art.sheet import Stencil

Glyph = Callable[[Stencil, float, float, float], object]


def star(x: float, y: float, r: float, waist: float) -> list[Point]:
    """Four points with straight edges; ``waist`` is how far out the inner corners lie, as a share of ``r``."""
    spikes = [(r if step % 2 == 0 else r * waist, math.radians(45 * step)) for step in range(8)]
    return [(x + length * math.sin(turn), y - length * math.cos(turn)) for length, turn in spikes]


def burst(hole: Stencil, x: float, y: float, r: float) -> None:
    """Hit: a four-point burst."""
    hole.polygon(star(x, y, r * 1.06, 0.38))


def ringed_burst(hole: Stencil, x: float, y: float, r: float) -> None:
    """Crit: the burst in a ring."""
    hole.disc(x, y, r).disc(x, y, r * 0.81, shut=True).polygon(star(x, y, r * 0.7, 0.42))


def eye(hole: Stencil, x: float, y: float, r: float) -> None:
    """Focus: an eye."""
    lid = r * 1.17
    rise = math.sqrt(lid**2 - r**2)
    spread = math.degrees(math.asin(r / lid))
    upper, lower = (x, y + rise, lid, 270 - spread, 270 + spread), (x, y - rise, lid, 90 - spread, 90 + spread)
    hole.polygon([*arc(*upper), *arc(*lower)]).disc(x, y, r * 0.4, shut=True).disc(x, y, r * 0.21)


def bent_arrow(hole: Stencil, x: float, y: float, r: float) -> None:
    """Evade: an arrow that goes up and turns aside."""
    left, top, bend = x - r * 0.62, y - r * 0.28, r * 0.52
    hole.pen([(left, y + r * 0.74), *arc(left + bend, top + bend, bend, 180, 270), (x + r * 0.3, top)], r * 0.34)
    hole.polygon([(x + r * 0.2, top - r * 0.58), (x + r * 0.96, top), (x + r * 0.2, top + r * 0.58)])


def turn_arrow(hole: Stencil, x: float, y: float, r: float) -> None:
    """Rerolled: an arrow that comes round again."""
    hole.pen(arc(x, y, r * 0.74, 25, 290), r * 0.27)
    hole.polygon(moved(arc(0, 0, r * 0.6, 0, 240, 2), *arc(x, y, r * 0.74, 308, 308, 1)[0], turn=44))


def division(hole: Stencil, x: float, y: float, r: float) -> None:
    """Calculate: a sum being done."""
    hole.pen([(x - r * 0.66, y), (x + r * 0.66, y)], r * 0.32).disc(x, y - r * 0.64, r * 0.25)
    hole.disc(x, y + r * 0.64, r * 0.25)


def spiral(hole: Stencil, x: float, y: float, r: float) -> None:
    """Force: a current that winds outward."""
    turns = [math.radians(degrees) for degrees in range(0, 620, 10)]
    reach = r * 0.86 / turns[-1]
    hole.pen([(x + reach * turn * math.cos(turn), y + reach * turn * math.sin(turn)) for turn in turns], r * 0.28)


def playing_card(hole: Stencil, x: float, y: float, r: float) -> None:
    """Card: a playing card, held a little aslant."""
    hole.polygon(moved(eased(box(0, 0, r * 0.64, r * 0.9), r * 0.25), x, y, turn=14))
    hole.polygon([(x, y - r * 0.44), (x + r * 0.32, y), (x, y + r * 0.44), (x - r * 0.32, y)], shut=True)


def dot(hole: Stencil, x: float, y: float, r: float) -> None:
    """Any other cause."""
    hole.disc(x, y, r * 0.45)


def minus(hole: Stencil, x: float, y: float, r: float) -> None:
    """One less, on a Fudge die."""
    hole.pen([(x - r * 0.66, y), (x + r * 0.66, y)], r * 0.36)


def plus(hole: Stencil, x: float, y: float, r: float) -> None:
    """One more, on a Fudge die."""
    minus(hole, x, y, r)
    hole.pen([(x, y - r * 0.66), (x, y + r * 0.66)], r * 0.36)


FACES: Final[Mapping[str, Glyph]] = {
    "hit": burst,
    "crit": ringed_burst,
    "focus": eye,
    "evade": bent_arrow,
    "+": plus,
    "−": minus,
}


def triangle(hole: Stencil, x: float, y: float, r: float) -> None:
    """A triangle that stands on its point."""
    hole.polygon([(x - r * 0.92, y - r * 0.62), (x + r * 0.92, y - r * 0.62), (x, y + r * 0.92)])


def chevron(hole: Stencil, x: float, y: float, r: float, up: int = 1) -> None:
    """Two bent strokes, one above the other, that point upward, and downward for -1."""
    for high in (0.62, -0.1):
        tip, ends = y - up * r * (high + 0.2), y - up * r * (high - 0.42)
        hole.pen([(x - r * 0.72, ends), (x, tip), (x + r * 0.72, ends)], r * 0.28)


def ringed_triangle(hole: Stencil, x: float, y: float, r: float) -> None:
    hole.disc(x, y, r).disc(x, y, r * 0.81, shut=True)
    triangle(hole, x, y, r * 0.56)


SHAPES: Final[Mapping[str, Glyph]] = {
    "burst": burst,
    "ringed burst": ringed_burst,
    "triangle": triangle,
    "ringed triangle": ringed_triangle,
    "chevron": chevron,
    "hook": partial(chevron, up=-1),
    "eye": eye,
    "spiral": spiral,
    "arrow": bent_arrow,
    "dot": dot,
}
"""The marks that dice of games have, by the names of ``systems.toml``."""


def together(shapes: Sequence[str]) -> Glyph:
    """One mark, or two beside each other."""

    def draw(hole: Stencil, x: float, y: float, r: float) -> None:
        if len(shapes) == 1:
            SHAPES[shapes[0]](hole, x, y, r * 0.86)
        for at, shape in enumerate(shapes if len(shapes) > 1 else ()):
            SHAPES[shape](hole, x + r * 0.98 * (at - (len(shapes) - 1) / 2), y, r * 0.46)

    return draw


BADGES: Final[Mapping[str, Glyph]] = {
    "focus": eye,
    "calculate": division,
    "force": spiral,
    "evade": bent_arrow,
    "card": playing_card,
}

PIPS: Final[Mapping[str, tuple[Point, ...]]] = {
    "1": ((0, 0),),
    "2": ((1, -1), (-1, 1)),
    "3": ((1, -1), (0, 0), (-1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def pips(face: str) -> Glyph:
    """The spots of an ordinary die."""

    def draw(hole: Stencil, x: float, y: float, r: float) -> None:
        for across, down in PIPS[face]:
            hole.disc(x + across * r * 0.68, y + down * r * 0.68, r * 0.25)

    return draw


TEXT_MOST: Final = 8


def written(text: str) -> Glyph:
    """A number, large, or a short word as it is; a longer one ends in an ellipsis. Totals below 100 have one size."""
    text = " ".join(text.split())
    short = text if len(text) <= TEXT_MOST else text[: TEXT_MOST - 1] + "…"

    def draw(hole: Stencil, x: float, y: float, r: float) -> None:
        hole.text(short, x, y, r * 1.9, r * 2.25, least="= 00" if short.startswith("= ") else "")

    return draw

"""Accents, drawn over and below the letters of a font that has none: combining marks as Unicode names them.

Everything is in shares of the height of the letters, from the middle of the letter; y counts downwards from the line.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PIL import ImageDraw

from bot.render.art.path import Point

PEN: Final = 0.085
"""How thick an accent is."""
OVER_SMALL, OVER_CAPITAL = (0.09, 0.15), (0.055, 0.065)
"""From the top of a letter to the middle of the pen, and how high an accent is: over capitals there is little room."""
SMALL: Final = 0.54
"""How high an ``x`` stands; the dots of ``i`` and ``j`` are above."""
LOW: Final = 0.25
"""How far accents below a letter reach down."""

Strokes = Sequence[Sequence[Point]]
"""Lines; one of a single point is a dot."""


def over(*lines: Sequence[Point]) -> Callable[[float, float], Strokes]:
    """An accent that begins at the first height and rises by the second: its points go from 0 to 1."""
    return lambda foot, rises: [[(x, -foot - y * rises) for x, y in line] for line in lines]


def under(*lines: Sequence[Point]) -> Callable[[float, float], Strokes]:
    """An accent at a fixed place, whatever the height of its letter."""
    return lambda _foot, _rises: lines


DRAWN: Final[Mapping[str, Callable[[float, float], Strokes]]] = {
    "\u0300": over([(-0.08, 1), (0.07, 0)]),
    "\u0301": over([(0.08, 1), (-0.07, 0)]),
    "\u0302": over([(-0.15, 0), (0, 1), (0.15, 0)]),
    "\u0303": over([(-0.17, 0.1), (-0.08, 0.8), (0.08, 0.2), (0.17, 0.9)]),
    "\u0307": over([(0, 0.4)]),
    "\u0308": over([(-0.13, 0.4)], [(0.13, 0.4)]),
    "\u030a": over([(-0.08, 0.5), (0, 0), (0.08, 0.5), (0, 1), (-0.08, 0.5)]),
    "\u030b": over([(0.0, 1), (-0.12, 0)], [(0.17, 1), (0.05, 0)]),
    "\u030c": over([(-0.15, 1), (0, 0), (0.15, 1)]),
    "\u0327": under([(0, 0.02), (0, 0.09), (0.07, 0.14), (0, 0.2), (-0.08, 0.19)]),
    "\u0328": under([(0.16, 0.0), (0.07, 0.1), (0.1, 0.18), (0.19, 0.18)]),
    "\u0335": under([(-0.14, -0.29), (0.14, -0.43)]),
}
"""Grave, acute, circumflex, tilde, dot, two dots, ring, two acutes, caron, cedilla, ogonek, the stroke of ``ł``."""
BELOW: Final = frozenset("\u0327\u0328")
FIXED: Final = BELOW | {"\u0335"}


def accented(draw: ImageDraw.ImageDraw, at: Point, size: float, letter: str, top: float, inks: tuple[int, int]) -> None:
    """Draw the accents of a letter, whose middle on the line is ``at`` and which is ``top`` pixels high.

    ``inks`` are that of the letter and that of the ground, with which the dot of an ``i`` is painted over.
    """
    base, marks = letter[0], letter[1:]
    x, y = at
    if base in "ij" and not FIXED.issuperset(marks):
        draw.rectangle((x - size * 0.12, y - size * 0.85, x + size * 0.12, y - size * (SMALL + 0.03)), fill=inks[1])
        top = SMALL * size
    above, rises = OVER_CAPITAL if base.isupper() else OVER_SMALL
    for mark in marks:
        for line in DRAWN[mark](top / size + above, rises):
            points = [(x + across * size, y + down * size) for across, down in line]
            draw.line(points, fill=inks[0], width=max(1, round(size * PEN)), joint="curve")
            for px, py in points if len(points) == 1 else (points[0], points[-1]):
                r = size * PEN * (0.75 if len(points) == 1 else 0.5)
                draw.ellipse((px - r, py - r, px + r, py + r), fill=inks[0])

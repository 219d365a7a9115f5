"""The shapes of dice. A body is its outline and its ink; which game it belongs to shows without the colour."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.render.art.palette import BLUE, GREEN, ORANGE, RED, SLATE, TEAL, VIOLET, Ink
from bot.render.art.path import Point, arc, box, eased, moved
from bot.render.art.sheet import CELL

MIDDLE: Final = CELL / 2
HALF: Final = 42.0
"""Half the side of a square die, in cell units."""

SQUARE: Final = tuple(box(0, 0, HALF, HALF))
CUT: Final = HALF * 0.5
OCTAGON: Final = (
    *((-HALF + CUT, -HALF), (HALF - CUT, -HALF), (HALF, -HALF + CUT), (HALF, HALF - CUT)),
    *((HALF - CUT, HALF), (-HALF + CUT, HALF), (-HALF, HALF - CUT), (-HALF, -HALF + CUT)),
)
SPAN: Final = HALF * 1.06
POINT_UP: Final = tuple(arc(0, 0, SPAN, -90, 210, 5))
FLAT_UP: Final = tuple(arc(0, 0, SPAN, -120, 180, 5))
TRIANGLE: Final = ((0, -47), (50, 40), (-50, 40))
DIAMOND: Final = ((0, -51), (41, 0), (0, 51), (-41, 0))
KITE: Final = ((0, -46), (49, 1), (49, 13), (0, 44), (-49, 13), (-49, 1))
PENTAGON: Final = tuple(arc(0, 2, SPAN * 1.08, -90, 198, 4))
BALL: Final = tuple(arc(0, 0, SPAN, -90, 255, 23))


@dataclass(frozen=True, slots=True)
class Body:
    """Corners around the origin, how far each is eased, the ink, and its size beside its fellows.

    ``bare`` is a number beside the dice with no die under it. ``room``: the share of the usual room that a face has,
    and ``down`` how far below the middle it lies, in cell units.
    """

    ink: Ink
    corners: tuple[Point, ...]
    ease: float
    scale: float = 1.0
    bare: bool = False
    room: float = 1.0
    down: float = 0.0

    def outline(self, grow: float = 0.0, x: float = MIDDLE, y: float = MIDDLE, scale: float = 1.0) -> list[Point]:
        """The outline around (x, y), scaled, then moved outward by ``grow`` units on every side."""
        first, second = self.corners[:2]
        apothem = math.dist((0, 0), ((first[0] + second[0]) / 2, (first[1] + second[1]) / 2))
        factor = self.scale * scale + grow / apothem
        return moved(eased(self.corners, self.ease), x, y, factor)


BODIES: Final[Mapping[str, Body]] = {
    "red": Body(RED, SQUARE, 3),
    "green": Body(GREEN, OCTAGON, 4),
    "d20-attacker": Body(BLUE, POINT_UP, 9),
    "d20-defender": Body(ORANGE, FLAT_UP, 9),
    "d6": Body(VIOLET, SQUARE, 22),
    "d6-defender": Body(ORANGE, SQUARE, 36),
    "dx36": Body(TEAL, SQUARE, 13),
    "dx6": Body(TEAL, SQUARE, 13),
    "dx1": Body(TEAL, SQUARE, 13),
    "d4": Body(VIOLET, TRIANGLE, 8, room=0.62, down=11),
    "d8": Body(VIOLET, DIAMOND, 7, room=0.78),
    "d10": Body(VIOLET, KITE, 7, room=0.82, down=3),
    "d12": Body(VIOLET, PENTAGON, 8, room=0.86, down=1),
    "d100": Body(VIOLET, BALL, 4, room=0.86),
    "df": Body(TEAL, SQUARE, 4),
    "sum": Body(SLATE, SQUARE, 13, 1.4, bare=True),
}
COLOURS: Final[Mapping[str, Ink]] = {
    "green": GREEN,
    "yellow": ORANGE,
    "blue": BLUE,
    "purple": VIOLET,
    "red": RED,
    "black": SLATE,
}
"""The colours of dice of games, by the names of ``systems.toml``."""
COLOURED: Final[Mapping[str, Body]] = {
    f"{kind}-{name}": replace(BODIES[kind], ink=ink)
    for kind in ("d6", "d8", "d10", "d12")
    for name, ink in COLOURS.items()
}
OTHER: Final = Body(SLATE, SQUARE, 16)
"""What a body that nobody has drawn yet looks like."""

D6: Final = ("d6", "d6-defender")
"""Dice with pips."""
DX: Final = ("dx36", "dx6", "dx1")
"""The three dice of one Albion roll, the most valuable first (rules page, Albion, 1)."""

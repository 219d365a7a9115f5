"""Drawings of dice: their bodies, faces, small signs, and marks of their history. A body is its outline and ink; its
game is recognizable without color. Marks are at a die's edge and corners, each with a gap: top right what changed it,
top left that it was rerolled, bottom left the face before that.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.render.art.palette import BLUE, GREEN, ORANGE, RED, SLATE, TEAL, VIOLET, Ink
from bot.render.art.sheet import CELL, Point, Sheet, Stencil, arc, box, ease_corners, even_points, transform_points

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


DX: Final = ("dx36", "dx6", "dx1")
"""The three dice of one Albion roll, the most valuable first (rules page, Albion, 1)."""


@dataclass(frozen=True, slots=True)
class Body:
    """Corners around the origin, their easing, the ink, and the relative size. ``bare``: a number without a die.
    ``room``: the face's share of the usual room, and ``down``: how far below the middle it is, in cell units.
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
        return transform_points(ease_corners(self.corners, self.ease), x, y, factor)


BODIES: Final[Mapping[str, Body]] = {
    "red": Body(RED, SQUARE, 3),
    "green": Body(GREEN, OCTAGON, 4),
    "d20-attacker": Body(BLUE, POINT_UP, 9),
    "d20-defender": Body(ORANGE, FLAT_UP, 9),
    "d6": Body(VIOLET, SQUARE, 22),
    "d6-defender": Body(ORANGE, SQUARE, 36),
    **dict.fromkeys(DX, Body(TEAL, SQUARE, 13)),
    "d4": Body(VIOLET, TRIANGLE, 8, room=0.62, down=11),
    "d8": Body(VIOLET, DIAMOND, 7, room=0.78),
    "d10": Body(VIOLET, KITE, 7, room=0.82, down=3),
    "d12": Body(VIOLET, PENTAGON, 8, room=0.86, down=1),
    "d100": Body(VIOLET, BALL, 4, room=0.86),
    "df": Body(TEAL, SQUARE, 4),
    "sum": Body(SLATE, SQUARE, 13, 1.4, bare=True),
}
COLORS: Final[Mapping[str, Ink]] = {
    "green": GREEN,
    "yellow": ORANGE,
    "blue": BLUE,
    "purple": VIOLET,
    "red": RED,
    "black": SLATE,
    "white": TEAL,
}
"""Colors of dice of games, by name in ``systems.toml``."""
COLORED: Final[Mapping[str, Body]] = {
    f"{kind}-{name}": replace(BODIES[kind], ink=ink)
    for kind in ("d6", "d8", "d10", "d12")
    for name, ink in COLORS.items()
}
OTHER: Final = Body(SLATE, SQUARE, 16)
"""Fallback for kinds of dice without a drawing of their own."""

D6: Final = ("d6", "d6-defender")


# Faces and small signs: each is drawn around (x, y) and within ``r``, plus or minus a stroke

Glyph = Callable[[Stencil, float, float, float], object]


def star(x: float, y: float, r: float, waist: float) -> list[Point]:
    """Return four points with straight edges; ``waist``: distance of the inner corners, as a share of ``r``."""
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
    """Evade: an arrow that goes up and turns."""
    left, top, bend = x - r * 0.62, y - r * 0.28, r * 0.52
    hole.pen([(left, y + r * 0.74), *arc(left + bend, top + bend, bend, 180, 270), (x + r * 0.3, top)], r * 0.34)
    hole.polygon([(x + r * 0.2, top - r * 0.58), (x + r * 0.96, top), (x + r * 0.2, top + r * 0.58)])


def turn_arrow(hole: Stencil, x: float, y: float, r: float) -> None:
    """Rerolled: a circular arrow."""
    hole.pen(arc(x, y, r * 0.74, 25, 290), r * 0.27)
    hole.polygon(transform_points(arc(0, 0, r * 0.6, 0, 240, 2), *arc(x, y, r * 0.74, 308, 308, 1)[0], turn=44))


def division(hole: Stencil, x: float, y: float, r: float) -> None:
    """Calculate: a division."""
    hole.pen([(x - r * 0.66, y), (x + r * 0.66, y)], r * 0.32).disc(x, y - r * 0.64, r * 0.25)
    hole.disc(x, y + r * 0.64, r * 0.25)


def spiral(hole: Stencil, x: float, y: float, r: float) -> None:
    """Force: an outward spiral."""
    turns = [math.radians(degrees) for degrees in range(0, 620, 10)]
    reach = r * 0.86 / turns[-1]
    hole.pen([(x + reach * turn * math.cos(turn), y + reach * turn * math.sin(turn)) for turn in turns], r * 0.28)


def playing_card(hole: Stencil, x: float, y: float, r: float) -> None:
    """Card: a slightly tilted playing card."""
    hole.polygon(transform_points(ease_corners(box(0, 0, r * 0.64, r * 0.9), r * 0.25), x, y, turn=14))
    hole.polygon([(x, y - r * 0.44), (x + r * 0.32, y), (x, y + r * 0.44), (x - r * 0.32, y)], shut=True)


def dot(hole: Stencil, x: float, y: float, r: float) -> None:
    """Draw the mark of any other cause."""
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
    hole.polygon([(x - r * 0.92, y - r * 0.62), (x + r * 0.92, y - r * 0.62), (x, y + r * 0.92)])


def chevron(hole: Stencil, x: float, y: float, r: float, up: int = 1) -> None:
    """Two chevrons that point upward, or downward for -1."""
    for high in (0.62, -0.1):
        tip, ends = y - up * r * (high + 0.2), y - up * r * (high - 0.42)
        hole.pen([(x - r * 0.72, ends), (x, tip), (x + r * 0.72, ends)], r * 0.28)


def ringed_triangle(hole: Stencil, x: float, y: float, r: float) -> None:
    hole.disc(x, y, r).disc(x, y, r * 0.81, shut=True)
    triangle(hole, x, y, r * 0.56)


def cross(hole: Stencil, x: float, y: float, r: float) -> None:
    for up in (1, -1):
        hole.pen([(x - r * 0.6, y - up * r * 0.6), (x + r * 0.6, y + up * r * 0.6)], r * 0.3)


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
    "cross": cross,
}
"""Marks of dice of games, by name in ``systems.toml``."""


def combine_marks(shapes: Sequence[str]) -> Glyph:
    """Return one mark, or two side by side."""

    def draw(hole: Stencil, x: float, y: float, r: float) -> None:
        if len(shapes) == 1:
            SHAPES[shapes[0]](hole, x, y, r * 0.86)
        for at, shape in enumerate(shapes if len(shapes) > 1 else ()):
            SHAPES[shape](hole, x + r * 0.98 * (at - (len(shapes) - 1) / 2), y, r * 0.46)

    return draw


def check_mark(hole: Stencil, x: float, y: float, r: float) -> None:
    """Spent: a check mark."""
    hole.pen([(x - r * 0.8, y), (x - r * 0.2, y + r * 0.6), (x + r * 0.8, y - r * 0.6)], r * 0.34)


BADGES: Final[Mapping[str, Glyph]] = {
    "spent": check_mark,
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

    def draw(hole: Stencil, x: float, y: float, r: float) -> None:
        for across, down in PIPS[face]:
            hole.disc(x + across * r * 0.68, y + down * r * 0.68, r * 0.25)

    return draw


MAX_TEXT: Final = 8


def text_glyph(text: str) -> Glyph:
    """Return a number, large, or a short word; a longer one ends in an ellipsis. Totals below 100 have one size."""
    text = " ".join(text.split())
    short = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"

    def draw(hole: Stencil, x: float, y: float, r: float) -> None:
        hole.text(short, x, y, r * 1.9, r * 2.25, least="= 00" if short.startswith("= ") else "")

    return draw


def crosshair(hole: Stencil, x: float, y: float, r: float) -> None:
    """Lock: a ring with four ticks and a dot."""
    hole.disc(x, y, r * 0.82).disc(x, y, r * 0.58, shut=True)
    for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        start, end = 0.44, 1.06
        hole.pen([(x + across * r * start, y + down * r * start), (x + across * r * end, y + down * r * end)], r * 0.2)
    hole.disc(x, y, r * 0.16)


def lightning(hole: Stencil, x: float, y: float, r: float) -> None:
    """Charge: a bolt."""
    corners: list[Point] = [(0.25, -1), (-0.62, 0.18), (-0.06, 0.18), (-0.25, 1), (0.62, -0.18), (0.06, -0.18)]
    hole.polygon([(x + across * r, y + down * r) for across, down in corners])


def draw_damage_card(hole: Stencil, x: float, y: float, r: float) -> None:
    """A faceup damage card: a card with a star in it."""
    hole.polygon(box(x, y, r * 0.62, r * 0.86))
    spikes = [(r * (0.52 if step % 2 == 0 else 0.2), 360 / 16 * step) for step in range(16)]
    hole.polygon([arc(x, y, reach, turn, turn, 1)[0] for reach, turn in spikes], shut=True)


def draw_two_sides(hole: Stencil, x: float, y: float, r: float) -> None:
    """A two-sided card, half dark."""
    hole.polygon(box(x, y - r * 0.43, r * 0.62, r * 0.43)).polygon(box(x, y + r * 0.5, r * 0.62, r * 0.36))
    hole.polygon(box(x, y + r * 0.5, r * 0.46, r * 0.2), shut=True)


SIGNS: Final[Mapping[str, Glyph]] = {
    "focus": eye,
    "evade": bent_arrow,
    "calculate": division,
    "force": spiral,
    "lock": crosshair,
    "charge": lightning,
    "faceup damage": draw_damage_card,
    "side up": draw_two_sides,
}
"""Tokens with a well-known sign; others have their name."""


# Marks

GAP: Final = 3.0
CHIP: Final = 15.5
"""Radius of a badge, half the side of a ghost."""
CORNER: Final = CHIP + 3.5
"""Distance of a chip's center from the sides of its cell: clear of the next die's chips."""
FAR: Final = CELL - CORNER


def dashed_edge(sheet: Sheet, body: Body, ink: Ink, scale: float) -> None:
    """Added: the edge stands apart from the body, in dashes."""
    hole = sheet.stencil()
    steps = even_points(body.outline(-2.5, scale=scale), 120)
    for start in range(0, len(steps), 6):
        hole.line(steps[start : start + 4], 5)
    sheet.ink(ink, hole)


def ring(sheet: Sheet, body: Body, outer: float, inner: float, scale: float) -> Stencil:
    hole = sheet.stencil().polygon(body.outline(outer, scale=scale))
    return hole.polygon(body.outline(inner, scale=scale), shut=True)


def frame(sheet: Sheet, body: Body) -> None:
    """The one that decided: four brackets around it."""
    hole = ring(sheet, body, 8.6, 3.4, 1.0)
    hole.polygon(box(MIDDLE, MIDDLE, 20, MIDDLE), shut=True).polygon(box(MIDDLE, MIDDLE, MIDDLE, 20), shut=True)
    sheet.ink(body.ink, hole)


def stroke(sheet: Sheet, ink: Ink) -> None:
    """Canceled: a diagonal stroke through the die."""
    near, far = 10.0, CELL - 10.0
    sheet.cut(sheet.stencil().pen([(near, near), (far, far)], 5.5 + 2 * GAP))
    sheet.ink(ink, sheet.stencil().pen([(near, near), (far, far)], 5.5))


def link(sheet: Sheet, body: Body, x: float) -> None:
    """Draw a chain link across two cells, of which this cell has half."""
    long, high, thick = 19.0, 10.5, 5.0
    sheet.cut(sheet.stencil().polygon(ease_corners(box(x, MIDDLE, long + GAP, high + GAP), high + GAP)))
    hole = sheet.stencil().polygon(ease_corners(box(x, MIDDLE, long, high), high))
    sheet.ink(body.ink, hole.polygon(ease_corners(box(x, MIDDLE, long - thick, high - thick), high - thick), shut=True))


def badge(sheet: Sheet, ground: Ink, ink: Ink, by: str) -> None:
    """Draw a changed die's badge: a disc with the cause's sign."""
    disc(sheet, ground, ink, BADGES.get(by, dot), FAR, CORNER)


def draw_reroll(sheet: Sheet, body: Body, ground: Ink, ink: Ink, old: Glyph | None, is_legible: bool) -> None:
    """Draw a reroll's turn arrow, and the old face as a small die with inverted inks, if it is legible there."""
    disc(sheet, ground, ink, turn_arrow, CORNER, CORNER)
    if not is_legible:
        return
    small = CHIP / HALF
    sheet.cut(sheet.stencil().polygon(body.outline(GAP, CORNER, FAR, small)))
    sheet.ink(ink, sheet.stencil().polygon(body.outline(0, CORNER, FAR, small)))
    hole = sheet.stencil()
    if old:
        old(hole, CORNER, FAR, 12.0)
    else:
        hole.polygon(body.outline(-4, CORNER, FAR, small)).polygon(body.outline(-6, CORNER, FAR, small), shut=True)
    sheet.ink(ground, hole)


def disc(sheet: Sheet, ground: Ink, ink: Ink, sign: Glyph, x: float, y: float) -> None:
    sheet.cut(sheet.stencil().disc(x, y, CHIP + GAP))
    sheet.ink(ground, sheet.stencil().disc(x, y, CHIP))
    hole = sheet.stencil()
    sign(hole, x, y, 11.5)
    sheet.ink(ink, hole)

"""What happened to a die, as marks at its edge and in its corners; each keeps a gap to what lies under it.

The corners are shared out: top right what changed it, top left that it was rerolled, bottom left the face before that.
"""

from typing import Final

from bot.render.art.bodies import HALF, MIDDLE, Body
from bot.render.art.glyphs import BADGES, Glyph, dot, turn_arrow
from bot.render.art.palette import GOLD, Ink
from bot.render.art.path import box, eased, evenly
from bot.render.art.sheet import CELL, Sheet, Stencil

GAP: Final = 3.0
CHIP: Final = 15.5
"""Radius of a badge, half the side of a ghost."""
CORNER: Final = CHIP + 3.5
"""How far from the sides of the cell the middle of a chip lies: clear of the next die's chips."""
FAR: Final = CELL - CORNER


def dashed_edge(sheet: Sheet, body: Body, ink: Ink, scale: float) -> None:
    """Added: the edge stands apart from the body, in dashes."""
    hole = sheet.stencil()
    steps = evenly(body.outline(-2.5, scale=scale), 120)
    for start in range(0, len(steps), 6):
        hole.line(steps[start : start + 4], 5)
    sheet.ink(ink, hole)


def gold_ring(sheet: Sheet, body: Body, scale: float) -> None:
    """Critical: a gold ring around the body."""
    sheet.ink(GOLD, ring(sheet, body, 8.0, 3.2, scale))


def ring(sheet: Sheet, body: Body, outer: float, inner: float, scale: float) -> Stencil:
    hole = sheet.stencil().polygon(body.outline(outer, scale=scale))
    return hole.polygon(body.outline(inner, scale=scale), shut=True)


def frame(sheet: Sheet, body: Body) -> None:
    """The one that decided: four brackets around it."""
    hole = ring(sheet, body, 8.6, 3.4, 1.0)
    hole.polygon(box(MIDDLE, MIDDLE, 20, MIDDLE), shut=True).polygon(box(MIDDLE, MIDDLE, MIDDLE, 20), shut=True)
    sheet.ink(body.ink, hole)


def stroke(sheet: Sheet, ink: Ink) -> None:
    """Cancelled: a diagonal stroke through the die."""
    near, far = 10.0, CELL - 10.0
    sheet.cut(sheet.stencil().pen([(near, near), (far, far)], 5.5 + 2 * GAP))
    sheet.ink(ink, sheet.stencil().pen([(near, near), (far, far)], 5.5))


def link(sheet: Sheet, body: Body, x: float) -> None:
    """A chain: one link across the border of two cells, of which this cell shows its half."""
    long, high, thick = 19.0, 10.5, 5.0
    sheet.cut(sheet.stencil().polygon(eased(box(x, MIDDLE, long + GAP, high + GAP), high + GAP)))
    hole = sheet.stencil().polygon(eased(box(x, MIDDLE, long, high), high))
    sheet.ink(body.ink, hole.polygon(eased(box(x, MIDDLE, long - thick, high - thick), high - thick), shut=True))


def badge(sheet: Sheet, ground: Ink, ink: Ink, by: str) -> None:
    """Changed: a disc with the sign of what changed it."""
    disc(sheet, ground, ink, BADGES.get(by, dot), FAR, CORNER)


def rerolled(sheet: Sheet, body: Body, ground: Ink, ink: Ink, old: Glyph | None) -> None:
    """Rerolled: the turn-arrow, and the old face as a chip of the die's own shape, in the inks the other way round."""
    disc(sheet, ground, ink, turn_arrow, CORNER, CORNER)
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

"""Maneuvers as on dials: an arrow in its color, the speed in large type, and the same as text, so color is never alone.
The arrows are our own drawings.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import Final

from PIL import Image, ImageDraw

from bot.render.art import letters
from bot.render.art.palette import BRIGHT, GRAY, MUTED, TEXT, Ink
from bot.render.art.sheet import Point, arc, curve_points
from bot.render.card import Dial, Dials
from bot.render.figures import roster
from bot.render.figures.panel import PAD, Panel, Shape, smooth
from bot.render.figures.roster import COLUMN, ROOM

ARROW: Final = 160
LARGE: Final = 300
"""An arrow among several, and one alone."""
NAME_SIZES: Final = (40, 36, 32)
WORD_SIZES: Final = (36, 33)
SMALL: Final = 33
LEAD: Final = 12
INKS: Final[Mapping[str, Ink]] = {**BRIGHT, "white": TEXT, "purple": BRIGHT["violet"]}
THICK, HEAD = 13.0, 21.0
"""A line's thickness and its arrowhead's size, in hundredths of the picture."""


PATHS: Final[Mapping[str, Sequence[Point]]] = {
    "F": [(50, 96), (50, 26)],
    "B": curve_points((64, 96), (64, 52), (38, 28)),
    "T": curve_points((74, 96), (74, 42), (32, 42)),
    "K": [(32, 96), *arc(50, 42, 18, 180, 360), (68, 66)],
    "L": [*curve_points((76, 96), (76, 58), (56, 38)), *arc(42, 42, 15, -20, -180), (27, 66)],
    "E": [*curve_points((78, 96), (78, 30), (46, 30)), *curve_points((46, 30), (26, 30), (26, 62))],
    "A": curve_points((64, 4), (64, 48), (38, 72)),
    "S": [(50, 4), (50, 74)],
}
"""Center lines of arrows to the left and straight ahead, in hundredths; those to the right are mirrored."""
MIRRORED: Final = {"N": "B", "Y": "T", "P": "L", "R": "E", "D": "A"}


def draw_figure(figure: Dials) -> Image.Image:
    """The picture in palette indices."""
    if len(figure.dials) == 1:
        above = figure.ships is not None  # a phone shows a high picture small
        return roster.stack_images(face(figure.dials[0], ROOM, ARROW if above else LARGE, above), figure.ships)
    faces = [face(dial, COLUMN, ARROW) for dial in figure.dials]
    return roster.stack_images(roster.join_columns([roster.stack(faces[at::2]) for at in range(2)]), figure.ships)


@lru_cache(maxsize=128)
def face(dial: Dial, wide: int, high: int, is_lying: bool = False) -> Image.Image:
    """Return one dial: its ship, speed and arrow, and text below. Cached: don't draw on it. ``is_lying``: all text is
    to the right of the arrow.
    """
    room = (wide // 2 if is_lying else wide) - 2 * PAD
    size, names = letters.lines(dial.name, NAME_SIZES, room)
    word_size, words = letters.lines(dial.said, WORD_SIZES, room)
    _, below = letters.lines(dial.below, (SMALL,), room) if dial.below else (SMALL, ())
    said = len(names) * (size + LEAD) + len(words) * (word_size + LEAD) + len(below) * (SMALL + LEAD)
    panel = Panel(wide, (max(said, high) if is_lying else said + high) + 2 * PAD)
    roster.frame(panel, dial.is_now)
    middle, first = (wide * 3 // 4, PAD + max(0, high - said) // 2) if is_lying else (wide // 2, PAD)
    under = panel.lines(names, middle, first, size, TEXT, apart=LEAD)
    center, top = (wide // 4, PAD) if is_lying else (middle, under)
    if dial.arrow:
        ink = INKS.get(dial.tone, GRAY)
        panel.text(str(dial.speed), center - high // 3, top + high // 2, high * 2 // 3, ink)
        panel.stamp(arrow(dial.arrow, high * 4 // 5), center, top + high // 10, ink)
    else:
        panel.text("?", center, top + high // 2, high // 2, MUTED)
    under = panel.lines(words, middle, under if is_lying else top + high, word_size, TEXT, apart=LEAD)
    panel.lines(below, middle, under, SMALL, MUTED, apart=LEAD)
    return panel.image


@lru_cache(maxsize=64)
def arrow(bearing: str, side: int) -> Shape:
    """Return a bearing's arrow, by letter; a square for no movement."""
    base, is_mirrored = MIRRORED.get(bearing, bearing), bearing in MIRRORED

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        near, far, unit = side * times / 4, side * times * 3 / 4, side * times / 100
        if bearing == "O":
            large.rounded_rectangle((near, near, far, far), side * times * 0.06, fill=255)
            return
        line = [((100 - x if is_mirrored else x) * unit, y * unit) for x, y in PATHS[base]]
        large.line(line, fill=255, width=round(THICK * unit), joint="curve")
        (x0, y0), (x1, y1) = line[-2], line[-1]
        long = hypot(x1 - x0, y1 - y0) or 1.0
        ahead, across = ((x1 - x0) / long, (y1 - y0) / long), ((y0 - y1) / long, (x1 - x0) / long)
        head = HEAD * unit
        tip = (x1 + ahead[0] * head, y1 + ahead[1] * head)
        sides = [(x1 + turn * across[0] * head, y1 + turn * across[1] * head) for turn in (1, -1)]
        large.polygon([tip, *sides], fill=255)

    return smooth(side, side, draw)

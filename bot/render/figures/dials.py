"""Manoeuvres as they stand on dials: an arrow in its colour, the speed in a large figure, and the same in words.

Colour never says anything alone: the words below have it too. The arrows are our own drawings.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import Final

from PIL import Image, ImageDraw

from bot.render.art.palette import (
    BRIGHT_BLUE,
    BRIGHT_RED,
    BRIGHT_VIOLET,
    GOLD,
    GREY,
    MUTED,
    RULE,
    TEXT,
    TRAY,
    Ink,
    solid,
)
from bot.render.art.path import Point, arc, mix
from bot.render.card import Dial, Dials
from bot.render.figures import letters, roster
from bot.render.figures.panel import PAD, WIDTH, Panel, Shape, smooth
from bot.render.figures.roster import COLUMN, GAP, ROOM

ARROW: Final = 190
LARGE: Final = 300
"""An arrow among several, and one alone."""
NAME_SIZES: Final = (40, 36, 32)
WORD_SIZES: Final = (36, 32, 28)
SMALL: Final = 28
LEAD: Final = 12
INKS: Final[Mapping[str, Ink]] = {"blue": BRIGHT_BLUE, "white": TEXT, "red": BRIGHT_RED, "purple": BRIGHT_VIOLET}
THICK, HEAD = 13.0, 21.0
"""Of a line and of its arrow head, in hundredths of the picture."""


def bent(start: Point, over: Point, end: Point, steps: int = 20) -> list[Point]:
    """Points of a curve from one point to another, drawn towards a third one."""
    return [
        mix(mix(start, over, share), mix(over, end, share), share) for share in (at / steps for at in range(steps + 1))
    ]


PATHS: Final[Mapping[str, Sequence[Point]]] = {
    "F": [(50, 96), (50, 26)],
    "B": bent((64, 96), (64, 52), (38, 28)),
    "T": bent((74, 96), (74, 42), (32, 42)),
    "K": [(32, 96), *arc(50, 42, 18, 180, 360), (68, 66)],
    "L": [*bent((76, 96), (76, 58), (56, 38)), *arc(42, 42, 15, -20, -180), (27, 66)],
    "E": [*bent((78, 96), (78, 30), (46, 30)), *bent((46, 30), (26, 30), (26, 62))],
    "A": bent((64, 4), (64, 48), (38, 72)),
    "S": [(50, 4), (50, 74)],
}
"""The middle lines of arrows to the left and straight ahead, in hundredths; those to the right are their mirror."""
MIRRORED: Final = {"N": "B", "Y": "T", "P": "L", "R": "E", "D": "A"}


def drawn(figure: Dials) -> Image.Image:
    """The picture in palette indices."""
    if len(figure.dials) == 1:
        parts = [face(figure.dials[0], ROOM, LARGE)]
        above = roster.stacked(parts)
    else:
        faces = [face(one, COLUMN, ARROW) for one in figure.dials]
        above = roster.beside([roster.stacked(faces[0::2]), roster.stacked(faces[1::2])])
    below = roster.drawn(figure.ships) if figure.ships is not None else None
    more = GAP + below.height if below is not None else 0
    canvas = Image.new("L", (WIDTH, above.height + more), solid(TRAY))
    canvas.paste(above, (PAD, 0))
    if below is not None:
        canvas.paste(below, (0, above.height + GAP))
    return canvas


@lru_cache(maxsize=128)
def face(dial: Dial, wide: int, high: int) -> Image.Image:
    """One dial: whose it is, speed and arrow beside each other, the words below. Nobody may draw on it again."""
    room = wide - 2 * PAD
    size, names = letters.lines(dial.name, NAME_SIZES, room)
    word_size, words = letters.lines(dial.said, WORD_SIZES, room)
    _, below = letters.lines(dial.below, (SMALL,), room) if dial.below else (SMALL, ())
    tall = len(names) * (size + LEAD) + high + len(words) * (word_size + LEAD) + len(below) * (SMALL + LEAD)
    panel = Panel(wide, tall + 2 * PAD)
    panel.stamp(roster.frame(panel.width, panel.height, dial.is_now), 0, 0, GOLD if dial.is_now else RULE)
    top = PAD
    for line in names:
        panel.text(line, wide // 2, top + size // 2, size, TEXT)
        top += size + LEAD
    if dial.arrow:
        ink = INKS.get(dial.tone, GREY)
        panel.text(str(dial.speed), wide // 2 - high // 3, top + high // 2, high * 2 // 3, ink)
        panel.stamp(arrow(dial.arrow, high * 4 // 5), wide // 2, top + high // 10, ink)
    else:
        panel.text("?", wide // 2, top + high // 2, high // 2, MUTED)
    top += high
    for lines, each, ink in ((words, word_size, TEXT), (below, SMALL, MUTED)):
        for line in lines:
            panel.text(line, wide // 2, top + each // 2, each, ink)
            top += each + LEAD
    return panel.image


@lru_cache(maxsize=64)
def arrow(bearing: str, side: int) -> Shape:
    """The arrow of a bearing, by its letter; a square for no movement."""
    if bearing == "O":
        return smooth(side, side, lambda large, times: square(large, side * times))
    base, is_mirrored = MIRRORED.get(bearing, bearing), bearing in MIRRORED
    points = [((100 - x if is_mirrored else x), y) for x, y in PATHS[base]]

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        unit = side * times / 100
        line = [(x * unit, y * unit) for x, y in points]
        large.line(line, fill=255, width=round(THICK * unit), joint="curve")
        (x0, y0), (x1, y1) = line[-2], line[-1]
        long = hypot(x1 - x0, y1 - y0) or 1.0
        ahead, across = ((x1 - x0) / long, (y1 - y0) / long), ((y0 - y1) / long, (x1 - x0) / long)
        head = HEAD * unit
        tip = (x1 + ahead[0] * head, y1 + ahead[1] * head)
        sides = [(x1 + turn * across[0] * head, y1 + turn * across[1] * head) for turn in (1, -1)]
        large.polygon([tip, *sides], fill=255)

    return smooth(side, side, draw)


def square(large: ImageDraw.ImageDraw, side: int) -> None:
    large.rounded_rectangle((side * 0.25, side * 0.25, side * 0.75, side * 0.75), side * 0.06, fill=255)

"""The part of the tray for a figure, in palette indices. Boxes lie on whole pixels without smoothing; shapes are drawn
larger, reduced once, and cached as shares of ink.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageChops, ImageDraw

from bot.languages.translate import translate
from bot.render.art import letters
from bot.render.art.palette import CORNER, INDEX, TEXT, TOUCHED, TRAY, Ink, ramp
from bot.render.art.sheet import OVERSAMPLE
from bot.rules.text import Code, Shown

WIDTH: Final = 1000
"""Pixels of every picture. A phone shows it 330 CSS pixels wide at three pixels each, so it is sharp."""
PAD: Final = 20
"""Distance from the tray's edge to its contents."""
ROUND: Final = 20
"""Radius of the tray's corners."""
MARGIN: Final = 28
TILE_ROUND: Final = 6
EDGE: Final = 3
"""Thickness of the outline of anything that isn't solid."""

Align = Literal["left", "middle", "right"]
AHEAD: Final = {"left": 0.0, "middle": 0.5, "right": 1.0}
Draw = Callable[[ImageDraw.ImageDraw, int], object]
"""Draws with 255 on 0; the second argument is the scale."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A shape as shares of ink, 0 to 255, in an ``L`` image; cached by its drawer, compared by identity."""

    shares: Image.Image

    @property
    def width(self) -> int:
        return self.shares.width

    @property
    def height(self) -> int:
        return self.shares.height


class Panel:
    """``width`` x ``height`` pixels of the tray; ``image`` (``L``) has indices into ``palette.COLORS``."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.image = Image.new("L", (width, height), INDEX[TRAY])

    def box(self, left: int, top: int, right: int, bottom: int, ink: Ink) -> None:
        """Fill a box, excluding ``right`` and ``bottom``."""
        if left < right and top < bottom:
            self.image.paste(INDEX[ink], (left, top, right, bottom))

    def stamp(self, shape: Shape, x: int, y: int, ink: Ink) -> None:
        """Draw a shape with its top left corner at (x, y)."""
        picture, touched = ink_shape(shape, ink)
        self.image.paste(picture, (x, y), touched)

    def text(
        self, text: str, x: int, y: int, size: int, ink: Ink, align: Align = "middle", *, ground: Ink = TRAY
    ) -> None:
        """Draw one line of text, vertically centered on its digits at ``y``; its ground covers what was there."""
        left = x - round(letters.width(text, size) * AHEAD[align])
        shape, covered = letters.word(text, size, ink, ground)
        self.image.paste(shape, (left - letters.PAD, y - letters.reach_above_middle(size)), covered)

    def lines(
        self, lines: Sequence[str], x: int, top: int, size: int, ink: Ink, align: Align = "middle", *, apart: int
    ) -> int:
        """Draw lines of text; return the next one's top."""
        for line in lines:
            self.text(line, x, top + size // 2, size, ink, align)
            top += size + apart
        return top


def smooth(width: int, height: int, draw: Draw) -> Shape:
    large = Image.new("L", (width * OVERSAMPLE, height * OVERSAMPLE))
    draw(ImageDraw.Draw(large), OVERSAMPLE)
    return Shape(large.reduce(OVERSAMPLE))


@lru_cache(maxsize=256)
def ink_shape(shape: Shape, ink: Ink) -> tuple[Image.Image, Image.Image]:
    """Return a shape on the tray in palette indices, with its ink mask."""
    return shape.shares.point(ramp(ink)), shape.shares.point(TOUCHED)


@lru_cache(maxsize=128)
def box(width: int, height: int, corner: int, edge: int = 0) -> Shape:
    """Return a box with round corners; with ``edge`` only its outline, in pixels."""

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        whole, ink = (0, 0, width * times - 1, height * times - 1), 255 if edge else None
        large.rounded_rectangle(whole, corner * times, None if edge else 255, ink, edge * times)

    return smooth(width, height, draw)


def tile(width: int, height: int) -> Shape:
    return box(width, height, min(TILE_ROUND, width // 2))


def draw_stripes(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    for y in range(0, height + width, 12 * OVERSAMPLE):
        draw.line([(-1, y), (width, y - width - 1)], fill=0, width=4 * OVERSAMPLE)


@lru_cache(maxsize=64)
def striped_tile(width: int, height: int) -> Shape:
    """Return a box with eased corners and stripes."""

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        shape, corner = (0, 0, width * times - 1, height * times - 1), min(TILE_ROUND, width // 2) * times
        large.rectangle(shape, fill=255)
        draw_stripes(large, width * times, height * times)
        large.rounded_rectangle(shape, corner, outline=255, width=min(EDGE, width) * times)

    return Shape(ImageChops.multiply(smooth(width, height, draw).shares, tile(width, height).shares))


@lru_cache(maxsize=1)
def corners() -> tuple[Image.Image, ...]:
    """The tray's corners, clockwise from the top left."""
    disc = smooth(
        ROUND * 2, ROUND * 2, lambda draw, times: draw.ellipse((0, 0, *[ROUND * 2 * times - 1] * 2), fill=255)
    )
    quarter = disc.shares.crop((0, 0, ROUND, ROUND)).point(CORNER)
    turns = (Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.ROTATE_180, Image.Transpose.FLIP_TOP_BOTTOM)
    return (quarter, *(quarter.transpose(turn) for turn in turns))


# A legend: the figure's symbols with their words, in as many rows as needed

SIGN: Final = 34
"""Maximum height of a legend's symbols and words."""
LEGEND_ROW: Final = 54
NEAR, APART = 12, 28
"""Pixels between a sign and its words, and between two entries."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A symbol, its ink, and its words."""

    sign: Shape
    ink: Ink
    text: Shown

    @property
    def width(self) -> int:
        return self.sign.width + NEAR + letters.width(translate(self.text), SIGN)


class Legend:
    """Entries in rows of at most ``room`` pixels, a group in one row if it fits; longer words are cut."""

    def __init__(self, groups: Iterable[Iterable[LegendEntry]], room: int) -> None:
        self.rows: list[list[LegendEntry]] = []
        left = 0
        for group in map(list, groups):
            whole = sum(entry.width + APART for entry in group) - APART
            if whole > left:
                left = 0
            for entry in group:
                text = letters.fit_text(translate(entry.text), SIGN, room - entry.sign.width - NEAR)
                cut = replace(entry, text=Code(text))
                if cut.width > left:
                    self.rows.append([])
                    left = room
                self.rows[-1].append(cut)
                left -= cut.width + APART

    @property
    def height(self) -> int:
        return len(self.rows) * LEGEND_ROW

    def draw(self, panel: Panel, left: int, top: int) -> None:
        for row in self.rows:
            x, middle = left, top + LEGEND_ROW // 2
            for entry in row:
                panel.stamp(entry.sign, x, middle - entry.sign.height // 2, entry.ink)
                panel.text(translate(entry.text), x + entry.sign.width + NEAR, middle, SIGN, TEXT, "left")
                x += entry.width + APART
            top += LEGEND_ROW

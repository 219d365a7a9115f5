"""How series are told apart: by ink, by the pattern of their bars, and by the shape of their marks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.render.art.palette import SERIES, Ink, pale, ramp
from bot.render.art.path import arc, moved
from bot.render.art.sheet import CELL, OVERSAMPLE, Stencil
from bot.render.figures.panel import TILE_ROUND, Shape, smooth, tile

Pattern = Callable[[ImageDraw.ImageDraw, int, int], object]
"""Takes ink away again (0 on 255) within the outline of a bar; sizes in pixels of the large drawing."""
TOP: Final = 6
"""Radius of a bar's upper corners."""
EDGE: Final = 3
"""Of the outline of what is not solid."""
MARK: Final = 30
"""Width and height of the mark of a mean."""


def solid(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """All ink."""


def striped(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """Stripes that rise to the right."""
    for y in range(0, height + width, 12 * OVERSAMPLE):
        draw.line([(-1, y), (width, y - width - 1)], fill=0, width=4 * OVERSAMPLE)


def hollow(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """Nothing but the outline."""
    draw.rectangle((0, 0, width, height), fill=0)


def barred(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """Level stripes."""
    for y in range(8 * OVERSAMPLE, height, 12 * OVERSAMPLE):
        draw.rectangle((0, y, width, y + 4 * OVERSAMPLE - 1), fill=0)


@dataclass(frozen=True, slots=True)
class Style:
    """The mark has so many ``corners`` so far out (as a share of its size), the first ``turn`` degrees from the right.

    ``dash`` is the length of a line's dashes in pixels, 0 for none.
    """

    ink: Ink
    pattern: Pattern
    corners: int
    reach: float
    turn: float
    dash: int

    @property
    def pale(self) -> Ink:
        """For lines, which must stand out from bars of the same series."""
        return pale(self.ink)


STYLES: Final = (
    Style(SERIES[0], solid, 3, 0.55, 90, 0),
    Style(SERIES[1], striped, 4, 0.5, 0, 10),
    Style(SERIES[2], hollow, 24, 0.45, 0, 4),
    Style(SERIES[3], barred, 4, 0.6, 45, 18),
)


def style(series: int) -> Style:
    """Of the first, second, ... series; a fifth looks like the first again."""
    return STYLES[series % len(STYLES)]


@lru_cache(maxsize=64)
def column(width: int, height: int, series: int) -> Image.Image:
    """The same in palette indices; a lower bar is its upper part."""
    return bar_shape(width, height, series).shares.point(ramp(style(series).ink))


@lru_cache(maxsize=64)
def bar_shape(width: int, height: int, series: int) -> Shape:
    """A bar as high as can be."""

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        across, down, corner = width * times, height * times, min(TOP, width // 2) * times
        shape = (0, 0, across - 1, down + corner)
        large.rounded_rectangle(shape, corner, fill=255)
        style(series).pattern(large, across, down)
        large.rounded_rectangle(shape, corner, outline=255, width=min(EDGE, width // 3) * times)

    return smooth(width, height, draw)


@lru_cache(maxsize=64)
def striped_tile(width: int, height: int) -> Shape:
    """A box with eased corners and stripes."""

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        shape, corner = (0, 0, width * times - 1, height * times - 1), min(TILE_ROUND, width // 2) * times
        large.rectangle(shape, fill=255)
        striped(large, width * times, height * times)
        large.rounded_rectangle(shape, corner, outline=255, width=min(EDGE, width) * times)

    return Shape(ImageChops.multiply(smooth(width, height, draw).shares, tile(width, height).shares))


@lru_cache(maxsize=len(STYLES))
def mark(series: int) -> Shape:
    """What marks a series' mean, ``MARK`` wide and high."""
    look, hole = style(series), Stencil(MARK)
    hole.polygon(moved(arc(0, 0, CELL * look.reach, 0, 360, look.corners), CELL / 2, CELL / 2, turn=look.turn))
    return Shape(hole.image.reduce(OVERSAMPLE))

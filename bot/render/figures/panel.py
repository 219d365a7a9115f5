"""The panel on which a figure is drawn, in palette indices.

Boxes lie on whole pixels and need no smoothing; shapes are drawn larger, reduced once, and kept as shares of ink.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageDraw

from bot.render.art.palette import Ink
from bot.render.art.sheet import OVERSAMPLE
from bot.render.figures import letters
from bot.render.figures.inks import CORNER, PANEL, TOUCHED, ramp, solid

ROUND: Final = 20
"""Radius of the panel's corners."""
MARGIN: Final = 24
TILE_ROUND: Final = 6

Align = Literal["left", "middle", "right"]
AHEAD: Final = {"left": 0.0, "middle": 0.5, "right": 1.0}
Draw = Callable[[ImageDraw.ImageDraw, int], object]
"""Draws with 255 on 0; its second argument says how many times larger everything is."""


class Panel:
    """``width`` x ``height`` pixels, rounded; ``image`` is ``L`` and holds indices into ``inks.COLOURS``."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.image = Image.new("L", (width, height), solid(PANEL))
        right, bottom = width - ROUND, height - ROUND
        for at, corner in zip(((0, 0), (right, 0), (right, bottom), (0, bottom)), corners(), strict=True):
            self.image.paste(corner, at)

    @classmethod
    def over(cls, image: Image.Image) -> "Panel":
        """A panel that was drawn before, to be drawn on again; the picture itself is left as it is."""
        panel = cls.__new__(cls)
        panel.width, panel.height = image.size
        panel.image = image.copy()
        return panel

    def box(self, left: int, top: int, right: int, bottom: int, ink: Ink) -> None:
        """Filled up to but without ``right`` and ``bottom``."""
        if left < right and top < bottom:
            self.image.paste(solid(ink), (left, top, right, bottom))

    def stamp(self, mask: Image.Image, x: int, y: int, ink: Ink, ground: Ink = PANEL) -> None:
        """A shape with its top left corner on (x, y)."""
        self.image.paste(mask.point(ramp(ink, ground)), (x, y), mask.point(TOUCHED))

    def text(
        self,
        text: str,
        x: int,
        y: int,
        size: int,
        ink: Ink,
        align: Align = "middle",
        *,
        ground: Ink = PANEL,
        bare: bool = False,
    ) -> None:
        """One line of text, its digits halfway up at ``y``; with ``bare`` on ground from which all else is taken."""
        width = letters.width(text, size)
        x -= round(width * AHEAD[align])
        if bare:
            self.box(x, y - size // 2, x + width, y + size // 2, ground)
        top = y + letters.rise(size) // 2 - size * 3 // 2
        for letter in letters.plain(text):
            picture, touched = letters.inked(letter, size, ink, ground)
            self.image.paste(picture, (x - size // 2, top), touched)
            x += letters.advance(letter, size)


def smooth(width: int, height: int, draw: Draw) -> Image.Image:
    """A shape as shares of ink, ``L``."""
    large = Image.new("L", (width * OVERSAMPLE, height * OVERSAMPLE))
    draw(ImageDraw.Draw(large), OVERSAMPLE)
    return large.reduce(OVERSAMPLE)


@lru_cache(maxsize=64)
def tile(width: int, height: int) -> Image.Image:
    """A box with eased corners, as shares of ink."""

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        corner = min(TILE_ROUND, width // 2) * times
        large.rounded_rectangle((0, 0, width * times - 1, height * times - 1), corner, fill=255)

    return smooth(width, height, draw)


@lru_cache(maxsize=1)
def corners() -> tuple[Image.Image, ...]:
    """The panel's corners, clockwise from the top left."""
    disc = smooth(
        ROUND * 2, ROUND * 2, lambda draw, times: draw.ellipse((0, 0, *[ROUND * 2 * times - 1] * 2), fill=255)
    )
    quarter = disc.crop((0, 0, ROUND, ROUND)).point(CORNER)
    turns = (Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.ROTATE_180, Image.Transpose.FLIP_TOP_BOTTOM)
    return (quarter, *(quarter.transpose(turn) for turn in turns))

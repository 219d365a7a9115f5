"""The label above a strip of dice on a card with several strips; transparent, for dark and light themes."""

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.art.palette import EDGES, FIRST_OPAQUE, LEVELS, OPAQUE, SLATE, TRANSPARENT
from bot.render.art.sheet import BOLD, DRAWING, font
from bot.render.figures.letters import fitting, plain

SIZE: Final = 26
"""13 CSS pixels."""
HIGH: Final = 38
INDENT: Final = 10
"""As far from the left edge as the dice."""


def index(ink: int) -> int:
    """The index in the shared palette of this much ink, 0 to 255."""
    level = round(ink * (LEVELS + 1) / 255)
    if level == 0:
        return TRANSPARENT
    return FIRST_OPAQUE + OPAQUE.index(SLATE) if level > LEVELS else EDGES.index(SLATE) * LEVELS + level


INDICES: Final = [index(ink) for ink in range(256)]


@lru_cache(maxsize=512)
def drawn(text: str, room: int) -> Image.Image | None:
    """One line in palette indices, ``HIGH`` pixels high; None if the font lacks a letter, as in other scripts."""
    if plain(text).count("?") > text.count("?"):
        return None
    line = plain(fitting(text, SIZE, room - INDENT))
    with DRAWING:
        width = INDENT + round(font(SIZE).getlength(line)) + 2
        mask = Image.new("L", (width, HIGH))
        ImageDraw.Draw(mask).text(
            (INDENT, HIGH - 10), line, fill=255, font=font(SIZE), anchor="ls", stroke_width=SIZE * BOLD / 2
        )
    return mask.point(INDICES)

"""The fonts of pictures, from their folder: each text is drawn in the first one that has its letters."""

from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Final

from PIL.ImageFont import FreeTypeFont, Layout, truetype

FOLDER: Final = Path(__file__).parents[1] / "fonts"
OWN: Final = FOLDER / "Inter.woff2"
FILES: Final = (OWN, *sorted({path for kind in ("ttf", "otf", "woff2") for path in FOLDER.glob(f"*.{kind}")} - {OWN}))
WEIGHT: Final = 550
"""Of letters in pictures, where a font has several weights: light ones are too thin on a dark ground."""
NOWHERE: Final = "\uffff"
"""What no font has, so that it is drawn as the sign for a letter that is missing."""

DRAWING: Final = RLock()
"""Fonts and palettes of Pillow are drawn with by one thread at a time; pasting needs no lock."""


def font(pixels: int, text: str = "") -> FreeTypeFont:
    """The first font that has all letters of a text, at one size; ours where none has."""
    return opened(next((path for path in FILES if all(has(path, letter) for letter in text)), OWN), pixels)


def is_known(letter: str) -> bool:
    """Whether any font has a letter."""
    return any(has(path, letter) for path in FILES)


@lru_cache(maxsize=2048)
def has(path: Path, letter: str) -> bool:
    with DRAWING:
        drawn = opened(path, 24)
        return letter.isspace() or bytes(drawn.getmask(letter)) != bytes(drawn.getmask(NOWHERE))


@lru_cache(maxsize=64)
def opened(path: Path, pixels: int) -> FreeTypeFont:
    found = truetype(path, pixels, layout_engine=Layout.BASIC)
    try:
        found.set_variation_by_axes([WEIGHT])
    except OSError:  # it has one weight
        return truetype(path, pixels, layout_engine=Layout.BASIC)
    return found

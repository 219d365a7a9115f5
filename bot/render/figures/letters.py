"""Text for figures: each letter drawn once and kept, in Pillow's own font, which has little more than ASCII."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.art.palette import TOUCHED, Ink, ramp, solid
from bot.render.art.sheet import BOLD, DRAWING, font

INSTEAD: Final[Mapping[int, str]] = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "×": "x", "→": ">", "≥": ">=", "≤": "<=", "’": "'", "“": '"', "”": '"', "ß": "ss"}
)
HAS: Final = frozenset(map(chr, range(32, 127))) | {"…", "·"}
"""The letters of the font that are not an empty box."""
PAD: Final = 1


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """The same text in the letters that the font has: without accents, a ``?`` for what it cannot show."""
    parts = unicodedata.normalize("NFKD", " ".join(text.translate(INSTEAD).split()))
    letters = (part for part in parts if not unicodedata.combining(part) and unicodedata.category(part) != "Cf")
    return "".join(letter if letter in HAS else INSTEAD.get(ord(letter), "?") for letter in letters)


@lru_cache(maxsize=2048)
def width(text: str, size: int) -> int:
    """How many pixels wide a text is."""
    return sum(advance(letter, size) for letter in plain(text))


@lru_cache(maxsize=1024)
def fitting(text: str, size: int, room: int) -> str:
    """The text, or as much of its beginning as fits ``room`` pixels, with an ellipsis."""
    if width(text, size) <= room:
        return text
    kept = len(text)
    while kept and width(text[:kept].rstrip() + "…", size) > room:
        kept -= 1
    return text[:kept].rstrip() + "…"


@lru_cache(maxsize=1024)
def lines(text: str, sizes: tuple[int, ...], room: int) -> tuple[int, tuple[str, ...]]:
    """The largest of ``sizes`` at which a text fits ``room`` pixels, or the smallest and the text in several lines.

    Only a single word that is wider than the room loses its end.
    """
    size = next((one for one in sizes if width(text, one) <= room), sizes[-1])
    found = [""]
    for word_ in text.split():
        longer = f"{found[-1]} {word_}".strip()
        if width(longer, size) <= room:
            found[-1] = longer
        else:
            found.append(fitting(word_, size, room))
    return size, tuple(line for line in found if line) or ("",)


@lru_cache(maxsize=1024)
def advance(letter: str, size: int) -> int:
    """From one letter to the next, in whole pixels, so that all digits are alike."""
    with DRAWING:
        return round(font(size).getlength(letter))


@lru_cache(maxsize=32)
def rise(size: int) -> int:
    """How high the digits stand above the line."""
    with DRAWING:
        return -round(font(size).getbbox("0", anchor="ls")[1])


@lru_cache(maxsize=1024)
def fall(text: str, size: int) -> int:
    """How far the tails of its letters reach below the line."""
    with DRAWING:
        return max(0, round(font(size).getbbox(plain(text) or " ", anchor="ls")[3])) + round(size * BOLD) + 1


@lru_cache(maxsize=1024)
def word(text: str, size: int, ink: Ink, ground: Ink) -> Image.Image:
    """A text in palette indices on its ground, from ``size`` / 2 above the middle of its digits down to its tails."""
    high = size // 2 + rise(size) // 2 + fall(text, size)
    picture = Image.new("L", (width(text, size) + 2 * PAD, high), solid(ground))
    x, top = PAD, size // 2 + rise(size) // 2 - size * 3 // 2
    for letter in plain(text):
        shape, touched = inked(letter, size, ink, ground)
        picture.paste(shape, (x - size // 2, top), touched)
        x += advance(letter, size)
    return picture


@lru_cache(maxsize=2048)
def inked(letter: str, size: int, ink: Ink, ground: Ink) -> tuple[Image.Image, Image.Image]:
    """A letter in palette indices and where ink touches it: ``size`` x 2 wide, its origin at 1/4 and 3/4."""
    mask = Image.new("L", (size * 2, size * 2))
    at = size / 2, size * 1.5
    with DRAWING:
        ImageDraw.Draw(mask).text(at, letter, fill=255, font=font(size), anchor="ls", stroke_width=size * BOLD)
    return mask.point(ramp(ink, ground)), mask.point(TOUCHED)

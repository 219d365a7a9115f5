"""Text for figures: each letter drawn once and kept, in Pillow's own font, which has little more than ASCII.

Accents are drawn onto its letters.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.art.accents import BELOW, DRAWN, LOW, accented
from bot.render.art.palette import TOUCHED, Ink, ramp, solid
from bot.render.art.path import Point
from bot.render.art.sheet import BOLD, DRAWING, OVERSAMPLE, font

INSTEAD: Final[Mapping[int, str]] = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "−": "-",
        "×": "x",
        "→": ">",
        "≥": ">=",
        "≤": "<=",
        "’": "'",
        "“": '"',
        "”": '"',
        "ß": "ss",
        "„": '"',
        "«": '"',
        "»": '"',
        "¿": "",
        "¡": "",
        "œ": "oe",
        "Œ": "OE",
        "æ": "ae",
        "Æ": "AE",
        "ł": "l\u0335",
        "Ł": "L\u0335",
    }
)
HAS: Final = frozenset(map(chr, range(32, 127))) | {"…", "·"}
"""The letters of the font that are not an empty box."""
PAD: Final = 1


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """The same text in the letters that the font has, their accents after them; a ``?`` for what it cannot show."""
    kept = ""
    for part in unicodedata.normalize("NFKD", " ".join(text.translate(INSTEAD).split())):
        if unicodedata.combining(part):
            kept += part if part in DRAWN and kept and kept[-1].isalpha() else ""
        elif unicodedata.category(part) != "Cf":
            kept += part if part in HAS else INSTEAD.get(ord(part), "?")
    return kept


def spelled(text: str) -> Iterator[str]:
    """The letters of a text, each with its accents."""
    letter = ""
    for part in plain(text):
        if part not in DRAWN:
            yield from filter(None, [letter])
            letter = ""
        letter += part
    yield from filter(None, [letter])


@lru_cache(maxsize=2048)
def width(text: str, size: int) -> int:
    """How many pixels wide a text is."""
    return sum(advance(letter[0], size) for letter in spelled(text))


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
    every = list(spelled(text))
    with DRAWING:
        tails = font(size).getbbox("".join(letter[0] for letter in every) or " ", anchor="ls")[3]
    low = LOW * size if any(BELOW.intersection(letter) for letter in every) else 0
    return max(0, round(tails), round(low)) + round(size * BOLD) + 1


@lru_cache(maxsize=1024)
def word(text: str, size: int, ink: Ink, ground: Ink) -> Image.Image:
    """A text in palette indices on its ground, from ``size`` / 2 above the middle of its digits down to its tails."""
    high = size // 2 + rise(size) // 2 + fall(text, size)
    picture = Image.new("L", (width(text, size) + 2 * PAD, high), solid(ground))
    x, top = PAD, size // 2 + rise(size) // 2 - size * 3 // 2
    for letter in spelled(text):
        shape, touched = inked(letter, size, ink, ground)
        picture.paste(shape, (x - size // 2, top), touched)
        x += advance(letter[0], size)
    return picture


def write(draw: ImageDraw.ImageDraw, at: Point, letter: str, size: int, stroke: float, inks: tuple[int, int]) -> None:
    """A letter with its accents, its beginning on the line ``at``; ``inks`` are its own and that of the ground."""
    x, y = at
    draw.text(at, letter[0], fill=inks[0], font=font(size), anchor="ls", stroke_width=stroke)
    if letter[1:]:
        left, top, right, _ = font(size).getbbox(letter[0], anchor="ls")
        accented(draw, (x + (left + right) / 2, y), size, letter, -top, inks)


@lru_cache(maxsize=2048)
def inked(letter: str, size: int, ink: Ink, ground: Ink) -> tuple[Image.Image, Image.Image]:
    """A letter in palette indices and where ink touches it: ``size`` x 2 wide, its origin at 1/4 and 3/4."""
    times = OVERSAMPLE if letter[1:] else 1  # lines have no smooth edges of their own
    mask = Image.new("L", (size * 2 * times, size * 2 * times))
    at = size * times / 2, size * times * 1.5
    with DRAWING:
        write(ImageDraw.Draw(mask), at, letter, size * times, size * times * BOLD, (255, 0))
    mask = mask.reduce(times)
    return mask.point(ramp(ink, ground)), mask.point(TOUCHED)

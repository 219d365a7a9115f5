"""Letters in pictures: fonts, and text for figures. Each letter is drawn once and cached."""

import unicodedata
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Final

from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont, Layout, truetype

from bot.render.art.palette import INDEX, TOUCHED, Ink, ramp

# Fonts of the folder: a text uses the first one that has its letters

FOLDER: Final = Path(__file__).parents[1] / "fonts"
OWN: Final = FOLDER / "Inter.woff2"
FILES: Final = (OWN, *sorted({path for kind in ("ttf", "otf", "woff2") for path in FOLDER.glob(f"*.{kind}")} - {OWN}))
WEIGHT: Final = 550
"""Weight of letters in pictures, for fonts with several: light ones are too thin on a dark background."""
NOWHERE: Final = "\uffff"
"""A character in no font, which draws the missing-glyph sign."""

DRAWING: Final = RLock()
"""Lock for Pillow's fonts and palettes, which aren't thread-safe; pasting needs none."""


def font(pixels: int, text: str = "") -> FreeTypeFont:
    return open_font(next((path for path in FILES if all(has(path, letter) for letter in text)), OWN), pixels)


def is_known(letter: str) -> bool:
    return any(has(path, letter) for path in FILES)


@lru_cache(maxsize=2048)
def has(path: Path, letter: str) -> bool:
    with DRAWING:
        drawn = open_font(path, 24)
        return letter.isspace() or bytes(drawn.getmask(letter)) != bytes(drawn.getmask(NOWHERE))


@lru_cache(maxsize=8)  # 0.2 MiB each; letters are kept, so few are needed again
def open_font(path: Path, pixels: int) -> FreeTypeFont:
    result = truetype(path, pixels, layout_engine=Layout.BASIC)
    try:
        result.set_variation_by_axes([WEIGHT])
    except OSError:  # it has one weight
        return truetype(path, pixels, layout_engine=Layout.BASIC)
    return result


# Text in palette indices

PAD: Final = 1
LEAST: Final = 31
"""Smallest font size in a picture 1000 pixels wide: 11 CSS pixels on a phone that shows it 358 wide."""


@lru_cache(maxsize=1024)
def printable(text: str) -> str:
    """Return the text in letters that the fonts have, accents composed; ``?`` for what they can't show."""
    composed = unicodedata.normalize("NFC", " ".join(text.split()))
    shown = (letter for letter in composed if unicodedata.category(letter) not in ("Cf", "Mn"))
    return "".join(letter if is_known(letter) else "?" for letter in shown)


@lru_cache(maxsize=2048)
def width(text: str, size: int) -> int:
    return sum(advance(letter, size) for letter in printable(text))


@lru_cache(maxsize=1024)
def fit_text(text: str, size: int, room: int) -> str:
    """Return the text, or its beginning that fits ``room`` pixels, with an ellipsis."""
    if width(text, size) <= room:
        return text
    kept = len(text)
    while kept and width(text[:kept].rstrip() + "…", size) > room:
        kept -= 1
    return text[:kept].rstrip() + "…"


@lru_cache(maxsize=1024)
def lines(text: str, sizes: tuple[int, ...], room: int) -> tuple[int, tuple[str, ...]]:
    """Return the largest of ``sizes`` that fits ``room`` pixels, or the smallest in lines; too long a word is cut."""
    size = next((item for item in sizes if width(text, item) <= room), sizes[-1])
    result = [""]
    for word_ in text.split():
        longer = f"{result[-1]} {word_}".strip()
        if width(longer, size) <= room:
            result[-1] = longer
        else:
            result.append(fit_text(word_, size, room))
    return size, tuple(line for line in result if line) or ("",)


@lru_cache(maxsize=1024)
def advance(letter: str, size: int) -> int:
    """Return a letter's advance in whole pixels, so that all digits are alike."""
    with DRAWING:
        return round(font(size, letter).getlength(letter))


@lru_cache(maxsize=32)
def rise(size: int) -> int:
    """Return the height of digits above the baseline."""
    with DRAWING:
        return -round(font(size).getbbox("0", anchor="ls")[1])


@lru_cache(maxsize=1024)
def fall(text: str, size: int) -> int:
    """Return how far a text's descenders reach below the baseline."""
    with DRAWING:
        boxes = [font(size, letter).getbbox(letter, anchor="ls") for letter in printable(text) or " "]
    return 1 + max(0, *(round(bottom) for _, _, _, bottom in boxes))


@lru_cache(maxsize=32)
def reach_above_middle(size: int) -> int:
    """Return how far a text reaches above the middle of its digits, with room for accents."""
    return size - rise(size) // 2


@lru_cache(maxsize=1024)
def word(text: str, size: int, ink: Ink, ground: Ink) -> tuple[Image.Image, Image.Image]:
    """Return a text in palette indices, and a mask of its coverage. It reaches from ``reach_above_middle`` its digits'
    middle down to its descenders. Its ground covers lines across its digits; above them only accents' ink does.
    """
    bare = INDEX[ground]
    picture = Image.new("L", (width(text, size) + 2 * PAD, size + fall(text, size)), bare)
    x = PAD
    for letter in printable(text):
        shape, touched, left, top = ink_letter(letter, size, ink, ground)
        picture.paste(shape, (x + left, top), touched)
        x += advance(letter, size)
    covered = picture.point([255 * (index != bare) for index in range(256)])
    covered.paste(255, (0, reach_above_middle(size) - size // 2, *picture.size))
    return picture, covered


@lru_cache(maxsize=2048)
def ink_letter(letter: str, size: int, ink: Ink, ground: Ink) -> tuple[Image.Image, Image.Image, int, int]:
    """Return a letter in palette indices, its mask, and its left and upper edge relative to the text's start."""
    mask = Image.new("L", (size * 2, size * 2))
    with DRAWING:
        at = size / 2, size * 1.5
        ImageDraw.Draw(mask).text(at, letter, fill=255, font=font(size, letter), anchor="ls")
    left, top, *_ = box = mask.getbbox() or (0, 0, 1, 1)
    mask = mask.crop(box)
    return mask.point(ramp(ink, ground)), mask.point(TOUCHED), left - size // 2, top - size // 2

"""The pictures on a page: dice and charts as the cards have them, each at an address that says what it shows.

An address is a digest of what is drawn and of the code that draws it, so a picture may be cached forever. A die is
drawn when somebody asks for it, not when it falls: nobody waits for that.
"""

import hashlib
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from bot.bounded_dict import BoundedDict
from bot.render import card, paint
from bot.render.art.letters import DRAWING

SIZE: Final = 256
"""Pixels of a die with its margin: sharp at 96 CSS pixels on most screens, and at 128 on a phone."""
MAX_KNOWN: Final = 8192
"""Pictures whose addresses are remembered. Of ten thousand tables few dice are so rare that they are forgotten."""


class PictureDie(NamedTuple):
    """A die, and whether the next one is chained to it."""

    tile: card.Tile
    holds: bool = False


Picture = PictureDie | card.Figure


@cache
def drawings() -> bytes:
    """A digest of all that draws."""
    folder = Path(paint.__file__).parent
    files = [*folder.glob("*.py"), *folder.glob("art/*.py"), *folder.glob("figures/*.py")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).digest()


class Pictures:
    """The addresses of pictures, and what each of them shows."""

    def __init__(self) -> None:
        self._known: BoundedDict[str, Picture] = BoundedDict(MAX_KNOWN)

    def address(self, picture: Picture) -> str:
        """32 hexadecimal digits."""
        result = digest_of(picture)
        self._known[result] = picture
        return result

    def find(self, address: str) -> Picture | None:
        """Return the picture at an address that was handed out."""
        return self._known.get(address)


PICTURES: Final = Pictures()


@lru_cache(maxsize=4096)
def digest_of(picture: Picture) -> str:
    return hashlib.sha256(drawings() + repr(picture).encode()).hexdigest()[:32]


@lru_cache(maxsize=1024)
def png_of(picture: Picture) -> bytes:
    if not isinstance(picture, PictureDie):
        return paint.compose_picture((), picture)
    out = BytesIO()
    with DRAWING:
        paint.draw_cell(picture.tile, SIZE, picture.holds).save(out, "PNG", compress_level=6)
    return out.getvalue()

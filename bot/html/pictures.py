"""Pictures on a page: dice and charts as on cards, each at a URL that identifies its content. A URL is a digest of the
drawing and of the code, so a picture can be cached forever. A die is rendered on request, not when rolled, so that
nobody waits.
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
"""Pixels of a die with margin: sharp at 96 CSS pixels on most screens, and at 128 on a phone."""
MAX_KNOWN: Final = 8192
"""Maximum remembered picture URLs, enough for the dice of ten thousand tables."""


class PictureDie(NamedTuple):
    """A die, and whether the next one is chained to it."""

    tile: card.Tile
    holds: bool = False


Picture = PictureDie | card.Figure


@cache
def drawings() -> bytes:
    folder = Path(paint.__file__).parent
    files = [*folder.glob("*.py"), *folder.glob("art/*.py"), *folder.glob("figures/*.py")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).digest()


class Pictures:
    """URLs of pictures, and their contents."""

    def __init__(self) -> None:
        self._known: BoundedDict[str, Picture] = BoundedDict(MAX_KNOWN)

    def address(self, picture: Picture) -> str:
        """Return 32 hexadecimal digits."""
        result = digest_of(picture)
        self._known[result] = picture
        return result

    def find(self, address: str) -> Picture | None:
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

"""Dice faces as small pictures: drawings, and names that end with their drawing's digest, so they change with it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from bot.render.art.dice import DX, HALF, MIDDLE
from bot.render.art.sheet import CELL
from bot.render.card import Fate, Tile
from bot.render.paint import sprite
from bot.rules.dice import OUT

SIZE: Final = 96
"""Pixels of the cell that a face is cut from; enough for a line of text on the sharpest phone."""
EDGE: Final = round(SIZE * (MIDDLE - HALF - 3) / CELL)
"""Pixels cut off each side: the die's margin, so that it fills its emoji."""


Face = Tile
"""A face as a small picture, with its die's fate; other marks are text."""
SHORT: Final = {"red": "red", "green": "green", "d20-attacker": "d20a", "d20-defender": "d20d", "d6-defender": "d6d"}
"""Bodies whose names are too long or invalid for an emoji."""
FATES: Final[Mapping[Fate, str]] = {"stands": "", "failed": "_off", "unused": "_idle", "cancelled": "_cut"}


def list_faces(body: str, values: Iterable[object], *fates: Fate) -> tuple[Face, ...]:
    return tuple(Face(body, str(value), fate) for fate in ("stands", *fates) for value in values)


FACES: Final = (
    *list_faces("red", ("hit", "crit", "focus", "blank"), "cancelled"),
    *list_faces("green", ("evade", "focus", "blank"), "cancelled"),
    *(Face(body, "focus", "unused") for body in ("red", "green")),
    *list_faces("d20-attacker", range(1, 21), "failed", "cancelled"),
    *list_faces("d20-defender", range(1, 21), "failed", "cancelled"),
    *list_faces("d6", range(1, 7), "failed", "cancelled"),
    *list_faces("d6-defender", range(1, 7), "failed"),
    *list_faces(DX[0], (*range(7), *range(12, 37, 6), *range(72, 181, 36)), "failed"),
)
"""Every face of games' dice in each possible fate. Other dice (d4, d8, d100, d7) are text."""


def face_of(tile: Tile) -> Face:
    """Return a tile's face. Albion's three dice share their faces."""
    return Face(DX[0] if tile.body in DX else tile.body, tile.face, "cancelled" if tile.fate in OUT else tile.fate)


DRAWINGS: Final[Mapping[str, str]] = {
    "red": "95ced9b2",
    "green": "8cd05338",
    "d20-attacker": "79ba4298",
    "d20-defender": "1222272d",
    "d6": "3f5a5f2a",
    "d6-defender": "c2919de5",
    "dx36": "0fab729a",
}
"""A digest of each body's face pixels, fixed (``tests/render/test_faces.py``): startup needn't draw them."""


def name(face: Face) -> str:
    """Return ``red_hit_1a2b3c4d``: 2 to 32 letters, digits and underscores, with the digest of the body's drawing."""
    return f"{SHORT.get(face.body, face.body)}_{face.face}{FATES[face.fate]}_{DRAWINGS[face.body]}"


def crop_die(face: Face) -> Image.Image:
    return sprite(face, SIZE).crop((EDGE, EDGE, SIZE - EDGE, SIZE - EDGE))


@lru_cache(maxsize=256)
def png_of(face: Face) -> bytes:
    out = BytesIO()
    crop_die(face).save(out, "PNG", compress_level=3)
    return out.getvalue()

"""Pre-render what most pictures share, so that nobody waits for the first one."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from bot.render.art import letters
from bot.render.art.palette import MUTED, TEXT, TRAY
from bot.render.faces import FACES
from bot.render.figures import roster
from bot.render.paint import LABEL, NUMBER, UNIT, packed_cell

DIGITS: Final = "0123456789"
SMALL: Final = "abcdefghijklmnopqrstuvwxyz"


def pieces() -> Iterator[Callable[[], object]]:
    """Yield steps of some milliseconds: large digits, words beside dice, every face in every fate, ships, and signs."""
    for letter in DIGITS:
        yield partial(letters.ink_letter, letter, NUMBER, TEXT, TRAY)
    for letter in SMALL:
        yield partial(letters.ink_letter, letter, UNIT, MUTED, TRAY)
        yield partial(letters.ink_letter, letter, LABEL, MUTED, TRAY)
    for face in FACES:
        yield partial(packed_cell, face, False)
    yield from roster.pieces()
    yield letters.open_font.cache_clear  # 0.2 MiB each; the letters are kept

"""Names chosen by people, as typed, but safe for the surrounding text. Names that differ only in invisible characters
are equal.
"""

import re
import unicodedata
from typing import Final

from bot.rules.text import Name

MAX_NAME: Final = 32
MAX_MARKS: Final = 3
"""Maximum accents per letter. No living script needs more, and a stack of them covers other lines."""

MARKS: Final = frozenset({"Mn", "Me"})
"""Categories of accents."""
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of invisible characters: control and format characters, lone surrogates, line separators."""
RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
"""Directions of letters written from right to left."""
WHITESPACE: Final = re.compile(r"\s")

ZERO_WIDTH_JOINER, EMOJI_SELECTOR = "\u200d", "\ufe0f"
"""Invisible characters that join emoji, or select color."""
ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
"""Isolate a right-to-left name, so that the following words keep their order."""

UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)
"""Blank characters that Unicode classes as letters, accents, or symbols."""


def clean(name: str) -> Name:
    """Return a name on one line that can't mention anybody."""
    return without_mentions(name, MAX_NAME)


def without_mentions(text: str, longest: int) -> Name:
    """Clean a typed line like ``one_line``, without mentions, which begin with ``<@``."""
    return Name(one_line(text, longest).replace("<@", "‹@"))


def search_key(name: str) -> str:
    return clean(name).casefold()


def one_line(text: str, longest: int) -> str:
    """Return the text on one line, without characters that are invisible, reverse the line, or stack; may be empty.

    At most ``longest`` characters; only four times as many are read. Backticks become apostrophes, because sentences
    quote typed text in backticks. A clean text is returned unchanged.
    """
    text = text[: 4 * longest]
    if text.isascii() and text.isprintable():
        return " ".join(text.replace("`", "'").split())[:longest].rstrip()
    seen, kept, marks = WHITESPACE.sub(" ", UNSEEN.sub("", text)), list[str](), 0
    for place, (sign, category) in enumerate(zip(seen, map(unicodedata.category, seen), strict=True)):
        is_mark = category in MARKS
        if category in INVISIBLE or sign == EMOJI_SELECTOR:
            is_kept = joins_emoji(sign, seen[place + 1 : place + 2], kept)
        else:
            is_kept = not is_mark or marks < MAX_MARKS
        if is_kept:
            kept.append(sign)
            marks = marks + 1 if is_mark else 0
    line = " ".join(unicodedata.normalize("NFC", "".join(kept)).replace("`", "'").split())
    cut = line[: longest - 2 if is_right_to_left(line) else longest].rstrip(f" {ZERO_WIDTH_JOINER}")
    return f"{ISOLATE}{cut}{POP_ISOLATE}" if is_right_to_left(cut) else cut


def is_right_to_left(line: str) -> bool:
    return not RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, line))


def joins_emoji(sign: str, after: str, before: list[str]) -> bool:
    """Whether an invisible character is part of the emoji before it."""
    last = before[-1] if before else ""
    if sign == EMOJI_SELECTOR:
        return is_emoji(last)
    return sign == ZERO_WIDTH_JOINER and (is_emoji(last) or last == EMOJI_SELECTOR) and is_emoji(after)


def is_emoji(sign: str) -> bool:
    """Whether a character is a symbol or a skin tone."""
    return bool(sign) and unicodedata.category(sign) in ("So", "Sk")

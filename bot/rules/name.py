"""Names that people give themselves, their ships and their troopers: as typed, but harmless to the text around.

Two names that look alike because one holds signs that cannot be seen become the same name.
"""

import re
import unicodedata
from typing import Final

NAME_MOST: Final = 32
MARKS_MOST: Final = 3
"""Accents on one letter; no living script needs more, and a pile of them reaches over the lines around."""

ZERO_WIDTH_JOINER, EMOJI_SELECTOR = "\u200d", "\ufe0f"
"""Signs that cannot be seen but make one emoji of several, or show one in colour."""
ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
"""Around a name that runs from right to left, so that the words after it stay in their order."""

UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)
"""What is blank though Unicode calls it a letter, an accent or a symbol; control and format signs are known as such."""


def clean(name: str) -> str:
    """A name as ``one_line`` has it, and no mention: those of people and roles begin with ``<@``."""
    return one_line(name, NAME_MOST).replace("<@", "‹@")


def one_line(text: str, longest: int) -> str:
    """The text on one line, without what cannot be seen, turns the line, or piles up; ``""`` if nothing is left.

    At most ``longest`` characters. Backticks become apostrophes, since sentences quote what was typed in them. What is
    clean stays as it is.
    """
    seen, kept = UNSEEN.sub("", text), list[str]()
    for place, sign in enumerate(seen):
        if sign.isspace():
            kept.append(" ")
        elif (is_seen(sign) and not is_piled(sign, kept)) or joins(sign, seen[place + 1 : place + 2], kept):
            kept.append(sign)
    line = " ".join(unicodedata.normalize("NFC", "".join(kept)).replace("`", "'").split())
    cut = line[: longest - 2 if is_right_to_left(line) else longest].rstrip(f" {ZERO_WIDTH_JOINER}")
    return f"{ISOLATE}{cut}{POP_ISOLATE}" if is_right_to_left(cut) else cut


def is_right_to_left(line: str) -> bool:
    """Whether some of it runs from right to left."""
    return any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in line)


def is_seen(sign: str) -> bool:
    """Whether a sign is neither control, format, nor half of one."""
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign != EMOJI_SELECTOR


def is_piled(sign: str, before: list[str]) -> bool:
    """Whether an accent would be one too many on its letter."""
    last = before[-MARKS_MOST:]
    return is_mark(sign) and len(last) == MARKS_MOST and all(map(is_mark, last))


def is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Me")


def joins(sign: str, after: str, before: list[str]) -> bool:
    """Whether an unseen sign belongs to the emoji before it."""
    last = before[-1] if before else ""
    if sign == EMOJI_SELECTOR:
        return is_emoji(last)
    return sign == ZERO_WIDTH_JOINER and (is_emoji(last) or last == EMOJI_SELECTOR) and is_emoji(after)


def is_emoji(sign: str) -> bool:
    """Whether a sign is a symbol, or the tone of one's skin."""
    return bool(sign) and unicodedata.category(sign) in ("So", "Sk")

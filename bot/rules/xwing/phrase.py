"""One phrase of a typed line, read word by word; every error points at the word or the phrase."""

from collections.abc import Mapping
from typing import Final

from bot.rules.errors import BadInput, BadWord
from bot.rules.game import Side
from bot.rules.xwing.declared import Face, Pool

FACE_WORDS: Final[Mapping[str, Face]] = {
    **{face.value: face for face in Face},
    **{f"{face.value}s": face for face in Face if face is not Face.FOCUS},
}
POOL_WORDS: Final[Mapping[str, Pool]] = {pool.value: pool for pool in Pool}
EXAMPLE: Final = "Write for example `focus, lock, force 2, reroll 1 blank, change 1 focus to hit`."


class Phrase:
    """The words between two commas, read from the left."""

    def __init__(self, text: str, side: Side, name: str) -> None:
        self.words = text.lower().split()
        self.text, self.side, self.name = " ".join(self.words), side, name
        if self.words[0].isdecimal():  # "2 focus"
            self.words[:2] = reversed(self.words[:2])

    def refuse(self, allowed: str) -> BadInput:
        """What is wrong with the phrase as a whole."""
        return BadInput(self.name, self.text, allowed)

    def next(self, known: tuple[str, ...], shown: tuple[str, ...] = ()) -> str:
        """The next word, which must be one of ``known``; ``shown`` are those to name when it is none."""
        here = either(shown or known)
        if not self.words:
            raise self.refuse(f"one more word at its end: {here}")
        if self.words[0] not in known:
            raise BadWord(self.name, self.words[0], f"Here may stand {here}.", known)
        return self.words.pop(0)

    def skip(self, *words: str) -> None:
        if self.words and self.words[0] in words:
            self.words.pop(0)

    def number(self, what: str, least: int, most: int) -> int:
        return number(what, self.words.pop(0) if self.words else "", least, most)

    def count(self, what: str, most: int) -> int:
        """A number of at least 1; 1 where none stands."""
        if self.words[:2] == ["up", "to"]:
            del self.words[:2]
        stands = self.words and self.words[0].lstrip("+-").isdecimal()
        return self.number(what, 1, most) if stands else 1

    def pool(self) -> Pool | None:
        self.skip("of")
        return POOL_WORDS[self.words.pop(0)] if self.words and self.words[0] in POOL_WORDS else None

    def face(self) -> Face:
        return FACE_WORDS[self.next(tuple(FACE_WORDS), tuple(Face))]

    def end(self) -> None:
        if self.words:
            raise BadWord(self.name, self.words[0], f"Put a comma before a new phrase. {EXAMPLE}")


def either(words: tuple[str, ...]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def number(name: str, text: str, least: int, most: int) -> int:
    """A typed whole number from ``least`` to ``most``; raises ``BadInput``."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise BadInput(name, text, f"a whole number from {least} to {most}" if least < most else f"only {most}")
    return int(text)

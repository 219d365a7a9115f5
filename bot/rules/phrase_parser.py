"""Parses short typed phrases word by word; every error points at the word or the phrase. Games add their own words:
X-Wing's tokens and effects, Infinity's rolls.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from bot.rules.errors import AllowedWords, BadInputError, Fact, UnknownWordError, WholeNumber
from bot.rules.json_reader import check_whole_number
from bot.rules.text import Code, Names, Shown, Text, english


@dataclass(frozen=True, slots=True)
class Reader:
    """The typist's language and its translator, whose words are accepted besides the English ones."""

    language: str = "en"
    say: Callable[[Shown], str] = english


READER: Final[ContextVar[Reader]] = ContextVar("reader", default=Reader())  # noqa: B039 - frozen


class Phrase:
    """The words of a phrase. ``field``: the option or line for errors."""

    def __init__(self, text: str, field: str) -> None:
        self.words = text.split()
        self.text, self.field = " ".join(self.words), field

    def peek(self, ahead: int = 0) -> str:
        """Return an upcoming word in lower case; "" past the end."""
        return self.words[ahead].lower() if ahead < len(self.words) else ""

    def take(self) -> str:
        """Return the next word as typed; "" past the end."""
        return self.words.pop(0) if self.words else ""

    def skip(self, *words: str) -> bool:
        """Skip the next word if it is one of these."""
        found = self.peek() != "" and self.peek() in words
        if found:
            self.take()
        return found

    def word(self, known: tuple[str, ...], shown: tuple[str, ...] = ()) -> str:
        """Take one of ``known``. Raises ``UnknownWordError`` with the nearest, ``BadInputError`` past the end."""
        word = self.peek()
        if word in known and self.words:
            self.take()
            return word
        spoken = self.spoken()
        said = [spoken.get(item, item) for item in shown or known]  # as they are typed
        if self.text and not self.words and len(said) <= 2:  # the whole phrase with each
            said = [f"`{self.text} {item}`" for item in said]
        here = Names(map(Code, said), "or")
        known = (*(spoken[item] for item in known if item in spoken), *known)
        if not self.words:
            raise self.refusal(AllowedWords(known, Text("Add one more word at the end: {words}.", words=here)))
        raise self.unknown_word(AllowedWords(known, Text("You can use: {words}.", words=here), is_list=True))

    def spoken(self) -> Mapping[str, str]:
        """The words of the reader's language, by ours."""
        return {}

    def number(self, what: str, least: int, most: int) -> int:
        """Take a whole number from ``least`` to ``most``; raises ``BadInputError`` naming ``what``."""
        return number(Code(what), self.take(), least, most)

    def refusal(self, *wanted: Text | Fact) -> BadInputError:
        """Return the error that quotes the whole phrase."""
        return BadInputError(self.field, self.text, *wanted)

    def unknown_word(self, *wanted: Text | Fact) -> UnknownWordError:
        return UnknownWordError(self.field, self.words[0] if self.words else self.text, *wanted)


def number(field: Shown, text: str, least: int, most: int) -> int:
    """Parse a whole number from ``least`` to ``most``; raises ``BadInputError``."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadInputError(field, text, WholeNumber(least, most))
    return check_whole_number(field, int(text), least, most)

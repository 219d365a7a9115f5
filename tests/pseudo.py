"""A pseudo-language: every message accented and a third longer, so that English that escaped the catalog is seen."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Final

from bot.languages import DOMAINS, FOLDER, Language, catalogs
from tests.pseudo_letters import ACCENTED, PLAIN

LETTERS: Final = str.maketrans(PLAIN, ACCENTED)
AS_IT_IS: Final = re.compile(r"(\{\w*\}|`[^`]*`|/[a-z]+(?: [a-z]+)*|<[^>]*>)")
"""Places, typed words, commands and Discord's own marks."""
LONGER: Final = "ø"
CYRILLIC: Final = str.maketrans(PLAIN, "абцдефгхийклмнопярстувшьызАБЦДЕФГХИЙКЛМНОПЯРСТУВШЬЫЗ")
"""How names and codes are written in the pseudo-language, which shows that they are names and codes."""


@dataclass(frozen=True)
class Invented(Language):
    """A language that says each message in some way; lists, plurals and numbers are as in English."""

    how: Callable[[str], str] = str
    letters: Mapping[int, int] | None = field(default=None, compare=False)
    """How the letters of names and codes are written; None as they are."""

    def message(self, english: str) -> str:
        return self.how(english)

    def verbatim(self, typed: str) -> str:
        return typed if self.letters is None else typed.translate(self.letters)

    def count(self, number: int, item: str, many: str) -> str:
        return f"{number:,} {self.unit(number, item, many)}"

    def unit(self, number: Fraction | int, item: str, many: str) -> str:
        return self.how(item if number == 1 else many)

    def names(self, names: Sequence[str], word: str) -> str:
        return super().names(names, self.how(word))


def pseudo(message: str) -> str:
    """A message in the pseudo-language."""
    parts = AS_IT_IS.split(message)
    said = "".join(part if at % 2 else part.translate(LETTERS) for at, part in enumerate(parts))
    return said + LONGER * -(-len(message) // 3) if re.search("[A-Za-z]{2}", message) else said


@cache
def template() -> frozenset[str]:
    """Every message of the code, as ``make messages`` finds them; a noun in the singular and in the plural."""
    result = [entry.id for domain in DOMAINS for entry in catalogs.read(FOLDER / f"{domain}.pot") if entry.id]
    return frozenset(part for item in result for part in ((item,) if isinstance(item, str) else item))


PSEUDO: Final = Invented(how=pseudo, letters=CYRILLIC)


WORD: Final = re.compile(r"[A-Za-z]{3,}")
NOT_SAID: Final = re.compile(r"`[^`]*`|```.*?```|<[^>]*>|https?://\S+|@\w+|/[a-z]+(?: [a-z]+)*", re.DOTALL)


def escaped(text: str, names: frozenset[str]) -> list[str]:
    """The English words that no message has: not a name, not typed, not a command."""
    return [word for word in WORD.findall(NOT_SAID.sub(" ", text)) if word.casefold() not in names]

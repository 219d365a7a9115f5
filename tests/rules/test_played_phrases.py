"""Phrases as people type them in Discord, in English and six other languages: never silently something else.

``tests/phrases/played`` and ``fresh`` were written before the parser was read. The first file explains the rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.rules import anydice
from bot.rules.anydice.notation import parse
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, PlayerError

PLAYED: Final = Path(__file__).parents[1] / "phrases" / "played"
LEAST_READ: Final = {"en": 2043, **dict.fromkeys(("de", "es", "fr", "it", "pl", "pt-BR"), 186)}
LEAST_SUGGESTED: Final = 0.9
"""Share of suggestions that are right."""
Meaning = tuple[tuple[str, str, object], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What is typed in a channel of a language, each meaning of it, and whether it may be refused."""

    typed: str
    language: str
    means: tuple[Meaning, ...]
    may_refuse: bool

    @property
    def answer(self) -> tuple[str, tuple[str, ...]]:
        """``read``, ``asked`` or ``refused``, and what is rolled or offered."""
        try:
            declared = anydice.declare({"dice": self.typed, "language": self.language})
        except AmbiguousTextError as question:
            return "asked", question.choices
        except NotUnderstoodError as refused:
            return "refused", (refused.nearest,) if refused.nearest else ()
        except PlayerError:
            return "refused", ()
        return "read", (declared.dice,)


def meaning(text: str, language: str = "en") -> Meaning:
    return tuple((line.canonical_text, line.system, line.options) for line in parse(text, language=language).lines)


def rows(language: str) -> Iterator[Row]:
    files = [PLAYED.parent / part / f"{language}.txt" for part in ("played", "fresh")]
    for line in "\n".join(file.read_text(encoding="utf-8") for file in files).splitlines():
        if not line.startswith("#"):
            typed, _, means = line.partition(" =>")
            may_refuse = means.strip().startswith("?")
            wanted = [part.strip() for part in means.strip().removeprefix("?").split(" / ") if part.strip()]
            yield Row(typed, language, tuple(map(meaning, wanted)), may_refuse)


@pytest.mark.parametrize("language", LEAST_READ)
def test_nothing_is_silently_something_else(language: str) -> None:
    ways: dict[str, list[Row]] = {"read": [], "asked": [], "refused": []}
    wrong, suggested = [], []
    for row in rows(language):
        way, found = row.answer
        ways[way].append(row)
        right = any(meaning(item) in row.means for item in found)
        if not right and (way == "read" or (way == "asked" and row.means)):
            wrong.append((row.typed, found))
        elif way == "refused" and found and row.means:
            suggested.append((right, row.typed, found))
    assert wrong == []
    assert len(ways["read"]) >= LEAST_READ[language]
    assert sum(right for right, *_ in suggested) >= LEAST_SUGGESTED * len(suggested), suggested

# ruff: noqa: INP001 - a script beside what it counts, no package
"""Count the words and controls of each card: ``python -m docs.words`` writes the table at the end of clicks.md.

The counts come from ``pictures.json``: the words of the card itself, of its buttons and lists, and separately of the
alt text. A word has a letter or a digit. ``docs.pictures`` writes the table too, whenever it makes pictures.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
SAID: Final = FOLDER / "pictures.json"
PAGE: Final = FOLDER / "clicks.md"
HEAD: Final = "| card | words | words on controls | controls | words of alt text |"
SIGNS: Final = re.compile(r"<[@#][^>]*>|<a?:[^>]*>|[*_`|>~]")


def words(parts: Sequence[str]) -> int:
    """Return the number of words in some texts."""
    return sum(any(map(str.isalnum, word)) for part in parts for word in SIGNS.sub(" ", part).split())


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield HEAD
    yield "|---|---|---|---|---|"
    for name, said in json.loads(SAID.read_text(encoding="utf-8")).items():
        if "." not in name:  # the same card in another language
            card, labels, alt = (words(said[part]) for part in ("card", "controls", "alt"))
            yield f"| {name} | {card} | {labels} | {len(said['controls'])} | {alt} |"


def with_counts(page: str) -> str:
    """Return the page with the table of today."""
    return page.partition(HEAD)[0] + "\n".join([*rows(), ""])


def write() -> None:
    PAGE.write_text(with_counts(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()

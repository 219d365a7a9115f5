# ruff: noqa: INP001, T201 - a script, no package, that prints a table
"""How many words and controls each card has to the next press: ``python -m docs.words`` prints the table of clicks.md.

It counts what ``pictures.json`` keeps of each card: the words of the card itself, those of its buttons and lists, and
apart from them the words of the alt text. A word has a letter or a digit.
"""

import json
import re
from collections.abc import Sequence
from typing import Final

from docs.pictures import SAID

SIGNS: Final = re.compile(r"<[@#][^>]*>|<a?:[^>]*>|[*_`|>~]")


def words(parts: Sequence[str]) -> int:
    """How many words some texts have."""
    return sum(any(map(str.isalnum, word)) for part in parts for word in SIGNS.sub(" ", part).split())


def main() -> None:
    """Print the table."""
    print("| card | words | of its controls | controls | alt text |")
    print("|---|---|---|---|---|")
    for name, said in json.loads(SAID.read_text()).items():
        if "." not in name:  # the same card in another language
            card, labels, alt = (words(said[part]) for part in ("card", "controls", "alt"))
            print(f"| {name} | {card} | {labels} | {len(said['controls'])} | {alt} |")


if __name__ == "__main__":
    main()

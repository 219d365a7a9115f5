"""How much of the rules still cuts or compares keys of offers and ids of cards as text: it only becomes less.

An act, and the id of a card, is a value with a text form (``bot/rules/worded.py``): it is read once, and typed after.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

RULES: Final = Path(__file__).parents[1] / "bot" / "rules"
CUTS: Final = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit"}
KEYS: Final = {"key", "offer", "act", "card", "row", "by", "picked"}
"""Names of keys, of ids of cards, and of what was picked."""
CUTS_MOST: Final = 14
COMPARED_MOST: Final = 62


def words(node: ast.AST) -> set[str]:
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return names | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}


def is_key(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("key", "offer")


def nodes() -> Iterator[tuple[str, ast.AST]]:
    for file in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            yield f"{file.relative_to(RULES)}:{getattr(node, 'lineno', 0)}", node


def test_keys_and_ids_are_cut_no_more_often() -> None:
    cut = [
        where
        for where, one in nodes()
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in CUTS
        if words(one.func.value) & KEYS
    ]
    assert len(cut) <= CUTS_MOST, cut


def test_keys_are_compared_no_more_often() -> None:
    compared = [
        where
        for where, one in nodes()
        if isinstance(one, ast.Compare) and any(is_key(part) for part in (one.left, *one.comparators))
    ]
    assert len(compared) <= COMPARED_MOST, compared

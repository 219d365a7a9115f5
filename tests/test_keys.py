"""How much of the rules still cuts or compares keys of offers and ids of cards as text: it only becomes less.

An act, and the id of a card, is a value with a text form (``bot/rules/text_values.py``): it is read once, and typed
after.
"""

import ast
from pathlib import Path
from typing import Final

import pytest

from tests.trees import tree_of

RULES: Final = Path(__file__).parents[1] / "bot" / "rules"
CUTS: Final = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit"}
KEYS: Final = {"key", "offer", "act", "card", "row", "by", "picked"}
"""Names of keys, of ids of cards, and of what was picked."""
MAX_CUTS: Final = 0
MAX_COMPARED: Final = 26


def words(node: ast.AST) -> set[str]:
    names = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    return names | {item.attr for item in ast.walk(node) if isinstance(item, ast.Attribute)}


def is_key(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("key", "offer")


Nodes = list[tuple[str, ast.AST]]


@pytest.fixture(scope="module")
def nodes() -> Nodes:
    return [
        (f"{file.relative_to(RULES)}:{getattr(node, 'lineno', 0)}", node)
        for file in sorted(RULES.rglob("*.py"))
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call | ast.Compare)
    ]


def test_keys_and_ids_are_cut_no_more_often(nodes: Nodes) -> None:
    cut = [
        where
        for where, item in nodes
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and item.func.attr in CUTS
        if words(item.func.value) & KEYS
    ]
    assert len(cut) <= MAX_CUTS, cut


def test_keys_are_compared_no_more_often(nodes: Nodes) -> None:
    compared = [
        where
        for where, item in nodes
        if isinstance(item, ast.Compare) and any(is_key(part) for part in (item.left, *item.comparators))
    ]
    assert len(compared) <= MAX_COMPARED, compared

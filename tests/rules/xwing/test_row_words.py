"""Words of rows are read and written in one place: nothing else looks at them as strings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bot.rules.text_values import TextValue
from bot.rules.xwing.cards import rows
from bot.rules.xwing.dice import conditions, consequences, costs, declared, typed_sides
from bot.rules.xwing.dice.tokens import TOKENS
from tests.rows import for_each_row

ROOT = Path(__file__).parents[3]
GRAMMAR = {Path(module.__file__ or "") for module in (conditions, costs, declared, consequences, rows, typed_sides)}
"""The grammar of rows and the one of typed words."""
READERS = sorted({*(ROOT / "bot/rules/xwing").rglob("*.py"), *(ROOT / "bot/odds/xwing").rglob("*.py")} - GRAMMAR)
KINDS: tuple[type[TextValue], ...] = (
    *consequences.KINDS,
    *(consequences.AllBut, costs.OneUse, costs.OfCard, costs.LockOn),
    *(conditions.WeaponArc, conditions.Results, conditions.FewDice),
)
WORDS = {text.strip() for kind in KINDS for form in kind.forms for text in re.split(r"\{\w+\}", form)}
WORDS |= set(conditions.WORDS) | {when.value for when in declared.DiceWindow} | {how.value for how in rows.HowMany}
WORDS |= {rows.HOW_MANY, ""} | {f"{payer} " for payer in costs.Payer if payer}
WORDS |= {
    item.value for kind in (consequences.RangeDie, consequences.CritOrder, consequences.ForbiddenDice) for item in kind
}
VOCABULARY = {word for word in WORDS if " " in word and word not in TOKENS}
"""Phrases, and payers with what they pay after them: single words may be anything."""
SEARCHES = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "split"}
SEARCHES |= {"fullmatch", "match", "search", "compile"}


def looked_at(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings that are compared, searched for, split at, or keys of a table, by their line."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        inside: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            inside = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SEARCHES:
            inside = list(node.args)
        elif isinstance(node, ast.Dict):
            inside = [key for key in node.keys if key is not None]
        for item in (each for part in inside for each in ast.walk(part)):
            if isinstance(item, ast.Constant) and isinstance(item.value, str) and id(item) not in parts:
                yield item.lineno, item.value


@for_each_row("path", READERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_grammar_looks_at_words_of_rows(path: Path) -> None:
    strings = looked_at(ast.parse(path.read_text(encoding="utf-8")))
    assert [(line, text) for line, text in strings if text in VOCABULARY or text.strip() in VOCABULARY] == []


def test_the_vocabulary_is_there() -> None:
    assert {"lock them", "after roll", "green tokens", "friend locks", "only blanks", "their "} <= VOCABULARY
    assert len(VOCABULARY) > 35

"""No sentence reaches people past the one door: what is shown is a ``Text``, and no sentence is glued by an f-string.

The pseudo-language (``tests/cogs/test_pseudo.py``) finds at run time what this finds in the source.
"""

import ast
import re
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.trees import tree_of

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("bot/odds", "bot/render", "bot/rules", "bot/ruleset", "bot/sessions", "bot/ui", "cogs")
TYPED: Final = "what people type, or read in order to type it"
WORDS_OF_ROWS: Final = "words of the rows of cards, which are read again"
EXCEPTIONS: Final = {
    "bot/rules/xwing/dice/declared.py": "names of tokens",
    "bot/ui/commands/options.py": "the log, which names options and lengths",
    "bot/odds/infinity/json_odds.py": "keys of JSON",
    "bot/rules/anydice/chains.py": "the notation",
    "bot/rules/anydice/formula.py": "the name of what a formula asks",
    "bot/rules/anydice/systems.py": TYPED,
    "bot/rules/data_tables.py": "the error of a row, in the English of its keywords",
    "bot/rules/duels/own.py": "the place in a file, and what is expected there, in the English of its keywords",
    "bot/rules/duels/rows.py": "the name of what a formula asks, and the error of a file that stops the start",
    "bot/rules/dice.py": "the purpose of a draw, which is stored",
    "bot/rules/infinity/table/army.py": TYPED,
    "bot/rules/infinity/orders/forms.py": TYPED,
    "bot/rules/infinity/table/markers.py": "a line of a private plan, which is stored and read again",
    "bot/rules/infinity/orders/open_order.py": TYPED,
    "bot/rules/infinity/orders/json_orders.py": "the name of an enemy that has none",
    "bot/rules/infinity/troopers/skills.py": "names of skills, as people write them",
    "bot/rules/infinity/troopers/trooper.py": TYPED,
    "bot/rules/infinity/troopers/weapon.py": TYPED,
    "bot/rules/infinity/orders/typed_orders.py": TYPED,
    "bot/rules/xwing/dice/conditions.py": WORDS_OF_ROWS,
    "bot/rules/xwing/dice/costs.py": WORDS_OF_ROWS,
    "bot/rules/xwing/dice/consequences.py": WORDS_OF_ROWS,
    "bot/rules/xwing/cards/facts.py": "the name of an arc in the data",
    "bot/rules/xwing/table/ship_damage.py": "the purpose of a draw, which is stored",
    "bot/rules/xwing/table/match.py": "the purpose of a draw, which is stored",
    "bot/rules/xwing/cards/rows.py": WORDS_OF_ROWS,
    "bot/rules/xwing/table/ship.py": TYPED,
    "bot/rules/xwing/table/squad.py": "the place in a file, and the name of a number that nobody knows",
    "bot/rules/xwing/dice/typed_sides.py": TYPED,
    "bot/rules/anydice/tree.py": "the notation",
    "bot/rules/xwing/table/card_facts.py": "patterns for texts of cards",
    "bot/rules/xwing/table/flying.py": "the record of a used card, which is stored",
    "bot/rules/xwing/table/moment_rows.py": "the key of a row",
    "bot/rules/xwing/table/moments.py": "the key of a use, which is hashed",
    "bot/rules/xwing/table/verbs.py": "the purpose of a draw, and what lies on a card, which are stored",
    "bot/ruleset/file.py": "a file",
    "bot/sessions/live_tables.py": "lines of a stream of events",
    "cogs/infinity/options.py": TYPED,
}
"""Files whose f-strings with words in them are no sentences, and what they are."""
PAGES: Final = ROOT / "bot" / "page"
"""Pages in HTML."""

SHOWN: Final = {
    "Offer": (2,),
    "Option": (1, 2),
    "CommandOption": (1, 2),
    "Pick": (1, 2),
    "Field": (1,),
    "Strip": (0,),
    "NotAllowedNowError": (0,),
    "UnpayableCostError": (0,),
    "BadTextError": (0,),
    "NotOfferedError": (0, 1),
    "BadInputError": (2, 3, 4),
    "UnknownWordError": (2, 3, 4),
    "button": (0,),
    "select": (0,),
    "modal": (0,),
    "CommandForm": (0,),
}
"""Calls that make something which is shown, and the places of what is shown among their arguments."""
SHOWN_BY_NAME: Final = {"label", "detail", "title", "outcome", "turn", "small", "below", "placeholder", "about"}
UNSAID: Final = {"compile", "Count", "Example", "IndexError", "RuntimeError", "AssertionError", "ValueError"}
"""Calls whose texts are patterns, nouns, words to type, or errors of ours that no player sees."""
WORD: Final = re.compile(r"[A-Za-z]{2}")
PLACE: Final = re.compile(r"\{\w*\}")


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """Every file that may say something to people, read once."""
    sources = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {path: tree_of(path) for path in sources}


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def has_words(text: ast.JoinedStr) -> bool:
    """Whether words stand in it between which, or beside which, is a blank."""
    written = "".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))
    return " " in written and WORD.search(written) is not None


def glued(node: ast.AST) -> Iterator[ast.JoinedStr]:
    """The f-strings with words of English, but for those that no player reads as one."""
    if isinstance(node, ast.Assert):
        return
    if isinstance(node, ast.Call) and (name_of(node) in UNSAID or "log" in ast.unparse(node.func).split(".")[:1]):
        return
    if isinstance(node, ast.JoinedStr):
        if has_words(node):
            yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from glued(child)


def bare(node: ast.expr) -> Iterator[ast.expr]:
    """The texts with words among what an argument may be that are no ``Text``."""
    if isinstance(node, ast.IfExp):
        yield from (*bare(node.body), *bare(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (result for value in node.values for result in bare(value))
    elif isinstance(node, ast.BinOp):
        yield from (*bare(node.left), *bare(node.right))
    elif isinstance(node, ast.JoinedStr):
        yield from [node] if has_words(node) else []
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and WORD.search(node.value):
        yield node


def shown(tree: ast.AST) -> Iterator[ast.expr]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and (name_of(call) in SHOWN or name_of(call) == "Card"):
            yield from (call.args[at] for at in SHOWN.get(name_of(call), ()) if at < len(call.args))
            yield from (keyword.value for keyword in call.keywords if keyword.arg in SHOWN_BY_NAME)


def in_order(path: Path, result: Iterator[ast.expr] | Iterator[ast.JoinedStr]) -> list[str]:
    return [f"{path.relative_to(ROOT)}:{item.lineno}: {ast.unparse(item)}" for item in result]


def test_no_sentence_is_glued(trees: dict[Path, ast.Module]) -> None:
    judged = {
        path: tree
        for path, tree in trees.items()
        if str(path.relative_to(ROOT)) not in EXCEPTIONS and not path.is_relative_to(PAGES)
    }
    assert [line for path, tree in judged.items() for line in in_order(path, glued(tree))] == []


def test_what_is_shown_is_a_text(trees: dict[Path, ast.Module]) -> None:
    for path, tree in trees.items():
        assert in_order(path, (result for item in shown(tree) for result in bare(item))) == []


def calls(trees: dict[Path, ast.Module], names: Container[str]) -> Iterator[tuple[Path, ast.Call]]:
    """The calls of these names that have an argument without a name."""
    for path, tree in trees.items():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and name_of(call) in names and call.args:
                yield path, call


def test_a_message_is_written_out_and_whole(trees: dict[Path, ast.Module]) -> None:
    """Not made by an f-string, and nothing that goes on after another text."""
    for path, call in calls(trees, {"Text"}):
        (message, *_) = call.args
        assert not isinstance(message, ast.JoinedStr | ast.BinOp), f"{path}:{call.lineno}"
        if isinstance(message, ast.Constant) and isinstance(message.value, str):
            assert not message.value.startswith((" ", ",", ";")), f"{path}:{call.lineno}: {message.value}"
            assert not message.value.endswith(" "), f"{path}:{call.lineno}: {message.value}"


MARKS: Final = {"Text", "N_", "T_"}
FORMS: Final = ROOT / "bot" / "rules" / "text.py"
"""The forms without words: a label with its value, something in brackets."""


def test_a_message_has_words(trees: dict[Path, ast.Module]) -> None:
    """One of places only gives a translator nothing to read, and is a sentence glued of fragments."""
    for path, call in calls(trees, MARKS):
        for item in ast.walk(call.args[0]) if path != FORMS else ():
            said = item.value if isinstance(item, ast.Constant) and isinstance(item.value, str) else ""
            assert "{" not in said or re.search(r"[^\W\d_]", PLACE.sub("", said)), f"{path}:{call.lineno}: {said}"


def test_every_exception_is_still_one() -> None:
    for name in EXCEPTIONS:
        assert list(glued(tree_of(ROOT / name))), f"{name} needs no exception"

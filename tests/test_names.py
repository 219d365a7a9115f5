"""Names that a reader would stumble over: words that name nothing, for functions, methods, and constants."""

import ast
from collections.abc import Iterator
from typing import Final

from tests.test_house import ROOT, sources

BANNED: Final = frozenset(
    {
        "asked",
        "brought",
        "dues",
        "felt",
        "found",
        "held",
        "here",
        "its",
        "kept",
        "lying",
        "made",
        "meant",
        "mine",
        "one",
    }
    | {"put", "said", "told", "what", "whose"}
)
"""Participles and pronouns that say neither what a function does nor what it returns."""
LIMITS: Final = ("_MOST", "_LEAST")
"""Ends of constants that are called ``MAX_`` and ``MIN_``."""
ENDS_SO: Final = {"AT_MOST"}


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name


def constants(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_no_function_has_a_name_that_names_nothing() -> None:
    wrong = []
    for path in sources("bot", "cogs"):
        name = path.relative_to(ROOT).as_posix()
        for line, word in named(ast.parse(path.read_text(encoding="utf-8"))):
            if word.strip("_").lower() in BANNED:
                wrong.append(f"{name}:{line} {word}")
    assert wrong == [], "say what it does (a verb) or what it is (a noun)"


def test_limits_begin_with_max_or_min() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources("bot", "cogs")}
    limits = [word for tree in trees.values() for word in constants(tree) if word.endswith(LIMITS)]
    assert sorted(set(limits) - ENDS_SO) == []

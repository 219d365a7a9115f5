"""Docstrings say what a thing does (a verb) or is (a noun), from the first word on.

An opening that a reader has to turn around first, as *What, Who, So many, The same*, is an error unless it is listed
with its reason, and a row that nothing needs is one too.
"""

import ast
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from tests.test_house import ROOT, sources
from tests.trees import tree_of

BANNED: Final[Mapping[str, str]] = {
    r"(What|Whatever|Who|Whose|Whom|Whoever|Which|Where|When|How)\b": "the noun that is meant",
    r"(So|As) (many|much|often|long|far)\b": "a number, a maximum, seconds",
    r"The same\b|As (in|above|``)|Like\b": "what it does, like the other one",
    r"(Of|In|For|By|At|With|From|Beside|Until|On which) ": "the noun first",
    r"(It|Its|They|Their|This|That|Those|These|There)\b": "the noun that the pronoun stands for",
    r"(One|Some|All) (of|that|who)\b|(Some|Any|Every|No)(body|one)\b|Something\b": "a person, a value, the noun",
    r"(Stands?(?!-)|Takes|Makes|Puts|Gives|Says)\b|From now on\b|Meanwhile\b|Also\b|Then\b": "a verb in the imperative",
}
"""Openings that no docstring has, each with what is said instead."""
ALLOWED: Final[Mapping[str, str]] = {}
"""First lines that match, and why."""


@cache
def docstrings() -> tuple[tuple[str, str], ...]:
    """Each place of a docstring, attributes' ones included, and its text."""
    return tuple(
        (f"{path.relative_to(ROOT).as_posix()}:{item.lineno}", item.value.value.strip())
        for path in sources("bot", "cogs", "migrations")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for item in node.body
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)
    )


def better(line: str) -> str:
    """What a line should open with instead; "" for a good one."""
    return next((instead for pattern, instead in BANNED.items() if re.match(pattern, line)), "")


def test_docstrings_open_with_a_verb_or_a_noun() -> None:
    lines = ((place, text.split("\n", 1)[0]) for place, text in docstrings())
    assert [f"{place} {line} -> {better(line)}" for place, line in lines if better(line) and line not in ALLOWED] == []


def test_no_docstring_has_sections() -> None:
    """Names and types say what arguments are; the text names those that need words."""
    headed = re.compile(r"^\s*(Args|Arguments|Parameters|Returns|Yields|Raises):\s*$", re.MULTILINE)
    assert [
        path for path in sources("bot", "cogs", "migrations") if headed.search(path.read_text(encoding="utf-8"))
    ] == []


def test_every_allowed_line_is_there_and_needs_its_row() -> None:
    lines = {text.split("\n", 1)[0] for _, text in docstrings()}
    assert [line for line in ALLOWED if line not in lines or not better(line)] == []


@pytest.mark.parametrize("line", ["What a row does.", "So many are kept.", "The same for ships.", "Of one ship alone."])
def test_the_patterns_find_what_they_are_for(line: str) -> None:
    assert better(line)

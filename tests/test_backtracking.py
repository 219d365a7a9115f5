"""No regular expression backtracks more than linearly on any text of its own alphabet."""

import ast
import importlib
import importlib.util
import pkgutil
import re
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

import bot
import cogs
from bot.rules.anydice import phrases
from tests.backtracking import MAX_STEPS, hard_texts, steps

ROOT: Final = Path(__file__).parents[1]
SEARCHES: Final = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
SHORT, LONG = 20, 40
GROWS: Final = 2.7
"""Twice the text may need so many times the steps: 2, and some for its ends; 4 is quadratic."""
FEW: Final = 600
"""A pattern that needs no more steps than this for the long text is not looked at: it hardly repeats anything."""
TO_READ_FILES: Final = frozenset(
    {
        "bot.web.live_pages",  # its own pages
        "bot.odds_site.build",  # its own files
    }
)
"""Modules whose patterns read what we have written ourselves."""
SINGLE_BLANKS: Final = ("bot.rules.anydice.", "phrases: ")
"""Their reader makes one blank of several first."""
Patterns = dict[re.Pattern[str], tuple[str, bool]]


@cache
def sources() -> dict[str, ast.Module]:
    paths = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")])
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {name: ast.parse(path.read_text()) for name, path in named.items() if name not in TO_READ_FILES}


@cache
def is_package(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    assert spec is not None, "it is imported"
    return spec.submodule_search_locations is not None


@cache
def searched() -> frozenset[tuple[str, str]]:
    """The modules and names of patterns that are searched for anywhere in a text; others are matched at one place."""
    result = set[tuple[str, str]]()
    for module, tree in sources().items():
        known = {name: module for node in tree.body for name in assigned(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    at = str(node.module)
                    known[alias.asname or alias.name] = f"{at}.{alias.name}" if is_package(at) else at
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        for item in (func.value for func in calls if isinstance(func, ast.Attribute) and func.attr in SEARCHES):
            if isinstance(item, ast.Name):
                result.add((known.get(item.id, module), item.id))
            elif isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name):
                result.add((known.get(item.value.id, module), item.attr))
    return frozenset(result)


def assigned(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return (target.id for target in targets if isinstance(target, ast.Name))


def written_in_place() -> Patterns:
    """``re.sub(r"...", ...)``: patterns that have no name."""
    patterns = Patterns()
    for module, tree in sources().items():
        for node in ast.walk(tree):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1
            if is_call and ast.unparse(node.func.value) == "re" and isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]  # it is a call
                name = node.func.attr  # type: ignore[attr-defined]  # see above
                if name != "compile" and isinstance(node.args[0].value, str):  # type: ignore[attr-defined]  # see above
                    patterns[re.compile(node.args[0].value)] = f"{module}:{node.lineno}", name in SEARCHES  # type: ignore[attr-defined]  # see above
    return patterns


def held_by(value: Any) -> Iterator[re.Pattern[str]]:
    """The patterns that a value of a module is, or holds."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        yield from (item for each in value.values() for item in held_by(each))
    elif isinstance(value, tuple | list):
        yield from (item for each in value for item in held_by(each))


def named() -> Patterns:
    """The patterns that modules keep, and the rows of phrases."""
    patterns = Patterns()
    for package in (bot, cogs):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name in TO_READ_FILES or module.name.endswith("__main__"):
                continue
            for name, value in vars(importlib.import_module(module.name)).items():
                for item in held_by(value):
                    patterns[item] = f"{module.name}.{name}", (module.name, name) in searched() or item is not value
    for part in ("games", "read", "near", "named", "elsewhere", "other words", "about"):
        patterns |= {row.pattern: (f"phrases: {row.pattern.pattern}", True) for row in phrases.table(part)}
    return patterns


def grows(pattern: re.Pattern[str], *, is_searched: bool, single_blanks: bool = False) -> str:
    """A text on which a pattern backtracks more than linearly; "" for none."""
    for short, long in zip(hard_texts(pattern, SHORT), hard_texts(pattern, LONG), strict=True):
        if single_blanks and re.search(r"\s\s", long):
            continue
        many = steps(pattern, long, is_searched=is_searched)
        if many > FEW and (many > MAX_STEPS or many > GROWS * steps(pattern, short, is_searched=is_searched)):
            return long
    return ""


def every(patterns: Patterns) -> list[str]:
    """What backtracks, a line each. It needs a deep stack."""
    result: list[str] = []

    def look() -> None:
        for pattern, (where, is_searched) in patterns.items():
            if text := grows(pattern, is_searched=is_searched, single_blanks=where.startswith(SINGLE_BLANKS)):
                result.append(f"{where}: {pattern.pattern!r} on {text[:30]!r}")

    limit, size = sys.getrecursionlimit(), threading.stack_size(256 * 1024 * 1024)
    sys.setrecursionlimit(200_000)
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    threading.stack_size(size)
    sys.setrecursionlimit(limit)
    return result


@pytest.mark.slow
def test_no_pattern_backtracks_more_than_linearly() -> None:
    patterns = named() | written_in_place()
    assert len(patterns) > 300
    assert every(patterns) == []


@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        (r"(a+)+b", False),
        (r"\s*,", True),
        (r"\s*x?\s*y", False),
        (r"a.*b.*c", False),
        (r"[0-9]+#", True),
        (r"(?:a|aa)+$", False),
    ],
)
def test_it_finds_those_that_do(pattern: str, is_searched: bool) -> None:
    assert grows(re.compile(pattern), is_searched=is_searched)


@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        (r"\s*+x?\s*+y", False),
        (r"(?<!\s)\s*+,", True),
        (r"[a-z]+[0-9]+", False),
        (r"\w+(?= )", False),
        (r"(?>a+)b", False),
    ],
)
def test_and_none_that_does_not(pattern: str, is_searched: bool) -> None:
    assert not grows(re.compile(pattern), is_searched=is_searched)

"""How large the house is, and how far an action goes in it. Run ``python -m benchmarks.house``, or `make figures`.

Lines of Python, files with many imports, functions with many branches, words of card rows that are read as text outside
their grammar, and the ways of `tests/ways.py`.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.rules import test_xwing_row_words as row_words

ROOT: Final = Path(__file__).parents[1]
OURS: Final = ("bot", "cogs")
IMPORTS_MOST: Final = 40
COMPLEXITY_MOST: Final = 20
Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES: Final = (
    *(ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case),
)


def main() -> None:
    files = sources(OURS)
    for folder in (*OURS, "tests", "benchmarks", "migrations"):
        found = sources((folder,))
        print(f"{folder:12} {sum(map(lines, found)):7,} lines in {len(found)} files")
    print(f"bot + cogs   {sum(map(lines, files)):7,} lines")
    show(f"files with more than {IMPORTS_MOST} top-level imports", many_imports(files))
    show(f"functions above complexity {COMPLEXITY_MOST}", many_branches(files))
    show("files outside the grammar of card rows that look at their words", reading_rows())
    print(flush=True)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-qq", "-s", "-n", "0", "-p", "no:cacheprovider", "tests/ways.py"],
        cwd=ROOT,
        check=True,
    )


def sources(folders: tuple[str, ...]) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def show(title: str, found: list[tuple[int, str]]) -> None:
    """A count and its places, the largest first."""
    print(f"{len(found)} {title}")
    for count, where in sorted(found, reverse=True):
        print(f"    {count:3} {where}")


def many_imports(files: list[Path]) -> list[tuple[int, str]]:
    """Files with too many import statements at their top; a package that only hands names on does not count."""
    found = []
    for file in files:
        statements = ast.parse(file.read_text(encoding="utf-8")).body
        count = sum(isinstance(one, ast.Import | ast.ImportFrom) for one in statements)
        does = any(isinstance(one, Function | ast.ClassDef) for one in statements)
        if count > IMPORTS_MOST and (does or file.name != "__init__.py"):
            found.append((count, str(file.relative_to(ROOT))))
    return found


def many_branches(files: list[Path]) -> list[tuple[int, str]]:
    """Functions with too many branches."""
    found = [
        (complexity(one), f"{file.relative_to(ROOT)}:{one.lineno} {one.name}")
        for file in files
        for one in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(one, Function)
    ]
    return [one for one in found if one[0] > COMPLEXITY_MOST]


def reading_rows() -> list[tuple[int, str]]:
    """How often which file looks at words of X-Wing's card rows as text."""
    found = []
    for file in row_words.READERS:
        looked_at = row_words.looked_at(ast.parse(file.read_text(encoding="utf-8")))
        if count := sum(text.strip() in row_words.VOCABULARY for _, text in looked_at):
            found.append((count, str(file.relative_to(ROOT))))
    return found


def complexity(function: Function) -> int:
    """1 and each if, loop, except, assert, comprehension, case, and each further part of an ``and`` or ``or``.

    What a function inside it does is not counted: that has a complexity of its own.
    """
    return 1 + sum(map(branches, inside(function)))


def branches(node: ast.AST) -> int:
    """How many ways more there are because of one part of a function."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    return 1 + len(node.ifs) if isinstance(node, ast.comprehension) else int(isinstance(node, BRANCHES))


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a function but the functions in it."""
    for one in ast.iter_child_nodes(node):
        if not isinstance(one, Function | ast.ClassDef):
            yield one
            yield from inside(one)


if __name__ == "__main__":
    main()

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

from tests.rules.xwing import test_row_words as row_words

ROOT: Final = Path(__file__).parents[1]
OURS: Final = ("bot", "cogs")
MAX_IMPORTS: Final = 40
MAX_COMPLEXITY: Final = 20
Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES: Final = (
    *(ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case),
)


def main() -> None:
    files = sources(OURS)
    for folder in (*OURS, "tests", "benchmarks", "migrations"):
        paths = sources((folder,))
        print(f"{folder:12} {sum(map(lines, paths)):7,} lines in {len(paths)} files")
    print(f"bot + cogs   {sum(map(lines, files)):7,} lines")
    show(f"files with more than {MAX_IMPORTS} top-level imports", many_imports(files))
    show(f"functions above complexity {MAX_COMPLEXITY}", many_branches(files))
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


def show(title: str, result: list[tuple[int, str]]) -> None:
    """A count and its places, the largest first."""
    print(f"{len(result)} {title}")
    for count, where in sorted(result, reverse=True):
        print(f"    {count:3} {where}")


def many_imports(files: list[Path]) -> list[tuple[int, str]]:
    """Files with too many import statements at their top; a package that only hands names on does not count."""
    result = []
    for file in files:
        statements = ast.parse(file.read_text(encoding="utf-8")).body
        count = sum(isinstance(statement, ast.Import | ast.ImportFrom) for statement in statements)
        does = any(isinstance(statement, Function | ast.ClassDef) for statement in statements)
        if count > MAX_IMPORTS and (does or file.name != "__init__.py"):
            result.append((count, str(file.relative_to(ROOT))))
    return result


def many_branches(files: list[Path]) -> list[tuple[int, str]]:
    """Functions with too many branches."""
    result = [
        (complexity(node), f"{file.relative_to(ROOT)}:{node.lineno} {node.name}")
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, Function)
    ]
    return [item for item in result if item[0] > MAX_COMPLEXITY]


def reading_rows() -> list[tuple[int, str]]:
    """How often which file looks at words of X-Wing's card rows as text."""
    result = []
    for file in row_words.READERS:
        looked_at = row_words.looked_at(ast.parse(file.read_text(encoding="utf-8")))
        if count := sum(text.strip() in row_words.VOCABULARY for _, text in looked_at):
            result.append((count, str(file.relative_to(ROOT))))
    return result


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
    for item in ast.iter_child_nodes(node):
        if not isinstance(item, Function | ast.ClassDef):
            yield item
            yield from inside(item)


if __name__ == "__main__":
    main()

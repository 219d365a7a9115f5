"""Do the tests notice when the program is wrong? Changes one thing in it, many times, and runs the tests that cover it.

``python -m tests.mutants bot/rules/xwing --seed 7 --count 30 --tests tests/rules/xwing tests/odds``. The tests are run
once on a copy of the project, to know which of them pass each line and how long they take; ``--keep FOLDER`` keeps that
for the next time. Then mutants are drawn by the seed: each is one changed expression or one call left out. Of each,
first the tests that pass its lines are run, the quickest first, until one fails; if none passes them (a table is read
when its module is imported), those that pass any line of its file. Printed for each mutant: whether it was caught, and
by which test. A mutant that nobody catches is a test that is missing, or a change that makes no difference.

What runs in a process of its own (tests of the wire, of the browser) is not seen by coverage and does not count here.
"""

import argparse
import ast
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

ENDLESS: Final = 60, 10
"""Seconds of processor that tests may take at least, and how many times as long as without a mutant."""
MAX_MEMORY: Final = 4 << 30
FEW: Final = 40
"""So many of the quickest tests are run before the others: most mutants are caught by them."""
MANY: Final = 400
"""No more tests are run for one mutant."""
PAIRS: Final[tuple[tuple[type[ast.AST], type[ast.AST]], ...]] = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.Div, ast.Mod),
    (ast.BitAnd, ast.BitOr),
    (ast.LShift, ast.RShift),
)
OTHER: Final = dict([*PAIRS, *((two, item) for item, two in PAIRS)])
"""What takes the place of an operator."""
TOOK: Final = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(.+)$", re.MULTILINE)
"""A line of pytest's report of durations."""
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
NOT_RUN: Final = ("annotation", "returns", "decorator_list", "type_comment")
"""Parts of a tree that say what something is and not what it does."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a file: the text between two offsets (bytes) becomes ``new``. Lines count from 1."""

    path: str
    lines: range
    span: tuple[int, int]
    old: str
    new: str
    line: str

    def __str__(self) -> str:
        old, new = " ".join(self.old.split()), " ".join(self.new.split())
        where = f"{self.path}:{self.lines.start}: {old}  ->  {new}"
        return where if old == self.line else f"{where}  in  {self.line}"

    def of(self, source: bytes) -> bytes:
        """The file with the change."""
        return source[: self.span[0]] + self.new.encode() + source[self.span[1] :]


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Every mutant of a file, in the order of its text."""
    starts, lines = [0], source.splitlines(keepends=True)
    for line in lines:
        starts.append(starts[-1] + len(line))
    result = list[Mutant]()
    for node in run_parts(ast.parse(source)):
        if not isinstance(node, ast.expr | ast.Expr):
            continue
        last = node.end_lineno or node.lineno
        span = starts[node.lineno - 1] + node.col_offset, starts[last - 1] + (node.end_col_offset or 0)
        old = source[slice(*span)].decode()
        for new in changes(node):
            result.append(
                Mutant(path, range(node.lineno, last + 1), span, old, new, lines[node.lineno - 1].decode().strip())
            )
    return sorted(result, key=lambda item: (item.span, item.new))


def run_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a tree that run; not those of an f-string, whose places Python 3.11 does not know."""
    for name, value in ast.iter_fields(node):
        parts = value if isinstance(value, list) else [value]
        for part in [] if name in NOT_RUN else parts:
            if isinstance(part, ast.AST) and not isinstance(part, ast.JoinedStr):
                yield part
                yield from run_parts(part)


def changes(node: ast.expr | ast.Expr) -> Iterator[str]:
    """What may stand in place of an expression, or of a call that is a statement of its own."""
    match node:
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield "..."
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                changed = deepcopy(node)
                changed.ops[place] = OTHER[type(op)]()  # type: ignore[call-overload]  # each stands for one of its own kind
                yield f"({ast.unparse(changed)})"
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in OTHER:
            other = deepcopy(node)
            other.op = OTHER[type(op)]()  # type: ignore[assignment]  # each stands for one of its own kind
            yield f"({ast.unparse(other)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"({ast.unparse(operand)})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield f"({ast.unparse(ast.IfExp(test, orelse, body))})"
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.Name(id=name) if name in NAMES:
            yield NAMES[name]
        case _:
            return


def files(root: Path, paths: Sequence[str]) -> list[str]:
    """The Python files of some paths, named from the top of the project."""
    result = {
        file for path in paths for file in ([root / path] if path.endswith(".py") else (root / path).rglob("*.py"))
    }
    return sorted(str(file.relative_to(root)) for file in result)


def drawn(root: Path, paths: Sequence[str], seed: int, count: int) -> list[Mutant]:
    """So many mutants of some paths; the same for the same seed and the same files."""
    every = [mutant for path in files(root, paths) for mutant in mutants(path, (root / path).read_bytes())]
    return Random(seed).sample(every, min(count, len(every)))


# Which tests pass which lines


class Covered:
    """Which tests pass each line of each file, and how many seconds each test takes.

    ``folder`` holds both; where it is empty the tests are run once. Raises ``SystemExit`` where they fail without a
    mutant.
    """

    def __init__(self, root: Path, folder: Path, paths: Sequence[str], tests: Sequence[str]) -> None:
        from coverage import CoverageData

        data, times = folder / "coverage", folder / "times"
        if not data.exists():
            config = folder / "config"
            sources = " ".join(sorted({path.partition("/")[0] for path in paths}))
            config.write_text(f"[run]\nrelative_files = true\nsource = {sources}\n")
            arguments = ["--cov", f"--cov-config={config}", "--cov-context=test", "--cov-report="]
            arguments += ["-vvv", "--durations=0"]
            ran = run(root, [*arguments, *tests], {"COVERAGE_FILE": str(data)}, seconds=None)
            if ran.returncode:
                data.unlink(missing_ok=True)
                raise SystemExit(f"The tests fail without a mutant:\n{ran.stdout[-2000:]}")
            times.write_text(ran.stdout)
        self.seconds: dict[str, float] = defaultdict(float)
        for seconds, test in TOOK.findall(times.read_text()):
            self.seconds[test] += float(seconds)
        self._data = CoverageData(str(data))
        self._data.read()

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests for a mutant, the quickest first."""
        by_line = self._data.contexts_by_lineno(mutant.path)
        here = {self.test(item) for line in mutant.lines for item in by_line.get(line, ())} - {""}
        result = here or {self.test(name) for names in by_line.values() for name in names} - {""}
        return sorted(result & self.seconds.keys(), key=lambda test: (self.seconds[test], test))[:MANY]

    @staticmethod
    def test(context: str) -> str:
        return context.rpartition("|")[0]


# The tests of a mutant


def run(
    root: Path, arguments: Sequence[str], more: dict[str, str], seconds: float | None
) -> subprocess.CompletedProcess[str]:
    """Pytest in the copy; ``seconds`` of processor are the most that it may take, None for no limit."""

    def limit() -> None:
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))

    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *arguments]
    waits = None if seconds is None else 5 * seconds  # for tests that wait for what never comes
    return subprocess.run(
        command,
        cwd=root,
        env=os.environ | {"PYTEST_ADDOPTS": ""} | more,
        text=True,
        capture_output=True,
        timeout=waits,
        preexec_fn=limit,
        check=False,
    )


def fails(root: Path, tests: Sequence[str], covered: Covered) -> str:
    """The first of some tests that fails; empty if all pass."""
    least, times = ENDLESS
    named = root / "mutants.args"
    named.write_text("\n".join(tests))
    try:
        ran = run(root, [f"@{named}"], {}, least + times * sum(map(covered.seconds.__getitem__, tests)))
    except subprocess.TimeoutExpired:
        return "tests that never end"
    if ran.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "tests that never end"
    lines = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return lines[0].partition(" - ")[0] if lines else f"exit code {ran.returncode}" * bool(ran.returncode)


def caught_by(root: Path, mutant: Mutant, covered: Covered) -> str:
    """Which test catches a mutant; empty if none does."""
    file, tests = root / mutant.path, covered.tests(mutant)
    source = file.read_bytes()
    compiled = list((file.parent / "__pycache__").glob(f"{file.stem}.*"))
    try:
        file.write_bytes(mutant.of(source))
        for path in compiled:  # one of the same second and size would count as up to date
            path.unlink()
        return next(filter(None, (fails(root, part, covered) for part in (tests[:FEW], tests[FEW:]) if part)), "")
    finally:
        file.write_bytes(source)
        for path in compiled:
            path.unlink(missing_ok=True)


def copied(root: Path, to: Path) -> Path:
    """A copy of what git knows of a project, or will know once it is added; without git, of all."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=False
    )
    names = listed.stdout.splitlines() or [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    for name in names:
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)
    return to


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="files and folders to change")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--tests", nargs="+", default=["tests"], help="files and folders of tests")
    parser.add_argument("--keep", type=Path, help="keeps there which tests pass which lines, or knows it from there")
    asked = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as result:
        root = copied(Path.cwd(), Path(result) / "project")
        folder = (asked.keep or Path(result) / "covered").absolute()
        folder.mkdir(parents=True, exist_ok=True)
        covered = Covered(root, folder, asked.paths, asked.tests)
        for mutant in drawn(root, asked.paths, asked.seed, asked.count):
            by = caught_by(root, mutant, covered)
            missed += not by
            found = by or f"by none of the {len(covered.tests(mutant))} tests that pass it"
            print(f"{'caught' if by else 'MISSED'}  {mutant}\n        {found}", flush=True)  # noqa: T201 - the report
    print(f"{missed} of {asked.count} were missed (seed {asked.seed}).")  # noqa: T201 - the report


if __name__ == "__main__":
    main()

"""The tool that changes the program to see whether tests notice: on a project of one file."""

import os
import subprocess
import sys
from pathlib import Path

from tests import mutants

ROOT = Path(__file__).parents[1]
SOURCE = '''"""A file with a function that is tested, and one that nobody tests."""


def larger(one: int, other: int) -> int:
    return one if one > other else other


def twice(one: int) -> int:
    return one + one
'''
TESTS = """from part.sums import larger, twice


def test_the_larger_one() -> None:
    assert larger(1, 2) == 2


def test_twice() -> None:
    twice(3)
"""


def test_a_change_that_a_test_notices_is_caught_and_one_that_none_notices_is_not(tmp_path: Path) -> None:
    for name, text in (("part/__init__.py", ""), ("part/sums.py", SOURCE), ("checks/test_sums.py", TESTS)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "tests.mutants", "part", "--count", "9", "--tests", "checks"]
    needed = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin,pytest_cov.plugin"}
    env = {**os.environ, **needed, "PYTHONPATH": str(ROOT)}  # others take most of the time in which pytest starts
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert "caught  part/sums.py:5: one if one > other else other  ->  (other if one > other else one)" in ran.stdout
    assert "checks/test_sums.py::test_the_larger_one" in ran.stdout
    assert "MISSED  part/sums.py:5: one > other  ->  (one >= other)" in ran.stdout, "it makes no difference"
    assert "MISSED  part/sums.py:9: one + one  ->  (one - one)" in ran.stdout
    assert (tmp_path / "part/sums.py").read_text() == SOURCE, "it works on a copy"


def test_the_same_seed_draws_the_same_and_every_mutant_is_a_program() -> None:
    assert mutants.drawn(ROOT, ["bot/rules/albion.py"], 5, 8) == mutants.drawn(ROOT, ["bot/rules/albion.py"], 5, 8)
    source = (ROOT / "bot/rules/albion.py").read_bytes()
    for mutant in mutants.mutants("bot/rules/albion.py", source):
        changed = mutant.of(source)
        assert changed != source
        compile(changed, mutant.path, "exec")

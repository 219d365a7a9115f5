"""The order of the tests: each process that runs them has its share of what takes long, at a time of its own."""

from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import dealt, seconds

FILES = {"tests/rules/test_dice.py": 500, "tests/browser/test_play.py": 4, "tests/browser/test_call.py": 5}
FILES |= {f"tests/wire/test_{letter}.py": 6 for letter in "abcdefg"}


def collected() -> list[Any]:
    return [
        SimpleNamespace(nodeid=f"{file}::test_{number}", path=Path(file))
        for file, count in FILES.items()
        for number in range(count)
    ]


@pytest.mark.parametrize("processes", [1, 2, 3, 5])
def test_every_process_has_its_share_of_what_takes_long_at_a_time_of_its_own(processes: int) -> None:
    order = dealt(collected(), processes)
    assert sorted(item.nodeid for item in order) == sorted(item.nodeid for item in collected())
    share = sum(map(seconds, order)) / processes
    longest = max(sum(map(seconds, result)) for _, result in groupby(order, lambda item: item.path))
    for at in range(processes):
        size = len(order) // (processes - at)
        part, order = order[:size], order[size:]
        runs = [(is_slow, len([*run])) for is_slow, run in groupby(part, lambda item: seconds(item) > 0)]
        assert [is_slow for is_slow, _ in runs] == ([False, True, False] if at else [True, False])
        before, after = (runs[0][1] if at else 0), runs[-1][1]
        assert before == (before + after) * at // processes, "the others count while it waits"
        assert abs(sum(map(seconds, part)) - share) <= longest, "no process has more than a file too much"


def test_tests_of_a_file_that_take_long_stay_together() -> None:
    for processes in (2, 3):
        files = [path for path, _ in groupby(item.path for item in dealt(collected(), processes) if seconds(item))]
        assert len(files) == len(set(files))


def test_where_all_take_long_none_is_lost() -> None:
    slow = [item for item in collected() if seconds(item)]
    assert sorted(item.nodeid for item in dealt(slow, 3)) == sorted(item.nodeid for item in slow)

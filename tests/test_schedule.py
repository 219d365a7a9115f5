"""The order of the tests: each process that runs them begins with what takes long."""

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
def test_every_process_begins_with_its_share_of_what_takes_long(processes: int) -> None:
    order = dealt(collected(), processes)
    assert sorted(item.nodeid for item in order) == sorted(item.nodeid for item in collected())
    share = sum(map(seconds, order)) / processes
    longest = max(sum(map(seconds, result)) for _, result in groupby(order, lambda item: item.path))
    for left in range(processes, 0, -1):
        part, order = order[: len(order) // left], order[len(order) // left :]
        kinds = [is_slow for is_slow, _ in groupby(part, lambda item: seconds(item) > 0)]
        assert kinds == [True, False], "what is slow comes first"
        assert abs(sum(map(seconds, part)) - share) <= longest, "no process has more than a file too much"


def test_tests_of_a_file_that_take_long_stay_together() -> None:
    for processes in (2, 3):
        files = [path for path, _ in groupby(item.path for item in dealt(collected(), processes) if seconds(item))]
        assert len(files) == len(set(files))


def test_where_all_take_long_none_is_lost() -> None:
    slow = [item for item in collected() if seconds(item)]
    assert sorted(item.nodeid for item in dealt(slow, 3)) == sorted(item.nodeid for item in slow)

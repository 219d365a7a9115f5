"""What a commit leaves out, others take; nothing is lost, and the same commit takes the same."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from tests import sampling


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Choose what draws the share."""
    return lambda sample: monkeypatch.setattr(sampling, "sample_id", lambda: sample)


def left_out(name: str, *args: str) -> bool:
    item: Any = SimpleNamespace(
        nodeid=name, config=SimpleNamespace(args=args), get_closest_marker=lambda _: pytest.mark.sampled(5).mark
    )
    return sampling.is_left_out(item)


def test_commits_together_visit_every_case(chosen: Any) -> None:
    visits, tests = Counter[int](), Counter[str]()
    names = [f"tests/test_x.py::test[{number}]" for number in range(100)]
    for commit in range(100):
        chosen(f"commit {commit}")
        share = sampling.share(range(96), 10)
        assert share == sorted(share) == sampling.share(range(96), 10)
        assert len(share) == 10
        visits.update(share)
        tests.update(name for name in names if not left_out(name, "tests"))
    assert len(visits) == 96
    assert len(tests) == 100
    assert 1700 < tests.total() < 2300


def test_few_cases_have_one_that_is_taken(chosen: Any) -> None:
    chosen("commit")
    assert len(sampling.share("ab", 100)) == 1
    assert sampling.share("", 100) == []


def test_all_is_all_and_a_test_that_is_named_is_run(chosen: Any) -> None:
    names = [f"tests/test_x.py::test[{number}]" for number in range(50)]
    chosen("commit")
    assert not any(left_out(name, name) for name in names)
    chosen(sampling.ALL)
    assert not any(left_out(name, "tests") for name in names)
    assert sampling.share(range(9), 3) == [*range(9)]

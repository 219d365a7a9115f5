"""Walks over many independent cases: each commit takes a share of its own, and ``-m long`` takes all of them.

``@pytest.mark.sampled(8)`` takes about one in eight parameters of a test; the fixture ``part`` does the same for the
cases that a test walks by itself. The share is drawn by the commit's id, so that some commits together visit every
case. The id is printed when tests begin: ``SAMPLE=<id> make test`` takes the same share again, ``SAMPLE=all`` takes
everything, and so does a test that is named on the command line. What keeps a secret, what is stored, and whatever an
editor of rows, names, or translations may get wrong is never sampled.
"""

import os
import subprocess
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final, TypeAlias, TypeVar

import pytest

Case = TypeVar("Case")
Part: TypeAlias = Callable[[Iterable[Case], int], list[Case]]
ALL: Final = "all"
ROOT: Final = Path(__file__).parents[1]


@cache
def sample_id() -> str:
    """What draws the share: the commit's id, unless ``SAMPLE`` says another."""
    if given := os.environ.get("SAMPLE") or os.environ.get("GITHUB_SHA"):
        return given
    command = ["git", "-c", "safe.directory=*", "rev-parse", "--short=12", "HEAD"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "none"


def share(cases: Iterable[Case], each: int) -> list[Case]:
    """One in ``each`` cases, in their order; at least one."""
    every = [*cases]
    if sample_id() == ALL:
        return every
    places = Random(sample_id()).sample(range(len(every)), -(-len(every) // each))
    return [every[place] for place in sorted(places)]


def is_left_out(item: pytest.Item) -> bool:
    """Whether this commit leaves out a test of a sampled walk."""
    mark = item.get_closest_marker("sampled")
    if mark is None or sample_id() == ALL or any("::" in path for path in item.config.args):
        return False
    return int.from_bytes(sha256(f"{sample_id()} {item.nodeid}".encode()).digest()[:8]) % int(mark.args[0]) != 0

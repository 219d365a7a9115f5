"""Random runs: the first of them in `make test`, the others with ``-m long``."""

from collections.abc import Iterable
from itertools import islice

import pytest


def seeds(every: Iterable[object], first: int = 1) -> list[object]:
    """Values of a parametrized test: those after the ``first`` so many are marked as long."""
    result = iter(every)
    return [*islice(result, first), *(pytest.param(item, marks=pytest.mark.long) for item in result)]

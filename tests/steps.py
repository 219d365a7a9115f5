"""Counts what a call costs in steps, from outside: lines and calls of Python, whatever the machine."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

STEPS_MOST: Final = 100_000
"""Steps that one typed text may take in the event loop: what about 10 ms pay for on a slow machine."""


class Steps:
    """A count that grows while it is watched."""

    count = 0


@contextmanager
def counting() -> Iterator[Steps]:
    """Count the lines, and the calls of functions in Python and in C, that this thread makes meanwhile."""
    steps = Steps()

    def trace(_frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any]:
        steps.count += 1
        return trace

    def profile(_frame: FrameType, event: str, _argument: Any) -> None:
        steps.count += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])


def steps_of(call: Callable[[], object], *refusals: type[Exception]) -> int:
    """Lines and calls that a call takes; a refusal of these types is an answer too."""
    with counting() as steps, suppress(*refusals):
        call()
    return steps.count

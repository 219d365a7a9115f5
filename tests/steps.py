"""Counts what an answer costs in steps, from outside: lines and calls of Python, whatever the machine.

Steps of the bot count, and of the modules of Python that read text for it. Discord's library, the store and the
simulated Discord cost the same whatever was typed.
"""

import asyncio
import difflib
import fractions
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Final

MAX_STEPS: Final = 100_000
"""Steps for which one typed text may hold the event loop: what about 10 ms pay for."""
ROOT: Final = Path(__file__).parents[1]
READS_TEXT: Final[tuple[ModuleType, ...]] = (difflib, fractions, json, re, textwrap, tomllib)
COUNTED: Final = tuple(
    str(folder) + "/"
    for folder in (
        ROOT / "bot",
        ROOT / "cogs",
        *(Path(str(item.__file__)).parent for item in READS_TEXT if hasattr(item, "__path__")),
    )
) + tuple(str(item.__file__) for item in READS_TEXT if not hasattr(item, "__path__"))


class Steps:
    """``count``: the steps since the event loop last went on. ``most``: the most of them that it was held for."""

    count = 0
    most = 0

    def goes_on(self) -> None:
        """The event loop may do something else."""
        self.most = max(self.most, self.count)
        self.count = 0


@cache
def is_counted(code: CodeType) -> bool:
    return code.co_filename.startswith(COUNTED)


@contextmanager
def counting() -> Iterator[Steps]:
    """Count the lines, and the calls of functions in Python and in C, that this thread makes meanwhile."""
    steps = Steps()

    def trace(frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any] | None:
        if not is_counted(frame.f_code):
            return None
        steps.count += 1
        return line

    def line(_frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any]:
        steps.count += 1
        return line

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        steps.count += event == "c_call" and is_counted(frame.f_code)

    run = asyncio.Handle._run

    def run_and_note(handle: asyncio.Handle) -> None:
        steps.goes_on()
        run(handle)
        steps.goes_on()

    before = sys.gettrace(), sys.getprofile()
    asyncio.Handle._run = run_and_note  # type: ignore[method-assign, assignment]  # what the loop calls between two waits
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
        asyncio.Handle._run = run  # type: ignore[method-assign]  # counts every step of the loop
        steps.goes_on()


def steps_of(call: Callable[[], object], *refusals: type[Exception]) -> int:
    """Lines and calls that a call takes; a refusal of these types is an answer too."""
    with counting() as steps, suppress(*refusals):
        call()
    return steps.most

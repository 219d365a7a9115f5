"""Reports answers that blocked the event loop. It cancels none: the parsers' step limits do that, so a slow machine
gives the same answers as a fast one.
"""

import logging
import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, Final, TypeVar

from bot import metrics

MAX_HELD: Final = 0.1
"""Seconds for which an answer may block the event loop unreported."""
log = logging.getLogger(__name__)
T = TypeVar("T")
Clock = Callable[[], float]


@coroutine
def report_long_steps(
    work: Coroutine[Any, Any, T], report: Callable[[float], None], clock: Clock = time.perf_counter
) -> Generator[Any, Any, T]:
    """Run a coroutine, and report the seconds between two awaits whenever they exceed ``MAX_HELD``."""
    raised: BaseException | None = None
    while True:
        began = clock()
        try:
            waits_for = work.send(None) if raised is None else work.throw(raised)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            if (held := clock() - began) > MAX_HELD:
                report(held)
        try:
            yield waits_for
            raised = None
        except BaseException as error:  # noqa: BLE001 - the coroutine's own, such as a cancellation
            raised = error


async def watch(work: Coroutine[Any, Any, T], what: Callable[[], str]) -> T:
    """Run a coroutine; log and count each time it blocks the event loop. ``what``: its command and options."""
    return await report_long_steps(work, partial(note_long_step, what))


def note_long_step(what: Callable[[], str], seconds: float) -> None:
    metrics.LOOP_HELD.inc()
    log.warning("%s held the event loop for %d ms", what(), seconds * 1000)

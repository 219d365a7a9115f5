"""The watchdog: what held the event loop is named and counted, and goes on as it would have."""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from bot import metrics
from bot.runtime import watchdog


def clock_of(*times: float) -> watchdog.Clock:
    given: Iterator[float] = iter(times)
    return lambda: next(given)


async def work() -> str:
    await asyncio.sleep(0)
    return "done"


async def test_each_stretch_between_two_waits_is_measured() -> None:
    held = list[float]()
    assert await watchdog.report_long_steps(work(), held.append, clock_of(0.0, 0.25, 7.0, 7.05)) == "done"
    assert held == [0.25], "waiting is not holding, and 50 ms are not reported"


async def test_an_error_and_a_cancellation_arrive_where_they_would() -> None:
    held, seen = list[float](), list[str]()

    async def fails() -> None:
        raise ValueError("broken")

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("canceled")
            raise

    with pytest.raises(ValueError, match="broken"):
        await watchdog.report_long_steps(fails(), held.append, clock_of(0.0, 0.5))
    assert held == [0.5]
    task = asyncio.ensure_future(watchdog.watch(waits(), lambda: "it"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["canceled"]


def test_it_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    before = metrics.LOOP_HELD._value.get()
    with caplog.at_level(logging.WARNING):
        watchdog.note_long_step(lambda: "/infinity profile set (stats: 2500 characters)", 0.25)
    assert "/infinity profile set (stats: 2500 characters) held the event loop for 250 ms" in caplog.text
    assert metrics.LOOP_HELD._value.get() == before + 1

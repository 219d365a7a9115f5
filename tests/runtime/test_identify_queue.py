"""The shards of all processes IDENTIFY one after the other, as far as they share a bucket."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.runtime import identify_queue
from bot.runtime.identify_queue import IdentifyQueue
from bot.store import coordination as locking
from bot.store.coordination import Locks
from bot.store.errors import DatabaseUnreachableError
from tests.engines import on_both

pytest_generate_tests = on_both


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "RETRY_SECONDS", 0.01)


@pytest.fixture
async def processes(url: str) -> AsyncIterator[list[IdentifyQueue]]:
    """Two processes; an SQLite file has one, which launches its shards one after the other."""
    locks = [Locks(url)] if url.startswith("sqlite") else [Locks(url), Locks(url)]
    queues = [IdentifyQueue(item.run_exclusive, max_concurrency=2) for item in (locks * 2)[:2]]
    yield queues
    for turns in queues:
        await turns.close()
    for lock in locks:
        await lock.close()


class Pause:
    """Stands in for the five seconds: they pass when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.over = asyncio.Event()
        self.begun = asyncio.Queue[None]()
        real = asyncio.sleep

        async def sleep(seconds: float) -> None:
            if seconds == identify_queue.IDENTIFY_INTERVAL:
                self.begun.put_nowait(None)
                await self.over.wait()
            else:
                await real(seconds)

        monkeypatch.setattr("bot.runtime.identify_queue.asyncio.sleep", sleep)


async def test_one_bucket_waits_and_the_other_does_not(
    processes: list[IdentifyQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = Pause(monkeypatch)
    queue, other = processes
    await queue.mark_used(0)
    await pause.begun.get()
    await other.mark_used(3)
    await pause.begun.get()
    waiting = asyncio.create_task(other.mark_used(2))
    await asyncio.sleep(0.1)
    assert not waiting.done(), "shards 0 and 2 are of one bucket"
    pause.over.set()
    await waiting


async def test_a_turn_lasts_until_it_is_used(processes: list[IdentifyQueue], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken before the shard connects; if that fails, the shard does not wait again."""
    pause = Pause(monkeypatch)
    pause.over.set()
    queue, other = processes
    await queue.acquire(0)
    await queue.acquire(0)
    waiting = asyncio.create_task(other.acquire(2))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await queue.mark_used(0)
    await waiting


async def test_a_turn_that_nobody_uses_goes_on(processes: list[IdentifyQueue], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identify_queue, "TURN_TIMEOUT", 0.05)
    queue, other = processes
    await queue.acquire(0)
    await other.mark_used(2)


async def test_who_gives_up_waiting_is_in_nobodys_way(
    processes: list[IdentifyQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = Pause(monkeypatch)
    queue, other = processes
    await queue.mark_used(0)
    await pause.begun.get()
    given_up = asyncio.create_task(other.acquire(2))
    await asyncio.sleep(0.05)
    given_up.cancel()
    await asyncio.wait({given_up})
    pause.over.set()
    await queue.mark_used(4)


async def test_a_process_that_stops_gives_up_its_turn(processes: list[IdentifyQueue]) -> None:
    queue, other = processes
    await queue.mark_used(0)
    await queue.close()
    await other.mark_used(2)


async def test_where_the_store_fails_the_shard_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(*_: object) -> None:
        raise DatabaseUnreachableError("the server is away")

    turns = IdentifyQueue(broken)
    await turns.mark_used(0)
    await turns.close()
    assert "the server is away" in caplog.text

"""The shards of all processes IDENTIFY one after the other, as far as they share a bucket."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot import identify
from bot.identify import Turns
from bot.store import processes as locking
from bot.store.errors import Unreachable
from bot.store.processes import Locks
from tests.engines import on_both

pytest_generate_tests = on_both


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "AGAIN", 0.01)


@pytest.fixture
async def processes(url: str) -> AsyncIterator[list[Turns]]:
    """Two processes; an SQLite file has one, which launches its shards one after the other."""
    locks = [Locks(url)] if url.startswith("sqlite") else [Locks(url), Locks(url)]
    made = [Turns(one.alone, max_concurrency=2) for one in (locks * 2)[:2]]
    yield made
    for turns in made:
        await turns.close()
    for one in locks:
        await one.close()


class Pause:
    """Stands in for the five seconds: they pass when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.over = asyncio.Event()
        self.begun = asyncio.Queue[None]()
        real = asyncio.sleep

        async def sleep(seconds: float) -> None:
            if seconds == identify.APART:
                self.begun.put_nowait(None)
                await self.over.wait()
            else:
                await real(seconds)

        monkeypatch.setattr("bot.identify.asyncio.sleep", sleep)


async def test_one_bucket_waits_and_the_other_does_not(processes: list[Turns], monkeypatch: pytest.MonkeyPatch) -> None:
    pause = Pause(monkeypatch)
    one, other = processes
    await one.use(0)
    await pause.begun.get()
    await other.use(3)
    await pause.begun.get()
    waiting = asyncio.create_task(other.use(2))
    await asyncio.sleep(0.1)
    assert not waiting.done(), "shards 0 and 2 are of one bucket"
    pause.over.set()
    await waiting


async def test_a_turn_lasts_until_it_is_used(processes: list[Turns], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken before the shard connects; if that fails, the shard does not wait again."""
    pause = Pause(monkeypatch)
    pause.over.set()
    one, other = processes
    await one.take(0)
    await one.take(0)
    waiting = asyncio.create_task(other.take(2))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await one.use(0)
    await waiting


async def test_a_turn_that_nobody_uses_goes_on(processes: list[Turns], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identify, "UNUSED", 0.05)
    one, other = processes
    await one.take(0)
    await other.use(2)


async def test_who_gives_up_waiting_is_in_nobodys_way(processes: list[Turns], monkeypatch: pytest.MonkeyPatch) -> None:
    pause = Pause(monkeypatch)
    one, other = processes
    await one.use(0)
    await pause.begun.get()
    given_up = asyncio.create_task(other.take(2))
    await asyncio.sleep(0.05)
    given_up.cancel()
    await asyncio.wait({given_up})
    pause.over.set()
    await one.use(4)


async def test_a_process_that_stops_gives_up_its_turn(processes: list[Turns]) -> None:
    one, other = processes
    await one.use(0)
    await one.close()
    await other.use(2)


async def test_where_the_store_fails_the_shard_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(*_: object) -> None:
        raise Unreachable("the server is away")

    turns = Turns(broken)
    await turns.use(0)
    await turns.close()
    assert "the server is away" in caplog.text

"""Work that one process does at a time: nobody does the same meanwhile, and somebody goes on when its holder dies."""

import asyncio
import signal
from collections.abc import AsyncIterator

import pytest

from bot.store import coordination as module
from bot.store.coordination import Locks, key_of
from bot.store.errors import DatabaseUnreachableError
from tests.engines import Server, fetch


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(module, "PING", 0.02)


@pytest.fixture
async def locks(ready: None, url: str) -> AsyncIterator[Locks]:
    result = Locks(url)
    yield result
    await result.close()


@pytest.fixture
async def others(ready: None, url: str, locks: Locks) -> AsyncIterator[list[Locks]]:
    """Other processes with the same database; an SQLite file has one process only."""
    result = [locks] * 3 if url.startswith("sqlite") else [Locks(url) for _ in range(3)]
    yield result
    for item in result:
        await item.close()


class ForEver:
    """Work that does not end: ``begun``, and ``broken_off`` once somebody ended it."""

    def __init__(self) -> None:
        self.begun, self.broken_off = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.broken_off.set()


async def seven() -> int:
    return 7


async def test_one_at_a_time_and_everybody_in_the_end(locks: Locks, others: list[Locks]) -> None:
    at_work, most, done = 0, 0, 0

    async def work() -> None:
        nonlocal at_work, most, done
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.01)
        at_work -= 1
        done += 1

    await asyncio.gather(*(item.run_exclusive("tidy", work) for item in [locks, *others] * 3))
    assert (most, done) == (1, 12)


async def test_other_work_goes_on_beside_it(locks: Locks, others: list[Locks]) -> None:
    begun, ends = asyncio.Event(), asyncio.Event()

    async def long() -> str:
        begun.set()
        await ends.wait()
        return "long"

    async def short() -> str:
        return "short"

    tidying = asyncio.create_task(locks.run_exclusive("tidy", long))
    await begun.wait()
    assert await others[0].run_exclusive("commands", short) == "short"
    ends.set()
    assert await tidying == "long"


async def test_what_the_work_raises_comes_out_and_the_next_goes_on(locks: Locks, others: list[Locks]) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await locks.run_exclusive("tidy", fail)
    assert await others[0].run_exclusive("tidy", seven) == 7


async def test_who_is_canceled_lets_go_whether_at_work_or_waiting(locks: Locks, others: list[Locks]) -> None:
    for_ever = ForEver()
    holding = asyncio.create_task(locks.run_exclusive("tidy", for_ever))
    await for_ever.begun.wait()
    waiting = asyncio.create_task(others[0].run_exclusive("tidy", seven))
    given_up = asyncio.create_task(others[1].run_exclusive("tidy", seven))
    await asyncio.sleep(0.05)
    given_up.cancel()
    await asyncio.wait({given_up})
    assert not waiting.done()
    holding.cancel()
    assert await waiting == 7
    await asyncio.wait({holding})
    assert holding.cancelled()
    assert for_ever.broken_off.is_set()


async def test_when_its_holder_dies_somebody_else_goes_on_and_it_stops(rolls: str) -> None:
    locks, other = Locks(rolls), Locks(rolls)
    for_ever = ForEver()
    holding = asyncio.create_task(locks.run_exclusive("tidy", for_ever))
    await for_ever.begun.wait()
    waiting = asyncio.create_task(other.run_exclusive("tidy", seven))
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    assert await asyncio.to_thread(fetch, rolls, cut) == [(True,)], "its connection is gone, as that of a dead process"
    assert await waiting == 7
    with pytest.raises(DatabaseUnreachableError):
        await holding
    assert for_ever.broken_off.is_set()
    await locks.close()
    await other.close()


async def test_a_process_that_hangs_lets_go(rolls: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is heard of it, so the server ends its transaction after ``IDLE_SECONDS``."""
    from bot.store import database

    patient = database.IDLE_SECONDS
    monkeypatch.setattr(database, "IDLE_SECONDS", 3.0)
    monkeypatch.setattr(module, "PING", 600.0)
    hangs, other, for_ever = Locks(rolls), Locks(rolls), ForEver()
    holding = asyncio.create_task(hangs.run_exclusive("tidy", for_ever))
    begun = asyncio.create_task(for_ever.begun.wait())
    await asyncio.wait({holding, begun}, return_when=asyncio.FIRST_COMPLETED)
    assert begun.done()
    monkeypatch.setattr(database, "IDLE_SECONDS", patient)
    assert await other.run_exclusive("tidy", seven) == 7
    holding.cancel()
    await asyncio.wait({holding})
    await hangs.close()
    await other.close()


async def test_where_the_server_is_gone_it_is_said(fragile: Server) -> None:
    locks = Locks(await asyncio.to_thread(fragile.database))
    assert await locks.run_exclusive("tidy", seven) == 7
    await asyncio.to_thread(fragile.stop, signal.SIGQUIT)
    with pytest.raises(DatabaseUnreachableError):
        await locks.run_exclusive("tidy", seven)
    await asyncio.to_thread(fragile.start)
    assert await locks.run_exclusive("tidy", seven) == 7
    await locks.close()


def test_a_lock_has_the_same_number_in_every_process() -> None:
    assert key_of("tidy") == key_of("tidy") != key_of("emoji")
    assert -(2**63) <= key_of("tidy") < 2**63

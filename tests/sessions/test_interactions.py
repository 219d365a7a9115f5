"""An interaction is taken once, whoever hears of it."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.store import coordination as module
from bot.store.coordination import KEPT, InteractionRegistry
from bot.store.database import Database


async def test_what_comes_twice_is_taken_once(database: Database) -> None:
    taken = InteractionRegistry(database)
    assert [await taken.claim(number, 100) for number in (7, 8, 7, 9, 8)] == [True, True, False, True, False]


@pytest.fixture
async def shared(rolls: str) -> AsyncIterator[list[Database]]:
    """A database on a server, as each of three processes opens it."""
    opened = [await Database.open(rolls) for _ in range(3)]
    yield opened
    for database in opened:
        await database.close()


async def test_of_several_processes_one_takes_it(shared: list[Database]) -> None:
    processes = [InteractionRegistry(database) for database in shared]
    for number in range(100, 140):
        taken = await asyncio.gather(*(process.claim(number, 100) for process in processes))
        assert sorted(taken) == [False, False, True]


async def test_what_is_long_over_is_forgotten_a_little_at_a_time(
    shared: list[Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FORGOTTEN_AT_ONCE", 3)
    taken = InteractionRegistry(shared[0])
    for number in range(5):
        await taken.claim(number, 100)
    await taken.claim(99, 200)
    assert await taken.step(100 + KEPT) is False
    assert [await taken.step(101 + KEPT) for _ in range(2)] == [True, False]
    again = InteractionRegistry(shared[1])
    assert [await again.claim(number, 300) for number in (0, 4, 99)] == [True, True, False]


async def test_memory_is_bounded(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 3)
    taken = InteractionRegistry(database)
    for number in range(5):
        assert await taken.claim(number, 100)
    assert len(taken._heard) == 3

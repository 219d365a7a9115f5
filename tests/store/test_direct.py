"""A transaction that runs in the thread of its connection keeps what every transaction promises."""

import asyncio
import sqlite3
import threading
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database
from bot.store.errors import DatabaseBusyError, DiskFullError

CROWD = 200
ADD, ALL = text("INSERT INTO kept VALUES (:value)"), text("SELECT value FROM kept ORDER BY value")


@pytest.fixture(autouse=True)
async def table(database: Database, file: Path) -> None:
    """On SQLite only: on PostgreSQL it is a transaction like all others."""
    async with database.transaction() as connection:
        await connection.execute(text("CREATE TABLE kept (value INTEGER UNIQUE)"))


async def kept(database: Database) -> list[int]:
    async def read(connection: AsyncConnection) -> list[int]:
        return list((await connection.scalars(ALL)).all())

    return await database.run(read)


async def test_it_runs_in_one_go_in_another_thread(database: Database) -> None:
    async def where(connection: AsyncConnection) -> tuple[int, str, int]:
        await connection.execute(ADD, {"value": 1})
        return threading.get_ident(), connection.dialect.name, await connection.scalar(ALL)

    thread, dialect, value = await database.run(where)
    assert (dialect, value) == ("sqlite", 1)
    assert thread != threading.get_ident()
    assert await kept(database) == [1]


async def test_an_exception_takes_everything_back(database: Database) -> None:
    async def fail(connection: AsyncConnection) -> None:
        await connection.execute(ADD, {"value": 1})
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await database.run(fail)
    assert await kept(database) == []


async def test_a_broken_constraint_passes_through(database: Database) -> None:
    async def twice(connection: AsyncConnection) -> None:
        await connection.execute(ADD, {"value": 1})
        await connection.execute(ADD, {"value": 1})

    with pytest.raises(IntegrityError):
        await database.run(twice)
    assert await kept(database) == []


async def test_one_that_waits_for_something_else_is_refused(database: Database) -> None:
    async def wait(connection: AsyncConnection) -> None:
        await connection.execute(ADD, {"value": 1})
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waited for something other than its connection"):
        await database.run(wait)
    assert await kept(database) == []


async def test_many_at_once_lose_nothing_whichever_way_they_go(database: Database) -> None:
    async def increment(connection: AsyncConnection) -> None:
        value = await connection.scalar(text("SELECT max(value) FROM kept"))
        await connection.execute(ADD, {"value": (value or 0) + 1})

    async def otherwise() -> None:
        async with database.transaction() as connection:
            await increment(connection)

    await asyncio.gather(*(database.run(increment) if item % 2 else otherwise() for item in range(CROWD)))
    assert await kept(database) == list(range(1, CROWD + 1))


async def test_somebody_who_goes_away_leaves_nothing_half_done(database: Database) -> None:
    """Canceled at any moment: both rows are kept or none, and the next one finds the connection free."""

    async def two(value: int, connection: AsyncConnection) -> None:
        await connection.execute(ADD, {"value": value})
        await connection.execute(ADD, {"value": -value})

    for value in range(1, 40):
        task = asyncio.create_task(database.run(partial(two, value)))
        for _ in range(value % 13):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        result = await kept(database)
        assert sum(result) == 0
        assert (value in result) or task.cancelled()


async def test_a_lock_of_somebody_else_is_waited_for_and_told(database: Database, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(DatabaseBusyError):
            await kept(database)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert await kept(database) == []


async def test_a_full_disk_is_told_and_nothing_is_changed(database: Database) -> None:
    async with database.transaction() as connection:
        pages = await connection.scalar(text("PRAGMA page_count"))
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    async def much(connection: AsyncConnection) -> None:
        for value in range(20_000):
            await connection.execute(ADD, {"value": value})

    with pytest.raises(DiskFullError):
        await database.run(much)
    assert await kept(database) == []

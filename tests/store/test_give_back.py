"""What an SQLite file no longer needs goes back to the disk, some pages at a time."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from bot.store.database import PAGES, Database

MANY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
LONG = "INSERT INTO registration SELECT i, :long, 1 FROM n"


def pragma(file: Path, name: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


async def fill_and_empty(database: Database) -> None:
    async with database.transaction() as connection:
        await connection.execute(text(MANY + LONG), {"long": "x" * 1000})
    async with database.transaction() as connection:
        await connection.execute(text("DELETE FROM registration WHERE scope <> '1'"))


async def test_a_file_shrinks_by_steps_and_keeps_a_little_for_what_comes_next(database: Database, file: Path) -> None:
    await fill_and_empty(database)
    large = pragma(file, "page_count")
    assert await database.give_back()
    assert large - PAGES <= pragma(file, "page_count") < large
    while await database.give_back():
        pass
    assert 0 < pragma(file, "freelist_count") <= pragma(file, "page_count") * 0.1 + PAGES
    assert pragma(file, "page_count") < large / 4
    async with database.transaction() as connection:
        assert (await connection.execute(text("SELECT scope FROM registration"))).scalars().all() == ["1"]


async def test_while_somebody_writes_nothing_is_given_back(database: Database, file: Path) -> None:
    await fill_and_empty(database)
    with closing(sqlite3.connect(file, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        assert not await database.give_back()
        stranger.execute("ROLLBACK")
    assert await database.give_back()


async def test_on_a_server_there_is_nothing_to_give_back(rolls: str) -> None:
    database = await Database.open(rolls)
    assert not await database.give_back()
    await database.close()

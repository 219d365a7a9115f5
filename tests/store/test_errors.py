"""Whatever fails, the player gets a sentence and the log a reason, in time and with nothing changed."""

import asyncio
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.store import database as store, sessions
from bot.store.database import LOCK_SECONDS, POOL_SECONDS, Database
from bot.store.errors import (
    DatabaseBusyError,
    DatabaseReadOnlyError,
    DatabaseUnreachableError,
    DiskFullError,
    InvalidDatabaseUrlError,
    StoreError,
    WrongDatabaseError,
)
from tests.wire.process import PATIENCE

PASSWORD = "open-sesame-4711"  # noqa: S105 - it opens nothing, and stands in nobody's path to this file
ANSWER_SECONDS = 3.0  # after that Discord tells the player that the application did not respond


@pytest.fixture(autouse=True)
def the_bots_own_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "POOL_SECONDS", POOL_SECONDS)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another process in the middle of writing."""
    stranger = sqlite3.connect(file, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        stranger.execute("ROLLBACK")
        stranger.close()


def seats(file: Path) -> set[str]:
    """What a stranger reads in the file."""
    stranger = sqlite3.connect(file)
    try:
        return {side for (side,) in stranger.execute("SELECT side FROM seat")}
    finally:
        stranger.close()


def read_only(file: Path) -> str:
    """Its address without the right to write, which holds for root too."""
    return f"sqlite+aiosqlite:///file:{file}?mode=ro&uri=true"


async def sit(database: Database, session_id: int, name: str = "Cy") -> None:
    async with database.transaction() as connection:
        await sessions.add_seat(connection, session_id, "judge", 15, name)


def assert_speaks(error: StoreError, reason: str) -> None:
    assert "nothing was changed" in str(error)
    assert "try again" in str(error)
    assert reason in error.reason
    assert reason not in str(error)


def test_both_waits_one_after_the_other_leave_time_for_the_answer() -> None:
    assert LOCK_SECONDS + POOL_SECONDS <= ANSWER_SECONDS - 0.5


async def test_a_locked_file_is_busy(database: Database, file: Path, opened: int) -> None:
    with locked(file), pytest.raises(DatabaseBusyError) as caught:
        await sit(database, opened)
    assert_speaks(caught.value, "SQLITE_BUSY: database is locked")
    await sit(database, opened)
    assert "judge" in seats(file)


async def test_a_connection_that_stays_in_use_is_busy_for_a_whole_transaction_too(
    database: Database, file: Path, opened: int
) -> None:
    async with database.transaction() as connection:
        assert await sessions.lock_newest(connection, opened) is not None
        with pytest.raises(DatabaseBusyError) as caught:
            await database.run(lambda another: sessions.lock_newest(another, opened))
    assert "every connection stayed in use" in caught.value.reason
    assert await database.run(lambda another: sessions.lock_newest(another, opened)) is not None


async def test_those_who_queue_behind_a_lock_hear_it_too(database: Database, file: Path, opened: int) -> None:
    with locked(file):
        heard = await asyncio.gather(*(sit(database, opened) for _ in range(20)), return_exceptions=True)
    assert [type(answer) for answer in heard] == [DatabaseBusyError] * 20
    assert seats(file) == {"attacker", "defender"}


async def test_a_file_that_takes_no_writes_is_read_only(file: Path, opened: int) -> None:
    database = await Database.open(read_only(file))
    try:
        with pytest.raises(DatabaseReadOnlyError) as caught:
            await sit(database, opened)
    finally:
        await database.close()
    assert_speaks(caught.value, "SQLITE_READONLY: attempt to write a readonly database")
    assert seats(file) == {"attacker", "defender"}


async def test_a_read_only_file_that_must_be_migrated_is_told_on_start(tmp_path: Path) -> None:
    file = tmp_path / "empty.db"
    file.touch()
    with pytest.raises(DatabaseReadOnlyError) as caught:
        await Database.open(read_only(file))
    assert_speaks(caught.value, "SQLITE_READONLY: attempt to write a readonly database")
    assert file.stat().st_size == 0


async def test_a_full_disk_is_full(database: Database, file: Path, opened: int) -> None:
    async with database.transaction() as connection:
        pages = await connection.scalar(text("PRAGMA page_count"))
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(DiskFullError) as caught:
        await sit(database, opened, "C" * 100_000)
    assert_speaks(caught.value, "SQLITE_FULL: database or disk is full")
    assert seats(file) == {"attacker", "defender"}


async def test_a_folder_that_cannot_be_made_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    with pytest.raises(DatabaseUnreachableError) as caught:
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}/data/rollcall.db")
    assert_speaks(caught.value, "FileExistsError")


async def test_a_folder_in_place_of_the_file_is_unreachable(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnreachableError) as caught:
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}")
    assert_speaks(caught.value, "SQLITE_CANTOPEN: unable to open database file")


async def test_a_file_of_something_else_is_unreachable_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.db"
    letter.write_text("Dear Ann, " * 200)
    with pytest.raises(DatabaseUnreachableError) as caught:
        await Database.open(f"sqlite+aiosqlite:///{letter}")
    assert_speaks(caught.value, "SQLITE_NOTADB: file is not a database")
    assert letter.read_text() == "Dear Ann, " * 200


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("rolls", "not an address"),
        (f"mysql+aiomysql://me:{PASSWORD}@host/rolls", "neither SQLite nor PostgreSQL"),
        ("sqlite+aiosqlite://", "in memory"),
        ("sqlite+aiosqlite:///:memory:", "in memory"),
        (f"postgresql+nodriver://me:{PASSWORD}@host/rolls", "is not installed"),
        (f"postgresql+asyncpg://me:Ge@{PASSWORD}:{PASSWORD}@host/rolls", "write @ as %40"),
        (f"postgresql+asyncpg://me:Ge@host/{PASSWORD}@host/rolls", "write @ as %40"),
        (f"postgresql+asyncpg://me:Ge@host?{PASSWORD}@host/rolls", "write @ as %40"),
        (f"postgresql+asyncpg://me:x@host:{PASSWORD}/rolls", "not an address"),
        (f"postgresql+asyncpg://me:x@host/rolls?{PASSWORD}=1", "does not know"),
    ],
)
async def test_an_address_of_no_use_is_told_without_its_password(url: str, reason: str) -> None:
    with pytest.raises(InvalidDatabaseUrlError) as caught:
        await Database.open(url)
    assert reason in caught.value.reason
    assert "DATABASE_URL" in str(caught.value)
    assert PASSWORD not in "".join(traceback.format_exception(caught.value)).replace(url, "")


async def test_a_database_of_something_else_is_left_alone(url: str, file: Path) -> None:
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as stranger:
        stranger.execute("CREATE TABLE letter (words TEXT)")
        before = list(stranger.iterdump())
    with pytest.raises(WrongDatabaseError) as caught:
        await Database.open(url)
    assert "nothing was changed" in str(caught.value)
    assert "not those of Rollcall" in caught.value.reason
    with closing(sqlite3.connect(file)) as stranger:
        assert list(stranger.iterdump()) == before
        assert stranger.execute("PRAGMA journal_mode").fetchall() == [("delete",)], "not even that"


@pytest.mark.parametrize("rows", [0, 2])
async def test_a_database_that_lost_its_version_is_left_alone(
    database: Database, url: str, file: Path, rows: int
) -> None:
    await database.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as stranger:
        stranger.execute("DELETE FROM alembic_version")
        for number in range(rows):
            stranger.execute("INSERT INTO alembic_version VALUES (?)", (str(number),))
        before = list(stranger.iterdump())
    with pytest.raises(WrongDatabaseError) as caught:
        await Database.open(url)
    assert f"{rows} rows" in caught.value.reason
    with closing(sqlite3.connect(file)) as stranger:
        assert list(stranger.iterdump()) == before


async def test_a_mistake_in_our_own_rules_is_not_the_database(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with database.transaction():
            raise ZeroDivisionError


async def test_a_mistake_in_our_own_sql_is_not_the_database(database: Database) -> None:
    with pytest.raises(DBAPIError, match=r"no such table|does not exist"):
        async with database.transaction() as connection:
            await connection.execute(text("SELECT * FROM rolls"))


BREAKS = """
import asyncio, sys
from bot.store import sessions
from bot.store.database import Database

async def main():
    database = await Database.open(sys.argv[1])
    async with database.transaction() as connection:
        await sessions.lock_newest(connection, 1)
        sys.exit("broken")

asyncio.run(main())
"""


def test_a_process_that_breaks_with_the_database_open_still_ends(url: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BREAKS, url],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (1, "broken\n")

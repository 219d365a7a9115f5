"""Many at once lose nothing, and somebody who goes away in the middle leaves nothing open."""

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.store import database as store, sessions
from bot.store.database import Database
from bot.store.sessions import Ply
from tests.plies import plies_of
from tests.wire.process import PATIENCE

CROWD = 200


class StaleError(Exception):
    """Stands for what the sessions raise when somebody was faster."""


async def press(database: Database, session_id: int, seen: int, person: int) -> int:
    async with database.transaction() as connection:
        newest = await sessions.lock_newest(connection, session_id)
        assert newest is not None
        if newest.number != seen:
            raise StaleError
        await sessions.add_ply(
            connection,
            Ply(
                session_id=session_id,
                number=seen + 1,
                person_id=person,
                offer="focus",
                choice="{}",
                draws="[]",
                schema=1,
                state="{}",
                at=1_001,
                channel_id=12,
            ),
        )
    return person


async def test_of_200_presses_on_one_ply_one_wins(database: Database, opened: int) -> None:
    presses = (press(database, opened, 0, person) for person in range(CROWD))
    heard = await asyncio.gather(*presses, return_exceptions=True)
    winners = [person for person in heard if isinstance(person, int)]
    assert len(winners) == 1
    assert sum(isinstance(answer, StaleError) for answer in heard) == CROWD - 1
    async with database.transaction() as connection:
        plies = await plies_of(connection, opened)
    assert [ply.number for ply in plies] == [0, 1]
    assert plies[1].person_id == winners[0]


async def test_200_increments_end_at_200(database: Database, engine: str) -> None:
    lock = "" if engine == "sqlite" else "FOR UPDATE"  # SQLite holds its one lock already
    async with database.transaction() as connection:
        await connection.execute(text("CREATE TABLE counter (value INTEGER NOT NULL)"))
        await connection.execute(text("INSERT INTO counter VALUES (0)"))

    async def increment() -> None:
        async with database.transaction() as connection:
            value = await connection.scalar(text(f"SELECT value FROM counter {lock}"))  # noqa: S608 - from above
            await connection.execute(text("UPDATE counter SET value = :value"), {"value": value + 1})

    await asyncio.gather(*(increment() for _ in range(CROWD)))
    async with database.transaction() as connection:
        assert await connection.scalar(text("SELECT value FROM counter")) == CROWD


async def test_two_processes_on_one_file_lose_nothing(database: Database, url: str, opened: int) -> None:
    other = await Database.open(url)
    try:
        presses = (press((database, other)[person % 2], opened, 0, person) for person in range(40))
        heard = await asyncio.gather(*presses, return_exceptions=True)
    finally:
        await other.close()
    assert sum(isinstance(answer, int) for answer in heard) == 1
    assert sum(isinstance(answer, StaleError) for answer in heard) == 39


async def test_what_was_done_before_an_exception_is_taken_back(database: Database, opened: int) -> None:
    async def sit_and_break() -> None:
        async with database.transaction() as connection:
            await sessions.add_seat(connection, opened, "judge", 15, "Cy")
            raise RuntimeError("the rules broke")

    with pytest.raises(RuntimeError, match="the rules"):
        await sit_and_break()
    async with database.transaction() as connection:
        result = await sessions.lock_newest(connection, opened)
    assert result is not None
    assert "judge" not in result.seats


async def test_the_log_is_copied_beside_those_who_play(
    database: Database, file: Path, opened: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "COPY_EVERY", 4)
    for number in range(8):
        await press(database, opened, number, 14)
    assert database._only._copying is not None
    await database._only._copying
    alone = sqlite3.connect(shutil.copy(file, tmp_path / "without its log.db"))
    (plies,) = alone.execute("SELECT count(*) FROM ply").fetchone()
    alone.close()
    assert 4 <= plies <= 9, "not all wait in the log"


class Pressed:
    """A connection on which each copy of the log finds that somebody has written since the last one."""

    def __init__(self, connection: sqlite3.Connection, other: sqlite3.Connection, presses: int) -> None:
        self.connection, self.other, self.left = connection, other, presses
        self.close = connection.close

    def execute(self, sql: str) -> sqlite3.Cursor:
        result = self.connection.execute(sql)
        if self.left:
            self.left -= 1
            self.other.execute("INSERT INTO pressed VALUES (randomblob(9000))")
        return result


@pytest.mark.parametrize(("presses", "is_read"), [(0, False), (2, False), (99, False), (0, True)])
def test_a_log_that_is_written_meanwhile_is_copied_again_so_that_it_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, presses: int, is_read: bool
) -> None:
    file = tmp_path / "log.db"
    other = sqlite3.connect(file, isolation_level=None)
    other.executescript("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE pressed (what)")
    reader = sqlite3.connect(file, isolation_level=None)
    for number in range(40):
        other.execute("INSERT INTO pressed VALUES (randomblob(9000))")
        if is_read and number == 20:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM pressed").fetchone()
    database_file = store.DatabaseFile(str(file))
    real = database_file._connect
    monkeypatch.setattr(database_file, "_connect", lambda patience: Pressed(real(patience), other, presses))
    assert (database_file.copy_log() == 0) is not is_read, "what somebody still reads cannot be copied over"
    other.execute("INSERT INTO pressed VALUES (randomblob(9000))")
    (_, pages, _) = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    assert (pages < 20) is not is_read, "it began anew"
    reader.close()
    other.close()


async def test_a_log_that_grows_because_nobody_pauses_is_copied_between_two(
    database: Database, file: Path, opened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, only = list[bool](), database._only

    def copy_log(_: store.DatabaseFile) -> int:
        held.append(only._in_use.locked())
        return store.COPY_HELD

    monkeypatch.setattr(store, "COPY_EVERY", 1)
    monkeypatch.setattr(store.DatabaseFile, "copy_log", copy_log)
    await press(database, opened, 0, 14)
    assert only._copying is not None
    await only._copying
    assert held[-1]
    assert len(held) % 2 == 0


def can_write(file: Path) -> bool:
    """Whether a stranger gets the write lock at once, which an open transaction would not let go."""
    stranger = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        stranger.execute("BEGIN IMMEDIATE")
        stranger.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return False
    else:
        return True
    finally:
        stranger.close()


async def test_a_canceled_task_leaves_no_open_transaction(database: Database, file: Path, opened: int) -> None:
    inside = asyncio.Event()

    async def dawdle() -> None:
        async with database.transaction() as connection:
            await sessions.add_seat(connection, opened, "judge", 15, "Cy")
            await sessions.lock_newest(connection, opened)
            inside.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(dawdle())
    await inside.wait()
    assert not can_write(file)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert can_write(file)
    assert await press(database, opened, 0, 14) == 14
    async with database.transaction() as connection:
        result = await sessions.lock_newest(connection, opened)
    assert result is not None
    assert "judge" not in result.seats


@pytest.mark.parametrize("steps", range(0, 60, 3))
async def test_a_task_may_be_canceled_at_any_await(database: Database, file: Path, opened: int, steps: int) -> None:
    task = asyncio.create_task(press(database, opened, 0, 14))
    for _ in range(steps):
        await asyncio.sleep(0.0001)
    task.cancel()
    await asyncio.wait([task])
    async with asyncio.timeout(PATIENCE):
        async with database.transaction() as connection:
            newest = await sessions.lock_newest(connection, opened)
    assert newest is not None
    assert can_write(file)
    await press(database, opened, newest.number, 15)


async def test_those_who_wait_can_be_canceled_too(database: Database, file: Path, opened: int) -> None:
    presses = [asyncio.create_task(press(database, opened, 0, person)) for person in range(40)]
    await asyncio.sleep(0.002)
    for task in presses[::2]:
        task.cancel()
    await asyncio.wait(presses)
    async with database.transaction() as connection:
        plies = await plies_of(connection, opened)
    assert [ply.number for ply in plies] == [0, 1]
    assert can_write(file)


async def test_whoever_closes_waits_for_the_transaction_that_runs(database: Database, file: Path, opened: int) -> None:
    """Closed in the middle, it would keep what comes after, though it lost what came before."""
    async with database.transaction() as connection:
        await sessions.add_seat(connection, opened, "judge", 15, "Cy")
        await sessions.lock_newest(connection, opened)
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0.05)
        await sessions.add_seat(connection, opened, "witness", 16, "Di")
    await closing
    async with database.transaction() as connection:
        result = await sessions.lock_newest(connection, opened)
    assert result is not None
    assert {"judge", "witness"} <= result.seats.keys()

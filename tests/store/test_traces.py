"""What was erased stands in no file of the database, and a file that was moved away is noticed."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import people, sessions
from bot.store.database import Database
from bot.store.errors import DatabaseUnreachableError
from tests.wire.process import PATIENCE, until

PERSON = 7_777_777_777_777_777
FORGETS = """
import asyncio, os, signal, sys
from bot.sessions.personal_data import PersonalData
from bot.store import sessions
from bot.store.database import Database

async def main():
    database = await Database.open(sys.argv[1])
    async with database.transaction() as connection:
        key, *_ = await sessions.add(connection, game="xwing", guild_id=1, channel_id=2, opened_by=PERSON, at=3)
        await sessions.add_seat(connection, key, "attacker", PERSON, "Maximiliane")
    killed = lambda: os.kill(os.getpid(), signal.SIGKILL)
    database.empty_log = killed  # at the worst moment: all is forgotten, and the log still says whom
    await PersonalData(database).forget(PERSON)

asyncio.run(main())
"""


def held(file: Path) -> bytes:
    return b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*") if not path.name.endswith("-shm"))


def test_a_start_after_a_kill_leaves_no_trace_of_who_was_forgotten(url: str, file: Path) -> None:
    script = FORGETS.replace("PERSON", str(PERSON))
    ended = subprocess.run(
        [sys.executable, "-c", script, url], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert b"Maximiliane" in held(file)
    assert PERSON.to_bytes(8, "big") in held(file)

    async def start() -> None:
        database = await Database.open(url)
        assert b"Maximiliane" not in held(file)
        assert PERSON.to_bytes(8, "big") not in held(file)
        await database.close()

    asyncio.run(start())


async def test_while_another_program_reads_the_log_waits_and_no_longer(
    database: Database, file: Path, opened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.database.EMPTY_AGAIN", 0.01)
    with closing(sqlite3.connect(file, isolation_level=None)) as stranger:
        stranger.execute("BEGIN")
        stranger.execute("SELECT * FROM seat").fetchall()
        async with database.transaction() as connection:
            await sessions.add_seat(connection, opened, "judge", PERSON, "Maximiliane")
            await sessions.lock_newest(connection, opened)
        async with database.transaction() as connection:
            await people.forget(connection, people.SEATS, PERSON, 10, called="Someone")
        assert not await database.empty_log()
        assert not await database.empty_log(), "one task tries again, whoever asks meanwhile"
        await asyncio.sleep(0.05)
        assert b"Maximiliane" in held(file)
    await until(lambda: b"Maximiliane" not in held(file))


async def assert_moved_away(database: Database, session_id: int) -> None:
    with pytest.raises(DatabaseUnreachableError, match="nothing was changed") as caught:
        async with database.transaction() as connection:
            await sessions.lock_newest(connection, session_id)
    assert "moved away" in caught.value.reason


async def test_a_file_that_was_moved_away_is_noticed_until_it_is_back(
    database: Database, file: Path, opened: int
) -> None:
    elsewhere = file.with_name("moved.db")
    await asyncio.to_thread(file.rename, elsewhere)
    await assert_moved_away(database, opened)
    await asyncio.to_thread(file.touch)  # another one in its place is no better
    await assert_moved_away(database, opened)
    await asyncio.to_thread(elsewhere.replace, file)
    async with database.transaction() as connection:
        assert await sessions.lock_newest(connection, opened) is not None

"""A path for every test, an open database at it, and a session with one ply."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.store import sessions
from bot.store.database import Database
from bot.store.sessions import Ply
from tests.engines import Server, on_both, server

pytest_generate_tests = on_both


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the database is to be; there is none yet."""
    return tmp_path / "data" / "rollcall.db"


@pytest.fixture
def ready(engine: str, request: pytest.FixtureRequest) -> None:
    """An SQLite file of the newest version; PostgreSQL's databases are made so."""
    if engine == "sqlite":
        file: Path = request.getfixturevalue("file")
        file.parent.mkdir()
        shutil.copy(request.getfixturevalue("migrated"), file)


@pytest.fixture(scope="session")
def fragile() -> Iterator[Server]:
    """A server that may be stopped; whoever does starts it again."""
    with server() as running:
        yield running


@pytest.fixture
async def database(ready: None, url: str) -> AsyncIterator[Database]:
    database = await Database.open(url)
    yield database
    await database.close()


@pytest.fixture
async def opened(database: Database) -> int:
    """The id of a session with ply 0 and both seats taken."""
    async with database.transaction() as connection:
        key, *_ = await sessions.add(connection, game="xwing", guild_id=11, channel_id=12, opened_by=13, at=1_000)
        await sessions.add_ply(
            connection,
            Ply(
                session_id=key,
                number=0,
                person_id=13,
                offer="",
                choice="{}",
                draws="[7]",
                schema=1,
                state='{"hits": 1}',
                at=1_000,
                channel_id=12,
            ),
        )
        await sessions.add_seat(connection, key, "attacker", 13, "Ann")
        await sessions.add_seat(connection, key, "defender", 14, "Bob")
    return key

"""What PostgreSQL does that a file cannot: it is elsewhere, it goes away, it comes back."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import database as store, sessions
from bot.store.coordination import Locks
from bot.store.database import MIGRATIONS, Database, migrate
from bot.store.errors import (
    DatabaseBusyError,
    DatabaseReadOnlyError,
    DatabaseTooNewError,
    DatabaseUnreachableError,
    InvalidDatabaseUrlError,
    StoreError,
    WrongDatabaseError,
)
from bot.store.schema import metadata
from tests.engines import Server, fetch
from tests.store.test_migrations import VERSIONS


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    result = postgres.empty()
    yield result
    postgres.drop(result)


async def write(database: Database, person: int = 1) -> int:
    """A roll of somebody, as the bot writes it; its session."""
    async with database.transaction() as connection:
        key, *_ = await sessions.add(connection, game="xwing", guild_id=1, channel_id=2, opened_by=person, at=3)
        await sessions.add_seat(connection, key, "attacker", person, "Ana")
        return key


async def heard(database: Database) -> type[StoreError] | None:
    try:
        await write(database)
    except StoreError as error:
        return type(error)
    return None


# Migrations


async def test_the_model_and_the_migrations_agree(rolls: str) -> None:
    """The foreign keys too: what belongs to a roll cannot be kept without it."""

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))

    database = await Database.open(rolls)
    async with database.transaction() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        fetch(rolls, "INSERT INTO seat (session_id, side, since, person_id, name) VALUES (1, 'attacker', 0, 1, 'Ana')")


async def test_two_that_start_at_once_migrate_once(empty: str) -> None:
    database, other = await asyncio.gather(Database.open(empty), Database.open(empty))
    assert await write(database) == 1
    assert await write(other) == 2
    await database.close()
    await other.close()


async def test_a_migration_that_fails_changes_nothing(empty: str, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))
    (copied / "versions" / "9001_broken.py").write_text(
        f'from alembic import op\nrevision, down_revision = "9001", "{VERSIONS[-1]}"\n\n\ndef upgrade() -> None:\n'
        '    op.drop_table("seat")\n    raise ZeroDivisionError\n'
    )
    with pytest.raises(ZeroDivisionError):
        await migrate(empty, copied)
    assert fetch(empty, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


async def test_what_is_not_ours_is_left_alone(empty: str, rolls: str) -> None:
    fetch(empty, "CREATE TABLE letter (words TEXT)")
    with pytest.raises(WrongDatabaseError):
        await Database.open(empty)
    assert fetch(empty, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("letter",)]
    fetch(rolls, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseTooNewError):
        await Database.open(rolls)
    fetch(rolls, "DELETE FROM alembic_version")
    with pytest.raises(WrongDatabaseError):
        await Database.open(rolls)


# Faults


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (("/rolls", "/nothing"), DatabaseUnreachableError),
        (("rollcall@", "nobody@"), DatabaseUnreachableError),
        ((":port/", ":1/"), DatabaseUnreachableError),
        (("127.0.0.1", "nowhere.invalid"), DatabaseUnreachableError),
    ],
)
async def test_a_server_that_does_not_let_us_in_is_unreachable(
    postgres: Server, change: tuple[str, str], kind: type[StoreError]
) -> None:
    old, new = (part.replace("port", str(postgres.port)) for part in change)
    url = postgres.url("rolls").replace(old, new, 1)
    with pytest.raises(kind) as caught:
        await Database.open(url)
    assert "try again" in str(caught.value)


async def test_behind_a_pooler_nothing_is_prepared_for_later(rolls: str) -> None:
    """As docs/operations.md says for PgBouncer in transaction mode."""
    url = f"{rolls}?prepared_statement_cache_size=0&statement_cache_size=0"
    database, locks = await Database.open(url), Locks(url)
    assert await write(database) == 1
    assert await locks.run_exclusive("work", lambda: write(database)) == 2
    await locks.close()
    await database.close()


async def test_an_option_that_must_be_a_number_is_looked_at(rolls: str) -> None:
    with pytest.raises(InvalidDatabaseUrlError, match="DATABASE_URL"):
        await Database.open(f"{rolls}?statement_cache_size=none")


@asynccontextmanager
async def soon_over(database: Database, name: str, seconds: float) -> AsyncIterator[AsyncConnection]:
    """A transaction with a limit of a tenth of a second, after a look at the limit that it would have."""
    async with database.transaction() as connection:
        query = f"SELECT setting::float / 1000 FROM pg_settings WHERE name = '{name}'"  # noqa: S608 - our own
        assert (await connection.exec_driver_sql(query)).scalar_one() == seconds
        await connection.exec_driver_sql(f"SET LOCAL {name} = 100")
        yield connection


async def test_a_lock_that_somebody_holds_is_busy(rolls: str) -> None:
    database = await Database.open(rolls)
    lock = f"SELECT * FROM session WHERE id = {await write(database)} FOR UPDATE"  # noqa: S608 - a number
    async with database.transaction() as connection:
        await connection.exec_driver_sql(lock)
        with pytest.raises(DatabaseBusyError) as caught:
            async with soon_over(database, "lock_timeout", store.LOCK_SECONDS) as second:
                await second.exec_driver_sql(lock)
    assert "55P03" in caught.value.reason
    await database.close()


async def test_a_statement_that_takes_too_long_is_busy(rolls: str) -> None:
    database = await Database.open(rolls)
    with pytest.raises(DatabaseBusyError) as caught:
        async with soon_over(database, "statement_timeout", store.STATEMENT_SECONDS) as connection:
            await connection.exec_driver_sql("SELECT pg_sleep(60)")
    assert "57014" in caught.value.reason
    assert await heard(database) is None
    await database.close()


async def test_a_canceled_task_leaves_no_open_transaction(rolls: str) -> None:
    database = await Database.open(rolls)
    for steps in range(0, 30, 3):
        task = asyncio.create_task(write(database))
        for _ in range(steps):
            await asyncio.sleep(0.0003)
        task.cancel()
        await asyncio.wait([task])
        fetch(rolls, "SELECT * FROM session FOR UPDATE NOWAIT")
        assert await heard(database) is None
    await database.close()


async def test_after_a_failover_the_old_server_is_left(rolls: str, postgres: Server) -> None:
    """The old primary is read-only from now on; whoever connects anew by the same name finds the new one."""
    database = await Database.open(rolls)
    await write(database)
    name = rolls.rpartition("/")[2]
    fetch(rolls, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"
    fetch(rolls, cut, name)
    assert await heard(database) in (DatabaseReadOnlyError, DatabaseUnreachableError)
    assert await heard(database) is DatabaseReadOnlyError
    postgres.do(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    assert await heard(database) is None, "the connections to the old server were given up"
    await database.close()


async def test_restarted_in_the_middle_nothing_acknowledged_is_lost(fragile: Server) -> None:
    database = await Database.open(fragile.database())
    kept: list[int] = []
    sentences: list[type[StoreError]] = []
    stop = asyncio.Event()

    async def many_more() -> None:
        before = len(kept)
        while len(kept) < before + 20:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)

    async def play(person: int) -> None:
        while not stop.is_set():
            try:
                kept.append(await write(database, person))
            except StoreError as error:
                sentences.append(type(error))
            await asyncio.sleep(0.002)

    players = [asyncio.create_task(play(person)) for person in range(1, 9)]
    try:
        for how in (signal.SIGINT, signal.SIGQUIT) * 2:
            await many_more()
            await asyncio.to_thread(fragile.stop, how)
            await asyncio.to_thread(fragile.start)
        await many_more()
    finally:
        stop.set()
        await asyncio.gather(*players)
    async with database.transaction() as connection:
        rows = (await connection.exec_driver_sql("SELECT id FROM session")).scalars().all()
    await database.close()
    assert set(kept) <= set(rows)
    assert len(kept) == len(set(kept))
    assert set(sentences) <= {DatabaseUnreachableError, DatabaseBusyError}


@pytest.mark.parametrize(("processes", "size"), [(1, 8), (8, 8), (16, 4), (40, 2), (1000, 2)])
def test_processes_share_the_connections_of_a_server(processes: int, size: int) -> None:
    assert store.pool_size(processes) == size

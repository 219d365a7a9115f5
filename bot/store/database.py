"""The database: opened, brought to the newest version, and used one transaction at a time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry

from bot.store import driver
from bot.store.errors import TooNew, Unusable, as_store_errors

MIGRATIONS = Path(__file__).parents[2] / "migrations"  # beside the package, in the checkout and when installed

# A player must hear something within three seconds. The wait for our own connection and the wait for somebody else's
# lock come one after the other.
LOCK_SECONDS = 1.5
POOL_SECONDS = 1.0

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_MIGRATION_LOCK = 0x526F6C6C  # "Roll": any number will do, as long as all our processes name the same


class Database:
    """An open database of the newest version. Every method raises ``StoreError`` where the database itself fails."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    async def open(cls, url: str) -> Self:
        """Make the folder and the database where they are missing, migrate, connect."""
        await migrate(url)
        return cls(_engine(_address(url)))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """All or nothing: committed at the end, rolled back on any exception or cancellation.

        On SQLite the write lock is taken with the first statement, so what is read inside stays true until the end. An
        ``IntegrityError`` passes through. Do nothing inside but read, compute and write: everybody else waits.
        """
        with as_store_errors():
            async with self._engine.begin() as connection:
                yield connection

    async def close(self) -> None:
        """Let go of the file or the server; the object is of no use afterwards."""
        await self._engine.dispose()


async def migrate(url: str, migrations: Path = MIGRATIONS) -> None:
    """Bring the database to the newest version, inside one transaction.

    Raises ``TooNew`` for one that this version of Rollcall does not know. When a migration fails, whatever it raised
    comes out and nothing is changed.
    """
    address = _address(url)
    with as_store_errors():
        _make_folder(address)
        # SQLite rebuilds a table in order to change it, and that needs foreign keys off; they are checked at the end.
        engine = _engine(address, foreign_keys=False)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(_upgrade, migrations)
        finally:
            await engine.dispose()


def _upgrade(connection: Connection, migrations: Path) -> None:
    if _is_newest(connection, migrations):
        return  # Alembic takes a tenth of a second to load, and most starts have nothing for it to do
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    if connection.dialect.name == "postgresql":  # SQLite holds its one write lock already
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    for revision in MigrationContext.configure(connection).get_current_heads():
        if revision not in known:
            raise TooNew(f"the database is at revision {revision}; the newest known here is {known[0]}")
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite" and (broken := connection.execute(text("PRAGMA foreign_key_check")).all()):
        raise RuntimeError(f"the migration broke {len(broken)} foreign keys, the first: {broken[0]}")


def _is_newest(connection: Connection, migrations: Path) -> bool:
    """Whether the database is at the newest version; versions are named by the number their file begins with."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    newest = max(file.name[:4] for file in (migrations / "versions").glob("[0-9][0-9][0-9][0-9]_*.py"))
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [newest]


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise Unusable("not an address that can be read") from error  # the text may hold a password
    address = address.set(drivername=_DRIVERS.get(address.drivername, address.drivername))
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise Unusable(f"{address.drivername} is neither SQLite nor PostgreSQL")
    if address.get_backend_name() == "sqlite" and address.database in (None, "", ":memory:"):
        raise Unusable("a database in memory forgets every roll when the bot stops")
    return address


def _make_folder(address: URL) -> None:
    if address.get_backend_name() == "sqlite" and address.database and not address.database.startswith("file:"):
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)


def _engine(address: URL, *, foreign_keys: bool = True) -> AsyncEngine:
    try:
        if address.get_backend_name() == "sqlite":
            return _sqlite(address, foreign_keys=foreign_keys)
        return _postgres(address)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise Unusable(f"{address.drivername} is not installed: {error}") from error


def _sqlite(address: URL, *, foreign_keys: bool) -> AsyncEngine:
    engine = create_async_engine(
        address,
        hide_parameters=True,  # no error tells the log what people typed
        poolclass=AsyncAdaptedQueuePool,
        pool_size=1,  # SQLite writes one at a time; a second connection would only wait less politely
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        # The driver's own idea of when to begin loses updates; with it off, "begin" below is the only one.
        connect_args={"isolation_level": None, "timeout": LOCK_SECONDS, "async_creator_fn": driver.connect},
    )

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = NORMAL")
        cursor.execute("PRAGMA secure_delete = ON")  # what was erased leaves no bytes behind in the file
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(driver.BEGIN)

    return engine


def _postgres(address: URL) -> AsyncEngine:
    return create_async_engine(
        address,
        hide_parameters=True,
        pool_pre_ping=True,  # a server may have been restarted since
        pool_timeout=POOL_SECONDS,
        connect_args={"timeout": LOCK_SECONDS, "server_settings": {"lock_timeout": f"{LOCK_SECONDS * 1000:.0f}"}},
    )

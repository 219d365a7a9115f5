"""The database: open, migrate to the newest version, and run transactions one at a time."""

import asyncio
import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from inspect import signature as inspect_signature
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self
from uuid import uuid4

from sqlalchemy import Connection, inspect, text
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot import background, metrics
from bot.store import errors, sqlite_driver
from bot.store.errors import DatabaseBusyError, DatabaseTooOldError, InvalidDatabaseUrlError, WrongDatabaseError
from bot.store.schema import metadata
from bot.store.sqlite_driver import Body, Outcome, as_sqlalchemy, as_store_errors

Values = ParamSpec("Values")
Does = Callable[Concatenate[AsyncConnection, Values], Coroutine[Any, Any, Outcome]]
"""A ``Body`` that takes arguments after the connection."""
log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parents[2] / "migrations"  # beside the package, in the checkout and when installed

# Discord waits three seconds for a response. Waiting for our connection and for another's lock add up.
LOCK_SECONDS = 1.5
POOL_SECONDS = 1.0

# Truncating the log blocks writers while it waits for a reader, so the wait is short at first and zero later.
EMPTY_SECONDS = 0.25
EMPTY_AGAIN = 5.0

PAGES = 64
"""Pages of an SQLite file freed in one step."""
KEPT_FREE = 0.1
"""Share of the file kept free for new rows; shrinking and growing the file again would be wasted work."""
BY_STEPS = 2
"""``PRAGMA auto_vacuum`` value of a file that frees pages on request."""

# By itself, SQLite checkpoints at 1000 pages inside a press: every hundredth answer took 5 ms longer. We checkpoint
# between presses, often enough that the log never reaches the limit below.
COPY_EVERY = 250
"""Transactions."""
MAX_COPIES = 4
"""Maximum number of later checkpoint passes; the log restarts at a write that finds all of it copied."""
COPY_HELD = 8_000
"""Remaining pages that are copied with writers locked out: less work than SQLite's own limit would cause."""
COPY_AT_LAST = 20_000
"""Pages, of 4 kB each."""

# PostgreSQL only. Our statements take milliseconds; one that takes seconds waits for something that is broken.
MAX_POOL = 8
MIN_POOL = 2
POOL_OF_ALL = 64  # for all processes: half of PostgreSQL's default, so that two versions fit during an update
STATEMENT_SECONDS = 5.0
IDLE_SECONDS = 30.0
MIGRATION_SECONDS = 60.0
RECYCLE_SECONDS = 600
_POOLER = {"prepared_statement_cache_size"}  # SQLAlchemy's own option among the driver's
_NUMBERS = {"statement_cache_size", "max_cached_statement_lifetime", "max_cacheable_statement_size"}
"""Driver options that must be numbers."""

VERSIONS = "alembic_version"
OURS = {"session", "ply", "piece"}
"""Tables that every version of our schema has."""

_ROOM = text("SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int")
_CHECKSUMS = text("SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()")
_DRIVERS = {"postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_MIGRATION_LOCK = 0x526F6C6C  # "Roll": any number that all our processes share


class Database:
    """An open database of the newest version. Every method raises ``StoreError`` if the database itself fails."""

    def __init__(self, address: URL, pool: int = MAX_POOL, *, migrates: bool = False) -> None:
        """``migrates``: no foreign keys and no statement timeout."""
        self._pool = pool
        self._file = DatabaseFile(str(address.database)) if is_file(address) else None
        if self._file is None:
            self._engine = _postgres(address, pool, migrates=migrates)
        else:
            self._only = OnlyConnection(partial(_connect, address, foreign_keys=not migrates), self._file)
        self._emptying: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, *, migrates: bool = True, processes: int = 1) -> Self:
        """Create the folder and the database if they are missing, migrate, and connect.

        ``processes`` share the server's connections. Without ``migrates`` nothing is created or changed: raises
        ``DatabaseTooOldError`` if that would be necessary.
        """
        await (migrate(url) if migrates else check_version(url))
        database = cls(address_of(url), pool_size(processes))
        if migrates:  # a killed process may have left erased data in the log
            await database.empty_log()
        return database

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction: committed at the end, rolled back on any exception or cancellation.

        On SQLite the write lock is taken with the first statement, so what is read inside stays true until the end. An
        ``IntegrityError`` passes through. Only read, compute, and write inside: everyone else waits.
        """
        try:
            with as_store_errors(), metrics.DATABASE.time():
                if self._file is None:
                    async with self._engine.begin() as connection:
                        yield connection
                else:
                    async with self._only.turn() as kept, kept.transaction() as connection:
                        yield connection
        except errors.DatabaseReadOnlyError:
            if self._file is None:  # after a failover the old server is read-only; connect anew
                await self._engine.dispose()
            raise

    @property
    def is_shared(self) -> bool:
        """Whether other processes of this bot may use the database too."""
        return self._file is None

    async def ping(self) -> None:
        """Raise ``StoreError`` unless the database answers."""
        async with self.transaction() as connection:
            await connection.execute(text("SELECT 1"))

    async def empty_log(self) -> bool:
        """Empty SQLite's write-ahead log, which keeps erased data until it is overwritten; return whether that worked.
        It fails while another program reads the file, and is then retried every few seconds.
        """
        if self._file is None:
            return True
        is_empty = await asyncio.to_thread(self._file.empty_log, EMPTY_SECONDS)
        if not is_empty and (self._emptying is None or self._emptying.done()):
            log.info("the write-ahead log could not be emptied yet: another program uses the database")
            self._emptying = background.start(self._empty_log_later(self._file), name="empty the log")
        return is_empty

    async def _empty_log_later(self, file: "DatabaseFile") -> None:
        await asyncio.sleep(EMPTY_AGAIN)
        while not await asyncio.to_thread(file.empty_log, 0.0):  # noqa: ASYNC110 - other programs send no event
            await asyncio.sleep(EMPTY_AGAIN)

    async def give_back(self) -> bool:
        """Free unused pages of an SQLite file; return whether there are more. PostgreSQL reuses space itself."""
        return self._file is not None and await asyncio.to_thread(self._file.give_back)

    async def run(self, body: Does[Values, Outcome], *values: Values.args, **named: Values.kwargs) -> Outcome:
        """Run ``body``, which awaits only the connection, in a transaction: one hop on SQLite.

        ``values`` follow the connection. Canceling the caller before the end rolls back; afterwards, everything is
        stored.
        """
        if self._file is None:
            async with self.transaction() as connection:
                return await body(connection, *values, **named)
        with as_store_errors(), metrics.DATABASE.time():
            async with self._only.turn() as kept:
                return await kept.transact(lambda connection: body(connection, *values, **named))

    async def run_one(self, body: Body[Outcome]) -> Outcome:
        """Run one statement, which PostgreSQL commits at once, so that no lock waits for a busy process."""
        if self._file is not None:
            return await self.run(body)
        with as_store_errors(), metrics.DATABASE.time():
            async with self._engine.connect() as connection:
                return await body(await connection.execution_options(isolation_level="AUTOCOMMIT"))

    async def warm_up(self) -> None:
        """Open every connection to the server in advance."""
        if self._file is None:
            await asyncio.gather(*(self.ping() for _ in range(self._pool)))

    async def damage(self) -> str:
        """Return the engine's integrity errors, "" for none. Reads all of an SQLite file.

        A PostgreSQL server reads all rows and counts failed page checksums. Raises ``StoreError``, also for an
        unreadable page.
        """
        async with self.transaction() as connection:
            if self._file is not None:
                said = (await connection.execute(text("PRAGMA quick_check(3)"))).scalars().all()
                return "" if said == ["ok"] else "; ".join(map(str, said))
            await connection.execute(text("SET LOCAL statement_timeout = 0"))
            for table in metadata.tables:
                await connection.execute(text(f'SELECT count("{table}".*) FROM "{table}"'))  # noqa: S608 - our own
            wrong = await connection.scalar(_CHECKSUMS)
            return f"the server read {wrong} pages whose checksum was wrong" if wrong else ""

    async def connections(self) -> tuple[int, int] | None:
        """Return (allowed, open) connections of the server for roles like ours; None for a file."""
        if self._file is not None:
            return None
        async with self.transaction() as connection:
            most = await connection.scalar(_ROOM)
            held = await connection.scalar(text("SELECT sum(numbackends)::int FROM pg_stat_database"))
        return int(most or 0), int(held or 0)

    async def close(self) -> None:
        """Close the file or the connections; the object can't be used afterwards."""
        if self._emptying is not None:
            self._emptying.cancel()
        await (self._engine.dispose() if self._file is None else self._only.close())


class OnlyConnection:
    """SQLite's one connection, kept open; transactions run one at a time, first come, first served. SQLite has a single
    writer, so a second connection would gain nothing. A broken one is closed and replaced.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], file: "DatabaseFile") -> None:
        self._connect = connect
        self._file = file
        self._in_use = asyncio.Lock()
        self._kept: sqlite_driver.ThreadConnection | None = None
        self._turns = 0
        self._copying: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[sqlite_driver.ThreadConnection]:
        """Yield a transaction's connection. Raises ``DatabaseBusyError`` or ``DatabaseUnreachableError``."""
        self._file.check()
        try:
            async with asyncio.timeout(POOL_SECONDS):
                await self._in_use.acquire()
        except TimeoutError:
            raise DatabaseBusyError(f"every connection stayed in use for {POOL_SECONDS:g} s") from None
        try:
            if self._kept is None:
                self._kept = await sqlite_driver.ThreadConnection(self._connect).open()
            yield self._kept
        finally:
            try:
                if self._kept is not None and not self._kept.is_sound:
                    await self._close()
            finally:
                self._in_use.release()
                self._turns += 1
                if not self._turns % COPY_EVERY and (self._copying is None or self._copying.done()):
                    self._copying = background.start(self._copy(), name="copy the log")

    async def _copy(self) -> None:
        """Checkpoint the log between writers; if it grows long because they never pause, lock them out for its end."""
        if await asyncio.to_thread(self._file.copy_log) >= COPY_HELD:
            async with self._in_use:
                await asyncio.to_thread(self._file.copy_log)

    async def close(self) -> None:
        """Close the connection after the current transaction; if that takes too long, leave it open: closing it in the
        middle would commit later statements of a transaction that is rolled back.
        """
        if self._copying is not None:
            await self._copying
        with suppress(TimeoutError):
            async with asyncio.timeout(POOL_SECONDS), self._in_use:
                await self._close()

    async def _close(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.close()


class DatabaseFile:
    """The file of an SQLite database: is it still there, and free of erased data?"""

    def __init__(self, name: str) -> None:
        self._name = name
        self.path = Path(name.removeprefix("file:").partition("?")[0])
        self._identity = self._find()

    def _find(self) -> tuple[int, int] | None:
        try:
            result = os.stat(self.path)  # noqa: PTH116 - a third faster than Path.stat, and every answer pays for it
        except OSError:
            return None
        return result.st_dev, result.st_ino

    def check(self) -> None:
        """Raise ``DatabaseUnreachableError`` if the file was moved or replaced: backups would miss our writes."""
        if self._find() != self._identity:
            raise errors.DatabaseUnreachableError(
                f"{self.path} was moved away or replaced; put it back, or start the bot again"
            )

    def _connect(self, patience: float) -> sqlite3.Connection:
        return sqlite3.connect(self._name, uri=self._name.startswith("file:"), timeout=patience)

    def give_back(self) -> bool:
        """Free some pages; return whether there are more. Skipped if someone writes for long."""
        try:
            with closing(self._connect(EMPTY_SECONDS)) as connection:
                asked = [f"PRAGMA {name}" for name in ("page_count", "freelist_count", "auto_vacuum")]
                whole, free, kind = [connection.execute(pragma).fetchone()[0] for pragma in asked]
                if kind != BY_STEPS or free <= KEPT_FREE * whole + PAGES:
                    return False
                connection.executescript(f"PRAGMA incremental_vacuum({PAGES})")  # ``execute`` would stop after one page
        except sqlite3.Error:
            return False
        return True

    def copy_log(self) -> int:
        """Checkpoint the log without blocking anyone; return the pages left, 0 if all is copied."""
        pages = -1
        with suppress(sqlite3.Error), closing(self._connect(0.0)) as connection:
            for _ in range(MAX_COPIES):
                before = pages
                _, pages, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                if pages == before == copied:
                    return 0
        return pages

    def empty_log(self, patience: float) -> bool:
        """Empty the log; return whether that worked. ``patience``: seconds to wait for other users of the file."""
        try:
            with closing(self._connect(patience)) as connection:
                (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            return False
        return not is_busy


async def migrate(url: str, migrations: Path = MIGRATIONS) -> bool:
    """Migrate to the newest version in one transaction; return whether there was anything to do. Raises
    ``DatabaseTooNewError`` for an unknown version. An error of a migration is passed on; nothing is changed.
    """
    address = address_of(url)
    with as_store_errors():
        if is_file(address) and not str(address.database).startswith("file:"):
            Path(str(address.database)).parent.mkdir(parents=True, exist_ok=True)
    return await _with_own_connection(address, _upgrade, migrations)


async def run_once(url: str, body: Does[Values, Outcome], *values: Values.args, **named: Values.kwargs) -> Outcome:
    """Run ``body`` in one transaction of a database opened just for it, beside the running bot."""
    database = await Database.open(url, migrates=False)
    try:
        return await database.run(body, *values, **named)
    finally:
        await database.close()


async def check_version(url: str) -> None:
    """Raise ``DatabaseTooOldError`` for a database that is missing or not of the newest version. Read-only."""
    if (file := file_of(url)) is not None and not file.exists():
        raise DatabaseTooOldError("there is no such file")
    if not await _with_own_connection(address_of(url), _is_newest, MIGRATIONS):
        raise DatabaseTooOldError("it is empty, or of another version")


async def _with_own_connection(address: URL, work: Callable[[Connection, Path], bool], migrations: Path) -> bool:
    """Run ``work`` on its own connection without foreign keys, to rebuild tables; they are checked at the end."""
    database = Database(address, migrates=True)
    try:
        return await database.run(lambda connection: connection.run_sync(work, migrations))
    finally:
        await database.close()


def file_of(url: str) -> Path | None:
    """Return an SQLite database's file; None for a server. Raises ``InvalidDatabaseUrlError``."""
    address = address_of(url)
    return DatabaseFile(str(address.database)).path if is_file(address) else None


def is_file(address: URL) -> bool:
    return address.get_backend_name() == "sqlite"


def same_database(item: str, other: str) -> bool:
    """Whether two addresses mean one database, as far as they tell."""
    first, second = address_of(item), address_of(other)
    if is_file(first) and is_file(second):
        return Path(str(first.database)).resolve() == Path(str(second.database)).resolve()
    return (first.host, first.port, first.database) == (second.host, second.port, second.database)


def _upgrade(connection: Connection, migrations: Path) -> bool:
    if _is_newest(connection, migrations):
        return False  # importing Alembic takes 0.1 s, and most starts need no migration
    _check_ours(connection)
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    if connection.dialect.name == "postgresql":  # SQLite holds its write lock already
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    for revision in MigrationContext.configure(connection).get_current_heads():
        if revision not in known:
            raise errors.DatabaseTooNewError(
                f"the database is at revision {revision}; the newest known here is {known[0]}"
            )
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite" and (broken := connection.execute(text("PRAGMA foreign_key_check")).all()):
        raise RuntimeError(f"the migration broke {len(broken)} foreign keys, the first: {broken[0]}")
    return True


def _check_ours(connection: Connection) -> None:
    """Raises ``WrongDatabaseError`` for a database that is neither empty nor ours with its version."""
    result = set(inspect(connection).get_table_names())
    versions = connection.execute(text("SELECT version_num FROM alembic_version")).all() if VERSIONS in result else []
    tables = result - {VERSIONS, "sqlite_sequence"}
    if not tables >= OURS and (tables or versions):
        raise WrongDatabaseError(f"it has {len(tables)} tables, and they are not those of Rollcall")
    if tables and len(versions) != 1:
        raise WrongDatabaseError(
            f"its table {VERSIONS} has {len(versions)} rows instead of one, which names its version"
        )


def _is_newest(connection: Connection, migrations: Path) -> bool:
    """Whether the database is at the newest version; versions are the numbers that migration files begin with."""
    if not inspect(connection).has_table(VERSIONS):
        return False
    newest = max(file.name[:4] for file in (migrations / "versions").glob("[0-9][0-9][0-9][0-9]_*.py"))
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [newest]


def address_of(url: str) -> URL:
    """Return the address as SQLAlchemy parses it. No error quotes it, because it may hold a password."""
    if url.count("@") > 1:  # SQLAlchemy would read the rest of the password as part of the host
        raise InvalidDatabaseUrlError(
            "a name or password with signs of its own: write @ as %40, : as %3A, / as %2F and % as %25"
        )
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise InvalidDatabaseUrlError("not an address that can be read") from None
    address = address.set(drivername=_DRIVERS.get(address.drivername, address.drivername))
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise InvalidDatabaseUrlError(f"{address.drivername} is neither SQLite nor PostgreSQL")
    if is_file(address) and address.database in (None, "", ":memory:"):
        raise InvalidDatabaseUrlError("a database in memory forgets every roll when the bot stops")
    return address


def pool_size(processes: int) -> int:
    """Return the number of connections for each of several processes."""
    return max(MIN_POOL, min(MAX_POOL, POOL_OF_ALL // processes))


def _connect(address: URL, *, foreign_keys: bool) -> sqlite3.Connection:
    """Open an SQLite file. Raises what SQLAlchemy would raise."""
    (name,), options = SQLiteDialect_pysqlite().create_connect_args(address)
    try:
        # Python's implicit transactions lose updates; with them off, ``sqlite_driver.BEGIN`` is the only start.
        connection = sqlite3.connect(name, **options, isolation_level=None, timeout=LOCK_SECONDS)
        if connection.execute("PRAGMA page_count").fetchone() == (0,):  # can only be set in a new file
            connection.execute(f"PRAGMA auto_vacuum = {BY_STEPS}")
        if foreign_keys:  # stored in the file: wait until we know that the file is ours
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {COPY_AT_LAST}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # overwrite erased data
        connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
    except sqlite3.Error as error:
        raise as_sqlalchemy("", error) from error
    return connection


def single_connections(url: str, *, migrates: bool = False) -> AsyncEngine:
    """Create an engine for a PostgreSQL server that opens a new connection for each use."""
    address = address_of(url)
    options = _connect_args(address, migrates=migrates)
    return create_async_engine(address, hide_parameters=True, poolclass=NullPool, connect_args=options)


def _postgres(address: URL, pool: int, *, migrates: bool) -> AsyncEngine:
    """Create an engine; ``migrates``: no timeout. Raises ``InvalidDatabaseUrlError`` for a missing driver."""
    try:
        return create_async_engine(
            address,
            hide_parameters=True,  # keep people's input out of errors and logs
            pool_size=pool,
            max_overflow=0,
            pool_pre_ping=True,  # the server may have restarted
            pool_timeout=POOL_SECONDS,
            pool_recycle=RECYCLE_SECONDS,  # after a failover, connections to the old, read-only server may survive
            connect_args=_connect_args(address, migrates=migrates),
        )
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise InvalidDatabaseUrlError(f"{address.drivername} is not installed: {error}") from error


def _connect_args(address: URL, *, migrates: bool = False) -> dict[str, Any]:
    """Return PostgreSQL's driver options. Raises ``InvalidDatabaseUrlError`` for an address with unknown ones."""
    import asyncpg

    options: dict[str, Any] = {}
    if unknown := address.query.keys() - inspect_signature(asyncpg.connect).parameters.keys() - _POOLER:
        raise InvalidDatabaseUrlError(
            f"an address with {len(unknown)} options after the ? that the driver does not know"
        )
    if address.query.get("prepared_statement_cache_size") == "0":  # behind a pooler a statement name may be taken
        options["prepared_statement_name_func"] = lambda: f"rollcall_{uuid4().hex}"
    for name in _NUMBERS & address.query.keys():  # SQLAlchemy passes the address's text on unparsed
        if not str(address.query[name]).isdecimal():
            raise InvalidDatabaseUrlError(f"an address whose option {name} is no number")
        options[name] = int(str(address.query[name]))
    limits = {"lock_timeout": LOCK_SECONDS, "idle_in_transaction_session_timeout": IDLE_SECONDS}
    if migrates:
        limits["lock_timeout"] = MIGRATION_SECONDS  # another process may be migrating; nobody waits for an answer yet
    else:
        limits["statement_timeout"] = STATEMENT_SECONDS
        options["command_timeout"] = STATEMENT_SECONDS + LOCK_SECONDS  # if the server does not respond at all
    settings = {name: f"{seconds * 1000:.0f}" for name, seconds in limits.items()}
    return {"timeout": LOCK_SECONDS, "server_settings": settings, **options}

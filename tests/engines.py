"""The engines that the store runs on: an SQLite file, and a PostgreSQL server that the tests start for themselves."""

import asyncio
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from bot.store.database import migrate
from bot.store.schema import metadata
from tests.ports import free_port

ENGINES: Final = ("sqlite", "postgresql")
STARTS_IN: Final = 600.0
T = TypeVar("T")


def programs() -> Path | None:
    """The folder with PostgreSQL's programs: where Debian keeps the newest, or on the path."""
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("postgres")
    return paths[-1].parent if paths else Path(on_path).resolve().parent if on_path else None


def why_not() -> str:
    """Why there is no PostgreSQL here; empty if there is."""
    try:
        import asyncpg  # noqa: F401 - only whether it is there
    except ImportError:
        return "the driver asyncpg is not installed"
    return "" if programs() else "PostgreSQL is not installed (on Debian: apt-get install postgresql)"


def apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run it to its end in a thread with a loop of its own, whatever runs here."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Server:
    """A PostgreSQL server on loopback, as an unprivileged user, in a temporary folder.

    Without fsync, because a test that ends has nothing to lose.
    """

    def __init__(self, **settings: str) -> None:
        """``settings`` are those of PostgreSQL that shall be other than here."""
        path = programs()
        assert path is not None, why_not()
        self._programs, self._settings = path, settings
        self._folder = Path(tempfile.mkdtemp(prefix="rollcall-postgres-"))
        self._user = (
            next((item for item in ("postgres", "nobody") if known(item)), "nobody") if os.getuid() == 0 else None
        )
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        options = ("-U", "rollcall", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--data-checksums")
        self._run("initdb", "-D", "data", *options)
        self.port = free_port()  # it stays ours while the server is down between two starts
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        self._unused: list[str] = []
        """Databases that tests have given back."""
        self._new: Contents | None = None
        """What a database of the newest version looks like, once there is one to be copied."""
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, cwd=self._folder, user=self._user, check=True, capture_output=True, env={"LC_ALL": "C"})

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off"}
        settings |= {"max_connections": 200, "shared_buffers": "32MB", "log_min_messages": "fatal"}
        settings |= {"autovacuum": "off"}  # it would tidy up in the middle of a later test
        settings |= self._settings
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            command = [str(self._programs / "postgres"), "-D", "data", *options]
            self._process = subprocess.Popen(
                command, cwd=self._folder, user=self._user, stdout=log, stderr=log, env={"LC_ALL": "C"}
            )
        until = time.monotonic() + STARTS_IN
        while True:
            try:
                self.do("SELECT 1")
            except Exception:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.05)
            else:
                return

    @property
    def pid(self) -> int:
        """Of the process that starts all others of the server."""
        assert self._process is not None, "it is not running"
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop it: SIGQUIT at once, as a crash; SIGINT in order, every connection is cut."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    @contextmanager
    def stopped(self) -> Iterator[Path]:
        """The folder of its data while it is down."""
        self.stop(signal.SIGINT)
        yield self._folder / "data"
        self.start()

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, name: str) -> str:
        return f"postgresql+asyncpg://rollcall@127.0.0.1:{self.port}/{name}"

    def do(self, sql: str, name: str = "postgres") -> None:
        """One statement outside of any transaction."""
        fetch(self.url(name), sql)

    def database(self) -> str:
        """The address of a database of the newest version in which nothing has happened yet."""
        if self._unused:
            return self._unused.pop()
        if self._new is None:
            self.do("CREATE DATABASE migrated")
            apart(migrate(self.url("migrated")))
            self._new = apart(contents(self.url("migrated")))
        name = f"rolls{next(self._numbers)}"
        self.do(f"CREATE DATABASE {name} TEMPLATE migrated")
        return self.url(name)

    def empty(self) -> str:
        """The address of a database without a table."""
        name = f"empty{next(self._numbers)}"
        self.do(f"CREATE DATABASE {name}")
        return self.url(name)

    def give_back(self, url: str) -> None:
        """A test is over: empty its database for the next one. To copy a new one takes several times as long."""
        if self._new is not None and apart(emptied(url, self._new)):
            self._unused.append(url)
        else:
            self.drop(url)

    def drop(self, url: str) -> None:
        self.do(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")


@dataclass(frozen=True, slots=True)
class Contents:
    """A database: every column, index and constraint of its tables as text, and the rows of each table."""

    shape: str
    rows: dict[str, list[tuple[Any, ...]]]


SHAPE: Final = """
SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', 'setting', array_to_string(setconfig, ',')) FROM pg_db_role_setting
        WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
) AS lines
"""
TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
EVERYBODY_OUT: Final = """
SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
FROM_THE_START: Final = """
SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL
"""


async def contents(url: str) -> Contents:
    async with connected(url) as connection:
        tables = [name for (name,) in await connection.fetch(TABLES)]
        rows = {name: list(map(tuple, await connection.fetch(f'SELECT * FROM "{name}"'))) for name in tables}  # noqa: S608 - our own
        return Contents(await connection.fetchval(SHAPE), rows)


async def emptied(url: str, new: Contents) -> bool:
    """Make a database as it was when it was new; False where a test has changed its tables."""
    async with connected(url) as connection:
        await connection.execute(EVERYBODY_OUT)
        if await connection.fetchval(SHAPE) != new.shape:
            return False
        async with connection.transaction():
            await connection.execute("SET LOCAL session_replication_role = replica")  # in any order of the tables
            await connection.execute(";".join(f'DELETE FROM "{name}"' for name in new.rows))  # noqa: S608 - as above
            for name, rows in new.rows.items():
                await connection.copy_records_to_table(name, records=rows)
            await connection.execute(FROM_THE_START)
    return True


def known(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Any]:
    """A connection of a stranger to the bot."""
    import asyncpg

    connection = await asyncpg.connect(url.replace("+asyncpg", ""), timeout=STARTS_IN)
    try:
        yield connection
    finally:
        await connection.close()


def fetch(url: str, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows of a statement, as a stranger to the bot reads or changes them; ``$1`` stands for the first value."""

    async def ask() -> list[tuple[Any, ...]]:
        async with connected(url) as connection:
            return [tuple(row) for row in await connection.fetch(sql, *values)]

    return apart(ask())


class Asker:
    """A stranger who asks again and again, by one connection and in a thread of their own."""

    def __init__(self, url: str) -> None:
        import asyncpg

        self._thread, self._loop = ThreadPoolExecutor(1), asyncio.new_event_loop()
        self._connection: Any = self._do(asyncpg.connect(url.replace("+asyncpg", ""), timeout=STARTS_IN))

    def _do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._loop.run_until_complete, coroutine).result()

    def __call__(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        return [tuple(row) for row in self._do(self._connection.fetch(sql))]

    def close(self) -> None:
        self._do(self._connection.close())
        self._loop.close()
        self._thread.shutdown()


def copy(url: str, file: Path) -> None:
    """Copy a server's database to a new SQLite file, as it is at one moment, while somebody may be playing."""

    async def read() -> dict[str, list[dict[str, Any]]]:
        async with connected(url) as connection, connection.transaction(isolation="repeatable_read", readonly=True):
            read = [(name, await connection.fetch(f'SELECT * FROM "{name}"')) for name in metadata.tables]  # noqa: S608 - our own
            return {name: [dict(row) for row in rows] for name, rows in read}

    apart(migrate(f"sqlite+aiosqlite:///{file}"))
    rows = apart(read())
    with closing(sqlite3.connect(file)) as target, target:
        for table in metadata.sorted_tables:
            target.execute(f'DELETE FROM "{table.name}"')  # noqa: S608 - as above; a migration makes a row
            columns = [column.name for column in table.columns]
            quoted, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
            insert = f'INSERT INTO "{table.name}" ({quoted}) VALUES ({marks})'  # noqa: S608 - as above
            target.executemany(insert, [[row[name] for name in columns] for row in rows[table.name]])


@contextmanager
def server() -> Iterator[Server]:
    if reason := why_not():
        pytest.skip(reason)  # why there is no server here, in words
    running = Server()
    try:
        yield running
    finally:
        running.close()


def on_both(metafunc: pytest.Metafunc) -> None:
    """``pytest_generate_tests`` of a folder whose tests run on both engines; one that asks for the file cannot."""
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", ENGINES[:1] if "file" in metafunc.fixturenames else ENGINES)

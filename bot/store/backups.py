"""Backups of a running database, each in one file, and the rehearsal of a restore.

A ``.rows`` file beside each backup holds the row count and SHA-256 of every table. A rehearsal restores the backup into
a scratch database, compares its rows with these, and migrates it.
"""

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Final
from uuid import uuid4

from sqlalchemy import text
from sqlalchemy.engine import URL

from bot import background
from bot.child_environment import inherited_variables
from bot.store.copy_database import MovedTable, hash_rows, orphans
from bot.store.database import Database, address_of, check_version, file_of, single_connections
from bot.store.errors import BackupError, DatabaseTooOldError, RestoreError
from bot.store.sqlite_driver import as_store_errors

BACKUP: Final = "backup"
REHEARSAL: Final = "rehearsal"
"""Scopes under which the store records when the last rehearsal ended."""
_SNAPSHOT: Final = (
    text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
    text("SET LOCAL idle_in_transaction_session_timeout = 0"),
)
"""Freeze a transaction's snapshot for as long as ``pg_dump`` takes."""


async def backup(url: str, file: Path) -> int:
    """Back up a live database to a new file, with row counts in a file beside it; return the size in bytes.

    SQLite: a database file. PostgreSQL: ``pg_dump``'s custom format. Raises ``StoreError``: ``BackupError`` if the file
    exists, or can't be written or read back.
    """
    if file.exists():  # noqa: ASYNC240 - once, at the beginning
        raise BackupError(f"{file} is there already")
    with as_store_errors():
        if (source := file_of(url)) is None:
            await check_version(url)
            rows = await _dump(url, file)
        elif not source.exists():
            raise DatabaseTooOldError("there is no such file")
        else:  # don't check its version: that would wait for writers
            await asyncio.to_thread(_copy_file, source, file)
            rows = await digests(_sqlite(file))
        _rows_file(file).write_text("".join(f"{_line(item)}\n" for item in rows))
    return file.stat().st_size  # noqa: ASYNC240 - once, at the end


async def rehearse(url: str, file: Path) -> list[MovedTable]:
    """Restore a backup beside the database at ``url``, compare and migrate it; return its tables with row counts.
    Raises ``StoreError``: ``RestoreError`` if it differs from what was backed up.
    """
    if not file.exists():  # noqa: ASYNC240 - once, at the beginning
        raise RestoreError(f"{file} isn't there")
    if not _rows_file(file).exists():
        raise RestoreError(f"{_rows_file(file)} isn't there, so nothing says which rows it should have")
    with as_store_errors():
        async with _restore_apart(url, file) as restored:
            rows = await digests(restored)
            expected = set(_rows_file(file).read_text().splitlines())
            if wrong := sorted({line.split()[0] for line in expected ^ set(map(_line, rows))}):
                raise RestoreError(f"its rows differ in {', '.join(wrong)}")
            database = await Database.open(restored)
            try:
                lost = await database.run(orphans)
                if found := "; ".join(filter(None, [await database.damage(), *map(str, lost)])):
                    raise RestoreError(found)
            finally:
                await database.close()
    return rows


async def digests(url: str) -> list[MovedTable]:
    """Count and hash the rows of every table of a database of any version."""
    database = Database(address_of(url), migrates=True)
    try:
        return await database.run(hash_rows)
    finally:
        await database.close()


def _line(item: MovedTable) -> str:
    return f"{item.table} {item.rows} {item.digest}"


def _rows_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.rows")


def _sqlite(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file.resolve()}"


@asynccontextmanager
async def _restore_apart(url: str, file: Path) -> AsyncIterator[str]:
    """Yield the address of a scratch database that holds the backup; drop it afterwards."""
    if file_of(url) is not None:
        with tempfile.TemporaryDirectory(prefix="rollcall-") as folder:
            await asyncio.to_thread(shutil.copy, file, Path(folder, "restored.db"))
            yield _sqlite(Path(folder, "restored.db"))
        return
    address, name = address_of(url), f"rollcall_{uuid4().hex}"
    engine = single_connections(url, migrates=True).execution_options(isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
        try:
            await _run_tool(address, "pg_restore", "--no-owner", "--exit-on-error", f"--dbname={name}", str(file))
            yield address.set(database=name).render_as_string(hide_password=False)
        finally:
            async with engine.connect() as connection:
                await connection.execute(text(f"DROP DATABASE {name}"))
    finally:
        await engine.dispose()


def _copy_file(original: Path, file: Path) -> None:
    """Copy with SQLite's online backup, then read the copy through."""
    try:
        with closing(sqlite3.connect(original)) as source, closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file, no log beside it
            ((said,), *_) = copy.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.Error as error:
        file.unlink(missing_ok=True)
        raise BackupError(f"{type(error).__name__}: {error}") from error
    if said != "ok":
        file.unlink()
        raise BackupError(f"the copy is damaged: {said}")


async def _dump(url: str, file: Path) -> Sequence[MovedTable]:
    """Dump a server's database; count and hash the rows of the same snapshot."""
    address = address_of(url)
    database = Database(address, migrates=True)
    try:
        async with database.transaction() as connection:
            for statement in _SNAPSHOT:
                await connection.execute(statement)
            snapshot = await connection.scalar(text("SELECT pg_export_snapshot()"))
            options = ("--format=custom", f"--file={file}", f"--snapshot={snapshot}")
            dumping = background.start(_run_tool(address, "pg_dump", *options, str(address.database)))
            try:
                rows = await hash_rows(connection)
            finally:
                await asyncio.wait([dumping])
            await dumping
    finally:
        await database.close()
    await _run_tool(address, "pg_restore", "--list", str(file))
    return rows


async def _run_tool(address: URL, *command: str) -> None:
    where = {"PGHOST": address.host, "PGPORT": address.port, "PGUSER": address.username, "PGPASSWORD": address.password}
    environment = inherited_variables("PG") | {name: str(value) for name, value in where.items() if value is not None}
    try:
        running = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
    except FileNotFoundError:
        raise BackupError(f"{command[0]} is not installed (on Debian: apt-get install postgresql-client)") from None
    _, said = await running.communicate()
    if running.returncode:
        raise BackupError(f"{command[0]} says: {said.decode(errors='replace').strip()}")

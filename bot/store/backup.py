"""A backup of a running database in one file, that is checked before it is called one."""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import make_url

from bot.store.database import check_version, file_of
from bot.store.driver import as_store_errors
from bot.store.errors import NoBackup, TooOld


async def backup(url: str, file: Path) -> int:
    """Write everything into a new file, while people play on; its size in bytes.

    SQLite's is a database like the first. PostgreSQL's is made by ``pg_dump`` in its own format, for ``pg_restore``.
    Raises ``StoreError``: ``NoBackup`` where the file is there already, or cannot be made or read again.
    """
    if file.exists():  # noqa: ASYNC240 - once, at the beginning
        raise NoBackup(f"{file} is there already")
    with as_store_errors():
        if (source := file_of(url)) is None:
            await check_version(url)
            await _dump(url, file)
        elif not source.exists():
            raise TooOld("there is no such file")
        else:  # its version is not asked: that would wait for whoever writes
            await asyncio.to_thread(_copy, source, file)
    return file.stat().st_size  # noqa: ASYNC240 - once, at the end


def _copy(original: Path, file: Path) -> None:
    """SQLite's online backup; then the copy is read through."""
    try:
        with (
            closing(sqlite3.connect(original)) as source,
            closing(sqlite3.connect(file)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, no more
            ((said,), *_) = copy.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.Error as error:
        file.unlink(missing_ok=True)
        raise NoBackup(f"{type(error).__name__}: {error}") from error
    if said != "ok":
        file.unlink()
        raise NoBackup(f"the copy is damaged: {said}")


async def _dump(url: str, file: Path) -> None:
    address = make_url(url)
    where = {"PGHOST": address.host, "PGPORT": address.port, "PGUSER": address.username, "PGPASSWORD": address.password}
    environment = {**os.environ, **{name: str(value) for name, value in where.items() if value is not None}}
    await _run(environment, "pg_dump", "--format=custom", f"--file={file}", str(address.database))
    await _run(environment, "pg_restore", "--list", str(file))


async def _run(environment: dict[str, str], *command: str) -> None:
    try:
        running = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
    except FileNotFoundError:
        raise NoBackup(f"{command[0]} is not installed (on Debian: apt-get install postgresql-client)") from None
    _, said = await running.communicate()
    if running.returncode:
        raise NoBackup(f"{command[0]} says: {said.decode(errors='replace').strip()}")

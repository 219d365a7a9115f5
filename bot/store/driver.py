"""aiosqlite with one thread hop per statement.

SQLAlchemy's adapter makes a cursor, executes, fetches and closes: four hops to the driver's thread and back, each about
a tenth of a millisecond. Nothing here streams rows, so one hop can do all four.
"""

import sqlite3
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Self

import aiosqlite


def connect(database: str | Path, *, iter_chunk_size: int = 64, **options: Any) -> "Connection":
    """Like ``aiosqlite.connect``, for ``connect_args={"async_creator_fn": connect}``."""
    return Connection(partial(sqlite3.connect, str(database), **options), iter_chunk_size)


class Connection(aiosqlite.Connection):
    """Its cursors bring all rows along."""

    def cursor(self, *_: Any) -> Any:
        """The cursor, to be entered with ``async with`` as in aiosqlite."""
        return Cursor(self)


class Cursor:
    """What SQLAlchemy asks of an aiosqlite cursor; only ``execute`` and ``executemany`` reach the thread."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        return await self._run("execute", sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        return await self._run("executemany", sql, parameters)

    async def _run(self, method: str, sql: str, parameters: Iterable[Any]) -> Self:
        done = await self._connection._execute(whole, self._connection._conn, method, sql, parameters)  # noqa: SLF001 - aiosqlite has no public way into its thread
        self._rows, self.description, self.rowcount, self.lastrowid = done
        return self

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """The real cursor was closed when its rows were taken."""


def whole(
    connection: sqlite3.Connection, method: str, sql: str, parameters: Iterable[Any]
) -> tuple[list[Any], Any, int, int | None]:
    """Runs in the driver's thread: rows, description, row count and last row id of one statement."""
    cursor = getattr(connection, method)(sql, parameters)
    try:
        rows = cursor.fetchall() if cursor.description else []
        return rows, cursor.description, cursor.rowcount, cursor.lastrowid
    finally:
        cursor.close()

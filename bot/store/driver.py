"""aiosqlite as this house needs it: one thread hop per statement, and no statement left half done.

SQLAlchemy's adapter makes a cursor, executes, fetches and closes: four hops to the driver's thread and back, each about
a tenth of a millisecond. Nothing here streams rows, so one hop does all four. What needs no answer waits and rides with
the next hop: BEGIN with the first statement, and statements marked ``LATER`` with the one after them or the COMMIT.
What everybody waits for all the time, presses and rolls, is one hop altogether (``Connection.transact``).

A task that is cancelled while the thread works would give up a connection that is still busy, and with it the only
place in the pool. Here the wait cannot be cut short: the statement ends first, then the task is cancelled, and the
connection it used can be rolled back in peace.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Self

import aiosqlite

from bot.store.direct import BEGIN, Body, Direct, Outcome, transact

LATER = "/* later */"
"""As the prefix of an INSERT (``insert(table).prefix_with(LATER).inline()``): whoever runs it wants no answer.

What it would have raised is raised by the statement or the COMMIT that it rides with.
"""

Statement = tuple[str, Any]
Done = tuple[list[Any], Any, int, int | None]
"""Rows, description, row count and last row id of a statement."""


def connect(database: str | Path, *, iter_chunk_size: int = 64, **options: Any) -> "Connection":
    """Like ``aiosqlite.connect``, for ``connect_args={"async_creator_fn": connect}``."""
    connection = Connection(partial(sqlite3.connect, str(database), **options), iter_chunk_size)
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does it: a bot that fails must still be able to end
    return connection


class Unbroken(asyncio.Future[Any]):
    """A wait that a cancelled task sees through to its end; only then is the task cancelled."""

    is_wanted = True

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002 - asyncio's signature
        self.is_wanted = False
        return False


class Connection(aiosqlite.Connection):
    """Its cursors bring all rows along, and its waits cannot be cut short."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        self.waiting: list[Statement] = []
        """Statements that ride with the next hop."""
        self._direct: Direct | None = None

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """As in aiosqlite, which has no public way into its thread."""
        return await self._send(Unbroken(), partial(fn, *args, **kwargs))

    def _send(self, answer: Unbroken, work: Callable[[], Any]) -> Unbroken:
        """Have the thread do something and put what comes of it into ``answer``."""
        if not self._running or not self._connection:
            raise ValueError("Connection closed")  # the words that SQLAlchemy knows
        self._tx.put_nowait((answer, work))
        return answer

    async def _connect(self) -> Self:
        """As in aiosqlite, but the thread that could not connect is gone before anybody hears of it."""
        try:
            await super()._connect()
        except BaseException:
            self._thread.join()  # it was told to stop, and would answer a loop that may be closed by then
            raise
        return self

    def stop(self) -> asyncio.Future[Any] | None:
        """As in aiosqlite, but a thread that was told to stop is not waited for again: it answers once."""
        return super().stop() if self._running else None

    def cursor(self, *_: Any) -> Any:
        """The cursor, to be entered with ``async with`` as in aiosqlite."""
        return Cursor(self)

    async def run(self, method: str, sql: str, parameters: Iterable[Any]) -> Done:
        """``execute`` or ``executemany`` in one hop, after what waits."""
        waiting, self.waiting = self.waiting, []
        done: Done = await self._execute(whole, self._conn, waiting, method, sql, parameters)
        return done

    async def transact(self, body: Body[Outcome]) -> Outcome:
        """A whole transaction in one hop, begun and ended there; see ``bot.store.direct``."""
        if self._direct is None:
            self._direct = Direct(self._conn)
        answer = Unbroken()
        result: Outcome = await self._send(answer, partial(transact, self._direct, body, lambda: answer.is_wanted))
        return result

    async def commit(self) -> None:
        """Commit, after what waits."""
        waiting, self.waiting = self.waiting, []
        await self._execute(finish, self._conn, waiting)

    async def rollback(self) -> None:
        """Roll back, and forget what waits.

        SQLAlchemy does so whenever a connection goes back into the pool; mostly there is nothing open, and no hop.
        """
        self.waiting = []
        if self.in_transaction:
            await super().rollback()


class Cursor:
    """What SQLAlchemy asks of an aiosqlite cursor; only ``execute`` and ``executemany`` reach the thread."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    def __await__(self) -> Generator[Any, None, Self]:
        """SQLAlchemy 2.0 awaits a new cursor, 2.1 enters it."""
        return self.__aenter__().__await__()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing is open."""

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        if sql == BEGIN or sql.startswith(f"INSERT {LATER}"):
            self._connection.waiting.append((sql, parameters))
            return self
        return await self._run("execute", sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        return await self._run("executemany", sql, parameters)

    async def _run(self, method: str, sql: str, parameters: Iterable[Any]) -> Self:
        done = await self._connection.run(method, sql, parameters)
        self._rows, self.description, self.rowcount, self.lastrowid = done
        return self

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """The real cursor was closed when its rows were taken."""


def whole(
    connection: sqlite3.Connection, waiting: list[Statement], method: str, sql: str, parameters: Iterable[Any]
) -> Done:
    """A statement after those that wait; runs in the driver's thread."""
    for earlier in waiting:
        connection.execute(*earlier).close()
    cursor = getattr(connection, method)(sql, parameters)
    try:
        rows = cursor.fetchall() if cursor.description else []
        return rows, cursor.description, cursor.rowcount, cursor.lastrowid
    finally:
        cursor.close()


def finish(connection: sqlite3.Connection, waiting: list[Statement]) -> None:
    """COMMIT after the statements that wait; runs in the driver's thread."""
    for earlier in waiting:
        connection.execute(*earlier).close()
    connection.commit()

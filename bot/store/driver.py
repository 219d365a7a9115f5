"""The driver of an SQLite file: a whole transaction in one hop to the thread that owns the connection, and its errors.

The store's functions are coroutines because PostgreSQL answers over a network. SQLite answers at once, so there is
nothing to wait for: in its thread such a function runs from its beginning to its end in one go (``transact``). What is
seldom asked for goes through SQLAlchemy, one hop for each statement: its own adapter of aiosqlite would make four, and
a cursor that a cancelled task leaves open would keep the write lock.

What every opening and press asks for is marked ``hot``. SQLAlchemy compiles such a statement once, and from then on it
goes straight to the driver; to find what was compiled and to wrap what comes back took longer than SQLite itself. All
other statements go through SQLAlchemy, in the same transaction.

A task that is cancelled while the thread works would give up a connection that is still busy, and with it the only
place in the pool. Here the wait cannot be cut short: the work ends first, then the task is cancelled, and the
connection it used can be rolled back in peace.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, TypeVar, cast

import aiosqlite
from sqlalchemy import Delete, Dialect, Insert, Result, ScalarResult, Select, Update, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.compiler import SQLCompiler

from bot.store.errors import Busy, Full, ReadOnly, StoreError, Unreachable

BEGIN = "BEGIN IMMEDIATE"
"""Takes the write lock at once: what a transaction reads stays true until its end."""

Outcome = TypeVar("Outcome")
Body = Callable[[AsyncConnection], Coroutine[Any, Any, Outcome]]
"""What a transaction does. It awaits its connection and nothing else."""
Statement = Select[Any] | Insert | Update | Delete
S = TypeVar("S", bound=Statement)
Values = Mapping[str, Any]
Done = tuple[list[Any], Any, int, int | None]
"""Rows, description, row count and last row id of a statement."""

_HOT: Final[dict[object, "Straight | None"]] = {}
"""The statements that are hot, and what became of them once they were asked for the first time."""
_NAMED: Final[Dialect] = sqlite.dialect(paramstyle="named")


def hot(statement: S) -> S:
    """Mark a statement that goes straight to SQLite. It takes no list but by ``among``, and tells no ``rowcount``; with
    other names of values than the first time, for which an INSERT would have other columns, it goes through SQLAlchemy
    after all.
    """
    _HOT[statement] = None
    return statement


class Straight:
    """A statement as SQLite's driver takes it, compiled for values of these names.

    Raises ``TypeError`` for one that SQLAlchemy would have to write anew for each count of values.
    """

    def __init__(self, statement: Statement, names: Iterable[str]) -> None:
        compiled = statement.compile(dialect=_NAMED, column_keys=sorted(names))
        assert isinstance(compiled, SQLCompiler), "no statement that makes tables is hot"  # noqa: S101 - states it
        if listed := [one.key for one in compiled.binds.values() if one.expanding]:
            raise TypeError(f"{listed[0]} of a hot statement is no plain value")
        before = ((one.key, one.type.dialect_impl(_NAMED).bind_processor(_NAMED)) for one in compiled.binds.values())
        self._before = [(name, change) for name, change in before if change is not None]
        self.sql, self._names = compiled.string, frozenset(names)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        columns = statement.exported_columns
        self._keys = SimpleResultMetaData([str(name) for name, _ in columns.items()])
        changes = (one.type.dialect_impl(_NAMED).result_processor(_NAMED, None) for one in columns)
        self._changes = [(place, change) for place, change in enumerate(changes) if change is not None]

    def takes(self, values: Values) -> bool:
        """Whether these are the values for which it was compiled."""
        return values.keys() == self._names

    def run(self, connection: sqlite3.Connection, values: Values) -> Result[Any]:
        """Its rows. Raises what SQLAlchemy would raise."""
        values = {**self._fixed, **values}
        for name, change in self._before:
            values[name] = change(values[name])
        try:
            rows = connection.execute(self.sql, values).fetchall()
        except sqlite3.Error as error:
            raise as_sqlalchemy(self.sql, error) from error
        return IteratorResult(self._keys, map(self._changed, rows) if self._changes else iter(rows))

    def _changed(self, row: Sequence[Any]) -> Sequence[Any]:
        """The values of a row as Python has them: SQLite knows no true and false."""
        changed = list(row)
        for place, change in self._changes:
            changed[place] = change(changed[place])
        return changed


def as_sqlalchemy(sql: str, error: sqlite3.Error) -> Exception:
    """The driver's error as SQLAlchemy's, so that ``as_store_errors`` knows it."""
    return DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True)


class Direct:
    """What the store's functions use of an ``AsyncConnection``; every answer is there when it is asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._own = connection
        engine = create_engine(
            "sqlite://",
            creator=lambda: connection,
            poolclass=StaticPool,
            pool_reset_on_return=None,
            hide_parameters=True,
        )
        self._sqlalchemy = engine.connect()  # for good; not within a transaction, which it would roll back

    @property
    def dialect(self) -> Dialect:
        return _NAMED

    def _straight(self, statement: Any, values: Values) -> Straight | None:
        """A hot statement as it goes straight to the driver; None for any other."""
        if statement not in _HOT or values is None:
            return None
        straight = _HOT[statement]
        if straight is None:
            straight = _HOT[statement] = Straight(statement, values)
        return straight if straight.takes(values) else None

    async def execute(self, statement: Any, values: Any = None) -> Result[Any]:
        """Its rows; of a hot one that is to run with each of several values those of the last."""
        several = values if isinstance(values, list) else [values]
        straight = self._straight(statement, several[0])
        if straight is None:
            return self._sqlalchemy.execute(statement, values)
        return [straight.run(self._own, one) for one in several][-1]

    async def scalar(self, statement: Any, values: Any = None) -> Any:
        return (await self.execute(statement, values)).scalar()

    async def scalars(self, statement: Any, values: Any = None) -> ScalarResult[Any]:
        return (await self.execute(statement, values)).scalars()

    def begin(self) -> None:
        self._do(BEGIN)

    def commit(self) -> None:
        if self._sqlalchemy.in_transaction():  # it was asked for something in this one
            self._sqlalchemy.commit()  # the driver's transaction, which both share
        else:
            self._do("COMMIT")

    def _do(self, sql: str) -> None:
        try:
            self._own.execute(sql)
        except sqlite3.Error as error:
            raise as_sqlalchemy(sql, error) from error

    def rollback(self) -> None:
        if self._sqlalchemy.in_transaction():
            self._sqlalchemy.rollback()
        self._own.rollback()


class Unwanted(Exception):
    """Whoever began the transaction has been cancelled; it is rolled back."""


def transact(connection: Direct, body: Body[Outcome], is_wanted: Callable[[], bool]) -> Outcome:
    """The body inside a transaction: committed at its end, rolled back on any exception, or if nobody wants it then."""
    connection.begin()
    try:
        result = run_through(body(cast("AsyncConnection", connection)))
        if not is_wanted():
            raise Unwanted  # noqa: TRY301 - rolled back as anything else
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return result


def run_through(body: Coroutine[Any, Any, Outcome]) -> Outcome:
    """What a coroutine returns that never has to wait. Raises ``RuntimeError`` for one that does."""
    try:
        body.send(None)
    except StopIteration as done:
        result: Outcome = done.value
        return result
    body.close()
    raise RuntimeError("a transaction waited for something other than its connection")


# The thread


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
    """Its waits cannot be cut short, and it does a whole transaction in one hop."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
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
        """``execute`` or ``executemany`` in one hop."""
        done: Done = await self._execute(whole, self._conn, method, sql, parameters)
        return done

    async def transact(self, body: Body[Outcome]) -> Outcome:
        """A whole transaction in one hop, begun and ended there."""
        if self._direct is None:
            self._direct = Direct(self._conn)
        answer = Unbroken()
        result: Outcome = await self._send(answer, partial(transact, self._direct, body, lambda: answer.is_wanted))
        return result


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


def whole(connection: sqlite3.Connection, method: str, sql: str, parameters: Iterable[Any]) -> Done:
    """A statement from its beginning to its end; runs in the driver's thread."""
    cursor = getattr(connection, method)(sql, parameters)
    try:
        rows = cursor.fetchall() if cursor.description else []
        return rows, cursor.description, cursor.rowcount, cursor.lastrowid
    finally:
        cursor.close()


# What goes wrong

# The low byte of SQLite's extended codes: https://www.sqlite.org/rescode.html
_SQLITE: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: Busy,
    sqlite3.SQLITE_LOCKED: Busy,
    sqlite3.SQLITE_READONLY: ReadOnly,
    sqlite3.SQLITE_FULL: Full,
    sqlite3.SQLITE_CANTOPEN: Unreachable,
    sqlite3.SQLITE_CORRUPT: Unreachable,
    sqlite3.SQLITE_NOTADB: Unreachable,
    sqlite3.SQLITE_IOERR: Unreachable,
}

# PostgreSQL, appendix A: https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES: dict[str, type[StoreError]] = {
    "55P03": Busy,  # lock_not_available
    "57014": Busy,  # query_canceled, here by a timeout
    "40001": Busy,  # serialization_failure
    "40P01": Busy,  # deadlock_detected
    "53300": Busy,  # too_many_connections
    "25006": ReadOnly,  # read_only_sql_transaction
    "53100": Full,  # disk_full
}
# Connection, authorisation, no such database, resources, operator's intervention, system error.
_POSTGRES_CLASSES = ("08", "28", "3D", "53", "57", "58")


@contextmanager
def as_store_errors() -> Iterator[None]:
    """Turn what drivers raise about the database itself into a ``StoreError``.

    An ``IntegrityError`` and mistakes in our SQL pass through. Whoever is inside uses the database and nothing else,
    so an ``OSError`` is about the connection to it.
    """
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        kind = _kind(error)
        if kind is None:
            raise
        raise kind(_reason(error.orig or error)) from error
    except PoolTimeout as error:
        raise Busy(f"every connection stayed in use: {error}") from error
    except OSError as error:
        raise Unreachable(_reason(error)) from error
    except Exception as error:  # asyncpg's own, where there is no connection yet and SQLAlchemy wraps nothing
        kind = _postgres_kind(error) if hasattr(error, "sqlstate") else None
        if kind is None:
            raise
        raise kind(_reason(error)) from error


def _kind(error: DBAPIError) -> type[StoreError] | None:
    cause = error.orig
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_ERROR:
        return None  # our SQL is wrong, though the driver calls it operational too
    if kind := _SQLITE.get(code):
        return kind
    if kind := _postgres_kind(cause):
        return kind
    is_gone = error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
    return Unreachable if is_gone else None


def _postgres_kind(cause: object) -> type[StoreError] | None:
    """What PostgreSQL's code means, if the cause has one and it is about the database itself."""
    state = str(getattr(cause, "sqlstate", None))
    return _POSTGRES.get(state) or (Unreachable if state.startswith(_POSTGRES_CLASSES) else None)


def _reason(error: BaseException) -> str:
    name = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or type(error).__name__
    return f"{name}: {error}"

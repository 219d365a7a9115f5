"""The driver of an SQLite file: one thread hop per transaction, and its errors.

The store's functions are coroutines because PostgreSQL answers over a network. SQLite answers at once, so ``transact``
runs such a function from start to end in the connection's thread. A function that awaits other things makes one hop per
statement.

Frequent statements are marked ``hot_statement``: SQLAlchemy compiles one once, then it goes straight to the driver,
because finding the compiled form and wrapping its result took longer than SQLite itself. Others go through SQLAlchemy,
in the same transaction.

A task canceled while the thread works would release a busy connection. Here the work ends first, then the task is
canceled and the connection rolled back.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Final, Self, TypeVar, cast

import aiosqlite
from sqlalchemy import Delete, Dialect, Insert, Result, ScalarResult, Select, Update, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.compiler import SQLCompiler

from bot.store import errors
from bot.store.errors import DatabaseBusyError, DatabaseUnreachableError, DiskFullError, StoreError

BEGIN = "BEGIN IMMEDIATE"
"""Statement that takes the write lock at once, so that what a transaction reads stays true."""

Outcome = TypeVar("Outcome")
Body = Callable[[AsyncConnection], Coroutine[Any, Any, Outcome]]
"""The work of a transaction: awaits nothing but its connection."""
Statement = Select[Any] | Insert | Update | Delete
S = TypeVar("S", bound=Statement)
Values = Mapping[str, Any]

_HOT: Final[dict[object, "CompiledStatement | None"]] = {}
"""The hot statements, and their compiled form after first use."""
_NAMED: Final[Dialect] = sqlite.dialect(paramstyle="named")


def hot_statement(statement: S) -> S:
    """Mark a statement that goes straight to SQLite. It may not expand a list or use ``rowcount``; with other parameter
    names than the first time it goes through SQLAlchemy.
    """
    _HOT[statement] = None
    return statement


class CompiledStatement:
    """A statement compiled for SQLite and these names. Raises ``TypeError`` if it depends on the number of values."""

    def __init__(self, statement: Statement, names: Iterable[str]) -> None:
        compiled = statement.compile(dialect=_NAMED, column_keys=sorted(names))
        assert isinstance(compiled, SQLCompiler), "no statement that makes tables is hot"  # noqa: S101 - states it
        if listed := [item.key for item in compiled.binds.values() if item.expanding]:
            raise TypeError(f"{listed[0]} of a hot statement is no plain value")
        before = ((item.key, item.type.dialect_impl(_NAMED).bind_processor(_NAMED)) for item in compiled.binds.values())
        self._before = [(name, change) for name, change in before if change is not None]
        self.sql, self.names = compiled.string, frozenset(names)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        columns = statement.exported_columns
        self._keys = SimpleResultMetaData([str(name) for name, _ in columns.items()])
        changes = (column.type.dialect_impl(_NAMED).result_processor(_NAMED, None) for column in columns)
        self._changes = [(place, change) for place, change in enumerate(changes) if change is not None]

    def run(self, connection: sqlite3.Connection, values: Values) -> Result[Any]:
        """Run a statement and return its rows. Raises what SQLAlchemy would raise."""
        values = {**self._fixed, **values}
        for name, change in self._before:
            values[name] = change(values[name])
        try:
            rows = connection.execute(self.sql, values).fetchall()
        except sqlite3.Error as error:
            raise as_sqlalchemy(self.sql, error) from error
        return IteratorResult(self._keys, map(self._convert_row, rows) if self._changes else iter(rows))

    def _convert_row(self, row: Sequence[Any]) -> Sequence[Any]:
        """Convert SQLite's integers to booleans where the column is one."""
        changed = list(row)
        for place, change in self._changes:
            changed[place] = change(changed[place])
        return changed


def as_sqlalchemy(sql: str, error: sqlite3.Error) -> Exception:
    """Wrap the driver's error as SQLAlchemy's, for ``as_store_errors``."""
    return DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True)


class SyncConnection:
    """The part of ``AsyncConnection`` that the store uses; awaiting a result never blocks."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._own = connection
        engine = create_engine(
            "sqlite://",
            creator=lambda: connection,
            poolclass=StaticPool,
            pool_reset_on_return=None,
            hide_parameters=True,
        )
        self._sqlalchemy = engine.connect()  # permanent, and outside transactions, which it would roll back

    dialect = _NAMED

    async def run_sync(self, work: Callable[..., Outcome], *values: Any) -> Outcome:
        """Call a function with SQLAlchemy's synchronous connection."""
        return work(self._sqlalchemy, *values)

    def _compiled(self, statement: Any, values: Values) -> CompiledStatement | None:
        """Return a hot statement's compiled form; None for any other."""
        if statement not in _HOT or values is None:
            return None
        straight = _HOT[statement]
        if straight is None:
            straight = _HOT[statement] = CompiledStatement(statement, values)
        return straight if values.keys() == straight.names else None

    async def execute(self, statement: Any, values: Any = None) -> Result[Any]:
        """Run a statement and return its rows; for a hot one with several values, those of the last."""
        several = values if isinstance(values, list) else [values]
        straight = self._compiled(statement, several[0])
        if straight is None:
            return self._sqlalchemy.execute(statement, values)
        return [straight.run(self._own, item) for item in several][-1]

    async def scalar(self, statement: Any, values: Any = None) -> Any:
        return (await self.execute(statement, values)).scalar()

    async def scalars(self, statement: Any, values: Any = None) -> ScalarResult[Any]:
        return (await self.execute(statement, values)).scalars()

    def begin(self) -> None:
        self._execute_raw(BEGIN)

    def commit(self) -> None:
        if self._sqlalchemy.in_transaction():  # this transaction used it
            self._sqlalchemy.commit()  # both share the driver's transaction
        else:
            self._execute_raw("COMMIT")

    def _execute_raw(self, sql: str) -> None:
        try:
            self._own.execute(sql)
        except sqlite3.Error as error:
            raise as_sqlalchemy(sql, error) from error

    def rollback(self) -> None:
        if self._sqlalchemy.in_transaction():
            self._sqlalchemy.rollback()
        self._own.rollback()

    @property
    def in_transaction(self) -> bool:
        return self._own.in_transaction

    def close(self) -> None:
        self._own.close()


class CallerCanceledError(Exception):
    """The caller of a transaction was canceled; the transaction is rolled back."""


def transact(connection: SyncConnection, body: Body[Outcome], is_wanted: Callable[[], bool]) -> Outcome:
    """Run the body in a transaction: commit at the end, roll back on any exception or if it is no longer wanted."""
    connection.begin()
    try:
        result = run_through(body(cast("AsyncConnection", connection)))
        if not is_wanted():
            raise CallerCanceledError  # noqa: TRY301 - rolled back as anything else
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return result


def run_through(body: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Return the result of a coroutine that never blocks. Raises ``RuntimeError`` if it does."""
    try:
        body.send(None)
    except StopIteration as done:
        result: Outcome = done.value
        return result
    body.close()
    raise RuntimeError("a transaction waited for something other than its connection")


# The thread


class UninterruptibleFuture(asyncio.Future[Any]):
    """A future that a canceled task awaits to the end before it is canceled."""

    is_wanted = True

    def cancel(self, msg: Any | None = None) -> bool:
        self.is_wanted = False
        return False


class ThreadConnection:
    """An SQLite file opened by aiosqlite in its own thread, with waits that can't be interrupted. It offers the
    ``AsyncConnection`` methods that the store uses, one hop per statement; ``transact``: one per transaction.
    """

    dialect = _NAMED

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._file = aiosqlite.Connection(connect, iter_chunk_size=64)
        self._file._thread.daemon = True  # noqa: SLF001 - lets a process exit while the file is open

    async def open(self) -> Self:
        """Open the file. Raises what SQLAlchemy would raise."""
        try:
            await self._file
        except BaseException:
            self._file._thread.join()  # noqa: SLF001 - stopped; it could answer a closed loop
            raise
        self._direct = await self._run_in_thread(lambda: SyncConnection(self._file._conn))  # noqa: SLF001 - as below
        return self

    def _run_in_thread(
        self, work: Callable[[], Any], answer: UninterruptibleFuture | None = None
    ) -> UninterruptibleFuture:
        answer = answer or UninterruptibleFuture()
        self._file._tx.put_nowait((answer, work))  # noqa: SLF001 - its own calls can be interrupted
        return answer

    async def transact(self, body: Body[Outcome]) -> Outcome:
        """Run a whole transaction in one hop."""
        answer = UninterruptibleFuture()
        work = partial(transact, self._direct, body, lambda: answer.is_wanted)
        result: Outcome = await self._run_in_thread(work, answer)
        return result

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction, like ``AsyncEngine.begin``."""
        await self._run_in_thread(self._direct.begin)
        try:
            yield cast("AsyncConnection", self)
        except BaseException:
            await self._run_in_thread(self._direct.rollback)
            raise
        await self._run_in_thread(self._direct.commit)

    async def execute(self, statement: Any, values: Any = None) -> Result[Any]:
        result: Result[Any] = await self._run_in_thread(lambda: run_through(self._direct.execute(statement, values)))
        return result

    async def scalar(self, statement: Any, values: Any = None) -> Any:
        return await self._run_in_thread(lambda: run_through(self._direct.scalar(statement, values)))

    async def scalars(self, statement: Any, values: Any = None) -> ScalarResult[Any]:
        return (await self.execute(statement, values)).scalars()

    @property
    def is_sound(self) -> bool:
        """Whether the last transaction on it was ended."""
        return not self._direct.in_transaction

    async def close(self) -> None:
        await self._run_in_thread(self._direct.close)
        await self._file.close()


# Errors

# The low byte of SQLite's extended codes: https://www.sqlite.org/rescode.html
_SQLITE: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: DatabaseBusyError,
    sqlite3.SQLITE_LOCKED: DatabaseBusyError,
    sqlite3.SQLITE_READONLY: errors.DatabaseReadOnlyError,
    sqlite3.SQLITE_FULL: DiskFullError,
    sqlite3.SQLITE_CANTOPEN: DatabaseUnreachableError,
    sqlite3.SQLITE_CORRUPT: DatabaseUnreachableError,
    sqlite3.SQLITE_NOTADB: DatabaseUnreachableError,
    sqlite3.SQLITE_IOERR: DatabaseUnreachableError,
}

# PostgreSQL, appendix A: https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES: dict[str, type[StoreError]] = {
    "55P03": DatabaseBusyError,  # lock_not_available
    "57014": DatabaseBusyError,  # query_canceled, here by a timeout
    "40001": DatabaseBusyError,  # serialization_failure
    "40P01": DatabaseBusyError,  # deadlock_detected
    "53300": DatabaseBusyError,  # too_many_connections
    "25006": errors.DatabaseReadOnlyError,  # read_only_sql_transaction
    "53100": DiskFullError,  # disk_full
    "XX001": DatabaseUnreachableError,  # data_corrupted
    "XX002": DatabaseUnreachableError,  # index_corrupted
}
# Connection, authorization, no such database, resources, operator's intervention, system error.
_POSTGRES_CLASSES = ("08", "28", "3D", "53", "57", "58")


@contextmanager
def as_store_errors() -> Iterator[None]:
    """Turn drivers' errors about the database itself into a ``StoreError``.

    An ``IntegrityError`` and errors of our SQL pass through. The code inside uses only the database, so an ``OSError``
    is about its connection.
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
        raise DatabaseBusyError(f"every connection stayed in use: {error}") from error
    except OSError as error:
        raise DatabaseUnreachableError(_reason(error)) from error
    except Exception as error:  # asyncpg's own error, if SQLAlchemy has no connection to wrap
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
    return DatabaseUnreachableError if is_gone else None


def _postgres_kind(cause: object) -> type[StoreError] | None:
    """Return the store's error for a PostgreSQL code; None if it is missing or not about the database itself."""
    state = str(getattr(cause, "sqlstate", None))
    return _POSTGRES.get(state) or (DatabaseUnreachableError if state.startswith(_POSTGRES_CLASSES) else None)


def _reason(error: BaseException) -> str:
    name = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or type(error).__name__
    return f"{name}: {error}"

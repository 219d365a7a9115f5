"""A whole transaction in the thread that owns the SQLite connection: one hop there and back, not one per statement.

The store's functions are coroutines because PostgreSQL answers over a network. SQLite answers at once, so there is
nothing to wait for: in its thread such a function runs from its beginning to its end in one go.

What every opening and press asks for is marked ``hot``. SQLAlchemy compiles such a statement once, and from then on it
goes straight to the driver; to find what was compiled and to wrap what comes back took longer than SQLite itself. All
other statements go through SQLAlchemy, in the same transaction.
"""

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from sqlalchemy import CursorResult, Delete, Dialect, Insert, ScalarResult, Select, Update, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.compiler import SQLCompiler

BEGIN = "BEGIN IMMEDIATE"
"""Takes the write lock at once: what a transaction reads stays true until its end."""

Result = TypeVar("Result")
Body = Callable[[AsyncConnection], Coroutine[Any, Any, Result]]
"""What a transaction does. It awaits its connection and nothing else."""
Statement = Select[Any] | Insert | Update | Delete
S = TypeVar("S", bound=Statement)
Values = Mapping[str, Any]

_HOT: Final[dict[object, "Straight | None"]] = {}
"""The statements that are hot, and what became of them once they were asked for the first time."""
_NAMED: Final[Dialect] = sqlite.dialect(paramstyle="named")


def hot(statement: S) -> S:
    """Mark a statement that goes straight to SQLite. It takes no list, and values by the same names each time."""
    _HOT[statement] = None
    return statement


class Straight:
    """A statement as SQLite's driver takes it, compiled for values of these names.

    Raises ``TypeError`` for one whose values SQLAlchemy would have to change on the way in, lists among them.
    """

    def __init__(self, statement: Statement, names: Iterable[str]) -> None:
        compiled = statement.compile(dialect=_NAMED, column_keys=sorted(names))
        assert isinstance(compiled, SQLCompiler), "no statement that makes tables is hot"  # noqa: S101 - states it
        for one in compiled.binds.values():
            if one.expanding or one.type.dialect_impl(_NAMED).bind_processor(_NAMED) is not None:
                raise TypeError(f"{one.key} of a hot statement is no plain value")
        self.sql = compiled.string
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        columns = statement.exported_columns
        self._row = namedtuple("Row", columns.keys(), rename=True)
        changes = (one.type.dialect_impl(_NAMED).result_processor(_NAMED, None) for one in columns)
        self._changes = [(place, change) for place, change in enumerate(changes) if change is not None]

    def run(self, connection: sqlite3.Connection, values: Values) -> "Found":
        """Raises what SQLAlchemy would raise."""
        with as_sqlalchemy(self.sql):
            cursor = connection.execute(self.sql, {**self._fixed, **values})
            rows = cursor.fetchall()
        return Found([self._row._make(self._changed(row)) for row in rows], cursor.rowcount)

    def _changed(self, row: Sequence[Any]) -> Sequence[Any]:
        """The values of a row as Python has them: SQLite knows no true and false."""
        if not self._changes:
            return row
        changed = list(row)
        for place, change in self._changes:
            changed[place] = change(changed[place])
        return changed


class Found:
    """What a hot statement gave: as much of SQLAlchemy's ``CursorResult`` as the store uses."""

    def __init__(self, rows: list[Any], rowcount: int) -> None:
        self._rows, self.rowcount = rows, rowcount

    def all(self) -> list[Any]:
        return self._rows

    def one(self) -> Any:
        (row,) = self._rows
        return row

    def one_or_none(self) -> Any:
        (row,) = self._rows or (None,)
        return row


@contextmanager
def as_sqlalchemy(sql: str) -> Iterator[None]:
    """Raise the driver's errors as SQLAlchemy's, so that ``bot.store.errors`` knows them."""
    try:
        yield
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error


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
        if statement not in _HOT:
            return None
        straight = _HOT[statement]
        if straight is None:
            straight = _HOT[statement] = Straight(statement, values)
        return straight

    async def execute(self, statement: Any, values: Any = None) -> CursorResult[Any]:
        straight = self._straight(statement, values)
        if straight is None:
            return self._sqlalchemy.execute(statement, values)
        return cast("CursorResult[Any]", straight.run(self._own, values))

    async def scalar(self, statement: Any, values: Any = None) -> Any:
        straight = self._straight(statement, values)
        if straight is None:
            return self._sqlalchemy.scalar(statement, values)
        rows = straight.run(self._own, values).all()
        return rows[0][0] if rows else None

    async def scalars(self, statement: Any, values: Any = None) -> ScalarResult[Any]:
        return self._sqlalchemy.scalars(statement, values)

    def begin(self) -> None:
        with as_sqlalchemy(BEGIN):
            self._own.execute(BEGIN)

    def commit(self) -> None:
        if self._sqlalchemy.in_transaction():  # it was asked for something in this one
            self._sqlalchemy.commit()  # the driver's transaction, which both share
        else:
            with as_sqlalchemy("COMMIT"):
                self._own.commit()

    def rollback(self) -> None:
        if self._sqlalchemy.in_transaction():
            self._sqlalchemy.rollback()
        self._own.rollback()


class Unwanted(Exception):
    """Whoever began the transaction has been cancelled; it is rolled back."""


def transact(connection: Direct, body: Body[Result], is_wanted: Callable[[], bool]) -> Result:
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


def run_through(body: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns that never has to wait. Raises ``RuntimeError`` for one that does."""
    try:
        body.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    body.close()
    raise RuntimeError("a transaction waited for something other than its connection")

"""A whole transaction in the thread that owns the SQLite connection: one hop there and back, not one per statement.

The store's functions are coroutines because PostgreSQL answers over a network. SQLite answers at once, so there is
nothing to wait for: in its thread such a function runs from its beginning to its end in one go.

What every opening and press asks for is marked ``hot``. SQLAlchemy compiles such a statement once, and from then on it
goes straight to the driver; to find what was compiled and to wrap what comes back took longer than SQLite itself. All
other statements go through SQLAlchemy, in the same transaction.
"""

import sqlite3
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Delete, Dialect, Insert, Result, ScalarResult, Select, Update, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.compiler import SQLCompiler

BEGIN = "BEGIN IMMEDIATE"
"""Takes the write lock at once: what a transaction reads stays true until its end."""

Outcome = TypeVar("Outcome")
Body = Callable[[AsyncConnection], Coroutine[Any, Any, Outcome]]
"""What a transaction does. It awaits its connection and nothing else."""
Statement = Select[Any] | Insert | Update | Delete
S = TypeVar("S", bound=Statement)
Values = Mapping[str, Any]

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
    """The driver's error as SQLAlchemy's, so that ``bot.store.errors`` knows it."""
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

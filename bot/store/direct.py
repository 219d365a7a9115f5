"""A whole transaction in the thread that owns the SQLite connection: one hop there and back, not one per statement.

The store's functions are coroutines because PostgreSQL answers over a network. SQLite answers at once, so there is
nothing to wait for: in its thread such a function runs from its beginning to its end in one go.
"""

import sqlite3
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Dialect, ScalarResult, create_engine, event
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import StaticPool

BEGIN = "BEGIN IMMEDIATE"
"""Takes the write lock at once: what a transaction reads stays true until its end."""

Result = TypeVar("Result")
Body = Callable[[AsyncConnection], Coroutine[Any, Any, Result]]
"""What a transaction does. It awaits its connection and nothing else."""


class Direct:
    """What the store's functions use of an ``AsyncConnection``; every answer is there when it is asked for."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def dialect(self) -> Dialect:
        return self._connection.dialect

    async def execute(self, *question: Any) -> CursorResult[Any]:
        return self._connection.execute(*question)

    async def scalar(self, *question: Any) -> Any:
        return self._connection.scalar(*question)

    async def scalars(self, *question: Any) -> ScalarResult[Any]:
        return self._connection.scalars(*question)


def connection_over(connection: sqlite3.Connection) -> Connection:
    """SQLAlchemy's connection, for good, over one that somebody else opened and closes."""
    engine = create_engine(
        "sqlite://", creator=lambda: connection, poolclass=StaticPool, pool_reset_on_return=None, hide_parameters=True
    )

    @event.listens_for(engine, "begin")
    def begin(begun: Connection) -> None:
        begun.exec_driver_sql(BEGIN)

    return engine.connect()


class Unwanted(Exception):
    """Whoever began the transaction has been cancelled; it is rolled back."""


def transact(connection: Connection, body: Body[Result], is_wanted: Callable[[], bool]) -> Result:
    """The body inside a transaction: committed at its end, rolled back on any exception, or if nobody wants it then."""
    with connection.begin():
        result = run_through(body(cast("AsyncConnection", Direct(connection))))
        if not is_wanted():
            raise Unwanted
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

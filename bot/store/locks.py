"""Work that one process does at a time; the others wait until it has ended, or until that process has.

On PostgreSQL an advisory lock stands for the work: that of a transaction which is open as long as the work goes on. So
it goes through PgBouncer in transaction mode as well, where the lock of a session would be lost. Nothing is written in
that transaction and it holds no snapshot, so it keeps VACUUM from nothing. The server ends a transaction in which
nothing was asked for ``IDLE_SECONDS``: a process that hangs lets go as well as one that dies, and so does one whose
machine is gone. An SQLite file belongs to one process (``claimed``), where a lock in memory does.
"""

import asyncio
import hashlib
import logging
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.database import IDLE_SECONDS, single_connections
from bot.store.driver import as_store_errors
from bot.store.errors import InUse

Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, Result]]

AGAIN: Final = 1.0
"""Seconds after which a lock that somebody else holds is tried again."""
PING: Final = IDLE_SECONDS / 3
"""Seconds between two signs of life while the work goes on."""
PATIENCE: Final = 10.0
"""Seconds that a process may take to end after it was told to; the next one waits for it."""

_TRY = text("SELECT pg_try_advisory_xact_lock(:key)")
_PING = text("SELECT 1")
log = logging.getLogger(__name__)


class Locks:
    """The locks of one database, by name. Its connections are its own: nobody who plays waits for one of them."""

    def __init__(self, url: str) -> None:
        self._engine: AsyncEngine | None = None if url.startswith("sqlite") else single_connections(url)
        self._local: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def alone(self, name: str, work: Work[Result]) -> Result:
        """Do the work while no other process does work of this name; wait as long as one does.

        Raises ``StoreError`` where the lock cannot be had, and where it is lost on the way: then the work was
        cancelled, and another process may have begun it. So the work must be such that doing it again does no harm.
        """
        if self._engine is None:
            async with self._local[name]:
                return await work()
        with as_store_errors():
            connection = await self._engine.connect()
        try:
            await _take(connection, key_of(name))
            return await _do(connection, work)
        finally:
            with suppress(SQLAlchemyError, OSError):  # a connection that is broken holds no lock
                await connection.close()

    async def close(self) -> None:
        """Let go of everything."""
        if self._engine is not None:
            await self._engine.dispose()


async def _take(connection: AsyncConnection, key: int) -> None:
    """Begin the transaction that holds the lock, as soon as nobody else does."""
    while True:
        with as_store_errors():
            begun = await connection.begin()
            if await connection.scalar(_TRY, {"key": key}):
                return
            await begun.rollback()
        await asyncio.sleep(AGAIN)


async def _do(connection: AsyncConnection, work: Work[Result]) -> Result:
    """The work, with a sign of life to the server now and then. Raises ``StoreError`` where that finds no lock."""
    doing = asyncio.ensure_future(work())
    try:
        while not (await asyncio.wait({doing}, timeout=PING))[0]:
            try:
                with as_store_errors():
                    await connection.execute(_PING)
            except BaseException:
                await connection.invalidate()
                raise
        return await doing
    finally:
        if not doing.done():
            doing.cancel()
            await asyncio.wait({doing})


def key_of(name: str) -> int:
    """The number of a lock, of 64 bits with a sign: the first of the SHA-256 of its name."""
    return int.from_bytes(hashlib.sha256(f"rollcall {name}".encode()).digest()[:8], signed=True)


@asynccontextmanager
async def claimed(url: str) -> AsyncIterator[None]:
    """Hold the file of an SQLite database until the end, or until this process dies. PostgreSQL serves many.

    A second bot would send answers that the first one does not know of. Raises ``InUse`` where there is one.
    """
    name = make_url(url).database if url.startswith("sqlite") else None
    if not name or name.startswith("file:"):
        yield
        return
    with as_store_errors():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        held = os.open(f"{name}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        await _hold(held, name)
        yield
    finally:
        os.close(held)


async def _hold(held: int, name: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if loop.time() > until:
                raise InUse(f"{name} belongs to another process") from None
            await asyncio.sleep(0.1)
        else:
            return

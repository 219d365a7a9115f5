"""Coordination of the processes of one bot through its database.

They agree on which work one of them does alone, which interactions each answers, what share of the requests to Discord
it may send, and what slash commands were last registered.

Work that one process does at a time: the others wait until it has ended, or until that process has. On PostgreSQL an
advisory lock stands for the work: that of a transaction which is open during the work. So it goes through PgBouncer in
transaction mode as well, where the lock of a session would be lost. Nothing is written in that transaction and it holds
no snapshot, so it keeps VACUUM from nothing. The server ends a transaction in which nothing was asked for
``IDLE_SECONDS``: a process that hangs lets go as well as one that dies, and so does one whose machine is gone. An
SQLite file belongs to one process (``claimed``), where a lock in memory does.

An interaction is claimed once, by the first process. Discord may deliver one twice after a lost connection, and two
processes with the same shards hear of each: while a new version takes the place of the old one, or for good, so that
one plays on when the other dies. The process that stores the interaction's number first handles it; everybody else is
silent. So nobody refuses what the other one does, and nothing has to be agreed on before a second process may begin.

Every process says now and then how many requests it wants to send, and takes its part of the whole in that proportion,
but never what another one still has. So a part that shrinks does so at once, one that grows follows, and together they
never have more than the whole.
"""

import asyncio
import hashlib
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.bounded_dict import BoundedDict
from bot.store.database import IDLE_SECONDS, Database, single_connections
from bot.store.errors import DatabaseInUseError
from bot.store.schema import interaction, registration, shard, share, upsert
from bot.store.sqlite_driver import as_store_errors

# Work alone

Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, Result]]

RETRY_SECONDS: Final = 1.0
"""Seconds after which a lock that somebody else holds is tried again."""
PING: Final = IDLE_SECONDS / 3
"""Seconds between two heartbeats during the work."""
SHUTDOWN_GRACE: Final = 10.0
"""Seconds that a process may take to end after it was told to; the next one waits for it."""

_TRY = text("SELECT pg_try_advisory_xact_lock(:key)")
_PING = text("SELECT 1")


class Locks:
    """The locks of one database, by name. Its connections are its own: no player waits for one of them."""

    def __init__(self, url: str) -> None:
        self._engine: AsyncEngine | None = None if url.startswith("sqlite") else single_connections(url)
        self._local: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def run_exclusive(self, name: str, work: Work[Result]) -> Result:
        """Run ``work`` under a lock shared by all processes; wait until it is free.

        Raises ``StoreError`` if the lock can't be taken or is lost: ``work`` is then canceled and may start in another
        process, so it must be idempotent.
        """
        if self._engine is None:
            async with self._local[name]:
                return await work()
        with as_store_errors():
            connection = await self._engine.connect()
        try:
            await _take(connection, key_of(name))
            return await _run_with_keepalive(connection, work)
        finally:
            with suppress(SQLAlchemyError, OSError):  # a connection that is broken holds no lock
                await connection.close()

    async def close(self) -> None:
        """Release all locks."""
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
        await asyncio.sleep(RETRY_SECONDS)


async def _run_with_keepalive(connection: AsyncConnection, work: Work[Result]) -> Result:
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
async def claim(url: str) -> AsyncIterator[None]:
    """Hold the file of an SQLite database until the end, or until this process dies. PostgreSQL serves many.

    A second bot would send answers that the first one does not know of. Raises ``DatabaseInUseError`` where there is
    one.
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
    until = loop.time() + SHUTDOWN_GRACE
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if loop.time() > until:
                raise DatabaseInUseError(f"{name} belongs to another process") from None
            await asyncio.sleep(0.1)
        else:
            return


# Interactions

REMEMBERED: Final = 10_000
"""Interactions that are remembered in memory."""
KEPT: Final = 60 * 60
"""Seconds for which the store remembers them: far longer than the gateways of two processes can be apart."""
FORGOTTEN_AT_ONCE: Final = 5_000

_TAKE = postgresql.insert(interaction).on_conflict_do_nothing()


class InteractionRegistry:
    """The interactions of one bot. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heard: BoundedDict[int, None] = BoundedDict(REMEMBERED)

    async def claim(self, number: int, now: int) -> bool:
        """Whether this process is the first to take what has this number, at ``now`` in seconds since 1970."""
        if number in self._heard:
            return False
        self._heard[number] = None
        if not self._database.is_shared:
            return True
        values = {"id": number, "at": now}
        return (await self._database.run_one(lambda connection: connection.execute(_TAKE, values))).rowcount == 1

    async def step(self, now: int) -> bool:
        """Forget some of what is long over; False when nothing is left of that."""
        if not self._database.is_shared:
            return False
        async with self._database.transaction() as connection:
            old = select(interaction.c.id).where(interaction.c.at < now - KEPT).limit(FORGOTTEN_AT_ONCE)
            gone = delete(interaction).where(interaction.c.id.in_(old))
            return (await connection.execute(gone)).rowcount == FORGOTTEN_AT_ONCE


# Requests

EVERY: Final = 2.0
"""Seconds between two rounds."""
SILENT: Final = 10
"""Seconds after which a process that says nothing has no part any more."""
LEAST: Final = 0.5
"""Requests a second of a process for which nothing is left yet. They come out of the room below Discord's own limit."""
FULL: Final = 4
"""Processes that may each send a request at once within one's rate; see ``bot.discord_api.rate_limiter``."""


_SHARE = upsert(share, ("process",), ("at", "wants", "may"))


class RateShares:
    """The part of one process. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database, whole: float) -> None:
        self._database = database
        self._whole = whole
        self._process = uuid4().hex

    async def agree(self, wants: int, now: int) -> float:
        """Requests a second from now on; ``wants`` came since the last round, ``now`` is in seconds since 1970."""
        if not self._database.is_shared:
            return self._whole
        wants += 1  # nobody wants nothing: the next request may come before the next round
        async with self._database.transaction() as connection:
            # Until the end of the transaction no other process comes in between.
            await connection.execute(text("LOCK TABLE share IN EXCLUSIVE MODE"))
            await connection.execute(delete(share).where(share.c.at < now - SILENT))
            sums = (func.coalesce(func.sum(share.c.wants), 0), func.coalesce(func.sum(share.c.may), 0.0))
            of_others = select(func.count(), *sums).where(share.c.process != self._process)
            # How many there are, how many requests they want together, and how many a second they may send.
            others, they_want, they_may = (await connection.execute(of_others)).one()
            whole = own_share(self._whole, others)
            may: float = max(LEAST, min(whole * wants / (wants + they_want), whole - they_may))
            await connection.execute(_SHARE, {"process": self._process, "wants": wants, "may": may, "at": now})
        return may

    async def leave(self) -> None:
        """Before this process stops."""
        if self._database.is_shared:
            mine = delete(share).where(share.c.process == self._process)
            await self._database.run(lambda connection: connection.execute(mine))


def own_share(whole: float, others: int) -> float:
    """Return the rate that a process shares with ``others``: reduced by one for each process beyond ``FULL``."""
    return whole - max(0, others + 1 - FULL)


# Status

_REPORT = upsert(shard, ("id",), ("at", "latency", "servers"))


@dataclass(frozen=True, slots=True)
class ShardReport:
    """The moment at which a shard was last well (seconds since 1970), its latency (seconds), and its servers."""

    id: int
    at: int
    latency: float
    servers: int


async def report_shards(connection: AsyncConnection, reports: Iterable[ShardReport]) -> None:
    """Store what shards say of themselves, for all processes."""
    await connection.execute(_REPORT, [asdict(item) for item in reports])


async def shard_reports(connection: AsyncConnection) -> dict[int, ShardReport]:
    rows = (await connection.execute(select(shard))).all()
    return {row.id: ShardReport(row.id, row.at, row.latency, row.servers) for row in rows}


# Slash commands

_REGISTER = upsert(registration, ("scope",), ("digest", "at"))


async def registered_digest(connection: AsyncConnection, scope: str) -> str | None:
    """Return the digest of the commands last registered in a scope, or None, so that only changes are registered."""
    result: str | None = await connection.scalar(select(registration.c.digest).where(registration.c.scope == scope))
    return result


async def noted_at(connection: AsyncConnection, scope: str) -> int:
    """Return when something was noted last, in seconds since 1970; 0 for never."""
    return await connection.scalar(select(registration.c.at).where(registration.c.scope == scope)) or 0


async def note_registered(connection: AsyncConnection, scope: str, digest: str, at: int) -> None:
    """Store the digest of registered commands; ``at`` in seconds since 1970."""
    await connection.execute(_REGISTER, {"scope": scope, "digest": digest, "at": at})

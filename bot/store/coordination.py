"""Coordination of the processes of one bot through its database.

They agree on exclusive work, who answers each interaction, each process's share of the request rate, and the slash
commands last registered.

Exclusive work runs in one process at a time; the others wait until it or that process has ended. On PostgreSQL the lock
is the advisory lock of a transaction that is open during the work, so it also works through PgBouncer in transaction
mode, where session locks are lost. The transaction writes nothing and holds no snapshot, so VACUUM is not blocked. The
server ends a transaction that is idle for ``IDLE_SECONDS``, so a process that hangs or a machine that is gone releases
its locks too. An SQLite file belongs to one process (``claimed``), where a lock in memory is enough.

An interaction is claimed by the first process that stores its number; the others ignore it. Discord may deliver one
twice after a lost connection, and two processes with the same shards both receive it: during an update, or permanently
for failover. So no process rejects what another one handles, and a second process can start without any agreement.

Each process regularly reports how many requests it wants to send and takes a proportional share of the rate, but never
what another process still holds. Shares shrink at once and grow later, so the total never exceeds the limit.
"""

import asyncio
import fcntl
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
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.bounded_dict import BoundedDict
from bot.store.database import IDLE_SECONDS, Database, single_connections
from bot.store.errors import DatabaseInUseError
from bot.store.schema import interaction, registration, shard, share, upsert
from bot.store.sqlite_driver import as_store_errors

# Exclusive work

Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, Result]]

RETRY_SECONDS: Final = 1.0
"""Seconds between attempts to take a lock that is held elsewhere."""
PING: Final = IDLE_SECONDS / 3
"""Seconds between two keepalives during the work."""
SHUTDOWN_GRACE: Final = 10.0
"""Seconds that a process may take to shut down; the next one waits that long."""


class Locks:
    """The locks of one database, by name. They use their own connections, so no player waits for one."""

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
            with suppress(SQLAlchemyError, OSError):  # a broken connection holds no lock
                await connection.close()

    async def close(self) -> None:
        if self._engine is not None:
            await self._engine.dispose()


async def _take(connection: AsyncConnection, key: int) -> None:
    """Begin the transaction that holds the lock, once it is free."""
    while True:
        with as_store_errors():
            begun = await connection.begin()
            if await connection.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": key}):
                return
            await begun.rollback()
        await asyncio.sleep(RETRY_SECONDS)


async def _run_with_keepalive(connection: AsyncConnection, work: Work[Result]) -> Result:
    """Run the work with regular keepalives to the server. Raises ``StoreError`` if the lock is lost."""
    doing = asyncio.ensure_future(work())
    try:
        while not (await asyncio.wait({doing}, timeout=PING))[0]:
            try:
                with as_store_errors():
                    await connection.execute(text("SELECT 1"))
            except BaseException:
                await connection.invalidate()
                raise
        return await doing
    finally:
        if not doing.done():
            doing.cancel()
            await asyncio.wait({doing})


def key_of(name: str) -> int:
    """Return a lock's number: the first 64 bits (signed) of the SHA-256 of its name."""
    return int.from_bytes(hashlib.sha256(f"rollcall {name}".encode()).digest()[:8], signed=True)


@asynccontextmanager
async def claim(url: str) -> AsyncIterator[None]:
    """Hold the file of an SQLite database until the end, or until this process dies; a no-op on PostgreSQL. Raises
    ``DatabaseInUseError`` if another bot has it: two bots would not know of each other's answers.
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
    clock = asyncio.get_running_loop().time
    until = clock() + SHUTDOWN_GRACE
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if clock() > until:
            raise DatabaseInUseError(f"{name} belongs to another process")
        await asyncio.sleep(0.1)


# Interactions

REMEMBERED: Final = 10_000
"""Maximum number of interactions remembered in memory."""
KEPT: Final = 60 * 60
"""Seconds for which the store remembers them: far longer than two gateways can be apart."""
FORGOTTEN_AT_ONCE: Final = 5_000

_TAKE = Insert(interaction).on_conflict_do_nothing()


class InteractionRegistry:
    """The interactions of one bot. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heard: BoundedDict[int, None] = BoundedDict(REMEMBERED)

    async def claim(self, number: int, now: int) -> bool:
        """Claim the interaction with this number; whether this process is first. ``now``: seconds since 1970."""
        if number in self._heard:
            return False
        self._heard[number] = None
        if not self._database.is_shared:
            return True
        values = {"id": number, "at": now}
        return (await self._database.run_one(lambda connection: connection.execute(_TAKE, values))).rowcount == 1

    async def step(self, now: int) -> bool:
        """Delete some expired interactions; False when none are left."""
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
"""Seconds after which a silent process loses its share."""
LEAST: Final = 0.5
"""Requests a second for a process when nothing is left. They come out of the margin below Discord's own limit."""
FULL: Final = 4
"""Number of processes that may each send a full burst; see ``bot.discord_api.rate_limiter``."""


_SHARE = upsert(share, ("process",), ("at", "wants", "may"))


class RateShares:
    """The share of one process. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database, whole: float) -> None:
        self._database = database
        self._whole = whole
        self._process = uuid4().hex

    async def agree(self, wants: int, now: int) -> float:
        """Return the new rate in requests a second; ``wants``: those since the last round, ``now``: Unix seconds."""
        if not self._database.is_shared:
            return self._whole
        wants += 1  # never 0: a request may come before the next round
        async with self._database.transaction() as connection:
            # Locked until the end of the transaction.
            await connection.execute(text("LOCK TABLE share IN EXCLUSIVE MODE"))
            await connection.execute(delete(share).where(share.c.at < now - SILENT))
            sums = (func.coalesce(func.sum(share.c.wants), 0), func.coalesce(func.sum(share.c.may), 0.0))
            of_others = select(func.count(), *sums).where(share.c.process != self._process)
            # Number of processes, requests wanted in all, and allowed requests a second.
            others, they_want, they_may = (await connection.execute(of_others)).one()
            whole = own_share(self._whole, others)
            may: float = max(LEAST, min(whole * wants / (wants + they_want), whole - they_may))
            await connection.execute(_SHARE, {"process": self._process, "wants": wants, "may": may, "at": now})
        return may

    async def leave(self) -> None:
        """Release the share, before this process stops."""
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
    """The time a shard was last healthy (seconds since 1970), its latency (seconds), and its number of servers."""

    id: int
    at: int
    latency: float
    servers: int


async def report_shards(connection: AsyncConnection, reports: Iterable[ShardReport]) -> None:
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
    """Return when something was last noted, in seconds since 1970; 0 for never."""
    return await connection.scalar(select(registration.c.at).where(registration.c.scope == scope)) or 0


async def note_registered(connection: AsyncConnection, scope: str, digest: str, at: int) -> None:
    """Store the digest of registered commands; ``at`` in seconds since 1970."""
    await connection.execute(_REGISTER, {"scope": scope, "digest": digest, "at": at})

"""People and servers blocked by the operator: one row each, in the store and cached in every process.

`rollcall block` writes them; other processes reload them every few seconds. They survive a request to be forgotten:
otherwise anyone could end a block that way.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database
from bot.store.schema import block, upsert

PERSON: Final = "person"
SERVER: Final = "server"
EVERY: Final = 10.0
"""Seconds between reloads."""


@dataclass(frozen=True, slots=True)
class AccessBlock:
    """A blocked person or server (``kind``); ``until``: seconds since 1970, None for no end."""

    kind: str
    id: int
    reason: str
    at: int
    until: int | None = None


_PUT = upsert(block, ("kind", "id"), ("reason", "at", "until"))


async def store_block(connection: AsyncConnection, new: AccessBlock) -> None:
    """Store a block, replacing an earlier one of the same person or server."""
    await connection.execute(_PUT, asdict(new))


async def lift(connection: AsyncConnection, kind: str, number: int) -> bool:
    """Remove a block; return whether there was one."""
    return (await connection.execute(delete(block).where(block.c.kind == kind, block.c.id == number))).rowcount == 1


async def every(connection: AsyncConnection) -> list[AccessBlock]:
    """Return all blocks, including ended ones that the cleanup has not deleted yet."""
    rows = (await connection.execute(select(block).order_by(block.c.at, block.c.id))).all()
    return [AccessBlock(row.kind, row.id, row.reason, row.at, row.until) for row in rows]


async def drop_ended(connection: AsyncConnection, now: int) -> None:
    await connection.execute(delete(block).where(block.c.until <= now))


class Blocks:
    """The blocks cached by one process, so that checking a person costs no query; ``clock``: seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock
        self._known: Mapping[tuple[str, int], AccessBlock] = {}

    async def read(self) -> None:
        """Reload the blocks. Raises ``StoreError``; the cache is then unchanged."""
        self._known = {(item.kind, item.id): item for item in await self._database.run(every)}

    def of(self, person_id: int, guild_id: int | None) -> AccessBlock | None:
        """Return the block that keeps a person out of a place: their own, or its server's."""
        for key in ((PERSON, person_id), (SERVER, guild_id or 0)):
            found = self._known.get(key)
            if found is not None and (found.until is None or found.until > self._clock()):
                return found
        return None

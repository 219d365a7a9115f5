"""What part of the bot's requests to Discord each of its processes may send, agreed in PostgreSQL.

Every process says now and then how many it wants, and takes its part of the whole in that proportion, but never what
another one still has. So a part that shrinks does so at once, one that grows follows, and together they never have more
than the whole.
"""

from typing import Final
from uuid import uuid4

from sqlalchemy import delete, func, select, text

from bot.store.database import Database
from bot.store.schema import share, upsert

EVERY: Final = 2.0
"""Seconds between two rounds."""
SILENT: Final = 10
"""Seconds after which a process that says nothing has no part any more."""
LEAST: Final = 0.5
"""Requests a second of a process for which nothing is left yet. They come out of the room below Discord's own limit."""
FULL: Final = 4
"""So many processes send one request at once each, and together no more than one process would; see ``bot.budget``."""


_KEEP = upsert(share, ("process",), ("at", "wants", "may"))


class Shares:
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
            whole = whole_of(self._whole, others)
            may: float = max(LEAST, min(whole * wants / (wants + they_want), whole - they_may))
            await connection.execute(_KEEP, {"process": self._process, "wants": wants, "may": may, "at": now})
        return may

    async def leave(self) -> None:
        """Before this process stops."""
        if self._database.is_shared:
            async with self._database.transaction() as connection:
                await connection.execute(delete(share).where(share.c.process == self._process))


def whole_of(whole: float, others: int) -> float:
    """What a process shares with so many others: less by one for each that may send one more at once than ``FULL``."""
    return whole - max(0, others + 1 - FULL)

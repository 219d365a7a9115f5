"""What part of the bot's requests to Discord each of its processes may send, agreed in PostgreSQL.

Every process says now and then how many it wants, and takes its part of the whole in that proportion, but never what
another one still has. So a part that shrinks does so at once, one that grows follows, and together they never have more
than the whole.
"""

from typing import Final
from uuid import uuid4

from bot.store import shares as rows
from bot.store.database import Database

EVERY: Final = 2.0
"""Seconds between two rounds."""
SILENT: Final = 10
"""Seconds after which a process that says nothing has no part any more."""
LEAST: Final = 0.5
"""Requests a second of a process for which nothing is left yet. They come out of the room below Discord's own limit."""


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
            others_want, others_may = await rows.others(connection, self._process, now - SILENT)
            may = max(LEAST, min(self._whole * wants / (wants + others_want), self._whole - others_may))
            await rows.keep(connection, self._process, wants, may, now)
        return may

    async def leave(self) -> None:
        """Before this process stops."""
        if self._database.is_shared:
            async with self._database.transaction() as connection:
                await rows.leave(connection, self._process)

"""Retention: erases servers that the bot left, and rolls that nobody has touched for long, in small steps.

A step holds the store for some milliseconds and leaves everything whole; broken off anywhere, the next one goes on.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.place import Place
from bot.sessions.servers import Servers
from bot.store import retention as rows
from bot.store import seals, servers
from bot.store.database import Database
from bot.store.retention import Oldest

DAY: Final = 24 * 60 * 60
GRACE: Final = 30 * DAY
"""Seconds after which a server is erased that the bot was removed from."""
CHANNELS: Final = 200
"""Channels, and sealed tables, looked at in a step."""
SESSIONS: Final = 50
"""Rolls that go in a step."""
PLIES: Final = 200
"""Plies that go in a step at most."""
ON_A_SERVER: Final = 10
"""So many times more go in a step on PostgreSQL: there nobody who plays waits for it."""

KeepDays = Callable[[Place], Awaitable[int]]
"""Days that rolls are kept at a place after the last press, at least 1."""


class Retention:
    """Tidies what one process's servers left in a database; ``is_ours`` says of a server whether it is one of them.

    Direct messages are 0, which is the first shard's.
    """

    def __init__(
        self,
        database: Database,
        known: Servers,
        keep_days: KeepDays,
        is_ours: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self._database = database
        self._servers = known
        self._keep_days = keep_days
        self._is_ours = is_ours
        self._times = ON_A_SERVER if database.is_shared else 1
        self._page: list[tuple[Oldest, int]] = []
        """The channels that have something old, of those this round has looked at, and the moment until when."""
        self._after = 0
        """The last channel that it has looked at."""
        self._after_seal = 0
        self.gone = 0
        """Rows taken away so far."""

    async def step(self, now: int) -> int | None:
        """One step: how many rows went; None at the end of a round, when all is tidy.

        Raises ``StoreError``; then nothing was done.
        """
        gone: int | None = None
        if not self._page:
            await self._servers.write()
            gone = await self._erase(now - GRACE)
            if gone is None:
                gone = await self._look(now)
            if gone is None:
                gone = await self._prune_seals(now)
        if self._page:
            gone = (gone or 0) + await self._prune()
        self.gone += gone or 0
        return gone

    async def _erase(self, before: int) -> int | None:
        """A step on the server that was left the longest ago; None if none is due."""
        async with self._database.transaction() as connection:
            due = [key for key in await servers.due(connection, before) if self._is_ours(key)]
        if not due:
            return None
        async with self._database.transaction() as connection:
            if not await servers.is_due(connection, due[0], before):  # the bot has come back this moment
                return 0
            gone = await servers.erase_some(connection, due[0], SESSIONS * self._times, PLIES * self._times)
            return gone or await servers.erase_rest(connection, due[0], before)

    async def _look(self, now: int) -> int | None:
        """A look at the next channels, for those that have something old; None once all have been looked at."""
        async with self._database.transaction() as connection:
            page = await rows.channels(connection, self._after, CHANNELS)
        self._after = page[-1].channel_id if page else 0
        for one in page:  # of another process it knows the threads
            if self._is_ours(one.guild_id or 0) and is_old(one, now - DAY):
                until = now - DAY * max(1, await self._keep_days(Place(one.channel_id, one.guild_id)))
                self._page += [(one, until)] if is_old(one, until) else []
        return 0 if page else None

    async def _prune(self) -> int:
        """A step on the channels that have something old."""
        gone, most = 0, PLIES * self._times
        async with self._database.transaction() as connection:
            while self._page and gone < most:
                taken = await self._prune_channel(connection, *self._page[-1], most - gone)
                gone += taken
                if not taken:
                    self._page.pop()
        return gone

    async def _prune_channel(self, connection: AsyncConnection, one: Oldest, until: int, most: int) -> int:
        """Take away some of what is too old in a channel, ``most`` plies; 0 once there is nothing left of it."""
        due = await rows.due_rolls(connection, one.channel_id, until, SESSIONS * self._times)
        if due:
            return await rows.prune_rolls(connection, due, most)
        return 0 if one.table_id is None else await rows.prune_table(connection, one.table_id, until, most)

    async def _prune_seals(self, now: int) -> int | None:
        """A step on the next sealed tables that have ended: of those that are too old only the count stays."""
        async with self._database.transaction() as connection:
            page = await seals.ended(connection, self._after_seal, now - DAY, CHANNELS)
        due = []
        for one in page:
            if not self._is_ours(one.guild_id or 0):
                continue
            days = max(1, await self._keep_days(Place(one.channel_id or 0, one.guild_id)))
            due += [one.id] if (one.ended_at or now) < now - days * DAY else []
        async with self._database.transaction() as connection:
            gone = await seals.erase(connection, due, now)
        self._after_seal = page[-1].id if page else 0
        return gone if page else None


def is_old(one: Oldest, until: int) -> bool:
    """Whether something of a channel may be older than a moment.

    A roll goes as a whole when its last ply is. Of a channel's table steps the oldest go and the newest stays, so that
    its number is known.
    """
    return any(at is not None and at < until for at in (one.roll_at, one.step_at))

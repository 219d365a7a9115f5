"""Retention: erases servers that the bot left, and rolls that nobody has touched for long, in small steps.

A step holds the store for some milliseconds and leaves everything whole; broken off anywhere, the next one goes on.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.place import Place
from bot.sessions.servers import Servers
from bot.store import retention as rows
from bot.store import seals, servers
from bot.store.database import Database
from bot.store.retention import Aged

DAY: Final = 24 * 60 * 60
GRACE: Final = 30 * DAY
"""Seconds after which a server is erased that the bot was removed from."""
SESSIONS: Final = 50
"""Sessions looked at in a step."""
PLIES: Final = 200
"""Plies, about, that go in a step."""

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
        self._after = 0  # the newest session that this round has dealt with
        self._after_seal = 0
        self.gone = 0
        """Rows taken away so far."""

    async def step(self, now: int) -> bool:
        """One step; False at the end of a round, when all is tidy. Raises ``StoreError``; then nothing was done."""
        await self._servers.write()
        return await self._erase(now - GRACE) or await self._prune(now) or await self._prune_seals(now)

    async def _erase(self, before: int) -> bool:
        """A step on the server that was left the longest ago, if one is due."""
        async with self._database.transaction() as connection:
            due = [key for key in await servers.due(connection, before) if self._is_ours(key)]
        if not due:
            return False
        async with self._database.transaction() as connection:
            if await servers.is_due(connection, due[0], before):  # the bot may have come back this moment
                gone = await servers.erase_some(connection, due[0], SESSIONS, PLIES)
                self.gone += gone or await servers.erase_rest(connection, due[0], before)
        return True

    async def _prune(self, now: int) -> bool:
        """A step on the next sessions: what is too old of them goes; if nothing is, on to the ones after them."""
        async with self._database.transaction() as connection:
            page = await self._page(connection, now)
        ours = [one for one in page if self._is_ours(one.guild_id or 0)]  # another process knows the others' threads
        until = {}
        for place in {Place(one.channel_id, one.guild_id) for one in ours}:
            until[place.channel_id] = now - DAY * max(1, await self._keep_days(place))
        gone = await self._take(ours, until, now) if any(is_due(one, until) for one in ours) else 0
        self.gone += gone
        if not gone:
            self._after = page[-1].session_id if page else 0
        return bool(page)

    async def _prune_seals(self, now: int) -> bool:
        """A step on the next sealed tables that have ended: of those that are too old only the count stays."""
        async with self._database.transaction() as connection:
            page = await seals.ended(connection, self._after_seal, now - DAY, SESSIONS)
        due = []
        for one in page:
            if not self._is_ours(one.guild_id or 0):
                continue
            days = max(1, await self._keep_days(Place(one.channel_id or 0, one.guild_id)))
            due += [one.id] if (one.ended_at or now) < now - days * DAY else []
        async with self._database.transaction() as connection:
            self.gone += await seals.erase(connection, due, now)
        self._after_seal = page[-1].id if page else 0
        return bool(page)

    async def _page(self, connection: AsyncConnection, now: int) -> tuple[Aged, ...]:
        return await rows.aged(connection, self._after, now - DAY, SESSIONS)

    async def _take(self, page: Sequence[Aged], until: Mapping[int, int], now: int) -> int:
        """Take some of what is due, as things stand now: somebody may have pressed since."""
        async with self._database.transaction() as connection:
            await rows.lock(connection, [one.session_id for one in page])
            again = await self._page(connection, now)
            due = [one for one in again if one.channel_id in until and is_due(one, until)]
            for one in due:
                if one.is_table:
                    return await rows.prune_table(connection, one.session_id, until[one.channel_id], PLIES)
            return await rows.prune_rolls(connection, first_rolls(due), PLIES)


def is_due(one: Aged, until: Mapping[int, int]) -> bool:
    """Whether a session is older than its channel keeps things; ``until`` holds the limits in seconds by channel.

    A roll goes as a whole. Of a channel's table steps the oldest go and the newest stays, so that its number is known.
    """
    if one.is_table:
        return one.plies > 1 and one.oldest < until[one.channel_id]
    return one.newest < until[one.channel_id]


def first_rolls(rolls: Sequence[Aged]) -> list[int]:
    """The sessions of the first rolls, as many as go in one step; at least one, however long it is."""
    sums = accumulate(one.plies for one in rolls)
    return [
        one.session_id for place, (one, plies) in enumerate(zip(rolls, sums, strict=True)) if not place or plies < PLIES
    ]

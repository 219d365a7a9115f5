"""Retention: deletes servers that the bot left and expired rolls, in small steps. A step holds the store for
milliseconds and leaves it consistent; the next one resumes from any point.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.request import Place
from bot.store import retention as rows, seals, servers
from bot.store.database import Database
from bot.store.pieces import prune_sheets

DAY: Final = 24 * 60 * 60
GRACE: Final = 30 * DAY
"""Seconds from the bot's removal to the deletion of a server."""
RESTS: Final = 20
"""Rest after a step, as a multiple of its work: overall under a twentieth of a core."""
WITH_THE_SERVER: Final = 2.5
"""Ratio of total time to this process's, PostgreSQL's statements included, not its own cleanup."""
CHANNELS: Final = 50
"""Channels and sealed tables examined per step; four times as many on PostgreSQL."""
FOUND: Final = 100
"""Rolls found per step."""
SESSIONS: Final = 20
"""Rolls deleted per step."""
STEP_SECONDS: Final = 0.004
"""A longer step on SQLite halves the next one: old rolls may have to be read from disk."""
PLIES: Final = 80
"""Maximum plies deleted per step."""
ON_A_SERVER: Final = 100
"""Factor for steps on PostgreSQL, where no player waits for them."""
OF_A_CHANNEL: Final = 50
"""Rolls of a channel that are sorted together with others."""
AT_ONCE: Final = 20
"""Channels per round trip to PostgreSQL."""
IN_ORDER: Final = 50_000
"""Rolls sorted before deletion."""


KeepDays = Callable[[Place], Awaitable[int]]
"""Days that rolls are kept at a place after the last press, at least 1."""


class Retention:
    """Cleans up one process's servers; ``is_ours`` tells whether a server is one of them. Direct messages are server 0,
    on the first shard.

    Rolls of many channels are deleted together, ordered by opening: the database stores them side by side, so each page
    is fetched and written once.
    """

    def __init__(
        self,
        database: Database,
        known: servers.Servers,
        keep_days: KeepDays,
        is_ours: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self._database = database
        self._servers = known
        self._keep_days = keep_days
        self._is_ours = is_ours
        self._times = ON_A_SERVER if database.is_shared else 1
        self._channels = CHANNELS * (4 if database.is_shared else 1)
        self._rolls = SESSIONS
        """Rolls in the next step on SQLite."""
        self._after = 0
        """The last channel examined."""
        self._has_looked = False
        """Whether this round has examined all channels."""
        self._old: list[rows.PruneTarget] = []
        """Channels with old rolls, each with the last roll found."""
        self._more: list[rows.PruneTarget] = []
        """Channels that may have more old rolls."""
        self._found: list[tuple[int, int]] = []
        """Rolls found there, and the time limit used."""
        self._due: list[tuple[int, int]] = []
        """Expired rolls in reverse order: the next are last."""
        self._after_seal = 0
        self.gone = 0
        """Rows deleted so far."""

    async def round(self, now: int, goes_on: Callable[[], bool] = lambda: True) -> bool:
        """Alternate steps and rests until done or ``goes_on`` is false; whether done. Raises ``StoreError``."""
        worked = self._works()
        while await self.step(now) is not None:
            if not goes_on():
                return False
            await asyncio.sleep(RESTS * worked())
            worked = self._works()
        return True

    def _works(self) -> Callable[[], float]:
        """Start measuring a step's processor seconds, or wall time if that is less."""
        clock, share = asyncio.get_running_loop().time, WITH_THE_SERVER if self._database.is_shared else 1.0
        began, spent = clock(), time.process_time()
        return lambda: min(clock() - began, share * (time.process_time() - spent))

    async def step(self, now: int) -> int | None:
        """Run one step; returns the rows deleted, None at a round's end. Raises ``StoreError`` without changes."""
        gone = 0 if self._due else await self._find(now)
        if self._due:
            gone = (gone or 0) + await self._prune()
        self.gone += gone or 0
        return gone

    async def _find(self, now: int) -> int | None:
        """Find rolls to delete, or delete directly; None at the end of a round."""
        if not self._has_looked:
            await self._servers.write()
            gone = await self._erase(now - GRACE)
            if gone is not None:
                return gone
            await self._look(now)
        if not self._has_looked:
            return 0
        if self._old:
            return await self._gather()
        gone = await self._prune_seals(now)
        self._has_looked = gone is not None
        return gone

    async def _erase(self, before: int) -> int | None:
        """Run a step on the server left longest ago; None if none is due."""
        due = [key for key in await self._database.run(servers.due_servers, before) if self._is_ours(key)]
        if not due:
            return None
        async with self._database.transaction() as connection:
            if not await servers.is_due(connection, due[0], before):  # the bot has just rejoined
                return 0
            gone = await servers.erase_some(connection, due[0], SESSIONS * self._times, PLIES * self._times)
            return gone or await servers.erase_rest(connection, due[0], before)

    async def _look(self, now: int) -> None:
        """Examine the next channels for old rolls."""
        page = await self._database.run(rows.channels, self._after, self._channels)
        self._has_looked = len(page) < self._channels
        self._after = 0 if self._has_looked else page[-1].channel_id
        for oldest in page:  # covers other processes' threads
            if self._is_ours(oldest.guild_id or 0) and is_old(oldest, now - DAY):
                until = now - DAY * max(1, await self._keep_days(Place(oldest.channel_id, oldest.guild_id)))
                self._old += (
                    [rows.PruneTarget(oldest.channel_id, 0, until, oldest.table_id)] if is_old(oldest, until) else []
                )

    async def _gather(self) -> int:
        """Find each channel's oldest rolls to delete; delete table steps at once. Returns the rows deleted."""
        gone = await self._database.run(self._gather_in, AT_ONCE if self._database.is_shared else 1)
        if not self._old or len(self._found) >= IN_ORDER:
            self._due, self._found = sorted(self._found, reverse=True), []
            self._old, self._more = self._old + self._more[::-1], []
        return gone

    async def _gather_in(self, connection: AsyncConnection, at_once: int) -> int:
        gone, most, left = 0, PLIES * self._times, FOUND * self._times
        while self._old and gone < most and left > 0 and len(self._found) < IN_ORDER:
            some, self._old = self._old[-at_once:], self._old[:-at_once]
            for target, due in zip(some, await rows.old_rolls(connection, some, OF_A_CHANNEL), strict=True):
                self._found += [(key, target.until) for key in due]
                left -= max(1, len(due))
                taken = 0
                if target.table_id is not None and len(due) < OF_A_CHANNEL and gone < most:
                    taken = await rows.prune_table(connection, target.table_id, target.until, most - gone)
                    gone += taken
                    if taken:
                        await prune_sheets(connection, target.channel_id, target.until)
                if taken or gone >= most or len(due) == OF_A_CHANNEL:
                    self._more.append(target._replace(after=due[-1] if due else target.after))
        return gone

    async def _prune(self) -> int:
        """Delete the next rolls, unless someone has pressed on them since; return the number of rows deleted."""
        some, most = self._due[-min(self._rolls, SESSIONS) * self._times :], PLIES * self._times

        async def prune(connection: AsyncConnection) -> tuple[int, frozenset[int]]:
            began = time.perf_counter()
            now = await rows.lock_rolls(connection, [key for key, _ in some])
            due = {key: now[key].plies for key, until in reversed(some) if key in now and now[key].at < until}
            gone, whole = await rows.prune_rolls(connection, due, most)
            if not self._database.is_shared:
                self._rolls = next_step(self._rolls, time.perf_counter() - began)
            return gone, frozenset(due).difference(whole)

        gone, left = await self._database.run(prune)
        self._due[-len(some) :] = [item for item in some if item[0] in left]
        return gone

    async def _prune_seals(self, now: int) -> int | None:
        """Run a step on ended sealed tables; of expired ones only the count stays."""
        page = await self._database.run(seals.ended_seals, self._after_seal, now - DAY, self._channels)
        due = []
        for seal in page:
            if not self._is_ours(seal.guild_id or 0):
                continue
            days = max(1, await self._keep_days(Place(seal.channel_id or 0, seal.guild_id)))
            due += [seal.id] if (seal.ended_at or now) < now - days * DAY else []
        gone = await self._database.run(seals.erase, due, now)
        self._after_seal = page[-1].id if page else 0
        return gone if page else None


def next_step(rolls: int, seconds: float) -> int:
    """Return the number of rolls in the step after one that held an SQLite file for ``seconds``."""
    return max(1, rolls // 2) if seconds > STEP_SECONDS else min(SESSIONS, rolls + 1)


def is_old(oldest: Any, until: int) -> bool:
    """Whether something in a channel may be older than ``until``. A roll is deleted once its last ply is old. Table
    steps are deleted oldest first; the newest stays, to keep its number.
    """
    return any(at is not None and at < until for at in (oldest.roll_at, oldest.step_at))

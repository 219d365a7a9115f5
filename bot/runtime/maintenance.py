"""Background maintenance: deletes expired data and divides the request rate among processes."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from bot import background
from bot.client import Client
from bot.discord_api.rate_limiter import PER_SECOND, URGENCY, Priority
from bot.ruleset.settings import KEEP_DAYS
from bot.runtime import status
from bot.sessions import personal_data, retention
from bot.sessions.request import Place
from bot.store import blocks, coordination, errors, watch_links
from bot.store.database import Database
from bot.ui.core.request_context import with_parent
from bot.ui.table import sealing

TIDY_FIRST: Final = 30.0
"""Seconds from READY to the first cleanup step: startup has other work."""
TIDY_AGAIN: Final = 3600.0
"""Seconds between cleanups."""
TIDY_LATER: Final = 60.0
"""Seconds until a failed step is retried."""
log = logging.getLogger(__name__)


class Maintenance:
    """The maintenance of one process. ``is_called``: the store knows the bot's servers."""

    def __init__(self, client: Client, database: Database) -> None:
        self._client, self._database = client, database
        self.keeper = retention.Retention(database, client.servers, self._keep_days, client.is_ours)
        self._shares = coordination.RateShares(database, PER_SECOND)
        self._tasks: list[asyncio.Task[None]] = []
        self._asked = 0
        """Requests that wanted to be sent when the share was last agreed on."""
        self.is_called = False

    def begin(self, heartbeat_url: str) -> None:
        if self._database.is_shared:
            self._client.budget.share(coordination.LEAST)
            # After a failure the others still count this one's share for a while.
            failure = "processes could not agree how many requests each may send: %s"
            self._tasks.append(background.start(self._repeat(self._share, coordination.EVERY, failure), name="share"))
        follow = self._repeat(self._client.blocks.read, blocks.EVERY, "blocks were not read again: %s")
        self._tasks.append(background.start(follow, name="blocks"))
        self._tasks.append(background.start(status.keep_reporting(self._client, heartbeat_url), name="status"))
        self._tasks.append(background.start(self._tidy(), name="tidy"))

    async def stop(self) -> None:
        """Stop, and release this process's share."""
        for task in self._tasks:
            task.cancel()
            await asyncio.wait([task])
        with suppress(errors.StoreError):
            await self._shares.leave()

    async def _keep_days(self, place: Place) -> int:
        """Return how many days rolls are stored at a place; for an archived thread, its server's setting."""
        here = with_parent(self._client, place)
        return (await self._client.rulesets.ruling(here, personal_data.FORGOTTEN))[KEEP_DAYS]

    async def _tidy(self) -> None:
        """Delete expired data of this process's servers in small steps, one process at a time. Never raises."""
        client = self._client
        URGENCY.set(Priority.TIDYING)
        await client.wait_until_ready()
        shards = ",".join(map(str, sorted(client.shards)))
        pause = TIDY_FIRST
        while True:
            await asyncio.sleep(pause)
            pause = TIDY_LATER
            try:
                if not self.is_called:
                    present = [guild.id for guild in client.guilds]
                    await client.servers.note_present(present, client.is_ours, int(time.time()))
                    self.is_called = True
                await client.servers.write()
                await client.locks.run_exclusive(f"tidy {shards} of {client.shard_count}", self.run_once)
                pause = TIDY_AGAIN
            except errors.StoreError as error:
                log.warning("old rows were not taken away: %s", error.reason)
            except Exception:
                log.exception("old rows were not taken away")

    async def _repeat(self, work: Callable[[], Awaitable[None]], seconds: float, failure: str) -> None:
        """Do ``work`` regularly while the bot runs, and log its failures."""
        while True:
            try:
                await work()
            except errors.StoreError as error:
                log.warning(failure, error.reason)
            await asyncio.sleep(seconds)

    async def _share(self) -> None:
        """Agree with the other processes on this one's request rate."""
        wanted = self._client.budget.taken + self._client.budget.queue_length
        self._client.budget.share(await self._shares.agree(wanted - self._asked, int(time.time())))
        self._asked = self._client.budget.taken

    async def run_once(self) -> None:
        """Run one cleanup in small steps. Raises ``StoreError``; the next one resumes."""
        client, now, clock = self._client, int(time.time()), asyncio.get_running_loop().time
        await sealing.reveal_idle(client, client.is_ours)
        await self._database.run(watch_links.sweep, now)
        await self._database.run(blocks.drop_ended, now)
        while await client.sessions.sweep_practices(now):
            pass
        began = clock()
        while await client.interactions.step(now) or await client.fairness.step(now):  # what goes was counted before
            await asyncio.sleep(retention.RESTS * (clock() - began))
            began = clock()
        await self.keeper.round(now)
        began = clock()
        while await self._database.give_back():
            await asyncio.sleep(retention.RESTS * (clock() - began))
            began = clock()
        await self._database.empty_log()  # it may still hold erased data
        if self.keeper.gone:
            log.info("%d old rows were taken away", self.keeper.gone)
            self.keeper.gone = 0

"""Rate limiting of gateway IDENTIFYs across all shards and processes of one bot.

Discord puts a shard into the bucket of its number modulo ``max_concurrency``, and wants five seconds between two
IDENTIFYs of one bucket: https://discord.com/developers/docs/events/gateway#rate-limiting. A turn is a lock that is
held until five seconds after the IDENTIFY. It is acquired before connecting, because a gateway doesn't like to wait.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from bot import background
from bot.store.errors import StoreError

IDENTIFY_INTERVAL: Final = 5.0
"""Seconds between two IDENTIFYs of a bucket."""
TURN_TIMEOUT: Final = 60.0
"""Seconds after which an unused turn passes to the next shard: the gateway could not be reached."""

Alone = Callable[[str, Callable[[], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]
"""``bot.store.coordination.Locks.run_exclusive``: does work while no other process does work of that name."""
log = logging.getLogger(__name__)


class IdentifyQueue:
    """The turns of the shards of this process. ``max_concurrency`` is Discord's, once it is known."""

    def __init__(self, alone: Alone, max_concurrency: int = 1) -> None:
        self._alone = alone
        self.max_concurrency = max_concurrency
        self._used: dict[int, asyncio.Event] = {}
        """The shards that have a turn, and whether they used it."""
        self._holding: set[asyncio.Task[None]] = set()

    async def acquire(self, shard_id: int) -> None:
        """Wait for the turn of a shard, unless it has it. If the store fails, it continues: Discord may refuse it."""
        if shard_id in self._used:
            return
        begun = asyncio.Event()
        work = partial(self._hold, shard_id, begun)
        holding = background.start(self._alone(f"identify {shard_id % self.max_concurrency}", work))
        self._holding.add(holding)
        holding.add_done_callback(self._release)
        holding.add_done_callback(lambda _: begun.set())
        try:
            await begun.wait()
        except asyncio.CancelledError:
            if not begun.is_set():
                holding.cancel()
            raise

    async def mark_used(self, shard_id: int) -> None:
        """The shard sends its IDENTIFY now; where it has no turn yet, it waits for one."""
        await self.acquire(shard_id)
        if shard_id in self._used:
            self._used.pop(shard_id).set()

    async def _hold(self, shard_id: int, begun: asyncio.Event) -> None:
        used = self._used[shard_id] = asyncio.Event()
        begun.set()
        try:
            async with asyncio.timeout(TURN_TIMEOUT):
                await used.wait()
            await asyncio.sleep(IDENTIFY_INTERVAL)
        except TimeoutError:
            log.info("shard %d did not use its turn to connect", shard_id)
        finally:
            if self._used.get(shard_id) is used:
                del self._used[shard_id]

    def _release(self, holding: "asyncio.Task[None]") -> None:
        self._holding.discard(holding)
        if not holding.cancelled() and (error := holding.exception()) is not None:
            reason = error.reason if isinstance(error, StoreError) else repr(error)
            log.warning("other processes do not know when this one connects to Discord: %s", reason)

    async def close(self) -> None:
        """Release every turn."""
        for holding in self._holding:
            holding.cancel()
        if self._holding:
            await asyncio.wait(set(self._holding))

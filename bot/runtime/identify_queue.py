"""Rate limiting of gateway IDENTIFYs across all shards and processes of one bot.

A shard's bucket is its number modulo ``max_concurrency``; IDENTIFYs of one bucket must be five seconds apart:
https://discord.com/developers/docs/events/gateway#rate-limiting. A turn is a lock held until five seconds after the
IDENTIFY. It is acquired before connecting, because a gateway drops idle connections.
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
"""Seconds until an unused turn passes to the next shard, because the gateway could not be reached."""

Alone = Callable[[str, Callable[[], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]
"""``bot.store.coordination.Locks.run_exclusive``."""
log = logging.getLogger(__name__)


class IdentifyQueue:
    """The turns of this process's shards. ``max_concurrency`` is Discord's, once known."""

    def __init__(self, alone: Alone, max_concurrency: int = 1) -> None:
        self._alone = alone
        self.max_concurrency = max_concurrency
        self._used: dict[int, asyncio.Event] = {}
        """Shards with a turn, and whether they used it."""
        self._holding: set[asyncio.Task[None]] = set()

    async def acquire(self, shard_id: int) -> None:
        """Wait for a shard's turn, unless it has one. If the store fails, continue: Discord may refuse it."""
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
        """The shard sends its IDENTIFY now; wait for a turn if it has none."""
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
        for holding in self._holding:
            holding.cancel()
        if self._holding:
            await asyncio.wait(set(self._holding))

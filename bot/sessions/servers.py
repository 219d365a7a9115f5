"""Which servers the bot is in, so that what one left behind is erased in time. An outage is no farewell.

That the bot is in a server is noted in memory and written with the next step of tidying: a note lost in a crash is made
again when Discord next says where the bot is. A farewell is written at once.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from bot.store import servers as rows
from bot.store.database import Database
from bot.store.errors import StoreError

BATCH: Final = 500
log = logging.getLogger(__name__)


class Servers:
    """The servers of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, int | None] = {}
        self._joined: set[int] = set()
        self._writing = asyncio.Lock()

    def joined(self, server_id: int) -> None:
        """The bot is in a server; nothing is to be done if that is known."""
        if server_id not in self._joined:
            self._joined.add(server_id)
            self._waiting[server_id] = None

    async def left(self, server_id: int, now: int) -> None:
        """The bot was removed from a server. Never raises for the store: it is tried again."""
        self._joined.discard(server_id)
        self._waiting[server_id] = now
        try:
            await self.write()
        except StoreError as error:
            log.warning("%d servers were not noted: %s", len(self._waiting), error.reason)

    async def called(self, present: Collection[int], is_ours: Callable[[int], bool], now: int) -> None:
        """Discord has said where the bot is: note what is new, and farewells that nobody heard.

        ``is_ours`` says of a server whether this process would know of it. Raises ``StoreError``; then nothing counts.
        """
        async with self._database.transaction() as connection:
            known = await rows.known(connection)
        self._joined = set(present)
        new: dict[int, int | None] = {key: None for key in present if known.get(key, now) is not None}
        gone: dict[int, int | None] = {
            key: now for key, left in known.items() if left is None and key not in self._joined and is_ours(key)
        }
        self._waiting |= new | gone
        await self.write()

    async def ask_language(self, server_id: int, now: int) -> bool:
        """Whether the admin of a server is to be asked for its language: once. Raises ``StoreError``."""
        await self.write()  # that the bot is there may not be written down yet
        async with self._database.transaction() as connection:
            return await rows.ask_language(connection, server_id, now)

    async def write(self) -> None:
        """Write down what waits. Raises ``StoreError``; then it goes on waiting."""
        async with self._writing:  # the last note about a server must be the last to be written
            while self._waiting:
                batch = dict(list(self._waiting.items())[:BATCH])
                async with self._database.transaction() as connection:
                    await rows.remember(connection, batch)
                self._waiting = {key: left for key, left in self._waiting.items() if (key, left) not in batch.items()}

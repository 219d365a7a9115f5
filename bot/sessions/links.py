"""Where rolls are shown, so that the history can link there: noted after the answer, written down a moment later."""

import asyncio
import logging
from typing import Final

from bot.store import sessions as rows
from bot.store.database import Database
from bot.store.errors import StoreError

WAIT: Final = 2.0
log = logging.getLogger(__name__)


class Links:
    """Message ids of sessions. Many are written in one statement, and none while somebody waits for an answer.

    A process that is killed loses the links of its last moments, never a roll; a later press brings a link back.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, int] = {}
        self._writing: asyncio.Task[None] | None = None

    def note(self, session: int, message_id: int) -> None:
        """Remember where a session is shown."""
        self._waiting[session] = message_id
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_later())

    async def _write_later(self) -> None:
        await asyncio.sleep(WAIT)
        try:
            await self.write()
        except StoreError as error:
            log.warning("%d links to rolls were not kept: %s", len(self._waiting), error.reason)

    async def write(self) -> None:
        """Write down what waits. Raises ``StoreError``; then it goes on waiting."""
        if not self._waiting:
            return
        noted = dict(self._waiting)
        async with self._database.transaction() as connection:
            await rows.shown(connection, noted)
        self._waiting = {key: message for key, message in self._waiting.items() if noted.get(key) != message}

    async def close(self) -> None:
        """Write down what waits, and wait for nothing more."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        try:
            await self.write()
        except StoreError as error:
            log.warning("%d links to rolls were not kept: %s", len(self._waiting), error.reason)

"""Files that servers keep for games, and what was made of them, in memory while it is in use."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

from bot.store import kept_files as rows
from bot.store.database import Database

Made = TypeVar("Made")

REMEMBERED_MOST: Final = 8
"""So many files are remembered as what was made of them; a card set has two megabytes."""


class KeptFiles:
    """Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock
        self._made: OrderedDict[tuple[int, str], tuple[int, Any]] = OrderedDict()

    async def find(self, guild_id: int, kind: str, make: Callable[[str], Made]) -> Made | None:
        """What ``make`` makes of the file of a server, made again only when another one is kept; None without one."""
        key = guild_id, kind
        async with self._database.transaction() as connection:
            at = await rows.kept_at(connection, guild_id, kind)
            known = self._made.get(key)
            if at is None:
                self._made.pop(key, None)
                return None
            if known is None or known[0] != at:
                text = await rows.body(connection, guild_id, kind)
                known = at, make(text or "")
        self._made[key] = known
        self._made.move_to_end(key)
        while len(self._made) > REMEMBERED_MOST:
            self._made.popitem(last=False)
        made: Made = known[1]
        return made

    async def put(self, guild_id: int, kind: str, text: str) -> None:
        """Keep a file in place of the one of its kind."""
        async with self._database.transaction() as connection:
            before = await rows.kept_at(connection, guild_id, kind)
            at = max(int(self._clock()), (before or 0) + 1)  # it tells one file from the next
            await rows.put(connection, guild_id, kind, text, at)

    async def remove(self, guild_id: int, kind: str) -> None:
        async with self._database.transaction() as connection:
            await rows.remove(connection, guild_id, kind)

"""Files that servers store for games, parsed and cached while in use."""

import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from bot import metrics
from bot.resources.quotas import LIMITS
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Numeral, Text
from bot.store import kept_files as rows
from bot.store.database import Database

Made = TypeVar("Made")

MAX_REMEMBERED: Final = 4_000_000
"""Maximum characters of files whose parsed form is cached; that takes ten times as many bytes."""


class StorageFullError(PlayerError):
    """A server's other files leave no room for this one."""

    def __init__(self, others: int) -> None:
        message = N_(
            "I already store {kept} MB of files for this server, and the limit is {most} MB. Send a smaller file."
        )
        kept = Numeral(f"{others / 1_000_000:.1f}")
        super().__init__(Text(message, kept=kept, most=LIMITS.kept // 1_000_000))


class KeptFiles:
    """Servers' files, none outside servers. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock
        self._made: dict[tuple[int | None, str], tuple[int, int, Any]] = {}
        """Parsed files by server and kind: time, number of characters, and the parsed value."""

    async def find(self, guild_id: int | None, kind: str, make: Callable[[str], Made]) -> Made | None:
        """Return a server's file parsed by ``make``, parsed again only after it changed; None without one."""
        key = guild_id, kind
        async with self._database.transaction() as connection:
            at = await rows.kept_at(connection, guild_id, kind)
            known = self._made.pop(key, None)
            if at is None:
                return None
            is_new = known is None or known[0] != at
            text = await rows.body(connection, guild_id, kind) if is_new else None
        if known is None or text is not None:
            text = text or ""
            known = at, len(text), make(text)
        self._made[key] = known  # newest last; the oldest are dropped to fit
        while sum(length for _, length, _ in self._made.values()) > MAX_REMEMBERED and len(self._made) > 1:
            del self._made[next(iter(self._made))]
        result: Made = known[2]
        return result

    async def text(self, guild_id: int | None, kind: str) -> str:
        """Return a server's file without caching, "" for none."""
        return await self._database.run(rows.body, guild_id, kind) or ""

    async def texts(self, guild_id: int | None, prefix: str) -> dict[str, str]:
        """Return a server's files whose kind has this prefix, by the rest of the kind, without caching."""
        return await self._database.run(rows.bodies, guild_id, prefix)

    async def kinds(self, guild_id: int | None, prefix: str) -> list[str]:
        """Return the kinds of a server's files with this prefix, without the prefix."""
        return await self._database.run(rows.kinds, guild_id, prefix)

    async def store_file(self, guild_id: int, kind: str, text: str) -> None:
        """Store a file, replacing the one of its kind. Raises ``StorageFullError`` if the server stores too much."""
        async with self._database.transaction() as connection:
            others = await rows.length_of_others(connection, guild_id, kind)
            if others + len(text) > LIMITS.kept:
                metrics.OVER_BUDGET.labels("kept").inc()
                raise StorageFullError(others)
            before = await rows.kept_at(connection, guild_id, kind)
            at = max(int(self._clock()), (before or 0) + 1)  # must differ from the previous file's
            await rows.store_file(connection, guild_id, kind, text, at)

    async def remove(self, guild_id: int, kind: str) -> None:
        await self._database.run(rows.remove, guild_id, kind)

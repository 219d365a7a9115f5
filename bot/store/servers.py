"""Servers the bot is in, so that data of servers it left is deleted in time. An outage is not a removal.

Joins are noted in memory and stored by the next cleanup; one lost in a crash is noted again when Discord next lists the
bot's servers. A removal is stored at once.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import seals
from bot.store.database import Database
from bot.store.errors import StoreError
from bot.store.retention import lock_rolls, prune_rolls
from bot.store.schema import kept_file, piece, plan, player, ruleset, saved, server, session, shown, upsert, watch_link

BATCH: Final = 500
log = logging.getLogger(__name__)

_REMEMBER = upsert(server, ("id",), ("left_at",))


async def known_servers(connection: AsyncConnection) -> dict[int, int | None]:
    """Return the time the bot left each server it was ever in; None while it is there."""
    return {row.id: row.left_at for row in (await connection.execute(select(server))).all()}


async def remember(connection: AsyncConnection, servers: Mapping[int, int | None]) -> None:
    """Note when the bot left servers, None for those it is in."""
    await connection.execute(_REMEMBER, [{"id": key, "left_at": left} for key, left in servers.items()])


async def due_servers(connection: AsyncConnection, before: int) -> list[int]:
    """Return the servers left at ``before`` or earlier, oldest departure first."""
    query = select(server.c.id).where(server.c.left_at <= before).order_by(server.c.left_at)
    return list((await connection.scalars(query)).all())


async def is_due(connection: AsyncConnection, server_id: int, before: int) -> bool:
    """Whether a server was left at ``before`` or earlier; locked until the transaction ends."""
    query = select(server.c.id).where(server.c.id == server_id, server.c.left_at <= before).with_for_update()
    return await connection.scalar(query) is not None


async def erase_some(connection: AsyncConnection, server_id: int, sessions: int, most: int) -> int:
    """Erase up to ``most`` rows of a server's sessions; return how many. Sessions go last: they name the channels."""
    query = select(session.c.id, session.c.channel_id).where(session.c.guild_id == server_id)
    result = (await connection.execute(query.order_by(session.c.id).limit(sessions).with_for_update())).all()
    if not result:
        return 0
    channels = sorted({row.channel_id for row in result})
    some = select(piece.c.id).where(piece.c.channel_id.in_(channels)).limit(most)
    gone = (await connection.execute(delete(piece).where(piece.c.id.in_(some)))).rowcount
    if gone >= most:
        return gone
    locked = await lock_rolls(connection, [row.id for row in result])
    rolls = {row.id: locked[row.id].plies if row.id in locked else 0 for row in result}
    return gone + (await prune_rolls(connection, rolls, most - gone))[0]


async def erase_rest(connection: AsyncConnection, server_id: int, now: int) -> int:
    """Erase all other rows of a server, from rulesets to sealed tables, and its own; return how many."""
    gone = await seals.erase(connection, await seals.of_server(connection, server_id), now)
    for table in (ruleset, plan, player, saved, shown, kept_file, watch_link):
        gone += (await connection.execute(delete(table).where(table.c.guild_id == server_id))).rowcount
    return gone + (await connection.execute(delete(server).where(server.c.id == server_id))).rowcount


class Servers:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, int | None] = {}
        self._joined: set[int] = set()
        self._writing = asyncio.Lock()

    def note_joined(self, server_id: int) -> None:
        if server_id not in self._joined:
            self._joined.add(server_id)
            self._waiting[server_id] = None

    async def note_left(self, server_id: int, now: int) -> None:
        """Note that the bot was removed from a server. Never raises ``StoreError``: it is retried."""
        self._joined.discard(server_id)
        self._waiting[server_id] = now
        try:
            await self.write()
        except StoreError as error:
            log.warning("%d servers were not noted: %s", len(self._waiting), error.reason)

    async def note_present(self, present: Collection[int], is_ours: Callable[[int], bool], now: int) -> None:
        """Note joins and removals from Discord's list of servers. ``is_ours``: whether a server is on this process's
        shards. Raises ``StoreError``; then nothing is noted.
        """
        before = await self._database.run(known_servers)
        self._joined = set(present)
        new: dict[int, int | None] = {key: None for key in present if before.get(key, now) is not None}
        gone: dict[int, int | None] = {
            key: now for key, left in before.items() if left is None and key not in self._joined and is_ours(key)
        }
        self._waiting |= new | gone
        await self.write()

    async def ask_language(self, server_id: int, now: int) -> bool:
        """Return whether to ask a server's admin for its language: once only. Raises ``StoreError``."""
        await self.write()  # the join may not be stored yet
        asked = update(server).where(server.c.id == server_id, server.c.language_asked_at.is_(None))
        async with self._database.transaction() as connection:
            return (await connection.execute(asked.values(language_asked_at=now))).rowcount == 1

    async def write(self) -> None:
        """Store pending notes. Raises ``StoreError``; they stay pending."""
        async with self._writing:  # the last note about a server must be stored last
            while self._waiting:
                batch = dict(list(self._waiting.items())[:BATCH])
                await self._database.run(remember, batch)
                self._waiting = {key: left for key, left in self._waiting.items() if (key, left) not in batch.items()}

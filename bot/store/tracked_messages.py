"""The message that shows each thing in a channel (board, turn order, …), so that it survives a restart."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database
from bot.store.schema import shown, upsert

EVERYBODY: Final = 0
"""Replaces a person if something belongs to a channel; no Discord user has this id."""


class MessageKind(StrEnum):
    """The subject of a message.

    ``of_id``: the owner of saved-roll buttons (``EVERYBODY`` for the channel's); the roll that a log channel's copy
    shows.
    """

    BOARD = "board"
    TURNS = "turns"
    SAVED = "saved"
    SEAL = "seal"
    RECAP = "recap"
    LOG = "log"


class RenderMode(IntEnum):
    """The form of a message: plain text where Discord shows no embeds, otherwise a picture or words."""

    TEXT = 0
    PICTURE = 1
    WORDS = 2


@dataclass(frozen=True, slots=True)
class TrackedMessage:
    """A message: its kind, channel, server, subject of that kind, and form."""

    kind: MessageKind
    channel_id: int
    of_id: int = EVERYBODY
    guild_id: int | None = None
    message_id: int = 0
    look: RenderMode = RenderMode.PICTURE

    @property
    def key(self) -> tuple[MessageKind, int, int]:
        """Unique key: a new message replaces the previous one with the same key."""
        return self.kind, self.channel_id, self.of_id


_ALL = select(*(shown.c[name] for name in TrackedMessage.__slots__))
_KEEP = upsert(shown, ("channel_id", "kind", "of_id"), ("guild_id", "message_id", "look"), newer="message_id")
"""Upsert that keeps the newer of two messages posted at once: Discord's ids grow."""


class TrackedMessages:
    """The messages of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_kinds(self, kinds: Collection[MessageKind]) -> list[TrackedMessage]:
        return await self._database.run(_read, shown.c.kind.in_(kinds))

    async def in_channel(self, channel_id: int, kinds: Collection[MessageKind]) -> list[TrackedMessage]:
        return await self._database.run(_read, shown.c.kind.in_(kinds), shown.c.channel_id == channel_id)

    async def by_subject(self, kind: MessageKind, of_id: int) -> list[TrackedMessage]:
        """Return the messages about one subject, in all channels."""
        return await self._database.run(_read, shown.c.kind == kind, shown.c.of_id == of_id)

    async def find(self, kind: MessageKind, channel_id: int, of_id: int = EVERYBODY) -> TrackedMessage | None:
        return next(iter(await self._database.run(_read, _is(kind, channel_id, of_id))), None)

    async def keep(self, new: TrackedMessage) -> TrackedMessage:
        """Store a message in place of an older one; return the current one."""

        async def keep(connection: AsyncConnection) -> TrackedMessage:
            values = {name: getattr(new, name) for name in TrackedMessage.__slots__} | {"look": int(new.look)}
            await connection.execute(_KEEP, values)
            (kept,) = await _read(connection, _is(*new.key))
            return kept

        return await self._database.run(keep)

    async def drop(self, gone: TrackedMessage) -> None:
        """Delete the record of a deleted message, unless another one has replaced it."""
        drop = delete(shown).where(_is(*gone.key), shown.c.message_id == gone.message_id)
        await self._database.run(lambda connection: connection.execute(drop))


def _is(kind: MessageKind, channel_id: int, of_id: int) -> ColumnElement[bool]:
    return and_(shown.c.kind == kind, shown.c.channel_id == channel_id, shown.c.of_id == of_id)


async def _read(connection: AsyncConnection, *which: ColumnElement[bool]) -> list[TrackedMessage]:
    rows = (await connection.execute(_ALL.where(*which))).all()
    messages = (TrackedMessage(*row) for row in rows)
    return [replace(item, kind=MessageKind(item.kind), look=RenderMode(item.look)) for item in messages]

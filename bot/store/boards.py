"""Which message shows the board of each channel, so that a restarted bot still knows it."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import board

_ALL = select(board.c.channel_id, board.c.guild_id, board.c.message_id, board.c.embeds)
_ONE = _ALL.where(board.c.channel_id == bindparam("of_channel"))
_FORGET = delete(board).where(board.c.channel_id == bindparam("of_channel"))
_NEW: Final = ("guild_id", "message_id", "embeds")
_KEEP: Final = {
    dialect: into.on_conflict_do_update(
        index_elements=["channel_id"], set_={name: into.excluded[name] for name in _NEW}
    )
    for dialect, into in (("sqlite", sqlite.insert(board)), ("postgresql", postgresql.insert(board)))
}
"""One statement for each engine: two boards that are posted at once must not meet between a DELETE and an INSERT."""


class Shown(IntEnum):
    """How a board is shown: as text where Discord shows no embeds, else with a picture or in words."""

    TEXT = 0
    PICTURE = 1
    WORDS = 2


@dataclass(frozen=True, slots=True)
class KeptBoard:
    """The board of a channel: its server, its message, and how it is shown."""

    channel_id: int
    guild_id: int | None
    message_id: int
    shown: Shown


async def find(connection: AsyncConnection) -> list[KeptBoard]:
    """The boards of all channels."""
    rows = (await connection.execute(_ALL)).all()
    return [KeptBoard(row.channel_id, row.guild_id, row.message_id, Shown(row.embeds)) for row in rows]


async def of_channel(connection: AsyncConnection, channel_id: int) -> KeptBoard | None:
    """The board of one channel, if it has one."""
    row = (await connection.execute(_ONE, {"of_channel": channel_id})).one_or_none()
    return None if row is None else KeptBoard(row.channel_id, row.guild_id, row.message_id, Shown(row.embeds))


async def keep(connection: AsyncConnection, kept: KeptBoard) -> None:
    """Put a board in place of the one that its channel had."""
    values = {"channel_id": kept.channel_id, "guild_id": kept.guild_id, "message_id": kept.message_id}
    await connection.execute(_KEEP[connection.dialect.name], {**values, "embeds": int(kept.shown)})


async def forget(connection: AsyncConnection, channel_id: int) -> None:
    await connection.execute(_FORGET, {"of_channel": channel_id})

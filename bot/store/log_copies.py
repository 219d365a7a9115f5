"""Where the results of rolls stand in log channels, so that a copy can be corrected when its roll is taken back.

Inside ``Database.transaction``, like everything here. A copy is forgotten with its roll.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import log_copy


@dataclass(frozen=True, slots=True)
class LogCopy:
    """The copy of a roll's result: its log channel, and its message there."""

    session_id: int
    channel_id: int
    message_id: int


_ONE = select(log_copy).where(log_copy.c.session_id == bindparam("of_session"))
_KEEP: Final = {
    dialect: into.on_conflict_do_update(
        index_elements=["session_id"],
        set_={"channel_id": into.excluded.channel_id, "message_id": into.excluded.message_id},
    )
    for dialect, into in (("sqlite", sqlite.insert(log_copy)), ("postgresql", postgresql.insert(log_copy)))
}
_DROP = delete(log_copy).where(log_copy.c.session_id == bindparam("of_session"))


async def find(connection: AsyncConnection, session_id: int) -> LogCopy | None:
    """The copy of a roll's result, if there is one that still counts."""
    row = (await connection.execute(_ONE, {"of_session": session_id})).first()
    return None if row is None else LogCopy(row.session_id, row.channel_id, row.message_id)


async def keep(connection: AsyncConnection, copy: LogCopy) -> None:
    """Put a copy in place of the one that the roll had."""
    values = {"session_id": copy.session_id, "channel_id": copy.channel_id, "message_id": copy.message_id}
    await connection.execute(_KEEP[connection.dialect.name], values)


async def drop(connection: AsyncConnection, session_id: int) -> None:
    """The copy of a roll does not count any more."""
    await connection.execute(_DROP, {"of_session": session_id})

"""Interactions that some process has taken; see ``bot.sessions.interactions``. PostgreSQL only."""

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import interaction

_TAKE = postgresql.insert(interaction).on_conflict_do_nothing()
_OLD = select(interaction.c.id).where(interaction.c.at < bindparam("before")).limit(bindparam("most"))
_FORGET = delete(interaction).where(interaction.c.id.in_(_OLD))


async def take(connection: AsyncConnection, number: int, at: int) -> bool:
    """Note that an interaction is taken; False if it was already."""
    return (await connection.execute(_TAKE, {"id": number, "at": at})).rowcount == 1


async def forget(connection: AsyncConnection, before: int, most: int) -> int:
    """Forget some that were taken before a moment; how many those were."""
    return (await connection.execute(_FORGET, {"before": before, "most": most})).rowcount

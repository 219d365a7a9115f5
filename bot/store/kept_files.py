"""Files that servers store for games, one of each kind per server. Runs inside ``Database.transaction``."""

from sqlalchemy import ColumnElement, and_, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import kept_file, upsert

_PUT = upsert(kept_file, ("guild_id", "kind"), ("body", "at"))
_LENGTH = func.coalesce(func.sum(func.length(kept_file.c.body)), 0)


def _is(guild_id: int | None, kind: str) -> ColumnElement[bool]:
    return and_(kept_file.c.guild_id == guild_id, kept_file.c.kind == kind)


async def kept_at(connection: AsyncConnection, guild_id: int | None, kind: str) -> int | None:
    """Return the time the file was stored; None if there is none."""
    at: int | None = await connection.scalar(select(kept_file.c.at).where(_is(guild_id, kind)))
    return at


async def body(connection: AsyncConnection, guild_id: int | None, kind: str) -> str | None:
    text: str | None = await connection.scalar(select(kept_file.c.body).where(_is(guild_id, kind)))
    return text


async def bodies(connection: AsyncConnection, guild_id: int | None, prefix: str) -> dict[str, str]:
    """Return a server's files whose kind has this prefix, by the rest of the kind."""
    kind = kept_file.c.kind
    found = await connection.execute(
        select(kind, kept_file.c.body).where(kept_file.c.guild_id == guild_id, kind.startswith(prefix, autoescape=True))
    )
    return {row.kind.removeprefix(prefix): row.body for row in found}


async def kinds(connection: AsyncConnection, guild_id: int | None, prefix: str) -> list[str]:
    """Return the kinds of a server's files with this prefix, without the prefix."""
    kind = kept_file.c.kind
    found = await connection.scalars(
        select(kind).where(kept_file.c.guild_id == guild_id, kind.startswith(prefix, autoescape=True)).order_by(kind)
    )
    return [item.removeprefix(prefix) for item in found]


async def store_file(connection: AsyncConnection, guild_id: int, kind: str, text: str, at: int) -> None:
    values = {"guild_id": guild_id, "kind": kind, "body": text, "at": at}
    await connection.execute(_PUT, values)


async def length_of_others(connection: AsyncConnection, guild_id: int, kind: str) -> int:
    """Return the number of characters of a server's files of other kinds."""
    others = select(_LENGTH).where(kept_file.c.guild_id == guild_id, kept_file.c.kind != kind)
    return int(await connection.scalar(others) or 0)


async def largest_total(connection: AsyncConnection) -> int:
    """Return the number of characters of the server that stores most."""
    largest = select(_LENGTH).group_by(kept_file.c.guild_id).order_by(_LENGTH.desc()).limit(1)
    return int(await connection.scalar(largest) or 0)


async def remove(connection: AsyncConnection, guild_id: int, kind: str) -> None:
    await connection.execute(delete(kept_file).where(_is(guild_id, kind)))

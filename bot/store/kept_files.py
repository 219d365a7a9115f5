"""Files that servers keep for games: one of a kind for each server.

Inside ``Database.transaction``, like everything here.
"""

from sqlalchemy import ColumnElement, and_, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import kept_file, upsert

_PUT = upsert(kept_file, ("guild_id", "kind"), ("body", "at"))
_LENGTH = func.coalesce(func.sum(func.length(kept_file.c.body)), 0)


def _is(guild_id: int, kind: str) -> ColumnElement[bool]:
    return and_(kept_file.c.guild_id == guild_id, kept_file.c.kind == kind)


async def kept_at(connection: AsyncConnection, guild_id: int, kind: str) -> int | None:
    """Return the time the file was stored; None if there is none."""
    at: int | None = await connection.scalar(select(kept_file.c.at).where(_is(guild_id, kind)))
    return at


async def body(connection: AsyncConnection, guild_id: int, kind: str) -> str | None:
    text: str | None = await connection.scalar(select(kept_file.c.body).where(_is(guild_id, kind)))
    return text


async def bodies(connection: AsyncConnection, guild_id: int, prefix: str) -> dict[str, str]:
    """Return all files of a server whose kind begins so, by the rest of their kind."""
    kind = kept_file.c.kind
    found = await connection.execute(
        select(kind, kept_file.c.body).where(kept_file.c.guild_id == guild_id, kind.startswith(prefix, autoescape=True))
    )
    return {row.kind.removeprefix(prefix): row.body for row in found}


async def kinds(connection: AsyncConnection, guild_id: int, prefix: str) -> list[str]:
    """Return the kinds of a server's files that begin so, without that beginning."""
    kind = kept_file.c.kind
    found = await connection.scalars(
        select(kind).where(kept_file.c.guild_id == guild_id, kind.startswith(prefix, autoescape=True)).order_by(kind)
    )
    return [item.removeprefix(prefix) for item in found]


async def store_file(connection: AsyncConnection, guild_id: int, kind: str, text: str, at: int) -> None:
    """Keep a file in place of the one of its kind."""
    values = {"guild_id": guild_id, "kind": kind, "body": text, "at": at}
    await connection.execute(_PUT, values)


async def length_of_others(connection: AsyncConnection, guild_id: int, kind: str) -> int:
    """The characters of what a server keeps of other kinds."""
    others = select(_LENGTH).where(kept_file.c.guild_id == guild_id, kept_file.c.kind != kind)
    return int(await connection.scalar(others) or 0)


async def largest_total(connection: AsyncConnection) -> int:
    """The characters of the server that keeps most."""
    largest = select(_LENGTH).group_by(kept_file.c.guild_id).order_by(_LENGTH.desc()).limit(1)
    return int(await connection.scalar(largest) or 0)


async def remove(connection: AsyncConnection, guild_id: int, kind: str) -> None:
    await connection.execute(delete(kept_file).where(_is(guild_id, kind)))

"""Files that servers keep for games: one of a kind for each server.

Inside ``Database.transaction``, like everything here.
"""

from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import kept_file, upsert

_IS_IT = (kept_file.c.guild_id == bindparam("of_server"), kept_file.c.kind == bindparam("of_kind"))
_AT = select(kept_file.c.at).where(*_IS_IT)
_BODY = select(kept_file.c.body).where(*_IS_IT)
_PUT = upsert(kept_file, ("guild_id", "kind"), ("body", "at"))
_LENGTH = func.coalesce(func.sum(func.length(kept_file.c.body)), 0)
_LENGTH_OF_OTHERS = select(_LENGTH).where(
    kept_file.c.guild_id == bindparam("of_server"), kept_file.c.kind != bindparam("of_kind")
)
_LARGEST = select(_LENGTH).group_by(kept_file.c.guild_id).order_by(_LENGTH.desc()).limit(1)
_REMOVE = delete(kept_file).where(*_IS_IT)


async def kept_at(connection: AsyncConnection, guild_id: int, kind: str) -> int | None:
    """When the file was kept; None where there is none."""
    at: int | None = await connection.scalar(_AT, {"of_server": guild_id, "of_kind": kind})
    return at


async def body(connection: AsyncConnection, guild_id: int, kind: str) -> str | None:
    text: str | None = await connection.scalar(_BODY, {"of_server": guild_id, "of_kind": kind})
    return text


async def put(connection: AsyncConnection, guild_id: int, kind: str, text: str, at: int) -> None:
    """Keep a file in place of the one of its kind."""
    values = {"guild_id": guild_id, "kind": kind, "body": text, "at": at}
    await connection.execute(_PUT, values)


async def length_of_others(connection: AsyncConnection, guild_id: int, kind: str) -> int:
    """The characters of what a server keeps of other kinds."""
    found = await connection.scalar(_LENGTH_OF_OTHERS, {"of_server": guild_id, "of_kind": kind})
    return int(found or 0)


async def largest(connection: AsyncConnection) -> int:
    """The characters of the server that keeps most."""
    return int(await connection.scalar(_LARGEST) or 0)


async def remove(connection: AsyncConnection, guild_id: int, kind: str) -> None:
    await connection.execute(_REMOVE, {"of_server": guild_id, "of_kind": kind})

"""What slash commands were last registered, as a digest per scope, so that a start registers only what changed."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import registration, upsert

_REMEMBER = upsert(registration, ("scope",), ("digest", "at"))


async def digest(connection: AsyncConnection, scope: str) -> str | None:
    """The digest remembered for a scope; None if nothing was ever registered there."""
    found: str | None = await connection.scalar(select(registration.c.digest).where(registration.c.scope == scope))
    return found


async def remember(connection: AsyncConnection, scope: str, digest: str, at: int) -> None:
    """Put a digest in place of the one before; ``at`` in seconds since 1970."""
    await connection.execute(_REMEMBER, {"scope": scope, "digest": digest, "at": at})

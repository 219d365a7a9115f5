"""The links to the tables that are watched on a second screen: one a channel, of which the SHA-256 alone is kept.

Inside ``Database.transaction``, like everything here.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import player, seat, session, upsert, watch_link


@dataclass(frozen=True, slots=True)
class WatchLink:
    """A link: its channel and server, who made it, the SHA-256 of its token in hex, and when it ends."""

    channel_id: int
    guild_id: int | None
    person_id: int
    digest: str
    until: int


_COLUMNS = [watch_link.c[name] for name in WatchLink.__slots__]
_KEEP = upsert(watch_link, ("channel_id",), ("guild_id", "person_id", "digest", "until"))
"""A new link takes the place of the one before."""


async def find(connection: AsyncConnection, digest: str) -> WatchLink | None:
    """The link with this digest, also one that has ended."""
    row = (await connection.execute(select(*_COLUMNS).where(watch_link.c.digest == digest))).one_or_none()
    return None if row is None else WatchLink(*row)


async def of_channels(connection: AsyncConnection, channels: Collection[int]) -> list[WatchLink]:
    """The links of some channels."""
    these = select(*_COLUMNS).where(watch_link.c.channel_id.in_(sorted(channels)))
    return [WatchLink(*row) for row in (await connection.execute(these)).all()]


async def takes_part(connection: AsyncConnection, channel_id: int, person_id: int) -> bool:
    """Whether somebody has pieces in a channel, or sat in a roll there."""
    sits = (
        select(seat.c.session_id)
        .join(session, session.c.id == seat.c.session_id)
        .where(session.c.channel_id == channel_id, seat.c.person_id == person_id)
    )
    plays = exists().where(player.c.channel_id == channel_id, player.c.person_id == person_id)
    return bool(await connection.scalar(select(or_(plays, exists(sits)))))


async def keep(connection: AsyncConnection, new: WatchLink) -> None:
    """Store a link, replacing the channel's previous one."""
    values = {name: getattr(new, name) for name in WatchLink.__slots__}
    await connection.execute(_KEEP, values)


async def drop(connection: AsyncConnection, channel_id: int) -> bool:
    """End the link of a channel; whether it had one."""
    return (await connection.execute(delete(watch_link).where(watch_link.c.channel_id == channel_id))).rowcount > 0


async def leave(connection: AsyncConnection, server_id: int) -> None:
    """End the links of a server."""
    await connection.execute(delete(watch_link).where(watch_link.c.guild_id == server_id))


async def sweep(connection: AsyncConnection, now: int) -> None:
    """Forget the links that have ended."""
    await connection.execute(delete(watch_link).where(watch_link.c.until <= now))

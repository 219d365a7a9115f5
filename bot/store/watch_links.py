"""The links for watching tables on a second screen: one per person and channel, stored as SHA-256 only. Runs inside
``Database.transaction``.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, delete, exists, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import player, seat, session, watch_link


@dataclass(frozen=True, slots=True)
class WatchLink:
    """A link: channel, server, maker, SHA-256 of its token, and end; ``is_player``: the maker has had pieces there."""

    channel_id: int
    guild_id: int | None
    person_id: int
    digest: str
    until: int
    is_player: bool = False


_KEPT = ("channel_id", "guild_id", "person_id", "digest", "until")
_PLAYS = exists().where(player.c.channel_id == watch_link.c.channel_id, player.c.person_id == watch_link.c.person_id)
_LINKS: Select[Any] = select(*(watch_link.c[name] for name in _KEPT), _PLAYS)


async def find(connection: AsyncConnection, digest: str) -> WatchLink | None:
    """Return the link with this digest, even if it has ended."""
    row = (await connection.execute(_LINKS.where(watch_link.c.digest == digest))).one_or_none()
    return None if row is None else WatchLink(*row)


async def of_channels(connection: AsyncConnection, channels: Collection[int]) -> list[WatchLink]:
    these = _LINKS.where(watch_link.c.channel_id.in_(sorted(channels)))
    return [WatchLink(*row) for row in (await connection.execute(these)).all()]


async def takes_part(connection: AsyncConnection, channel_id: int, person_id: int) -> bool:
    """Whether a person has pieces in a channel, or sat in a roll there."""
    sits = (
        select(seat.c.session_id)
        .join(session, session.c.id == seat.c.session_id)
        .where(session.c.channel_id == channel_id, seat.c.person_id == person_id)
    )
    plays = exists().where(player.c.channel_id == channel_id, player.c.person_id == person_id)
    return bool(await connection.scalar(select(or_(plays, exists(sits)))))


async def keep(connection: AsyncConnection, new: WatchLink) -> tuple[WatchLink, list[str]]:
    """Store a link, replacing its person's previous one; return it and the previous digest."""
    before = await drop(connection, new.channel_id, new.person_id)
    await connection.execute(insert(watch_link).values({name: getattr(new, name) for name in _KEPT}))
    return await find(connection, new.digest) or new, before


async def drop(connection: AsyncConnection, channel_id: int, person_id: int | None = None) -> list[str]:
    """End the links of a channel or of one person; return their digests."""
    these = watch_link.c.channel_id == channel_id
    if person_id is not None:
        these = and_(these, watch_link.c.person_id == person_id)
    return list((await connection.scalars(delete(watch_link).where(these).returning(watch_link.c.digest))).all())


async def leave(connection: AsyncConnection, server_id: int) -> None:
    await connection.execute(delete(watch_link).where(watch_link.c.guild_id == server_id))


async def sweep(connection: AsyncConnection, now: int) -> None:
    await connection.execute(delete(watch_link).where(watch_link.c.until <= now))

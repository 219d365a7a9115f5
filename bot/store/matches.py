"""The rolls of a match: since when a channel has been playing, and its rolls or those of one person as they stand."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, and_, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.history import IS_UNDONE, seats
from bot.store.schema import THE_TABLE, ply, seat, session
from bot.store.sessions import STANDING, Newest, newest_of

LOOKED_AT: Final = 5000
"""So many of the newest presses of a channel are looked at."""


@dataclass(frozen=True, slots=True)
class Press:
    """When somebody pressed, what was taken, and whether it was taken back."""

    id: int
    at: int
    offer: str
    is_undone: bool


_PRESSES = (
    select(ply.c.id, ply.c.at, ply.c.offer, IS_UNDONE)
    .where(ply.c.channel_id == bindparam("in_channel"))
    .order_by(ply.c.id.desc())
    .limit(LOOKED_AT)
)
_CHANGES = (
    select(ply.c.changes)
    .where(ply.c.channel_id == bindparam("in_channel"), ply.c.id >= bindparam("first"), ply.c.changes != "[]")
    .order_by(ply.c.id)
)
_OF_CHANNEL = select(ply.c.session_id).where(
    ply.c.channel_id == bindparam("in_channel"), ply.c.id >= bindparam("first")
)
_OF_PERSON = select(seat.c.session_id).where(seat.c.person_id == bindparam("person"))


def standing(sessions: Select[Any]) -> Select[Any]:
    """The newest of some sessions with the newest of their plies; table steps are left out.

    So are rolls that were made in secret, even when they were revealed: people show those that went well.
    """
    some = (
        select(session.c.id)
        .where(session.c.id.in_(sessions), session.c.game != THE_TABLE, session.c.secrecy.is_(None))
        .order_by(session.c.id.desc())
        .limit(bindparam("most"))
        .cte("rolls")
    )
    newest = select(func.max(ply.c.number)).where(ply.c.session_id == some.c.id).correlate(some).scalar_subquery()
    return (
        select(*STANDING, session.c.id)
        .select_from(some)
        .join(session, session.c.id == some.c.id)
        .join(ply, and_(ply.c.session_id == session.c.id, ply.c.number == newest))
        .order_by(session.c.id)
    )


_ROLLS_OF_CHANNEL, _ROLLS_OF_PERSON = standing(_OF_CHANNEL), standing(_OF_PERSON)


async def presses(connection: AsyncConnection, channel_id: int) -> tuple[Press, ...]:
    """The newest presses of a channel, newest first."""
    return tuple(Press(*row) for row in (await connection.execute(_PRESSES, {"in_channel": channel_id})).all())


async def changes_since(connection: AsyncConnection, channel_id: int, first: int) -> list[str]:
    """What plies of a channel changed on pieces, from a ply on, oldest first."""
    return list((await connection.scalars(_CHANGES, {"in_channel": channel_id, "first": first})).all())


async def rolls_since(connection: AsyncConnection, channel_id: int, first: int, most: int) -> tuple[Newest, ...]:
    """The rolls of a channel on which somebody pressed from a ply on, the newest ``most``, oldest first."""
    return await _rolls(connection, _ROLLS_OF_CHANNEL, {"in_channel": channel_id, "first": first, "most": most})


async def rolls_of(connection: AsyncConnection, person: int, most: int) -> tuple[Newest, ...]:
    """The newest rolls in which somebody ever sat, oldest first."""
    return await _rolls(connection, _ROLLS_OF_PERSON, {"person": person, "most": most})


async def _rolls(connection: AsyncConnection, query: Select[Any], values: dict[str, int]) -> tuple[Newest, ...]:
    found = (await connection.execute(query, values)).all()
    sitting = await seats(connection, {row.id for row in found}) if found else {}
    return tuple(newest_of(row, row.id, sitting.get(row.id, {})) for row in found)

"""Rolls in play: who opened one, each press that counted, and who sits where.

Text called JSON is kept as it comes; what it means is the business of ``bot.sessions``. Moments are whole seconds since
1970. Everything here runs inside ``Database.transaction`` and is one statement on SQLite, where each costs a hop to
another thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import and_, bindparam, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.driver import LATER
from bot.store.schema import ply, seat, session


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side, and the name that the cards use."""

    person_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Newest:
    """A session with the newest of its plies; ``person_id`` is who made that ply, ``seats`` goes by side."""

    session_id: int
    game: str
    guild_id: int | None
    channel_id: int
    number: int
    person_id: int
    offer: str
    schema: int
    state: str
    seats: Mapping[str, Seat]


@dataclass(frozen=True, slots=True)
class Ply:
    """One press that counted: what was offered and taken, every draw of chance, and the state that came of it."""

    session_id: int
    number: int
    person_id: int
    offer: str
    choice: str
    draws: str
    schema: int
    state: str
    at: int


_ADD = insert(session).returning(session.c.id)
_ADD_PLY = insert(ply).prefix_with(LATER).inline()
_ADD_SEAT = insert(seat).prefix_with(LATER).inline()
_LAST = select(func.max(ply.c.number)).where(ply.c.session_id == bindparam("session_id")).scalar_subquery()
_NEWEST = (
    select(
        session.c.game,
        session.c.guild_id,
        session.c.channel_id,
        ply.c.number,
        ply.c.person_id,
        ply.c.offer,
        ply.c.schema,
        ply.c.state,
        seat.c.side,
        seat.c.person_id.label("seated_id"),
        seat.c.name,
    )
    .select_from(session)
    .join(ply, and_(ply.c.session_id == session.c.id, ply.c.number == _LAST))
    .outerjoin(seat, seat.c.session_id == session.c.id)
    .where(session.c.id == bindparam("session_id"))
)
_LOCK = select(session.c.id).where(session.c.id == bindparam("session_id")).with_for_update()
_PLIES = select(ply).where(ply.c.session_id == bindparam("session_id")).order_by(ply.c.number)


async def add(
    connection: AsyncConnection, *, game: str, guild_id: int | None, channel_id: int, opened_by: int, at: int
) -> int:
    """Open a session and return its id. It has no ply yet: add the first in the same transaction."""
    values = {"game": game, "guild_id": guild_id, "channel_id": channel_id, "opened_by": opened_by, "opened_at": at}
    key: int = (await connection.execute(_ADD, values)).scalar_one()
    return key


async def newest(connection: AsyncConnection, session_id: int) -> Newest | None:
    """The session as it stands, locked until the transaction ends; None if there is none with a ply."""
    if connection.dialect.name == "postgresql":
        # SQLite holds its one lock already. A lock taken while reading would wait, then show what was there before.
        await connection.execute(_LOCK, {"session_id": session_id})
    rows = (await connection.execute(_NEWEST, {"session_id": session_id})).all()
    if not rows:
        return None
    row = rows[0]
    return Newest(
        session_id=session_id,
        game=row.game,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        number=row.number,
        person_id=row.person_id,
        offer=row.offer,
        schema=row.schema,
        state=row.state,
        seats={row.side: Seat(row.seated_id, row.name) for row in rows if row.side is not None},
    )


async def add_ply(
    connection: AsyncConnection,
    *,
    session_id: int,
    number: int,
    person_id: int,
    offer: str,
    choice: str,
    draws: str,
    schema: int,
    state: str,
    at: int,
) -> None:
    """Keep one press. If the session has a ply of that number, the transaction ends in ``IntegrityError``."""
    values = {
        "session_id": session_id,
        "number": number,
        "person_id": person_id,
        "offer": offer,
        "choice": choice,
        "draws": draws,
        "schema": schema,
        "state": state,
        "at": at,
    }
    await connection.execute(_ADD_PLY, values)


async def add_seat(connection: AsyncConnection, session_id: int, side: str, person_id: int, name: str) -> None:
    """Seat somebody. If the side is taken, the transaction ends in ``IntegrityError``."""
    values = {"session_id": session_id, "side": side, "person_id": person_id, "name": name}
    await connection.execute(_ADD_SEAT, values)


async def plies(connection: AsyncConnection, session_id: int) -> tuple[Ply, ...]:
    """Every press of a session, oldest first."""
    rows = (await connection.execute(_PLIES, {"session_id": session_id})).all()
    return tuple(Ply(*row) for row in rows)

"""Rolls in play: who opened one, each press that counted, and who sits where.

Text called JSON is kept as it comes; what it means is the business of ``bot.sessions``. Moments are whole seconds since
1970. Everything here runs inside ``Database.transaction`` and is one statement on SQLite, where each costs a hop to
another thread.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import and_, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.driver import LATER
from bot.store.schema import ply, redraw, seat, session


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side, and the name that the cards use."""

    person_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Newest:
    """A session with the newest of its plies; ``person_id`` is who made that ply, ``seats`` goes by side.

    ``redraws`` are draws that the next plies use again, ``message_id`` where the roll is shown, if that is known,
    ``opened_by`` who opened it.
    """

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
    redraws: str = "[]"
    message_id: int | None = None
    opened_by: int = 0


@dataclass(frozen=True, slots=True)
class Ply:
    """One press that counted: what was offered and taken, every draw of chance, and the state that came of it.

    ``redraws`` are draws taken back and still to be used, ``changes`` the pieces before and after, ``undoes`` the id
    of the ply that this one took back.
    """

    session_id: int
    number: int
    person_id: int
    offer: str
    choice: str
    draws: str
    schema: int
    state: str
    at: int
    channel_id: int
    redraws: str = "[]"
    changes: str = "[]"
    undoes: int | None = None


_WAITS = (
    select(redraw.c.draws)
    .where(redraw.c.channel_id == bindparam("in_channel"), redraw.c.game == bindparam("of_game"))
    .scalar_subquery()
)
_ADD = insert(session).returning(session.c.id, _WAITS.label("waits"))
_REDRAW = and_(redraw.c.channel_id == bindparam("in_channel"), redraw.c.game == bindparam("of_game"))
_TAKE_REDRAW = delete(redraw).where(_REDRAW).returning(redraw.c.draws)
_ADD_REDRAW = insert(redraw)
_SHOWN = update(session).where(session.c.id == bindparam("of_session")).values(message_id=bindparam("message"))
_PLY = select(*(ply.c[name] for name in Ply.__slots__))
_ADD_PLY = insert(ply).prefix_with(LATER).inline()
_ADD_SEAT = insert(seat).prefix_with(LATER).inline()
_FREE_SEATS = delete(seat).where(seat.c.session_id == bindparam("of_session"), seat.c.since == bindparam("from_ply"))
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
        ply.c.redraws,
        session.c.message_id,
        session.c.opened_by,
        seat.c.side,
        seat.c.person_id.label("seated_id"),
        seat.c.name,
    )
    .select_from(session)
    .join(ply, and_(ply.c.session_id == session.c.id, ply.c.number == _LAST))
    .outerjoin(seat, seat.c.session_id == session.c.id)
    .where(session.c.id == bindparam("session_id"))
    .order_by(seat.c.since)
)
_LOCK = select(session.c.id).where(session.c.id == bindparam("session_id")).with_for_update()
_PLIES = _PLY.where(ply.c.session_id == bindparam("session_id")).order_by(ply.c.number)


async def add(
    connection: AsyncConnection, *, game: str, guild_id: int | None, channel_id: int, opened_by: int, at: int
) -> tuple[int, bool]:
    """Open a session; return its id, and whether draws of an opening that was taken back wait for it.

    It has no ply yet: add the first in the same transaction.
    """
    values = {"game": game, "guild_id": guild_id, "channel_id": channel_id, "opened_by": opened_by, "opened_at": at}
    row = (await connection.execute(_ADD, values | {"in_channel": channel_id, "of_game": game})).one()
    return row.id, row.waits is not None


async def take_redraw(connection: AsyncConnection, channel_id: int, game: str) -> str:
    """The draws that wait for the next opening of a game in a channel, to be used by the one who takes them."""
    draws = await connection.scalar(_TAKE_REDRAW, {"in_channel": channel_id, "of_game": game})
    return str(draws or "[]")


async def add_redraw(connection: AsyncConnection, channel_id: int, game: str, draws: str) -> None:
    """Let draws wait for the next opening. Take those that wait already first."""
    await connection.execute(_ADD_REDRAW, {"channel_id": channel_id, "game": game, "draws": draws})


async def remember_messages(connection: AsyncConnection, messages: Mapping[int, int]) -> None:
    """Remember where sessions are shown: message ids by session."""
    await connection.execute(_SHOWN, [{"of_session": key, "message": message} for key, message in messages.items()])


async def newest(connection: AsyncConnection, session_id: int) -> Newest | None:
    """The session as it stands, locked until the transaction ends; None if there is none with a ply."""
    if connection.dialect.name == "postgresql":
        # SQLite holds its one lock already. A lock taken while reading would wait, then show what was there before.
        await connection.execute(_LOCK, {"session_id": session_id})
    rows = (await connection.execute(_NEWEST, {"session_id": session_id})).all()
    if not rows:
        return None
    return newest_of(rows[0], session_id, seated((row.side, row.seated_id, row.name) for row in rows))


def seated(rows: Iterable[tuple[str | None, int | None, str]]) -> dict[str, Seat]:
    """Who sits where, from (side, person, name) in the order in which they sat down."""
    last = {side: (person, name) for side, person, name in rows if side is not None}
    return {side: Seat(person, name) for side, (person, name) in last.items() if person is not None}


def newest_of(row: Any, session_id: int, seats: Mapping[str, Seat]) -> Newest:
    """A session as it stands, from a row that has the columns of ``Newest`` by their names."""
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
        seats=seats,
        redraws=row.redraws,
        message_id=row.message_id,
        opened_by=row.opened_by,
    )


async def add_ply(connection: AsyncConnection, made: Ply) -> None:
    """Keep one press. If the session has a ply of that number, the transaction ends in ``IntegrityError``."""
    await connection.execute(_ADD_PLY, asdict(made))


async def add_seat(
    connection: AsyncConnection, session_id: int, side: str, person_id: int | None, name: str, since: int = 0
) -> None:
    """Seat somebody from a ply on, or, without a person, let anybody take the side."""
    values = {"session_id": session_id, "side": side, "person_id": person_id, "name": name, "since": since}
    await connection.execute(_ADD_SEAT, values)


async def free_seats(connection: AsyncConnection, session_id: int, since: int) -> None:
    """Seat again on a side whoever sat there before a ply."""
    await connection.execute(_FREE_SEATS, {"of_session": session_id, "from_ply": since})


async def plies(connection: AsyncConnection, session_id: int) -> tuple[Ply, ...]:
    """Every press of a session, oldest first."""
    rows = (await connection.execute(_PLIES, {"session_id": session_id})).all()
    return tuple(Ply(*row) for row in rows)

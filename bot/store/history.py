"""The history of a channel: all its rolls and table steps in one order, except rolls that are still secret."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, exists, func, or_, select
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import TABLE as TABLE, THE_TABLE, ply, seat, session
from bot.store.seals import open_chain
from bot.store.sessions import IS_HIDDEN, SEATED, STANDING, Newest, Ply, Seat, newest_of, seats_of
from bot.store.sqlite_driver import hot_statement

ASK, ALLOW, REFUSE = "ask", "allow", "refuse"
REQUESTS = (ASK, ALLOW, REFUSE)
"""Offers of table steps that request an undo or answer such a request."""

LOOKED_AT = 5000
"""Maximum number of a channel's newest plies to search, so that the cost doesn't grow with age."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A ply in the history: its id, its session's game and message, and whether it was undone."""

    id: int
    game: str
    message_id: int | None
    is_undone: bool
    ply: Ply


_undo = ply.alias("undo")
IS_UNDONE = exists(select(_undo.c.id).where(_undo.c.undoes == ply.c.id)).label("is_undone")
_COLUMNS = [ply.c[name] for name in Ply.__slots__]
_HAPPENED = (
    select(ply.c.id.label("ply_id"), session.c.game, session.c.message_id, IS_UNDONE, *_COLUMNS)
    .join(session, session.c.id == ply.c.session_id)
    .where(~IS_HIDDEN)
)
_IS_NO_REQUEST = and_(*(ply.c.offer != request for request in REQUESTS))
_CAN_UNDO = and_(ply.c.undoes.is_(None), ~IS_UNDONE.element, _IS_NO_REQUEST)
_LAST = hot_statement(
    _HAPPENED.where(ply.c.channel_id == bindparam("in_channel"), _CAN_UNDO).order_by(ply.c.id.desc()).limit(1)
)
_PLY = hot_statement(
    select(*_COLUMNS).where(ply.c.session_id == bindparam("of_session"), ply.c.number == bindparam("at_number"))
)
_answer = ply.alias("answer")
_IS_ANSWERED = exists().where(_answer.c.about == ply.c.id, _answer.c.offer != ASK)
_OLDEST = (
    select(ply.c.id)
    .where(ply.c.channel_id == bindparam("in_channel"))
    .order_by(ply.c.id.desc())
    .limit(1)
    .offset(LOOKED_AT)
    .scalar_subquery()
)
_RECENT = hot_statement(
    _HAPPENED.where(ply.c.channel_id == bindparam("in_channel"), ply.c.id > func.coalesce(_OLDEST, 0))
    .order_by(ply.c.id.desc())
    .limit(bindparam("most"))
)
_BEGIN_TABLE = Insert(session).on_conflict_do_nothing()  # PostgreSQL's syntax is the same
_TABLE = hot_statement(
    select(session.c.id)
    .where(session.c.channel_id == bindparam("in_channel"), session.c.game == THE_TABLE)
    .with_for_update()
)
_OPEN = open_chain(bindparam("in_channel")).scalar_subquery()
_NUMBER = hot_statement(
    select(func.coalesce(func.max(ply.c.number), -1), _OPEN).where(ply.c.session_id == bindparam("of_session"))
)


def newest_rolls(*which: ColumnElement[bool]) -> Select[Any]:
    """Return a query of the newest rolls that ``which`` selects: one row per seat."""
    some = (
        select(session.c.id)
        .where(session.c.game != THE_TABLE, *which)
        .order_by(session.c.id.desc())
        .limit(bindparam("most"))
        .cte("rolls")
    )
    number = select(func.max(ply.c.number)).where(ply.c.session_id == some.c.id).correlate(some).scalar_subquery()
    return (
        select(*STANDING, ply.c.session_id, *SEATED)
        .select_from(some)
        .join(session, session.c.id == some.c.id)
        .join(ply, and_(ply.c.session_id == session.c.id, ply.c.number == number))
        .outerjoin(seat, seat.c.session_id == session.c.id)
        .order_by(session.c.id.desc(), seat.c.since)
    )


_IS_HERE = session.c.channel_id == bindparam("in_channel")
_ROLLS = hot_statement(newest_rolls(_IS_HERE, ~IS_HIDDEN))
_SECRETS = newest_rolls(
    _IS_HERE,
    IS_HIDDEN,
    or_(
        and_(session.c.secrecy == "secret", session.c.opened_by == bindparam("person")),
        and_(session.c.secrecy == "blind", bindparam("is_gm") == 1),
    ),
)
_PRESSED = select(ply.c.session_id).where(ply.c.channel_id == bindparam("in_channel"), ply.c.id >= bindparam("first"))
_WAS_OPEN = session.c.secrecy.is_(None)
_ROLLS_SINCE = newest_rolls(session.c.id.in_(_PRESSED), _WAS_OPEN)
_ROLLS_OF = newest_rolls(
    session.c.id.in_(select(seat.c.session_id).where(seat.c.person_id == bindparam("person"))), _WAS_OPEN
)


def history_row(row: Row[Any]) -> HistoryRow:
    return HistoryRow(row.ply_id, row.game, row.message_id, row.is_undone, Ply(*tuple(row)[4:]))


async def last_ply(connection: AsyncConnection, channel_id: int) -> HistoryRow | None:
    """Return the newest ply of a channel that can be undone: no undo, nothing undone, no request or answer."""
    return await _read_one(connection, _LAST, {"in_channel": channel_id})


async def _read_one(
    connection: AsyncConnection, query: Select[Any], values: Mapping[str, int] | None = None
) -> HistoryRow | None:
    row = (await connection.execute(query, values)).one_or_none()
    return None if row is None else history_row(row)


async def last_ply_of_session(connection: AsyncConnection, session_id: int) -> HistoryRow | None:
    """Return the newest ply of a session that can be undone."""
    of_session = _HAPPENED.where(ply.c.session_id == session_id, _CAN_UNDO)
    return await _read_one(connection, of_session.order_by(ply.c.number.desc()).limit(1))


async def ply_with(connection: AsyncConnection, ply_id: int) -> HistoryRow | None:
    """Return a ply by its id; None if it was deleted."""
    return await _read_one(connection, _HAPPENED.where(ply.c.id == ply_id))


async def request_at(connection: AsyncConnection, session_id: int, number: int) -> HistoryRow | None:
    """Return an unanswered undo request; its ``is_undone`` is meaningless."""
    at = (ply.c.session_id == session_id, ply.c.number == number)
    return await _read_one(connection, _HAPPENED.where(*at, ply.c.offer == ASK, ~_IS_ANSWERED))


async def request_for(connection: AsyncConnection, last: HistoryRow, person_id: int) -> tuple[int, int, bool] | None:
    """Return a person's newest request to undo ``last``: session, number there, whether it was refused. A refusal
    counts until something else happens on that ply's roll; then None.
    """
    theirs = select(ply).where(ply.c.about == last.id, ply.c.offer == ASK, ply.c.person_id == person_id)
    ask = (await connection.execute(theirs.order_by(ply.c.id.desc()).limit(1))).one_or_none()
    if ask is None:
        return None
    refused = await connection.scalar(select(ply.c.id).where(ply.c.about == ask.id, ply.c.offer == REFUSE).limit(1))
    if refused is None:
        return ask.session_id, ask.number, False
    since = select(ply.c.id).where(ply.c.session_id == last.ply.session_id, ply.c.id > refused, _IS_NO_REQUEST)
    return None if await connection.scalar(select(exists(since))) else (ask.session_id, ask.number, True)


async def ply_at(connection: AsyncConnection, session_id: int, number: int) -> Ply | None:
    """Return one ply of a session; None if it was deleted."""
    row = (await connection.execute(_PLY, {"of_session": session_id, "at_number": number})).one_or_none()
    return None if row is None else Ply(*row)


async def recent_plies(
    connection: AsyncConnection, channel_id: int, person_id: int | None, game: str | None, most: int
) -> tuple[HistoryRow, ...]:
    """Return a channel's newest plies, newest first, optionally of one person or game only."""
    query, values = _RECENT, {"in_channel": channel_id, "most": most}
    if person_id is not None:
        query, values = query.where(ply.c.person_id == bindparam("person")), values | {"person": person_id}
    if game is not None:
        query = query.where(session.c.game == game)
    rows = (await connection.execute(query, values)).all()
    return tuple(history_row(row) for row in rows)


async def plies_since(connection: AsyncConnection, channel_id: int, first: int, most: int) -> tuple[HistoryRow, ...]:
    """Return up to ``most`` plies of a channel from id ``first`` on, oldest first, without secret rolls. Plies made
    while a roll was secret stay out after it was revealed.
    """
    query = _HAPPENED.where(ply.c.channel_id == channel_id, ply.c.id >= first).order_by(ply.c.id).limit(most)
    return tuple(history_row(row) for row in (await connection.execute(query)).all())


async def seats(connection: AsyncConnection, result: Iterable[HistoryRow]) -> dict[int, dict[str, Seat]]:
    """Return the seats of some plies' rolls, by session and side."""
    sessions = sorted({row.ply.session_id for row in result})
    these = select(seat.c.session_id, *SEATED).where(seat.c.session_id.in_(sessions))
    rows = (await connection.execute(these.order_by(seat.c.session_id, seat.c.since))).all()
    return {key: seats_of(held) for key, held in groupby(rows, attrgetter("session_id"))}


async def rolls(connection: AsyncConnection, channel_id: int, most: int) -> tuple[Newest, ...]:
    """Return the newest rolls of a channel, newest first."""
    return await _standing(connection, _ROLLS, {"in_channel": channel_id, "most": most})


async def secrets(
    connection: AsyncConnection, channel_id: int, person_id: int, most: int, *, is_gm: bool
) -> tuple[Newest, ...]:
    """Return the newest secret rolls of a channel that this person may see, newest first."""
    values = {"in_channel": channel_id, "person": person_id, "is_gm": int(is_gm), "most": most}
    return await _standing(connection, _SECRETS, values)


async def _standing(connection: AsyncConnection, query: Select[Any], values: dict[str, int]) -> tuple[Newest, ...]:
    rows = (await connection.execute(query, values)).all()
    result = ((key, list(held)) for key, held in groupby(rows, attrgetter("session_id")))
    return tuple(newest_of(held[0], key, seats_of(held)) for key, held in result)


async def presses(connection: AsyncConnection, channel_id: int) -> Sequence[Row[Any]]:
    """Return the newest presses of a channel, newest first: ``id``, ``at``, ``offer`` (the choice), ``is_undone``."""
    query = select(ply.c.id, ply.c.at, ply.c.offer, IS_UNDONE).where(ply.c.channel_id == channel_id)
    return (await connection.execute(query.order_by(ply.c.id.desc()).limit(LOOKED_AT))).all()


async def changes_since(connection: AsyncConnection, channel_id: int, first: int) -> list[str]:
    """Return the changes to pieces in a channel since ``first``, oldest first."""
    since = (ply.c.channel_id == channel_id, ply.c.id >= first, ply.c.changes != "[]")
    return list((await connection.scalars(select(ply.c.changes).where(*since).order_by(ply.c.id))).all())


async def rolls_since(connection: AsyncConnection, channel_id: int, first: int, most: int) -> tuple[Newest, ...]:
    """Return the newest ``most`` rolls of a channel with a ply from ``first`` on, oldest first. Rolls made in secret
    are left out even if revealed: people reveal the good ones.
    """
    return (await _standing(connection, _ROLLS_SINCE, {"in_channel": channel_id, "first": first, "most": most}))[::-1]


async def rolls_of(connection: AsyncConnection, person: int, most: int) -> tuple[Newest, ...]:
    """Return the newest rolls in which a person ever sat, oldest first, without secret ones as above."""
    return (await _standing(connection, _ROLLS_OF, {"person": person, "most": most}))[::-1]


async def begin_table(
    connection: AsyncConnection, guild_id: int | None, channel_id: int, *, opened_by: int, at: int
) -> None:
    """Create the session of a channel's table steps, unless another process does at the same time."""
    values = {"game": TABLE, "guild_id": guild_id, "channel_id": channel_id, "opened_by": opened_by, "opened_at": at}
    await connection.execute(_BEGIN_TABLE, values)


async def table(connection: AsyncConnection, channel_id: int) -> tuple[int, int, str | None] | None:
    """Lock the session of a channel's table steps; None if there is none yet.

    Returns its id, its newest ply's number (-1 before the first), and the chain end of its sealed table.
    """
    key = await connection.scalar(_TABLE, {"in_channel": channel_id})
    if key is None:
        return None
    number, open_seal = (await connection.execute(_NUMBER, {"of_session": key, "in_channel": channel_id})).one()
    return key, number, open_seal

"""Rolls in play: who opened one, each press that counted, and who sits where.

Text called JSON is stored as given; ``bot.sessions`` defines it. Times are whole seconds since 1970. Everything runs
inside ``Database.transaction``, in one statement on SQLite, where each costs a thread hop.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, insert, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import A_CLOSING, CLOSE as CLOSE, THE_TABLE, ply, redraw, seal_ply, seat, session
from bot.store.seals import MARK, open_chain
from bot.store.sqlite_driver import hot_statement


@dataclass(frozen=True, slots=True)
class Seat:
    """The person on a side, and their name on cards."""

    person_id: int
    name: str


class DuplicateInteractionError(Exception):
    """Discord delivered an interaction twice, and it has already counted; nothing is changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A roll's opening and its state apart from its plies.

    ``message_id`` shows it, if known. ``repeats``: the roll whose values it repeats for the ``nth`` time, shown by
    ``repeats_message_id``. ``is_repeated``: another roll repeats this one. ``revealed_at``: when a secret roll was
    revealed.
    """

    message_id: int | None = None
    opened_by: int = 0
    opened_at: int = 0
    repeats: int | None = None
    nth: int = 1
    repeats_message_id: int | None = None
    is_repeated: bool = False
    revealed_at: int | None = None


@dataclass(frozen=True, slots=True)
class Newest(Opened):
    """A session with its newest ply; ``person_id`` made that ply, ``seats`` is by side.

    ``has_redraws``: undone draws wait in its channel, for anyone. ``open_seal``: the chain end of its channel's sealed
    table. ``seal_mark``: its last ply's position in its own sealed table's chain (table id, position, hash, joined by
    colons). ``secrecy``: ``secret`` or ``blind``.
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
    has_redraws: bool = False
    open_seal: str | None = None
    seal_mark: str | None = None
    secrecy: str | None = None

    @property
    def is_hidden(self) -> bool:
        return self.secrecy is not None and self.revealed_at is None


@dataclass(frozen=True, slots=True)
class Ply:
    """A press that counted: the offer taken, every draw, and the resulting state.

    ``changes``: pieces before and after. ``undoes``: id of the undone ply. ``about``: the ply that a request is about,
    or the request that an answer is about. ``interaction_id``: Discord's.
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
    changes: str = "[]"
    undoes: int | None = None
    about: int | None = None
    interaction_id: int | None = None


@dataclass(frozen=True, slots=True)
class Redraws:
    """Unused draws (JSON text) of an undone ply."""

    ply_id: int
    session_id: int
    channel_id: int
    draws: str


PRACTICE: Final = "practice"
"""The ``secrecy`` of a practice roll."""
IS_HIDDEN: Final = and_(session.c.secrecy.isnot(None), session.c.revealed_at.is_(None))
"""Condition on a session: secret and not revealed yet. Everything that reads rolls for everyone excludes these."""
_WAIT_IN = exists().where(redraw.c.channel_id == bindparam("in_channel"))
_ADD = hot_statement(
    insert(session).returning(
        session.c.id,
        _WAIT_IN.label("waits"),
        exists().where(ply.c.interaction_id == bindparam("of_interaction")).label("is_known"),
        open_chain(bindparam("in_channel")).scalar_subquery().label("open_seal"),
    )
)
_IS_THEIRS = exists().where(ply.c.id == redraw.c.ply_id, ply.c.person_id == bindparam("of_person"))
_TAKE_REDRAWS = hot_statement(
    delete(redraw)
    .where(redraw.c.channel_id == bindparam("in_channel"), _IS_THEIRS)
    .returning(redraw.c.id, *(redraw.c[name] for name in Redraws.__slots__))
)
_OF_INTERACTION = hot_statement(select(ply.c.session_id).where(ply.c.interaction_id == bindparam("of_interaction")))
_SHOWN = (
    update(session)
    .where(session.c.id == bindparam("of_session"))
    .values(message_id=bindparam("message"), is_lost=bindparam("lost"), answer=None)
)
_IS_NEW = session.c.id.in_(select(session.c.id).order_by(session.c.id.desc()).limit(1000))
_ADD_PLY = hot_statement(insert(ply).inline())
_ADD_SEAT = hot_statement(insert(seat).inline())
_FREE_SEATS = delete(seat).where(seat.c.session_id == bindparam("of_session"), seat.c.since == bindparam("from_ply"))
_LAST = select(func.max(ply.c.number)).where(ply.c.session_id == bindparam("session_id")).scalar_subquery()
_repeated, _repeat, _closing = session.alias("repeated"), session.alias("repeat"), ply.alias("closing")
_IS_CLOSED = exists().where(_closing.c.session_id == _repeat.c.id, _closing.c.offer == A_CLOSING)
STANDING = [
    *(session.c[name] for name in ("game", "guild_id", "channel_id", "message_id", "opened_by", "opened_at")),
    *(session.c[name] for name in ("secrecy", "revealed_at", "repeats", "nth")),
    select(_repeated.c.message_id)
    .where(_repeated.c.id == session.c.repeats)
    .scalar_subquery()
    .label("repeats_message_id"),
    exists().where(_repeat.c.repeats == session.c.id, ~_IS_CLOSED).label("is_repeated"),
    exists().where(redraw.c.channel_id == session.c.channel_id).label("has_redraws"),
    open_chain(session.c.channel_id).scalar_subquery().label("open_seal"),
    select(MARK)
    .where(seal_ply.c.session_id == session.c.id)
    .order_by(seal_ply.c.number.desc())
    .limit(1)
    .scalar_subquery()
    .label("seal_mark"),
    *(ply.c[name] for name in ("number", "person_id", "offer", "schema", "state")),
]
"""Columns of a session and its newest ply, named like ``Newest``."""
SEATED = [seat.c.side, seat.c.person_id.label("seated_id"), seat.c.name]
"""Columns of the seats, one row each."""
_NEWEST = hot_statement(
    select(*STANDING, *SEATED)
    .select_from(session)
    .join(ply, and_(ply.c.session_id == session.c.id, ply.c.number == _LAST))
    .outerjoin(seat, seat.c.session_id == session.c.id)
    .where(session.c.id == bindparam("session_id"))
    .order_by(seat.c.since)
)
_LOCK = select(session.c.id).where(session.c.id == bindparam("session_id")).with_for_update()
_SOME = (
    select(session.c.id, session.c.channel_id, session.c.opened_by)
    .where(
        _IS_NEW,
        session.c.secrecy.is_(None),  # a private card is requested again by its viewer
        session.c.opened_by != 0,
    )
    .order_by(session.c.id)
)


async def add(
    connection: AsyncConnection,
    *,
    game: str,
    guild_id: int | None,
    channel_id: int,
    opened_by: int,
    at: int,
    repeats: int | None = None,
    nth: int = 1,
    interaction_id: int | None = None,
    secrecy: str | None = None,
    answer: str | None = None,
) -> tuple[int, bool, str | None]:
    """Open a session; ``answer``: the token for looking up its message.

    Returns its id, whether undone draws wait in its channel for anyone, and ``open_seal`` as in ``Newest``. Add the
    first ply in the same transaction. Raises ``DuplicateInteractionError``.
    """
    values = {"game": game, "guild_id": guild_id, "channel_id": channel_id, "opened_by": opened_by, "opened_at": at}
    values |= {"repeats": repeats, "nth": nth, "secrecy": secrecy, "answer": answer}
    sought = {"in_channel": channel_id}
    row = (await connection.execute(_ADD, values | sought | {"of_interaction": interaction_id})).one()
    if row.is_known:
        raise DuplicateInteractionError
    return row.id, bool(row.waits), row.open_seal


async def take_redraws(connection: AsyncConnection, channel_id: int, person_id: int) -> list[Redraws]:
    """Take the undone draws that wait for a person in a channel, last undone first."""
    rows = (await connection.execute(_TAKE_REDRAWS, {"in_channel": channel_id, "of_person": person_id})).all()
    return [Redraws(*row[1:]) for row in sorted(rows, key=lambda row: -row.id)]


async def add_redraws(connection: AsyncConnection, redraws: Redraws) -> None:
    """Store undone draws, unless their roll was deleted meanwhile."""
    if await connection.scalar(_LOCK, {"session_id": redraws.session_id}) is not None:
        await connection.execute(insert(redraw), asdict(redraws))


async def session_of(connection: AsyncConnection, interaction_id: int) -> int | None:
    """Return the session in which an interaction has counted; None for a new one."""
    result: int | None = await connection.scalar(_OF_INTERACTION, {"of_interaction": interaction_id})
    return result


async def remember_messages(connection: AsyncConnection, messages: Mapping[int, int | None]) -> None:
    """Store message ids by session; None for a card that Discord rejected."""
    rows = [{"of_session": key, "message": item, "lost": int(item is None)} for key, item in messages.items()]
    await connection.execute(_SHOWN, rows)


async def answer(connection: AsyncConnection, session_id: int) -> str | None:
    """Return the token for looking up a roll's message, while it is kept."""
    result: str | None = await connection.scalar(select(session.c.answer).where(session.c.id == session_id))
    return result


async def forget_answers(connection: AsyncConnection, before: int) -> None:
    """Delete the tokens of rolls opened before a time."""
    are_over = (_IS_NEW, session.c.answer.is_not(None), session.c.opened_at < before)
    await connection.execute(update(session).where(*are_over).values(answer=None))


async def opened_since(connection: AsyncConnection, since: int) -> int:
    """Return how many of the newest 5,000 rolls were opened since ``since``."""
    new = select(session.c.opened_at, session.c.game).order_by(session.c.id.desc()).limit(5000).subquery()
    query = select(func.count()).select_from(new).where(new.c.opened_at >= since, new.c.game != THE_TABLE)
    return int(await connection.scalar(query) or 0)


async def lost_cards(connection: AsyncConnection, since: int) -> list[tuple[int, int, int]]:
    """Return rolls whose card Discord rejected: session, channel, and opener."""
    query = _SOME.where(session.c.is_lost == 1, session.c.opened_at >= since)
    return [(row.id, row.channel_id, row.opened_by) for row in (await connection.execute(query)).all()]


async def unconfirmed_cards(connection: AsyncConnection, seconds: int) -> list[tuple[int, int, int]]:
    """Return rolls that may have no card; shaped like ``lost_cards``. They were opened up to ``seconds`` before the
    newest ply of all, in a channel without later events.
    """
    latest = select(ply.c.at).order_by(ply.c.id.desc()).limit(1).scalar_subquery()
    here = ply.alias("here")
    last_here = select(func.max(here.c.id)).where(here.c.channel_id == session.c.channel_id).scalar_subquery()
    query = _SOME.where(
        session.c.message_id.is_(None),
        session.c.is_lost == 0,
        session.c.opened_at >= latest - seconds,
        exists().where(ply.c.session_id == session.c.id, ply.c.number == 0, ply.c.id == last_here),
        session.c.game != THE_TABLE,
    )
    return [(row.id, row.channel_id, row.opened_by) for row in (await connection.execute(query)).all()]


async def lock_newest(connection: AsyncConnection, session_id: int, *, hidden: bool = False) -> Newest | None:
    """Return a session, locked until the transaction ends; None without a ply.

    Secret rolls are returned only with ``hidden``; the caller checks who may see them. Practices are always returned:
    their seats are taken.
    """
    if connection.dialect.name == "postgresql":
        # SQLite holds its lock already. A lock taken by this query would wait, then return outdated rows.
        await connection.execute(_LOCK, {"session_id": session_id})
    rows = (await connection.execute(_NEWEST, {"session_id": session_id})).all()
    if not rows:
        return None
    result = newest_of(rows[0], session_id, seats_of(rows))
    return None if result.is_hidden and not (hidden or result.secrecy == PRACTICE) else result


async def practices_before(connection: AsyncConnection, moment: int, most: int) -> list[int]:
    """Return the oldest practices begun before ``moment``."""
    are_old = (session.c.secrecy == text(f"'{PRACTICE}'"), session.c.opened_at < moment)
    return list(await connection.scalars(select(session.c.id).where(*are_old).order_by(session.c.id).limit(most)))


async def reveal(connection: AsyncConnection, session_id: int, now: int) -> None:
    await connection.execute(update(session).where(session.c.id == session_id).values(revealed_at=now))


async def reveal_sealed(connection: AsyncConnection, seal_id: int, person_id: int, now: int, *, is_gm: bool) -> None:
    """Reveal a sealed table's rolls that a person may see: their own secret ones and, for a GM, the blind ones."""
    theirs = and_(session.c.secrecy == "secret", session.c.opened_by == person_id)
    may_see = or_(theirs, session.c.secrecy == "blind") if is_gm else theirs
    await connection.execute(update(session).where(_hidden_in(seal_id), may_see).values(revealed_at=now))


async def hidden_at(connection: AsyncConnection, seal_id: int) -> frozenset[int]:
    return frozenset((await connection.scalars(select(session.c.id).where(_hidden_in(seal_id)))).all())


def _hidden_in(seal_id: int) -> ColumnElement[bool]:
    return and_(session.c.id.in_(select(seal_ply.c.session_id).where(seal_ply.c.seal_id == seal_id)), IS_HIDDEN)


def seats_of(rows: Iterable[Any]) -> dict[str, Seat]:
    """Return the seats in rows of one session with ``SEATED``, in the order in which people sat down."""
    last = {row.side: row for row in rows if row.side is not None}
    return {side: Seat(row.seated_id, row.name) for side, row in last.items() if row.seated_id is not None}


_NAMES: Final = tuple(column.key for column in STANDING)


def newest_of(row: Iterable[Any], session_id: int, seats: Mapping[str, Seat]) -> Newest:
    """Return a session from a row that begins with ``STANDING``."""
    return Newest(session_id=session_id, seats=seats, **dict(zip(_NAMES, row, strict=False)))


async def add_ply(connection: AsyncConnection, result: Ply) -> None:
    """Store a press. Raises ``IntegrityError`` if the session has a ply of that number."""
    await connection.execute(_ADD_PLY, {name: getattr(result, name) for name in Ply.__slots__})


async def add_seat(
    connection: AsyncConnection, session_id: int, side: str, person_id: int | None, name: str, since: int = 0
) -> None:
    """Seat a person from a ply on; without a person, free the side."""
    values = {"session_id": session_id, "side": side, "person_id": person_id, "name": name, "since": since}
    await connection.execute(_ADD_SEAT, values)


async def free_seats(connection: AsyncConnection, session_id: int, since: int) -> None:
    """Restore a side's seat as it was before a ply."""
    await connection.execute(_FREE_SEATS, {"of_session": session_id, "from_ply": since})

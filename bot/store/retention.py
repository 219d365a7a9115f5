"""Old rolls: which they are, and taking them away a few at a time.

Plies go in the order in which they were made. So a ply that takes another one back never goes before it, and what was
taken back stays so; and a roll that is too long for one step keeps its newest ply until the last.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import BindParameter, and_, bindparam, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import THE_TABLE, log_copy, ply, redraw, seat, session


@dataclass(frozen=True, slots=True)
class Aged:
    """A session as far as its age goes: how many plies it has, and the moments of the oldest and the newest."""

    session_id: int
    is_table: bool
    channel_id: int
    guild_id: int | None
    plies: int
    oldest: int
    newest: int


_PAGE = (
    select(session)
    .where(session.c.id > bindparam("after"), session.c.opened_at < bindparam("before"))
    .order_by(session.c.id)
    .limit(bindparam("most"))
    .cte("page")
)
_first, _last = ply.alias("oldest"), ply.alias("newest")
_FIRST = select(func.min(ply.c.number)).where(ply.c.session_id == _PAGE.c.id).correlate(_PAGE).scalar_subquery()
_LAST = select(func.max(ply.c.number)).where(ply.c.session_id == _PAGE.c.id).correlate(_PAGE).scalar_subquery()
_AGED = (
    select(
        _PAGE.c.id,
        _PAGE.c.game == THE_TABLE,
        _PAGE.c.channel_id,
        _PAGE.c.guild_id,
        func.coalesce(_last.c.number - _first.c.number + 1, 0),
        func.coalesce(_first.c.at, _PAGE.c.opened_at),
        func.coalesce(_last.c.at, _PAGE.c.opened_at),
    )
    .select_from(_PAGE)
    .outerjoin(_first, and_(_first.c.session_id == _PAGE.c.id, _first.c.number == _FIRST))
    .outerjoin(_last, and_(_last.c.session_id == _PAGE.c.id, _last.c.number == _LAST))
    .order_by(_PAGE.c.id)
)
_SESSIONS: BindParameter[int] = bindparam("sessions", expanding=True)
_LOCK = select(session.c.id).where(session.c.id.in_(_SESSIONS)).order_by(session.c.id).with_for_update()
_SOME = (
    select(ply.c.id)
    .where(ply.c.session_id.in_(_SESSIONS))
    .order_by(ply.c.session_id, ply.c.number)
    .limit(bindparam("most"))
)
_PRUNE = delete(ply).where(ply.c.id.in_(_SOME))
_FREE = delete(seat).where(seat.c.session_id.in_(_SESSIONS))
_FORGET_REDRAWS = delete(redraw).where(redraw.c.session_id.in_(_SESSIONS))
_FORGET_COPIES = delete(log_copy).where(log_copy.c.session_id.in_(_SESSIONS))
_CLOSE = delete(session).where(session.c.id.in_(_SESSIONS))
_OF_TABLE = (
    select(ply.c.id, ply.c.at)
    .where(ply.c.session_id == bindparam("of_session"))
    .order_by(ply.c.number)
    .limit(bindparam("most"))
)
_PRUNE_TABLE_REDRAWS = delete(redraw).where(redraw.c.ply_id.in_(bindparam("plies", expanding=True)))
_PRUNE_TABLE = delete(ply).where(ply.c.id.in_(bindparam("plies", expanding=True)))


async def aged(connection: AsyncConnection, after: int, before: int, most: int) -> tuple[Aged, ...]:
    """A page of sessions that were opened before a moment, by id, above ``after``."""
    rows = (await connection.execute(_AGED, {"after": after, "before": before, "most": most})).all()
    return tuple(Aged(*row) for row in rows)


async def lock(connection: AsyncConnection, sessions: Collection[int]) -> None:
    """Let nobody press on sessions until the transaction ends."""
    if connection.dialect.name == "postgresql":  # SQLite holds its one lock already
        await connection.execute(_LOCK, {"sessions": sorted(sessions)})


async def prune_rolls(connection: AsyncConnection, sessions: Collection[int], most: int) -> int:
    """Take rolls away; how many rows went.

    No more than ``most`` plies are taken; what is left of the rolls then goes another time.
    """
    held = {"sessions": sorted(sessions)}
    gone = (await connection.execute(_PRUNE, held | {"most": most})).rowcount
    if gone >= most:
        return gone
    for statement in (_FREE, _FORGET_REDRAWS, _FORGET_COPIES, _CLOSE):
        gone += (await connection.execute(statement, held)).rowcount
    return gone


async def prune_table(connection: AsyncConnection, session_id: int, until: int, most: int) -> int:
    """Take away the first table steps of a channel, as far as they are older than a moment; never the last one."""
    rows = (await connection.execute(_OF_TABLE, {"of_session": session_id, "most": most + 1})).all()
    young = next((place for place, row in enumerate(rows) if row.at >= until), len(rows))
    old = [row.id for row in rows[: min(young, len(rows) - 1)]]
    if old:
        await connection.execute(_PRUNE_TABLE_REDRAWS, {"plies": old})
        await connection.execute(_PRUNE_TABLE, {"plies": old})
    return len(old)

"""Old rolls: where there are some, and taking them away a few at a time.

What is due is found channel by channel: an index leads to the oldest roll of each, so that a channel which has nothing
old costs one look, however much was played there. Plies go in the order in which they were made. So a ply that takes
another one back never goes before it, and what was taken back stays so; and a roll that is too long for one step keeps
its newest ply until the last.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.among import among
from bot.store.schema import THE_TABLE, ply, redraw, seat, session, shown
from bot.store.shown import Kind


@dataclass(frozen=True, slots=True)
class Oldest:
    """A channel with the moments of its oldest roll and of its oldest table step; None where there is none.

    ``table_id`` is the session of its table steps.
    """

    channel_id: int
    guild_id: int | None
    roll_at: int | None
    table_id: int | None
    step_at: int | None


# The smallest channel above the last one, again and again: as many looks into the index as there are channels.
_CHANNELS = (
    select(func.min(session.c.channel_id).label("channel_id"))
    .where(session.c.channel_id > bindparam("after"))
    .cte("channel", recursive=True)
)
_NEXT = select(func.min(session.c.channel_id)).where(session.c.channel_id > _CHANNELS.c.channel_id).correlate(_CHANNELS)
_CHANNELS = _CHANNELS.union_all(select(_NEXT.scalar_subquery()).where(_CHANNELS.c.channel_id.isnot(None)))
_roll, _table, _step = session.alias("roll"), session.alias("of_table"), ply.alias("step")
_OLDEST_ROLL = (
    select(_roll.c.id)
    .where(_roll.c.channel_id == _CHANNELS.c.channel_id, _roll.c.game != THE_TABLE)
    .order_by(_roll.c.id)
    .limit(1)
    .correlate(_CHANNELS)
    .scalar_subquery()
)
_OLDEST_STEP = (
    select(_step.c.at)
    .where(_step.c.session_id == _table.c.id)
    .order_by(_step.c.number)
    .limit(1)
    .correlate(_table)
    .scalar_subquery()
)
_PAGE = (
    select(
        _CHANNELS.c.channel_id,
        func.coalesce(session.c.guild_id, _table.c.guild_id),
        session.c.opened_at,
        _table.c.id,
        _OLDEST_STEP,
    )
    .select_from(_CHANNELS)
    .outerjoin(session, session.c.id == _OLDEST_ROLL)
    .outerjoin(_table, (_table.c.channel_id == _CHANNELS.c.channel_id) & (_table.c.game == THE_TABLE))
    .where(_CHANNELS.c.channel_id.isnot(None))
    .limit(bindparam("most"))
)
_LAST = select(ply.c.at).where(ply.c.session_id == session.c.id).order_by(ply.c.number.desc()).limit(1)
_LAST_AT = func.coalesce(_LAST.scalar_subquery(), session.c.opened_at)
_DUE = (
    select(session.c.id)
    .where(
        session.c.channel_id == bindparam("in_channel"),
        session.c.opened_at < bindparam("until"),
        session.c.game != THE_TABLE,
        bindparam("until") > _LAST_AT,
    )
    .order_by(session.c.id)
    .limit(bindparam("most"))
)
_OF_THESE = among(session.c.id, "sessions")
_LOCK = select(session.c.id).where(_OF_THESE).order_by(session.c.id).with_for_update()
_LAST_PRESSES = select(session.c.id, _LAST_AT.label("at")).where(_OF_THESE)
_SOME = (
    select(ply.c.id)
    .where(among(ply.c.session_id, "sessions"))
    .order_by(ply.c.session_id, ply.c.number)
    .limit(bindparam("most"))
)
_PRUNE = delete(ply).where(ply.c.id.in_(_SOME))
_FREE = delete(seat).where(among(seat.c.session_id, "sessions"))
_FORGET_REDRAWS = delete(redraw).where(among(redraw.c.session_id, "sessions"))
_FORGET_COPIES = delete(shown).where(shown.c.kind == Kind.LOG, among(shown.c.of_id, "sessions"))
_CLOSE = delete(session).where(_OF_THESE)
_OF_TABLE = (
    select(ply.c.id, ply.c.at)
    .where(ply.c.session_id == bindparam("of_session"))
    .order_by(ply.c.number)
    .limit(bindparam("most"))
)
_PRUNE_TABLE_REDRAWS = delete(redraw).where(among(redraw.c.ply_id, "plies"))
_PRUNE_TABLE = delete(ply).where(among(ply.c.id, "plies"))


async def channels(connection: AsyncConnection, after: int, most: int) -> tuple[Oldest, ...]:
    """A page of the channels in which something was kept, by id, above ``after``."""
    return tuple(Oldest(*row) for row in (await connection.execute(_PAGE, {"after": after, "most": most})).all())


async def due_rolls(connection: AsyncConnection, channel_id: int, until: int, most: int) -> list[int]:
    """The first rolls of a channel whose last ply is older than a moment."""
    words = {"in_channel": channel_id, "until": until, "most": most}
    return list((await connection.scalars(_DUE, words)).all())


async def last_presses(connection: AsyncConnection, sessions: Collection[int]) -> dict[int, int]:
    """When the last ply of some rolls was made; nobody presses on them until the end of the transaction."""
    held = {"sessions": sorted(sessions)}
    if connection.dialect.name == "postgresql":  # SQLite holds its one lock already
        await connection.execute(_LOCK, held)
    return {row.id: row.at for row in (await connection.execute(_LAST_PRESSES, held)).all()}


class Pruned(NamedTuple):
    """How many rows went, and whether nothing is left of the rolls."""

    rows: int
    is_all: bool


async def prune_rolls(connection: AsyncConnection, sessions: Collection[int], most: int) -> Pruned:
    """Take rolls away.

    No more than ``most`` plies are taken; what is left of the rolls then goes another time.
    """
    held = {"sessions": sorted(sessions)}
    gone = (await connection.execute(_PRUNE, held | {"most": most})).rowcount
    if gone >= most:
        return Pruned(gone, is_all=False)
    for statement in (_FREE, _FORGET_REDRAWS, _FORGET_COPIES, _CLOSE):
        gone += (await connection.execute(statement, held)).rowcount
    return Pruned(gone, is_all=True)


async def prune_table(connection: AsyncConnection, session_id: int, until: int, most: int) -> int:
    """Take away the first table steps of a channel, as far as they are older than a moment; never the last one."""
    rows = (await connection.execute(_OF_TABLE, {"of_session": session_id, "most": most + 1})).all()
    young = next((place for place, row in enumerate(rows) if row.at >= until), len(rows))
    old = [row.id for row in rows[: min(young, len(rows) - 1)]]
    if old:
        await connection.execute(_PRUNE_TABLE_REDRAWS, {"plies": old})
        await connection.execute(_PRUNE_TABLE, {"plies": old})
    return len(old)

"""Finds old rolls and deletes them a few at a time.

Channels are checked one by one: an index finds the oldest roll of each, so a channel without old rolls costs one
lookup. Plies are deleted in order, so an undo never goes before the ply it undoes, and a roll too long for one step
keeps its newest ply until the last.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import THE_TABLE, opening, ply, redraw, seat, session, shown
from bot.store.sqlite_driver import hot_statement
from bot.store.tracked_messages import MessageKind

# A loose index scan: repeatedly the smallest channel above the last one, one lookup per channel.
_CHANNELS = (
    sa.select(sa.func.min(session.c.channel_id).label("channel_id"))
    .where(session.c.channel_id > sa.bindparam("after"))
    .cte("channel", recursive=True)
)
_NEXT = (
    sa.select(sa.func.min(session.c.channel_id))
    .where(session.c.channel_id > _CHANNELS.c.channel_id)
    .correlate(_CHANNELS)
)
_CHANNELS = _CHANNELS.union_all(sa.select(_NEXT.scalar_subquery()).where(_CHANNELS.c.channel_id.isnot(None)))
_roll, _table, _step = session.alias("roll"), session.alias("of_table"), ply.alias("step")
_OLDEST_ROLL = (
    sa.select(_roll.c.id)
    .where(_roll.c.channel_id == _CHANNELS.c.channel_id, _roll.c.game != THE_TABLE)
    .order_by(_roll.c.id)
    .limit(1)
    .correlate(_CHANNELS)
    .scalar_subquery()
)
_OLDEST_STEP = (
    sa.select(_step.c.at)
    .where(_step.c.session_id == _table.c.id)
    .order_by(_step.c.number)
    .limit(1)
    .correlate(_table)
    .scalar_subquery()
)
_PAGE = (
    sa.select(
        _CHANNELS.c.channel_id,
        sa.func.coalesce(session.c.guild_id, _table.c.guild_id).label("guild_id"),
        session.c.opened_at.label("roll_at"),
        _table.c.id.label("table_id"),
        _OLDEST_STEP.label("step_at"),
    )
    .select_from(_CHANNELS)
    .outerjoin(session, session.c.id == _OLDEST_ROLL)
    .outerjoin(_table, (_table.c.channel_id == _CHANNELS.c.channel_id) & (_table.c.game == THE_TABLE))
    .where(_CHANNELS.c.channel_id.isnot(None))
    .limit(sa.bindparam("most"))
)


def _opened_before(
    channel: sa.ColumnElement[int], after: sa.ColumnElement[int], until: sa.ColumnElement[int]
) -> sa.Select[Any]:
    """Select the first rolls of a channel above id ``after`` that were opened before ``until``."""
    return (
        sa.select(session.c.id)
        .where(
            session.c.channel_id == channel,
            session.c.id > after,
            session.c.opened_at < until,
            session.c.game != THE_TABLE,
        )
        .order_by(session.c.id)
        .limit(sa.bindparam("most"))
    )


_SOUGHT: Final = ("channel_id", "after", "until")
_OPENED = hot_statement(_opened_before(*map(sa.bindparam, _SOUGHT)))
_asked = sa.func.unnest(*(sa.bindparam(name, type_=sa.ARRAY(sa.BigInteger())) for name in _SOUGHT))
_ASKED = _asked.table_valued(*(sa.column(name, sa.BigInteger) for name in _SOUGHT)).render_derived()
_found = _opened_before(_ASKED.c.channel_id, _ASKED.c.after, _ASKED.c.until).lateral("found")
_OPENED_AT_ONCE = {"postgresql": sa.select(_ASKED.c.channel_id, _found.c.id).join(_found, sa.true())}
"""The query for many channels in one round trip; SQLite has no LATERAL and needs none."""
_SESSIONS: sa.BindParameter[int] = sa.bindparam("sessions", expanding=True)
_OF_THESE = session.c.id.in_(_SESSIONS)
_LOCK = sa.select(sa.func.count()).select_from(
    sa.select(session.c.id).where(_OF_THESE).order_by(session.c.id).with_for_update().subquery()
)
_STANDING = (
    sa.select(ply.c.session_id, sa.func.count().label("plies"), sa.func.max(ply.c.at).label("at"))
    .where(ply.c.session_id.in_(_SESSIONS))
    .group_by(ply.c.session_id)
)
_OF_ROLLS = (
    *(sa.delete(table).where(table.c.session_id.in_(_SESSIONS)) for table in (ply, seat, redraw, opening)),
    sa.delete(shown).where(shown.c.kind == MessageKind.LOG, shown.c.of_id.in_(_SESSIONS)),
)
_ROLLS = sa.delete(session).where(_OF_THESE)
_PRUNE: dict[str, tuple[sa.Delete, ...]] = {
    "sqlite": (*_OF_ROLLS, _ROLLS),
    "postgresql": (_ROLLS.add_cte(*(roll.cte() for roll in _OF_ROLLS)),),  # one round trip
}
_UNASKED = sa.text(
    "SELECT set_config('session_replication_role', 'replica', true) "
    "WHERE has_parameter_privilege('session_replication_role', 'SET')"
)
"""Turns off PostgreSQL's foreign key checks until the transaction ends: a roll's rows go in one statement. Without
``GRANT SET ON PARAMETER`` it takes six times as long.
"""

_PLIES: sa.BindParameter[int] = sa.bindparam("plies", expanding=True)
_PRUNE_TABLE = (
    *(sa.delete(table).where(table.c.ply_id.in_(_PLIES)) for table in (redraw, opening)),
    sa.delete(ply).where(ply.c.id.in_(_PLIES)),
)


def _first_plies(session_id: int, most: int) -> sa.Select[Any]:
    return sa.select(ply.c.id, ply.c.at).where(ply.c.session_id == session_id).order_by(ply.c.number).limit(most)


async def channels(connection: AsyncConnection, after: int, most: int) -> Sequence[Any]:
    """Return a page of the channels with stored rows, by id, above ``after``.

    ``roll_at`` and ``step_at``: times of the oldest roll and table step, None for none; ``table_id``: the session of
    the steps.
    """
    return (await connection.execute(_PAGE, {"after": after, "most": most})).all()


class PruneTarget(NamedTuple):
    """A channel to prune: rolls above id ``after``, opened before ``until``; ``table_id``: session of its steps."""

    channel_id: int
    after: int
    until: int
    table_id: int | None = None


async def old_rolls(connection: AsyncConnection, channels: Sequence[PruneTarget], most: int) -> list[list[int]]:
    """Return each channel's oldest expired rolls, at most ``most``; later presses are checked at deletion."""
    if connection.dialect.name == "postgresql":
        lists = {name: [getattr(channel, name) for channel in channels] for name in _SOUGHT}
        result: dict[int, list[int]] = {channel.channel_id: [] for channel in channels}
        for channel_id, key in (await connection.execute(_OPENED_AT_ONCE["postgresql"], {**lists, "most": most})).all():
            result[channel_id].append(key)
        return [sorted(result[channel.channel_id]) for channel in channels]
    asked = [{name: getattr(channel, name) for name in _SOUGHT} | {"most": most} for channel in channels]
    return [list((await connection.scalars(_OPENED, words)).all()) for words in asked]


async def lock_rolls(connection: AsyncConnection, sessions: Collection[int]) -> dict[int, sa.Row[Any]]:
    """Return the rolls that still exist, locked against presses until the transaction ends.

    Each has the number of its ``plies``, and the moment of the newest one, ``at``.
    """
    held = {"sessions": sorted(sessions)}
    if connection.dialect.name == "postgresql":  # SQLite holds its one lock already
        await connection.execute(_LOCK, held)
    rows = (await connection.execute(_STANDING, held)).all()
    return {row.session_id: row for row in rows}


def is_15_or_newer(connection: AsyncConnection) -> bool:
    """Whether this PostgreSQL lets a plain role set a server parameter."""
    return connection.dialect.name == "postgresql" and (connection.dialect.server_version_info or (0,)) >= (15,)


async def prune_rolls(connection: AsyncConnection, rolls: Mapping[int, int], most: int) -> tuple[int, Collection[int]]:
    """Delete rolls (with their numbers of plies), oldest first; of one with over ``most`` plies the oldest ones.

    Returns the number of deleted rolls and plies, and the rolls of which nothing is left.
    """
    sums = list(accumulate(rolls.values()))
    whole = list(rolls)[: bisect_right(sums, most)]
    if rolls and not whole:
        some = _first_plies(next(iter(rolls)), most).with_only_columns(ply.c.id)
        await connection.execute(sa.delete(ply).where(ply.c.id.in_(some)))
        return most, ()
    if whole and is_15_or_newer(connection):
        await connection.execute(_UNASKED)
    for statement in _PRUNE[connection.dialect.name] if whole else ():
        await connection.execute(statement, {"sessions": whole})
    return len(whole) + (sums[len(whole) - 1] if whole else 0), whole


async def prune_table(connection: AsyncConnection, session_id: int, until: int, most: int) -> int:
    """Delete a channel's oldest table steps made before ``until``; never the last one."""
    rows = (await connection.execute(_first_plies(session_id, most + 1))).all()
    young = next((place for place, row in enumerate(rows) if row.at >= until), len(rows))
    old = [row.id for row in rows[: min(young, len(rows) - 1)]]
    for statement in _PRUNE_TABLE if old else ():
        await connection.execute(statement, {"plies": old})
    return len(old)

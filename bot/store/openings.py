"""Openings: which parts of a plan sheet are public, since which ply, and by which rule. Append-only. Runs inside
``Database.transaction``.
"""

from collections.abc import Collection, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import opening, ply
from bot.store.sessions import Ply
from bot.store.sqlite_driver import hot_statement

_THE_PLY = select(ply.c.id).where(ply.c.session_id == bindparam("of_session"), ply.c.number == bindparam("at_number"))
_OF_ROOTS = (
    select(opening.c.root, opening.c.rule, opening.c.leaves, opening.c.opened, ply.c.at, ply.c.choice)
    .join(ply, ply.c.id == opening.c.ply_id)
    .where(opening.c.channel_id == bindparam("in_channel"), opening.c.root.in_(bindparam("roots", expanding=True)))
    .order_by(opening.c.root, opening.c.id)
)
_BY = hot_statement(select(opening.c.player_id).where(opening.c.ply_id == bindparam("by_ply")))


async def store_openings(connection: AsyncConnection, result: Ply, opened: Collection[Mapping[str, object]]) -> None:
    """Store what a stored ply has opened: each with commitment, player's number, rule, and opened parts (both JSON)."""
    if opened:
        key = await connection.scalar(_THE_PLY, {"of_session": result.session_id, "at_number": result.number})
        by = {"ply_id": key, "session_id": result.session_id, "channel_id": result.channel_id}
        await connection.execute(insert(opening), [{**by, **opening_row} for opening_row in opened])


async def openings_of(
    connection: AsyncConnection, channel_id: int, roots: Collection[str]
) -> dict[str, tuple[Any, ...]]:
    """Return the openings of a channel's sheets with these commitments, by commitment, oldest first.

    Each has its ply's time (seconds since 1970) and choice, which names the person.
    """
    if not roots:
        return {}
    rows = (await connection.execute(_OF_ROOTS, {"in_channel": channel_id, "roots": sorted(roots)})).all()
    return {root: tuple(held) for root, held in groupby(rows, attrgetter("root"))}


async def opened_by_ply(connection: AsyncConnection, ply_id: int) -> frozenset[int]:
    """Return the numbers of the players whose sheets a ply opened."""
    return frozenset((await connection.scalars(_BY, {"by_ply": ply_id})).all())

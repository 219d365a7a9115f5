"""The running counts of all dice, and the plies that are not in them yet. No person is in the counts."""

from collections.abc import Mapping, Sequence

from sqlalchemy import case, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import counted, die_count, ply, session, upsert

_KEEP = upsert(die_count, ("kind", "side"), ("count",))


async def read_progress(connection: AsyncConnection) -> tuple[int, float]:
    """The last ply whose dice are counted, and the highest e-value so far; locked until the transaction ends."""
    row = (await connection.execute(select(counted).with_for_update())).one()
    return row.ply_id, row.log_highest


async def counts(connection: AsyncConnection) -> dict[str, list[int]]:
    """Return the number of times each side was drawn, by kind of die."""
    result: dict[str, list[int]] = {}
    query = select(die_count.c.kind, die_count.c.count).order_by(die_count.c.kind, die_count.c.side)
    for kind, drawn in (await connection.execute(query)).all():
        result.setdefault(kind, []).append(drawn)
    return result


async def plies(connection: AsyncConnection, after: int, most: int) -> list[tuple[int, int, str]]:
    """Return the next plies: id, moment, draws as JSON; without secret rolls, whose dice the counts would tell."""
    query = (
        select(ply.c.id, ply.c.at, case((session.c.secrecy.is_(None), ply.c.draws), else_="[]"))
        .join(session, session.c.id == ply.c.session_id)
        .where(ply.c.id > after)
        .order_by(ply.c.id)
        .limit(most)
    )
    return [tuple(row) for row in (await connection.execute(query)).all()]


async def note(connection: AsyncConnection, new: Mapping[str, Sequence[int]], last: int, highest: float) -> None:
    """Keep the counts of some kinds, and up to which ply they go."""
    for kind, sides in new.items():
        rows = [{"kind": kind, "side": side, "count": count} for side, count in enumerate(sides)]
        await connection.execute(_KEEP, rows)
    await connection.execute(update(counted).values(ply_id=last, log_highest=highest))

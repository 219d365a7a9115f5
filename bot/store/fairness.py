"""The running counts of all dice and the plies not counted yet. The counts hold no personal data."""

from collections.abc import Mapping, Sequence

from sqlalchemy import case, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import counted, die_count, ply, session, upsert

_KEEP = upsert(die_count, ("kind", "side"), ("count",))


async def read_progress(connection: AsyncConnection) -> tuple[int, float]:
    """Return the last counted ply and the highest e-value so far; locked until the transaction ends."""
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
    """Return the next plies: id, time, draws (JSON); not those of secret rolls, whose dice the counts would reveal."""
    query = (
        select(ply.c.id, ply.c.at, case((session.c.secrecy.is_(None), ply.c.draws), else_="[]"))
        .join(session, session.c.id == ply.c.session_id)
        .where(ply.c.id > after)
        .order_by(ply.c.id)
        .limit(most)
    )
    return [tuple(row) for row in (await connection.execute(query)).all()]


async def note(connection: AsyncConnection, new: Mapping[str, Sequence[int]], last: int, highest: float) -> None:
    """Store new counts and the last counted ply."""
    for kind, sides in new.items():
        rows = [{"kind": kind, "side": side, "count": count} for side, count in enumerate(sides)]
        await connection.execute(_KEEP, rows)
    await connection.execute(update(counted).values(ply_id=last, log_highest=highest))

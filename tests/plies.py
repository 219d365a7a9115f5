"""What the store keeps of one roll, for tests that look at all of it."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import ply
from bot.store.sessions import Ply


async def plies_of(connection: AsyncConnection, session_id: int) -> tuple[Ply, ...]:
    """Every press of a session, oldest first."""
    columns = (ply.c[name] for name in Ply.__slots__)
    query = select(*columns).where(ply.c.session_id == session_id).order_by(ply.c.number)
    return tuple(Ply(*row) for row in (await connection.execute(query)).all())

"""How many requests each process of a bot wants to send, and may; see ``bot.sessions.shares``. PostgreSQL only."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import share


class Others(NamedTuple):
    """How many other processes there are, how many requests they want together, and how many a second they may send."""

    processes: int
    want: int
    may: float


_LOCK = text("LOCK TABLE share IN EXCLUSIVE MODE")
_FORGET = delete(share).where(share.c.at < bindparam("before"))
_OTHERS = select(
    func.count(), func.coalesce(func.sum(share.c.wants), 0), func.coalesce(func.sum(share.c.may), 0.0)
).where(share.c.process != bindparam("process"))
_NEW = postgresql.insert(share)
_KEEP = _NEW.on_conflict_do_update(
    index_elements=[share.c.process],
    set_={"at": _NEW.excluded.at, "wants": _NEW.excluded.wants, "may": _NEW.excluded.may},
)


async def others(connection: AsyncConnection, process: str, before: int) -> Others:
    """The other processes; those that said nothing since ``before`` are forgotten.

    Until the transaction ends no other process comes in between.
    """
    await connection.execute(_LOCK)
    await connection.execute(_FORGET, {"before": before})
    return Others(*(await connection.execute(_OTHERS, {"process": process})).one())


async def keep(connection: AsyncConnection, process: str, wants: int, may: float, now: int) -> None:
    """Note what a process wants and may."""
    await connection.execute(_KEEP, {"process": process, "wants": wants, "may": may, "at": now})


async def leave(connection: AsyncConnection, process: str) -> None:
    """A process that stops leaves its part to the others."""
    await connection.execute(delete(share).where(share.c.process == process))

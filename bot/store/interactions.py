"""Which interactions this process answers: each is taken once, by whoever is the first.

Discord may deliver one twice after a lost connection, and two processes with the same shards hear of each: while a new
version takes the place of the old one, or for good, so that one plays on when the other dies. Whoever stores the
interaction's number first does all that it asks for; everybody else is silent. So nobody refuses what the other one
does, and nothing has to be agreed on before a second process may begin.
"""

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.bounded import Bounded
from bot.store.database import Database
from bot.store.schema import interaction

REMEMBERED: Final = 10_000
"""Interactions that are remembered in memory."""
KEPT: Final = 60 * 60
"""Seconds for which the store remembers them: far longer than the gateways of two processes can be apart."""
FORGOTTEN_AT_ONCE: Final = 5_000

_TAKE = postgresql.insert(interaction).on_conflict_do_nothing()


class Interactions:
    """The interactions of one bot. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heard: Bounded[int, None] = Bounded(REMEMBERED)

    async def take(self, number: int, now: int) -> bool:
        """Whether this process is the first to take what has this number, at ``now`` in seconds since 1970."""
        if number in self._heard:
            return False
        self._heard[number] = None
        if not self._database.is_shared:
            return True

        async def take(connection: AsyncConnection) -> bool:
            return (await connection.execute(_TAKE, {"id": number, "at": now})).rowcount == 1

        return await self._database.run_one(take)

    async def step(self, now: int) -> bool:
        """Forget some of what is long over; False when nothing is left of that."""
        if not self._database.is_shared:
            return False
        async with self._database.transaction() as connection:
            old = select(interaction.c.id).where(interaction.c.at < now - KEPT).limit(FORGOTTEN_AT_ONCE)
            gone = delete(interaction).where(interaction.c.id.in_(old))
            return (await connection.execute(gone)).rowcount == FORGOTTEN_AT_ONCE

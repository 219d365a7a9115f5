"""The fairness page's counts: how often each side of each kind of die was drawn. See docs/fairness.md.

Presses pay nothing for them: draws are stored with the ply, and later a transaction counts new plies and stores the
last one counted. So each draw is counted once, even after a crash; rolls are deleted only after that.
"""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.fair.statistics import Evidence
from bot.sessions import codec
from bot.store import fairness as rows
from bot.store.database import Database

SETTLED: Final = 60
"""Seconds after which no earlier ply can still be uncommitted."""
PLIES: Final = 200
"""Plies counted in one step."""


class Fairness:
    """The counts of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def step(self, now: int) -> bool:
        """Count some more plies; False once all settled ones are counted."""
        async with self._database.transaction() as connection:
            after, highest = await rows.read_progress(connection)
            plies = await rows.plies(connection, after, PLIES)
            settled = next((place for place, (_, at, _) in enumerate(plies) if at > now - SETTLED), len(plies))
            if settled:
                await self._count(connection, plies[:settled], highest)
        return settled == PLIES

    async def _count(self, connection: AsyncConnection, plies: list[tuple[int, int, str]], highest: float) -> None:
        evidence = Evidence(await rows.counts(connection), highest)
        changed: dict[str, None] = {}
        for _, _, text in plies:
            for draw in codec.read_draws(text):
                if draw.pool and not draw.is_replayed:  # otherwise it is no die, or a replayed one
                    kind = draw.pool.split(maxsplit=1)[0]
                    if kind not in evidence.counts:
                        evidence.add_kind(kind, draw.sides)
                    evidence.add(kind, draw.drawn)
                    changed[kind] = None
        new = {kind: evidence.counts[kind] for kind in changed}
        await rows.note(connection, new, plies[-1][0], evidence.log_highest)

    async def read(self) -> Evidence:
        """Return the current counts and the highest e-value so far."""
        async with self._database.transaction() as connection:
            _, highest = await rows.read_progress(connection)
            return Evidence(await rows.counts(connection), highest)

"""Rolls whose card Discord did not take: they are stored, and whoever opened them is shown them next."""

from typing import Final

from bot.store import sessions as rows
from bot.store.database import Database

DAY: Final = 24 * 60 * 60


class Lost:
    """The rolls of one database that are on no card, by channel and person."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._sessions: dict[tuple[int, int], list[int]] = {}

    async def find(self, now: int) -> None:
        """After a start: those of the last day. Raises ``StoreError``."""
        async with self._database.transaction() as connection:
            for session, channel_id, person_id in await rows.lost(connection, now - DAY):
                self.note(session, channel_id, person_id)

    def note(self, session: int, channel_id: int, person_id: int) -> None:
        """Remember that a roll is on no card."""
        held = self._sessions.setdefault((channel_id, person_id), [])
        if session not in held:
            held.append(session)

    def newest(self, channel_id: int, person_id: int) -> int | None:
        """The newest lost roll that this person opened in a channel."""
        return max(self._sessions.get((channel_id, person_id), ()), default=None)

    def drop(self, session: int, channel_id: int, person_id: int) -> None:
        """It has a card now or gets one, or is no more."""
        held = self._sessions.get((channel_id, person_id), [])
        if session in held:
            held.remove(session)
        if not held:
            self._sessions.pop((channel_id, person_id), None)

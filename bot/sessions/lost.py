"""Rolls whose card Discord did not take: they are stored, and whoever opened them is shown them next.

Where a process was killed, it is not known whether the newest rolls are on a card: who opened one and then presses on
something that is older may have seen none. Discord is asked whether the command has its answer, which it says for 15
minutes; an answer to a press cannot be asked for.
"""

from typing import Final

from bot.store import sessions as rows
from bot.store.database import Database

ANSWERED_FOR: Final = 15 * 60
"""Seconds for which Discord shows an answer again."""
DAY: Final = 24 * 60 * 60
UNSURE: Final = 30
"""Seconds before a kill in which cards may have been posted that the store does not know of."""


class Lost:
    """The rolls of one database that are on no card, by channel and person."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sessions: dict[tuple[int, int], dict[int, int | None]] = {}
        """The sessions of a channel and person, and on which message the store last knew each."""
        self.unseen: dict[tuple[int, int], int] = {}
        """The newest roll of a channel and person that a kill may have kept from being shown."""
        self.unsure: set[int] = set()
        """Those of them that may have a card all the same. Whoever opened one was told nothing."""
        self._has_begun = False

    async def find(self, now: int) -> None:
        """Those of the last day that no process has shown; at the start those too of which that is not known.

        Raises ``StoreError``.
        """
        async with self._database.transaction() as connection:
            await rows.forget_answers(connection, now - ANSWERED_FOR)
            for session, channel_id, person_id in await rows.lost(connection, now - DAY):
                self.note(session, channel_id, person_id)
            if not self._has_begun:
                found = await rows.unseen(connection, UNSURE)
                self._has_begun = True
                self.unseen = {(channel_id, person_id): session for session, channel_id, person_id in found}

    def suspect(self, channel_id: int, person_id: int, after: int = 0) -> None:
        """Somebody has pressed on what is out of date: a roll of theirs that is newer, ``after`` it, was not shown."""
        if self.unseen.get((channel_id, person_id), 0) > after:
            session = self.unseen.pop((channel_id, person_id))
            self.unsure.add(session)
            self.note(session, channel_id, person_id)

    def went_on(self, channel_id: int, person_id: int) -> None:
        """Somebody has done more, so they have seen what they did before."""
        self.unseen.pop((channel_id, person_id), None)

    def note(self, session: int, channel_id: int, person_id: int, message_id: int | None = None) -> None:
        """Remember that a roll is on no card, or only on the one before, ``message_id``."""
        self.sessions.setdefault((channel_id, person_id), {}).setdefault(session, message_id)

    def newest(self, channel_id: int, person_id: int) -> int:
        """The newest lost roll that this person opened in a channel, 0 for none."""
        return max(self.sessions.get((channel_id, person_id), ()), default=0)

    async def answer_of(self, session: int) -> str | None:
        """The token by which the message of such a roll can be looked up; None where it cannot."""
        async with self._database.transaction() as connection:
            return await rows.answer(connection, session)

    def drop(self, session: int, channel_id: int, person_id: int) -> int | None:
        """It has a card now or gets one, or is no more. Returns the message on which it was before, if it was noted."""
        held = self.sessions.get((channel_id, person_id), {})
        message_id = held.pop(session, None)
        if not held:
            self.sessions.pop((channel_id, person_id), None)
        return message_id

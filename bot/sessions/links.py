"""Links to the messages that show rolls, for the history, and rolls without a card.

They are noted after the answer and stored a moment later. The ply that each message shows is in memory only.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bot import background
from bot.bounded_dict import BoundedDict
from bot.sessions.roll import Played
from bot.store import sessions as rows
from bot.store.database import Database
from bot.store.errors import StoreError

WAIT: Final = 10.0
"""Seconds; several rolls share one statement."""
MAX_SHOWN: Final = 10_000
"""Messages whose ply is remembered; for others a late press draws the card once more."""
ANSWERED_FOR: Final = 15 * 60
"""Seconds for which Discord shows an answer again."""
DAY: Final = 24 * 60 * 60
UNSURE: Final = 30
"""Seconds before a kill in which cards may have been posted that the store does not know of."""

log = logging.getLogger(__name__)


class Links:
    """Message ids of sessions, written in batches while nobody waits. A crash loses the last ones, never a roll."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, int | None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def note(self, session: int, message_id: int | None, *, at_once: bool = False) -> None:
        """Remember where a session is shown; None: nowhere, because Discord did not take its card."""
        self._waiting[session] = message_id
        if at_once or message_id is None:  # at once: no answer is delayed, and a crash would lose it
            self._begin()
        elif self._timer is None:
            self._timer = background.call_later(WAIT, self._begin)

    def of(self, roll: Played) -> int | None:
        """The message that shows a roll, as far as it is known; the newest note counts."""
        return self.of_session(roll.session, roll.message_id)

    def of_session(self, session: int, known: int | None) -> int | None:
        """Return the message that shows a session; ``known``: the stored one."""
        return self._waiting.get(session, known)

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._writing = background.start(self._try())

    async def _try(self) -> None:
        try:
            await self.write()
        except StoreError as error:  # they wait for the next time
            log.warning("%d links to rolls were not kept: %s", len(self._waiting), error.reason)

    async def write(self) -> None:
        """Write down what waits. Raises ``StoreError``; then it waits again."""
        if not self._waiting:
            return
        noted = dict(self._waiting)
        await self._database.run(rows.remember_messages, noted)
        self._waiting = {key: message for key, message in self._waiting.items() if (key, message) not in noted.items()}

    async def close(self) -> None:
        """Write down what waits, and wait for nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await self._writing
        await self._try()


class ShownPlies:
    """The ply that each message shows or is about to show, as far as this process put it there.

    When many people press one card at once, one press counts and all others are late. They need no card of their own,
    because the newest one is on its way.
    """

    def __init__(self) -> None:
        self._plies: BoundedDict[int, tuple[int, int]] = BoundedDict(MAX_SHOWN)

    def is_newest(self, message_id: int, roll: Played) -> bool:
        """Whether a message shows this ply of the roll, or a later one."""
        session, ply = self._plies.get(message_id, (0, 0))
        return session == roll.session and ply >= roll.ply

    @contextmanager
    def showing(self, message_id: int, roll: Played) -> Iterator[None]:
        """While a message is changed so that it shows this ply; where that fails, it does not show it."""
        shown = self._plies[message_id] = roll.session, roll.ply
        try:
            yield
        except BaseException:
            if self._plies.get(message_id) == shown:
                del self._plies[message_id]
            raise


class LostCards:
    """Rolls of one database that are on no card, by channel and person: the person who opened one sees it next.

    After a crash it is unknown whether the newest rolls are on a card: a person who opened one and presses on an older
    card may have seen none. Discord says for 15 minutes whether a command has its answer; for presses it cannot be
    asked.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sessions: dict[tuple[int, int], dict[int, int | None]] = {}
        """The sessions of a channel and person, and on which message the store last knew each."""
        self.unseen: dict[tuple[int, int], int] = {}
        """The newest roll of a channel and person that a kill may have kept from being shown."""
        self.unsure: set[int] = set()
        """Lost rolls that may have a card after all. Their openers were told nothing."""
        self._has_begun = False

    async def find(self, now: int) -> None:
        """Find the last day's rolls that no process has shown, and at the start unclear ones. Raises ``StoreError``."""
        async with self._database.transaction() as connection:
            await rows.forget_answers(connection, now - ANSWERED_FOR)
            for session, channel_id, person_id in await rows.lost_cards(connection, now - DAY):
                self.note(session, channel_id, person_id)
            if not self._has_begun:
                result = await rows.unconfirmed_cards(connection, UNSURE)
                self._has_begun = True
                self.unseen = {(channel_id, person_id): session for session, channel_id, person_id in result}

    def mark_maybe_unseen(self, channel_id: int, person_id: int, after: int = 0) -> None:
        """Note that someone pressed an outdated card: a newer roll of theirs, ``after`` it, may not have been shown."""
        if self.unseen.get((channel_id, person_id), 0) > after:
            session = self.unseen.pop((channel_id, person_id))
            self.unsure.add(session)
            self.note(session, channel_id, person_id)

    def mark_seen(self, channel_id: int, person_id: int) -> None:
        """Note that someone has acted again, so they have seen what they did before."""
        self.unseen.pop((channel_id, person_id), None)

    def note(self, session: int, channel_id: int, person_id: int, message_id: int | None = None) -> None:
        """Remember that a roll is on no card, or only on the one before, ``message_id``."""
        self.sessions.setdefault((channel_id, person_id), {}).setdefault(session, message_id)

    def forget(self, channel_id: int) -> None:
        """The newest cards of a channel have been posted again: none is lost there."""
        self.sessions = {key: item for key, item in self.sessions.items() if key[0] != channel_id}
        self.unseen = {key: item for key, item in self.unseen.items() if key[0] != channel_id}

    def newest(self, channel_id: int, person_id: int) -> int:
        """The newest lost roll that this person opened in a channel, 0 for none."""
        return max(self.sessions.get((channel_id, person_id), ()), default=0)

    async def answer_of(self, session: int) -> str | None:
        """The token by which the message of such a roll can be looked up; None where it cannot."""
        return await self._database.run(rows.answer, session)

    def discard(self, session: int, channel_id: int, person_id: int) -> int | None:
        """Forget a lost roll that has a card now or is gone. Returns the message it was on before, if noted."""
        held = self.sessions.get((channel_id, person_id), {})
        message_id = held.pop(session, None)
        if not held:
            self.sessions.pop((channel_id, person_id), None)
        return message_id

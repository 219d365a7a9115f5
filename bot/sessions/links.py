"""Links from rolls to their messages, and rolls without a card. Noted after the response, stored shortly after. The ply
that each message shows is kept in memory only.
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
"""Seconds to wait, so that several rolls share one statement."""
MAX_SHOWN: Final = 10_000
"""Maximum messages whose ply is remembered; for others, a late press redraws the card."""
ANSWERED_FOR: Final = 15 * 60
"""Seconds for which Discord can return an answer again."""
DAY: Final = 24 * 60 * 60
UNSURE: Final = 30
"""Seconds before a crash in which cards may be unknown to the store."""

log = logging.getLogger(__name__)


class Links:
    """Message ids of sessions, written in batches off the response path. A crash loses the last ones, never a roll."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, int | None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def note(self, session: int, message_id: int | None, *, at_once: bool = False) -> None:
        """Note where a session is shown; None: nowhere, because Discord rejected its card."""
        self._waiting[session] = message_id
        if at_once or message_id is None:  # delays no response, and must survive a crash
            self._begin()
        elif self._timer is None:
            self._timer = background.call_later(WAIT, self._begin)

    def of(self, roll: Played) -> int | None:
        """Return the message that shows a roll, if known; the newest note counts."""
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
        except StoreError as error:  # retried next time
            log.warning("%d links to rolls were not kept: %s", len(self._waiting), error.reason)

    async def write(self) -> None:
        """Store pending notes. Raises ``StoreError``; they stay pending."""
        if not self._waiting:
            return
        noted = dict(self._waiting)
        await self._database.run(rows.remember_messages, noted)
        self._waiting = {key: message for key, message in self._waiting.items() if (key, message) not in noted.items()}

    async def close(self) -> None:
        """Store pending notes, then stop."""
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await asyncio.wait([self._writing])  # a loop that ends may have stopped it: what waits is written then
        await self._try()


class ShownPlies:
    """The ply that each message shows or is about to show, as far as this process set it. When many people press one
    card at once, one press counts; the late ones need no new card, because the newest is on its way.
    """

    def __init__(self) -> None:
        self._plies: BoundedDict[int, tuple[int, int]] = BoundedDict(MAX_SHOWN)

    def is_newest(self, message_id: int, roll: Played) -> bool:
        """Whether a message shows this ply of the roll, or a later one."""
        session, ply = self._plies.get(message_id, (0, 0))
        return session == roll.session and ply >= roll.ply

    @contextmanager
    def showing(self, message_id: int, roll: Played) -> Iterator[None]:
        """Mark a message as showing this ply while it is edited; undone if the edit fails."""
        shown = self._plies[message_id] = roll.session, roll.ply
        try:
            yield
        except BaseException:
            if self._plies.get(message_id) == shown:
                del self._plies[message_id]
            raise


class LostCards:
    """Rolls that are on no card, by channel and opener, who sees them next.

    After a crash it is unknown whether the newest rolls are on a card, so their opener may have seen none. Discord can
    tell for 15 minutes whether a command has its answer; for presses it can't.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sessions: dict[tuple[int, int], dict[int, int | None]] = {}
        """Lost sessions of a channel and person, with the last known message of each."""
        self.unseen: dict[tuple[int, int], int] = {}
        """The newest roll of a channel and person that a crash may have kept from being shown."""
        self.unsure: set[int] = set()
        """Lost rolls that may have a card after all; their openers were not notified."""
        self._has_begun = False

    async def find(self, now: int) -> None:
        """Find the last day's rolls that no process has shown; at startup also unclear ones. Raises ``StoreError``."""
        async with self._database.transaction() as connection:
            await rows.forget_answers(connection, now - ANSWERED_FOR)
            for session, channel_id, person_id in await rows.lost_cards(connection, now - DAY):
                self.note(session, channel_id, person_id)
            if not self._has_begun:
                result = await rows.unconfirmed_cards(connection, UNSURE)
                self._has_begun = True
                self.unseen = {(channel_id, person_id): session for session, channel_id, person_id in result}

    def mark_maybe_unseen(self, channel_id: int, person_id: int, after: int = 0) -> None:
        """Note that someone pressed an outdated card: they may not have seen a newer roll, ``after`` it."""
        if self.unseen.get((channel_id, person_id), 0) > after:
            session = self.unseen.pop((channel_id, person_id))
            self.unsure.add(session)
            self.note(session, channel_id, person_id)

    def mark_seen(self, channel_id: int, person_id: int) -> None:
        """Note that someone has acted again, and so has seen their earlier rolls."""
        self.unseen.pop((channel_id, person_id), None)

    def note(self, session: int, channel_id: int, person_id: int, message_id: int | None = None) -> None:
        """Note that a roll is on no card, or only on the previous one, ``message_id``."""
        self.sessions.setdefault((channel_id, person_id), {}).setdefault(session, message_id)

    def forget(self, channel_id: int) -> None:
        """Forget a channel's lost rolls: its newest cards were posted again."""
        self.sessions = {key: item for key, item in self.sessions.items() if key[0] != channel_id}
        self.unseen = {key: item for key, item in self.unseen.items() if key[0] != channel_id}

    def newest(self, channel_id: int, person_id: int) -> int:
        """Return the newest lost roll of this opener in a channel, 0 for none."""
        return max(self.sessions.get((channel_id, person_id), ()), default=0)

    async def answer_of(self, session: int) -> str | None:
        """Return the token for looking up a roll's message; None if there is none."""
        return await self._database.run(rows.answer, session)

    def discard(self, session: int, channel_id: int, person_id: int) -> int | None:
        """Forget a lost roll that has a card or is gone. Returns its previous message, if noted."""
        held = self.sessions.get((channel_id, person_id), {})
        message_id = held.pop(session, None)
        if not held:
            self.sessions.pop((channel_id, person_id), None)
        return message_id

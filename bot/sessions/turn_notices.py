"""Notices to players whose turn it is. In memory only: a restart drops earlier turns."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

from bot import background


class TimerHandle(Protocol):
    def cancel(self) -> None: ...


Remove = Callable[[], Awaitable[None]]
"""Function that removes a mention again."""
Send = Callable[[], Awaitable[Remove | None]]
"""Post a mention; None if it is no longer needed."""
Later = Callable[[float, Callable[[], None]], TimerHandle]
"""Call a function after a number of seconds, as an event loop's ``call_later``."""


@dataclass(slots=True)
class PendingMention:
    """A turn's mention: its timer, its sending task, and how to remove it."""

    clock: TimerHandle | None = None
    sending: asyncio.Task[None] | None = None
    remove: Remove | None = None


@dataclass(slots=True)
class TurnNotices:
    """Scheduled notices: one per roll's turn, and clocks."""

    later: Later = background.call_later
    waiting: dict[Hashable, PendingMention] = field(default_factory=dict)

    def call(self, what: Hashable, seconds: float, send: Send) -> None:
        """Send a notice about ``what`` (a roll's session) after ``seconds``, unless it is over by then. ``send`` posts
        the mention and returns a function that removes it; None if it wasn't needed.
        """
        turn = self.waiting[what] = PendingMention()

        async def ring() -> None:
            turn.remove = await send()
            if self.waiting.get(what) is not turn and turn.remove is not None:  # pressed before it was posted
                await turn.remove()

        def due() -> None:
            turn.clock = None
            if self.waiting.get(what) is turn:
                turn.sending = background.start(ring())

        turn.clock = self.later(seconds, due)

    async def end(self, what: Hashable) -> None:
        """End a roll's turn: cancel its notice and remove its mention."""
        turn = self.waiting.pop(what, None)
        if turn is None:
            return
        if turn.clock is not None:
            turn.clock.cancel()
        if turn.remove is not None:
            await turn.remove()

    def close(self) -> None:
        for turn in self.waiting.values():
            if turn.clock is not None:
                turn.clock.cancel()
            if turn.sending is not None:
                turn.sending.cancel()
        self.waiting.clear()

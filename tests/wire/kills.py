"""A bot that is killed under people's hands, now and then, and started again."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from tests.wire.interactions import Answer
from tests.wire.process import BotProcess
from tests.wire.wire import PATIENT, Wire

MOMENTS = (0, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08)
"""Seconds after something was done at which the bot may die: before it hears of it, while it answers, afterwards."""


class MortalBot:
    """A bot that dies again and again.

    ``every``: it dies around one of so many things that somebody does, from the least to the most; so a game of known
    length sees a known number of kills, however its dice fall.

    ``tried``, ``kills`` and ``unseen`` count what was done, how often it died, and the answers that nobody saw;
    ``has_died``: over the last thing that was done.
    """

    def __init__(self, wire: Wire, chance: Random, every: tuple[int, int]) -> None:
        self._wire, self._chance, self._every = wire, chance, every
        self._left = chance.randint(*every)
        self._bot: BotProcess | None = None
        self.tried = self.kills = self.unseen = 0
        self.has_died = False

    async def start(self) -> None:
        self._bot = await self._wire.start_bot(PATIENT)

    async def risk(self, act: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """Do something; the bot may be killed before it, while it happens or after it. None if no answer was seen."""
        assert self._bot is not None
        self.tried += 1
        self._left -= 1
        self.has_died = not self._left
        if self._left:
            return await act()
        self._left = self._chance.randint(*self._every)
        acting = asyncio.ensure_future(act())
        await asyncio.sleep(self._chance.choice(MOMENTS))
        await self._wire.kill(self._bot)
        await asyncio.sleep(0.05)
        self.kills += 1
        answer = acting.result() if acting.done() else None
        if answer is None:
            self.unseen += 1
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
        self._bot = await self._wire.start_bot(PATIENT)
        return answer

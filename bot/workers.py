"""Counts odds, advice and luck so that nobody waits for somebody else's question.

A small question is counted at once (``bot.odds.effort``). A large one goes to a process of its own, ``bot.worker``: a
thread would not do, because Python runs one thread at a time, and the bot answers everybody in one. Workers are started
when they are needed and end when nobody has needed them for a minute.
"""

import asyncio
import logging
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Final, TypeVar

from bot.odds.effort import TooLarge, small_only
from bot.rules.errors import PlayerError
from bot.worker import LENGTH

Result = TypeVar("Result")

PATIENCE: Final = 60.0
"""Seconds of one count. The largest that a game allows takes less than one; beyond this a worker hangs."""
SECRETS: Final = ("DISCORD_TOKEN", "DATABASE_URL")
"""Variables that a worker has no use for."""

log = logging.getLogger(__name__)


class NotCounted(PlayerError):
    """A question that got no answer; ``str()`` says what to do."""


class StillCounting(NotCounted):
    """The same person's last large question is still being counted."""

    def __init__(self) -> None:
        super().__init__("I am still counting what you asked before. Wait for that answer, then ask again.")


class Workers:
    """At most ``most`` processes; further large questions wait, in the order in which they were asked.

    A question is a function without arguments; for a process of its own it is pickled, so make it with ``partial`` of
    functions that a module holds.
    """

    def __init__(self, most: int, patience: float = PATIENCE) -> None:
        self._places = asyncio.Semaphore(most)
        self._patience = patience
        self._free: list[Process] = []
        self._running: set[Process] = set()
        self._is_closed = False
        self.open_questions = 0
        """Large questions that are counted or wait for it."""
        self._asking: set[int] = set()
        """The people whose large questions are open."""

    async def count(self, question: Callable[[], Result], *, asked_by: int | None = None) -> Result:
        """What the question returns or raises, counted at once or by a worker.

        Somebody who asks may have one large question open: raises ``StillCounting`` for the next. Raises
        ``NotCounted`` where a worker does not answer.
        """
        try:
            with small_only():
                return question()
        except TooLarge:
            pass
        if asked_by is None:
            return await self._count_apart(question)
        if asked_by in self._asking:
            raise StillCounting
        self._asking.add(asked_by)
        try:
            return await self._count_apart(question)
        finally:
            self._asking.discard(asked_by)

    async def _count_apart(self, question: Callable[[], Result]) -> Result:
        asked = pickle.dumps(question)
        self.open_questions += 1
        try:
            async with self._places:
                answer = await self._ask(asked) or await self._ask(asked)  # a worker that was ended may have been free
        finally:
            self.open_questions -= 1
        if answer is None:
            raise NotCounted("My counting broke off. Please ask again in a minute.")
        is_counted, found = pickle.loads(answer)  # noqa: S301 - our own process wrote it
        if not is_counted:
            raise found
        counted: Result = found
        return counted

    async def _ask(self, question: bytes) -> bytes | None:
        """One worker's answer; None if it ended meanwhile. A worker that does not come to an answer is ended."""
        worker = None
        try:
            worker = await self._worker()
            async with asyncio.timeout(self._patience):
                answer = await exchange(worker, question)
            self._free.append(worker)
            worker = None
        except TimeoutError:
            log.warning("a question was not counted in %s seconds: its process is ended", self._patience)
            raise NotCounted("That took me too long to count. Ask with fewer dice, tokens or effects.") from None
        except (EOFError, OSError) as error:
            log.warning("a process that counts has ended, or could not be started: %s", error)
            return None
        else:
            return answer
        finally:
            if worker is not None:  # it died, it hangs, or it counts for somebody who no longer waits
                await self._end(worker)

    async def _worker(self) -> Process:
        """One that waits for a question, or a new one. Raises ``EOFError`` when nobody may start any more."""
        while self._free:
            worker = self._free.pop()
            if worker.returncode is None:
                return worker
            self._running.discard(worker)
        if self._is_closed:
            raise EOFError("the bot stops")
        worker = await start()
        self._running.add(worker)
        return worker

    async def _end(self, *workers: Process) -> None:
        for worker in workers:
            if worker.returncode is None:
                worker.kill()
        for worker in workers:
            await worker.wait()
            self._running.discard(worker)

    async def close(self) -> None:
        """End all of them, whatever they count; large questions get no answer from now on."""
        self._is_closed = True
        self._free.clear()
        await self._end(*self._running)


async def start() -> Process:
    """A worker that imports what this process would."""
    variables = {name: value for name, value in os.environ.items() if name not in SECRETS}
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.worker", stdin=PIPE, stdout=PIPE, env=variables
    )


async def exchange(worker: Process, question: bytes) -> bytes:
    """Send a question and read its answer. Raises ``EOFError`` or ``OSError`` if the worker ends."""
    assert worker.stdin is not None  # noqa: S101 - they were asked for
    assert worker.stdout is not None  # noqa: S101 - as above
    worker.stdin.write(LENGTH.pack(len(question)) + question)
    await worker.stdin.drain()
    (length,) = LENGTH.unpack(await worker.stdout.readexactly(LENGTH.size))
    return await worker.stdout.readexactly(length)

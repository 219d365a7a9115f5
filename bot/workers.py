"""Counts odds, advice and luck, and reads files, so that nobody waits for somebody else's question.

A small question is answered at once (``bot.odds.effort``). A large one goes to a process of its own, ``bot.worker``: a
thread would not do, because Python runs one thread at a time, and the bot answers everybody in one. Workers are started
when they are needed. Those that count end when nobody has needed them for a minute, but for one that is made ahead;
those that read end with the file, so that its memory is gone.
"""

import asyncio
import logging
import math
import os
import pickle
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from subprocess import PIPE, Popen
from typing import Final, TypeVar

from bot import allowance, metrics
from bot.environment import inherited
from bot.odds.effort import TooLarge, check, small_only
from bot.rules.errors import BadInput, PlayerError
from bot.rules.text import N_, Count, Shown, Text
from bot.worker import STAYS

Result = TypeVar("Result")
Process = Popen[bytes]

NOBODY: Final = allowance.Asker(None, 0)
"""The caller for the bot's own questions."""


log = logging.getLogger(__name__)


class NotCounted(PlayerError):
    """A question that got no answer; ``str()`` says what to do."""


class StillCounting(NotCounted):
    """The same person's last large question is still running."""


class OverBudget(NotCounted):
    """The server has used what it may cost the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A kind of work: its limits, and its messages.

    ``patience``: seconds for one question, ``memory``: bytes a worker may use for it, None for no limit.
    A worker without a limit waits for the next question.
    """

    patience: float
    memory: int | None = None
    is_open: Text
    broke_off: Text
    too_long: Text
    too_much: Text


COUNTING: Final = Task(
    patience=60.0,  # the largest question that a game allows takes less than one second; beyond this a worker hangs
    is_open=Text("I am still counting what you asked before. Wait for that answer, then ask again."),
    broke_off=Text("My counting broke off. Please ask again in a minute."),
    too_long=Text("That took me too long to count. Ask with fewer dice, tokens or effects."),
    too_much=Text("That is too much to count. Ask with fewer dice, tokens or effects."),
)
READING: Final = Task(
    patience=10.0,  # the largest file that may come takes half a second
    memory=256 * 1024 * 1024,
    is_open=Text("I am still reading what you sent before. Wait for that answer, then send this again."),
    broke_off=Text("My reading broke off. Please send it again in a minute."),
    too_long=Text("That takes me too long to read. Send a smaller file, with less in it."),
    too_much=Text("That takes more memory than I have for one file. Send a smaller file, with less in it."),
)
COUNTERS: Final = 2
"""Questions that are counted at the same time."""
READERS: Final = 4
"""Files that are read at the same time."""
AT_ONCE: Final = 4000
"""Characters that are read without a process: what a form or an option of a command holds at most."""


@dataclass(slots=True)
class Waiting:
    """A large question that waits for a place."""

    payer: int
    ready: asyncio.Future[None]


class Workers:
    """A pool of at most ``most`` processes, of which one server gets all but one, if there are several.

    Further large questions wait: the next place goes to the server with the fewest, then to the one that has used
    least, then to the oldest question. A question is a function without arguments; to run in a process it is pickled,
    so make it with ``partial`` of functions that a module holds.
    """

    def __init__(self, most: int, task: Task = COUNTING, allowances: allowance.Allowances | None = None) -> None:
        self._most, self._share = most, max(1, most - 1)
        self._task = task
        self._allowances = allowances or allowance.Allowances()
        self._threads = ThreadPoolExecutor(2 * most, "worker")
        self._free: list[Process] = []
        self._running: set[Process] = set()
        self._is_closed = False
        self.open_questions = 0
        """Large questions that are counted or wait for it."""
        self._asking: set[int] = set()
        """The people whose large questions are open."""
        self._counted = Counter[int]()
        """Number of questions being computed, by who pays."""
        self._waiting: list[Waiting] = []
        """Queued questions, oldest first."""

    async def count(self, question: Callable[[], Result], *, asked_by: allowance.Asker = NOBODY) -> Result:
        """Return or raise the result of a question, computed at once or by a worker.

        A caller may have one large question open: raises ``StillCounting`` for the next. Raises ``NotCounted`` if a
        worker doesn't answer, ``OverBudget`` if the payer has used too much.
        """
        try:
            with small_only():
                return question()
        except TooLarge:
            pass
        return await self.count_apart(question, asked_by=asked_by)

    def admit(self, asked_by: allowance.Asker) -> None:
        """Raises ``StillCounting`` or ``OverBudget`` where somebody may ask no large question now."""
        if asked_by.person in self._asking:
            raise StillCounting(self._task.is_open)
        wait = self._allowances.of(asked_by.payer).work.wait()
        if wait > 0:
            metrics.OVER_BUDGET.labels("seconds").inc()
            message = N_(
                "So much was read and counted here in the last minute that other servers come first now. Ask again "
                "in {seconds}."
            )
            raise OverBudget(Text(message, seconds=Count(math.ceil(wait), "second", "seconds")))
        if sum(one.payer == asked_by.payer for one in self._waiting) >= self._allowances.limits.waiting:
            metrics.OVER_BUDGET.labels("waiting").inc()
            raise OverBudget(Text("Others here have asked me so much that I am still at it. Ask again in a moment."))

    async def count_apart(self, question: Callable[[], Result], *, asked_by: allowance.Asker) -> Result:
        """The same for a question that is always run in a process. Raises as ``count`` does."""
        self.admit(asked_by)
        person, payer = asked_by
        asked = pickle.dumps(question)
        self.open_questions += 1
        self._asking |= set() if person is None else {person}
        try:
            async with self._place(payer):
                answer = await self._ask(asked, payer) or await self._ask(asked, payer)  # a free worker may have ended
        finally:
            self.open_questions -= 1
            self._asking -= {person}
        if answer is None:
            raise NotCounted(self._task.broke_off)
        is_counted, found = pickle.loads(answer)  # noqa: S301 - our own process wrote it
        if isinstance(found, MemoryError):
            raise NotCounted(self._task.too_much)
        if not is_counted:
            raise found
        counted: Result = found
        return counted

    @asynccontextmanager
    async def _place(self, payer: int) -> AsyncIterator[None]:
        """A place among those that are counted. Whoever is cancelled while they wait has none."""
        one = Waiting(payer, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        self._serve()
        try:
            await one.ready
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            else:
                self._leave(payer)
            raise
        try:
            yield
        finally:
            self._leave(payer)

    def _leave(self, payer: int) -> None:
        self._counted -= Counter((payer,))
        self._serve()

    def _serve(self) -> None:
        """Assign free places to queued questions."""
        while self._counted.total() < self._most:
            able = [one for one in self._waiting if self._counted[one.payer] < self._share]
            if not able:
                return
            one = min(able, key=lambda one: (self._counted[one.payer], -self._allowances.of(one.payer).work.left))
            self._waiting.remove(one)
            self._counted[one.payer] += 1
            one.ready.set_result(None)

    async def _ask(self, question: bytes, payer: int) -> bytes | None:
        """One worker's answer; None if it ended meanwhile. A worker that does not come to an answer is ended."""
        worker, work = None, self._allowances.of(payer).work
        try:
            worker = await self._worker()
            async with asyncio.timeout(self._task.patience):
                seconds, answer = await self._apart(exchange, worker, question)
            work.take(seconds)
            if self._task.memory is None:
                self._free.append(worker)
                worker = None
        except TimeoutError:
            work.take(self._task.patience)
            log.warning("a question was not answered in %s seconds: its process is ended", self._task.patience)
            raise NotCounted(self._task.too_long) from None
        except (EOFError, OSError) as error:
            log.warning("a worker has ended, or could not be started: %s", error)
            return None
        else:
            return answer
        finally:
            if worker is not None:  # it died, it hangs, it has read its file, or its asker no longer waits
                await self._end(worker)

    async def _apart(self, act: Callable[..., Result], *given: object) -> Result:
        """Wait for a process in a thread: starting one blocks the event loop for 15 ms (uvloop)."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, act, *given)

    async def prepare(self, question: Callable[[], object]) -> None:
        """Have one worker before somebody asks, with what ``question`` imports; it waits however long nobody does."""
        worker = await self._apart(start, STAYS)
        self._running.add(worker)
        try:
            await self._apart(exchange, worker, pickle.dumps(question))
        except (EOFError, OSError) as error:
            log.warning("no worker could be made ahead: %s", error)
            await self._end(worker)
        else:
            self._free.insert(0, worker)

    async def _worker(self) -> Process:
        """One that waits for a question, or a new one. Raises ``EOFError`` when nobody may start any more."""
        while self._free:
            worker = self._free.pop()
            if worker.poll() is None:
                return worker
            await self._end(worker)
        if self._is_closed:
            raise EOFError("the bot stops")
        worker = await self._apart(start, *([str(self._task.memory)] if self._task.memory else []))
        self._running.add(worker)
        return worker

    async def _end(self, *workers: Process) -> None:
        for worker in workers:
            worker.kill()
        for worker in workers:
            await self._apart(gone, worker)
            self._running.discard(worker)

    async def close(self) -> None:
        """End all of them, whatever they count; large questions get no answer from now on."""
        self._is_closed = True
        self._free.clear()
        await self._end(*self._running)
        self._threads.shutdown(wait=False)


def start(*words: str) -> Process:
    """A worker that imports what this process would, with the words of its command line."""
    variables = inherited() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return Process([sys.executable, "-m", "bot.worker", *words], stdin=PIPE, stdout=PIPE, env=variables)


def exchange(worker: Process, question: bytes) -> tuple[float, bytes]:
    """Send a question and read its answer, with the CPU time it took. Raises ``EOFError`` or ``OSError`` if it ends."""
    assert worker.stdin is not None  # noqa: S101 - they were asked for
    assert worker.stdout is not None  # noqa: S101 - as above
    pickle.dump(question, worker.stdin)
    worker.stdin.flush()
    try:
        answer: tuple[float, bytes] = pickle.load(worker.stdout)  # noqa: S301 - our own process wrote it
    except pickle.UnpicklingError as error:
        raise EOFError("it has ended in the middle of its answer") from error
    return answer


def gone(worker: Process) -> None:
    """Wait until a worker that was killed has ended."""
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        with suppress(OSError):  # what it was asked last may not have reached it
            if pipe is not None:
                pipe.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """An attached file. However few bytes it has, only a worker looks into it: what is packed may be large."""

    name: str
    content: bytes
    what: Shown
    """Expected content, for people."""
    is_text: bool

    def opened(self) -> str | bytes:
        """Raises ``BadInput`` for a text in another encoding."""
        check(1, 0)  # never at once
        if not self.is_text:
            return self.content
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadInput("file", self.name, Text("Use a text file in UTF-8 with {what}.", what=self.what)) from error


def reading(read: Callable[..., Result], *given: str | Sent) -> Callable[[], Result]:
    """The question what ``read`` makes of files, never answered at once, or of texts: at once where they are short."""
    return partial(opened_and_read, read, given)


def opened_and_read(read: Callable[..., Result], given: tuple[str | Sent, ...]) -> Result:
    opened = [one.opened() if isinstance(one, Sent) else one for one in given]
    check(sum(map(len, opened)), AT_ONCE)
    return read(*opened)

"""Computes odds, advice, and luck, and parses files, without delaying others.

A small question is answered at once (``bot.odds.size_limit``). A large one runs in a process,
``bot.resources.worker_process``: a thread would hold the GIL, and one thread answers everybody. Workers start on
demand, and end after an idle minute, which frees their memory; parsing ones end with the file.
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
from subprocess import PIPE, Popen
from typing import Final, TypeVar

from bot import metrics
from bot.child_environment import inherited_variables
from bot.odds.size_limit import QuestionTooLargeError, check, refuse_large_questions
from bot.resources import quotas
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import N_, Count, Shown, Text

Result = TypeVar("Result")
Process = Popen[bytes]

NOBODY: Final = quotas.Caller(None, 0)
"""The caller for the bot's own questions."""


log = logging.getLogger(__name__)


class ComputationError(PlayerError):
    """A question without an answer; ``str()`` says what to do."""


class ComputationRunningError(ComputationError):
    """The person's last large question is still running."""


class QuotaExceededError(ComputationError):
    """The server has used up its quota."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerTask:
    """A kind of work: its limits and messages. ``patience``: seconds per question; ``memory``: bytes per worker, None
    for no limit. Only a worker without a memory limit is reused.
    """

    patience: float
    memory: int | None = None
    is_open: Text
    broke_off: Text
    too_long: Text
    too_much: Text


COUNTING: Final = WorkerTask(
    patience=60.0,  # a game's largest question takes under a second; beyond this a worker hangs
    is_open=Text("I'm still calculating your previous question. Wait for that answer, then ask again."),
    broke_off=Text("My calculation was interrupted. Please ask again in a minute."),
    too_long=Text("That took too long to calculate. Use fewer dice, tokens, or effects."),
    too_much=Text("That's too much to calculate. Use fewer dice, tokens, or effects."),
)
READING: Final = WorkerTask(
    patience=10.0,  # the largest file takes half a second
    memory=256 * 1024 * 1024,
    is_open=Text("I'm still reading what you sent before. Wait for that answer, then send this again."),
    broke_off=Text("My reading was interrupted. Please send it again in a minute."),
    too_long=Text("That takes too long to read. Send a smaller file."),
    too_much=Text("That takes more memory than I can use for one file. Send a smaller file."),
)
COUNTERS: Final = 2
"""Maximum concurrent computations."""
READERS: Final = 4
"""Maximum files parsed at once."""
AT_ONCE: Final = 4000
"""Maximum characters parsed without a process: those of a form or an option."""


@dataclass(slots=True)
class QueuedJob:
    payer: int
    ready: asyncio.Future[None]


class WorkerPool:
    """A pool of at most ``most`` processes, of which one server gets all but one, if there are several.

    The next free place goes to the server with the fewest, then the one that used least, then the oldest question. A
    question is a function without arguments; it is pickled, so make it with ``partial`` of module-level functions.
    """

    def __init__(self, most: int, task: WorkerTask = COUNTING, allowances: quotas.Quotas | None = None) -> None:
        self._most, self._share = most, max(1, most - 1)
        self._task = task
        self._allowances = allowances or quotas.Quotas()
        self._threads = ThreadPoolExecutor(2 * most, "worker")
        self._free: list[Process] = []
        self._running: set[Process] = set()
        self._is_closed = False
        self.open_questions = 0
        """Large questions running or queued."""
        self._asking: set[int] = set()
        """People with open large questions."""
        self._counted = Counter[int]()
        """Number of running questions, by quota id."""
        self._waiting: list[QueuedJob] = []
        """Queued questions, oldest first."""

    async def run(self, question: Callable[[], Result], *, asked_by: quotas.Caller = NOBODY) -> Result:
        """Return or raise the result of a question, computed at once or by a worker.

        A caller may have one large question open: raises ``ComputationRunningError`` for the next. Raises
        ``ComputationError`` if a worker doesn't answer, ``QuotaExceededError`` if the payer has used too much.
        """
        try:
            with refuse_large_questions():
                return question()
        except QuestionTooLargeError:
            pass
        return await self.run_in_process(question, asked_by=asked_by)

    def admit(self, asked_by: quotas.Caller) -> None:
        """Raise ``ComputationRunningError`` or ``QuotaExceededError`` if the caller may ask no large question now."""
        if asked_by.person in self._asking:
            raise ComputationRunningError(self._task.is_open)
        wait = self._allowances.of(asked_by.payer).work.delay()
        if wait > 0:
            metrics.OVER_BUDGET.labels("seconds").inc()
            message = N_(
                "This server has used a lot of calculation time in the last minute, so other servers come "
                "first now. Ask again in {seconds}."
            )
            raise QuotaExceededError(Text(message, seconds=Count(math.ceil(wait), "second", "seconds")))
        if sum(job.payer == asked_by.payer for job in self._waiting) >= self._allowances.limits.waiting:
            metrics.OVER_BUDGET.labels("waiting").inc()
            raise QuotaExceededError(Text("I'm still working on other people's questions here. Ask again in a moment."))

    async def run_in_process(self, question: Callable[[], Result], *, asked_by: quotas.Caller) -> Result:
        """Run a question in a process. Raises as ``run`` does."""
        self.admit(asked_by)
        person, payer = asked_by
        asked = pickle.dumps(question)
        self.open_questions += 1
        self._asking |= set() if person is None else {person}
        try:
            async with self._place(payer):
                answer = await self._ask(asked, payer) or await self._ask(asked, payer)  # an idle worker may have ended
        finally:
            self.open_questions -= 1
            self._asking -= {person}
        if answer is None:
            raise ComputationError(self._task.broke_off)
        is_counted, result = pickle.loads(answer)  # noqa: S301 - our own process wrote it
        if isinstance(result, MemoryError):
            raise ComputationError(self._task.too_much)
        if not is_counted:
            raise result
        counted: Result = result
        return counted

    @asynccontextmanager
    async def _place(self, payer: int) -> AsyncIterator[None]:
        """Hold a place among the running questions. A canceled wait takes none."""
        job = QueuedJob(payer, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._serve()
        try:
            await job.ready
        except asyncio.CancelledError:
            if job in self._waiting:
                self._waiting.remove(job)
            else:
                self._release(payer)
            raise
        try:
            yield
        finally:
            self._release(payer)

    def _release(self, payer: int) -> None:
        self._counted -= Counter((payer,))
        self._serve()

    def _serve(self) -> None:
        """Assign free places to queued questions."""
        while self._counted.total() < self._most:
            able = [item for item in self._waiting if self._counted[item.payer] < self._share]
            if not able:
                return
            budget = self._allowances.of
            job = min(able, key=lambda item: (self._counted[item.payer], -budget(item.payer).work.remaining))
            self._waiting.remove(job)
            self._counted[job.payer] += 1
            job.ready.set_result(None)

    async def _ask(self, question: bytes, payer: int) -> bytes | None:
        """Return one worker's answer; None if it ended. A worker that doesn't finish is killed."""
        worker, work = None, self._allowances.of(payer).work
        try:
            worker = await self._worker()
            async with asyncio.timeout(self._task.patience):
                seconds, answer = await self._run_in_thread(exchange, worker, question)
            work.consume(seconds)
            if self._task.memory is None:
                self._free.append(worker)
                worker = None
        except TimeoutError:
            work.consume(self._task.patience)
            log.warning("a question was not answered in %s seconds: its process is ended", self._task.patience)
            raise ComputationError(self._task.too_long) from None
        except (EOFError, OSError) as error:
            log.warning("a worker has ended, or could not be started: %s", error)
            return None
        else:
            return answer
        finally:
            if worker is not None and not self._is_closed:  # it died, hangs, is done, or its caller is gone
                await self._end_workers(worker)

    async def _run_in_thread(self, act: Callable[..., Result], *given: object) -> Result:
        """Run process management in a thread: starting one blocks for 15 ms (uvloop)."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, act, *given)

    async def _worker(self) -> Process:
        """Return an idle process, or a new one. Raises ``EOFError`` after ``close``."""
        while self._free:
            worker = self._free.pop()
            if worker.poll() is None:
                return worker
            await self._end_workers(worker)
        if self._is_closed:
            raise EOFError("the bot stops")
        worker = await self._run_in_thread(start, self._task.memory)
        self._running.add(worker)
        return worker

    async def _end_workers(self, *workers: Process) -> None:
        for worker in workers:
            worker.kill()
        for worker in workers:
            await self._run_in_thread(wait_until_gone, worker)
            self._running.discard(worker)

    async def close(self) -> None:
        """Kill all workers; large questions get no answer from now on."""
        self._is_closed = True
        self._free.clear()
        await self._end_workers(*self._running)
        self._threads.shutdown(wait=False)


def start(memory: int | None) -> Process:
    """Start a worker with this process's import paths, and with this much memory for its questions."""
    variables = inherited_variables() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "bot.resources.worker_process", *filter(None, [str(memory or "")])]
    return Process(command, stdin=PIPE, stdout=PIPE, env=variables)


def exchange(worker: Process, question: bytes) -> tuple[float, bytes]:
    """Send a question; return CPU seconds and the answer. Raises ``EOFError`` or ``OSError`` if the worker ends."""
    assert worker.stdin is not None  # noqa: S101 - they were asked for
    assert worker.stdout is not None  # noqa: S101 - as above
    pickle.dump(question, worker.stdin)
    worker.stdin.flush()
    try:
        answer: tuple[float, bytes] = pickle.load(worker.stdout)  # noqa: S301 - our own process wrote it
    except (pickle.UnpicklingError, ValueError) as error:  # the latter if ``close`` has closed the pipe meanwhile
        raise EOFError("it has ended in the middle of its answer") from error
    return answer


def wait_until_gone(worker: Process) -> None:
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        with suppress(OSError):  # its last input may not have arrived
            if pipe is not None:
                pipe.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFile:
    """An uploaded file, opened only in a worker: it may be small and unpack to a lot."""

    name: str
    content: bytes
    what: Shown
    """Expected content, for people."""
    is_text: bool

    def read_text(self) -> str | bytes:
        """Raise ``BadInputError`` for another encoding."""
        check(1, 0)  # never at once
        if not self.is_text:
            return self.content
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadInputError(
                "file", self.name, Text("Use a text file in UTF-8 with {what}.", what=self.what)
            ) from error


def read_opened(read: Callable[..., Result], *given: str | UploadedFile) -> Result:
    """Parse files with ``read``, never answered at once, or texts, at once if short."""
    opened = [item.read_text() if isinstance(item, UploadedFile) else item for item in given]
    check(sum(map(len, opened)), AT_ONCE)
    return read(*opened)

"""Rate limiting of requests to Discord, by priority.

Discord allows 50 requests a second for all processes of a bot, and bans for a day after 10,000 rejected ones in ten
minutes: https://discord.com/developers/docs/topics/rate-limits#global-rate-limit. Answers to interactions and their
webhooks don't count. Everything else waits for a turn here: at most ``BURST`` more than ``PER_SECOND`` in any second,
most urgent first. Each process has its share of both (``bot.store.coordination``). A new process has ``FIRST`` extra
turns, fewer than the rest of Discord's 50.

A live message takes its turn *before* it is rendered (``RateLimiter.turn``): the longer the queue, the more changes go
into one edit. When turns are scarce, servers rotate, however many boards each has.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Final

import aiohttp
import yarl

from bot import background, metrics

PER_SECOND: Final = 40.0
BURST: Final = 4.0
TOO_MANY: Final = 429
NOT_COUNTED: Final = ("/interactions/", "/webhooks/")
"""API requests outside the bot's global limit."""
FIRST: Final = 5.0
"""Turns of a process before it knows its share: identity, gateway, commands, and emoji."""
log = logging.getLogger(__name__)


class Priority(IntEnum):
    """Priority of a request; the smaller number goes first."""

    AWAITED = 0
    """A person waits for it."""
    BOARD = 1
    TURN_ORDER = 2
    LOG_COPY = 3
    TIDYING = 4


URGENCY: Final = ContextVar("urgency", default=Priority.AWAITED)
"""Priority of the current task's requests."""


@dataclass(slots=True)
class RequestSlot:
    """A turn taken before its request; ``is_used`` once the request was sent."""

    is_used: bool = False


TAKEN: Final[ContextVar[RequestSlot | None]] = ContextVar("taken", default=None)


@dataclass(order=True, slots=True)
class QueuedRequest:
    """A queued request, ordered by priority, then its server's round (fair queuing: one request per server in each),
    then arrival.
    """

    urgency: Priority
    round: int
    number: int
    ready: asyncio.Future[None] = field(compare=False)


class RateLimiter:
    """The turns of one process: its share of the bot's ``rate`` per second and ``burst``."""

    def __init__(self, rate: float = PER_SECOND, clock: Callable[[], float] | None = None) -> None:
        self.rate, self.burst = rate, BURST
        self.taken = 0
        """Turns taken so far."""
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._left = FIRST
        self._counted_at: float | None = None
        self._queue: list[QueuedRequest] = []
        self._numbers = count()
        self._served = 0
        """The round served last."""
        self._rounds: dict[int, int] = {}
        """The last round of each queued server."""
        self._timer: asyncio.TimerHandle | None = None

    def share(self, rate: float) -> None:
        """Set the rate per second, and the burst in proportion, but at least one request."""
        self._fill()
        self.rate, self.burst = rate, max(1.0, BURST * rate / PER_SECOND)
        self._left = min(self._left, max(self.burst, FIRST))
        if self._timer is not None:  # it was set for another rate
            self._timer.cancel()
            self._timer = None
        self._serve()

    @property
    def queue_length(self) -> int:
        return sum(not request.ready.done() for request in self._queue)

    async def request(self) -> None:
        """Take a turn before a counted request, unless the task has one."""
        turn = TAKEN.get()
        if turn is not None and not turn.is_used:
            turn.is_used = True
            return
        await self.take(URGENCY.get())

    @asynccontextmanager
    async def turn(self, urgency: Priority, payer: int | None = None) -> AsyncIterator[None]:
        """Take a turn for a message to render and send inside, paid by a server; returned if nothing was sent."""
        await self.take(urgency, payer)
        turn = RequestSlot()
        before = TAKEN.set(turn)
        try:
            yield
        finally:
            TAKEN.reset(before)
            if not turn.is_used:
                self._give_back()

    async def take(self, urgency: Priority, payer: int | None = None) -> None:
        """Wait for a turn. A canceled request takes none."""
        self._fill()
        if self._left >= 1 and not self.queue_length:
            self._left -= 1
            self.taken += 1
            return
        request = QueuedRequest(
            urgency, self._next_round(payer), next(self._numbers), asyncio.get_running_loop().create_future()
        )
        heappush(self._queue, request)
        self._serve()
        with metrics.REQUEST_WAITS.labels(urgency.name.lower()).time():
            try:
                await request.ready
            except asyncio.CancelledError:
                if request.ready.done() and not request.ready.cancelled():
                    self._give_back()
                raise

    def _give_back(self) -> None:
        self.taken -= 1
        self._left += 1
        self._serve()

    def _next_round(self, payer: int | None) -> int:
        """Return the round of one more turn for a server; without one, the current round."""
        if not self._queue:
            self._rounds.clear()
            self._served = 0
        if payer is None:
            return self._served
        self._rounds[payer] = result = max(self._served, self._rounds.get(payer, -1) + 1)
        return result

    def _fill(self) -> None:
        now = self._clock()
        since = now if self._counted_at is None else self._counted_at
        if self._left < self.burst:
            self._left = min(self.burst, self._left + max(0.0, now - since) * self.rate)
        self._counted_at = now

    def _serve(self) -> None:
        """Serve queued requests as the rate allows, and schedule the next call."""
        self._fill()
        while self._queue and self._left >= 1:
            request = heappop(self._queue)
            if not request.ready.done():  # else it was canceled
                request.ready.set_result(None)
                self._served = max(self._served, request.round)
                self._left -= 1
                self.taken += 1
        if self._queue and self._timer is None:
            self._timer = background.call_later((1 - self._left) / self.rate, self._resume)

    def _resume(self) -> None:
        self._timer = None
        self._serve()


def make_trace_config(arrived: dict[int, float], budget: RateLimiter, api: str) -> aiohttp.TraceConfig:
    """Return a trace config: requests to the ``api`` wait for their turn, first answers are timed, rejections counted.
    It sees the actual requests, so discord.py's own ones and retries count as well.
    """

    async def begins(_: object, __: object, request: aiohttp.TraceRequestStartParams) -> None:
        path = str(request.url).removeprefix(api)
        if path != str(request.url) and not path.startswith(NOT_COUNTED):
            await budget.request()

    async def ended(_: object, __: object, request: aiohttp.TraceRequestEndParams) -> None:
        log.debug("%s %s: %d", request.method, request.url.path, request.response.status)
        note(request.url, request.response.status)

    async def failed(_: object, __: object, request: aiohttp.TraceRequestExceptionParams) -> None:
        log.debug("%s %s: %r", request.method, request.url.path, request.exception)
        note(request.url, 0)

    def note(url: yarl.URL, status: int) -> None:
        if status == TOO_MANY:
            metrics.RATE_LIMITED.inc()
        if not url.path.endswith("/callback"):
            return
        if not 200 <= status < 300:
            metrics.FAILED_ANSWERS.labels(status).inc()
        else:
            record_first_answer(arrived, int(url.parts[-3]))

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begins)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


def record_first_answer(arrived: dict[int, float], number: int) -> None:
    if (at := arrived.pop(number, None)) is not None:
        metrics.FIRST_ANSWER.observe(time.perf_counter() - at)

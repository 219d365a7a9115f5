"""Quotas: limits of one server, in one table, and their use.

People without a server have their own. Anything over a limit waits or is refused with a sentence, so nobody's files,
odds, pictures, or pages delay others.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot import metrics
from bot.bounded_dict import BoundedDict

MINUTE: Final = 60.0
IN_LOOP: Final = 2.0
"""Worker seconds charged per second of rendering, because that blocks the event loop."""
MAX_KNOWN: Final = 10_000
"""Maximum servers remembered; the least recent ones are dropped."""


@dataclass(frozen=True, slots=True)
class QuotaLimits:
    """Limits of one server.

    ``kept``: characters of files. ``seconds``: CPU time of workers and pictures per minute. ``waiting``: queued large
    questions. ``watchers``: viewers of its tables. ``requests``: page requests per second, also per Activity session.
    ``pictures``: requests per address, mostly for dice and charts. ``joins``: Activity launches per person and minute.
    ``questions``: member lookups per minute.
    """

    kept: int = 16_000_000
    seconds: float = 20.0
    waiting: int = 2
    watchers: int = 400
    requests: float = 30.0
    pictures: float = 300.0
    joins: float = 8.0
    questions: float = 20.0


LIMITS: Final = QuotaLimits()


class Caller(NamedTuple):
    """The caller of a worker: the person, if limited to one question at a time, and who pays."""

    person: int | None
    payer: int


def payer(guild_id: int | None, person_id: int) -> int:
    """Return the id whose quota pays for a person's actions in a server, or without one."""
    return guild_id or person_id


class TokenBucket:
    """A token bucket that refills completely every ``span`` seconds. It may go into debt."""

    def __init__(self, most: float, span: float, clock: Callable[[], float]) -> None:
        self._most, self._rate, self._clock = most, most / span, clock
        self._left, self._at = most, clock()

    @property
    def remaining(self) -> float:
        """Tokens left; negative when in debt."""
        now = self._clock()
        self._left = min(self._most, self._left + max(0.0, now - self._at) * self._rate)
        self._at = now
        return self._left

    def consume(self, amount: float) -> None:
        self._left = self.remaining - amount

    def delay(self, least: float = 0.0) -> float:
        """Seconds until more than ``least`` is left; 0 for now."""
        return max(0.0, least - self.remaining) / self._rate


class ServerQuota:
    """The remaining quota of one server."""

    def __init__(self, limits: QuotaLimits, clock: Callable[[], float]) -> None:
        self.work = TokenBucket(limits.seconds, MINUTE, clock)
        self.requests = TokenBucket(limits.requests, 1.0, clock)
        self.pictures = TokenBucket(limits.pictures, 1.0, clock)
        self.joins = TokenBucket(limits.joins, MINUTE, clock)
        self.questions = TokenBucket(limits.questions, MINUTE, clock)

    @property
    def may_paint(self) -> bool:
        """Whether its cards have pictures now; text says the same."""
        if self.work.remaining > 0:
            return True
        metrics.OVER_BUDGET.labels("pictures").inc()
        return False

    @contextmanager
    def painting(self) -> Iterator[None]:
        """Charge the CPU time of the enclosed block to this server."""
        begun = time.thread_time()
        with metrics.PAINTING.time():
            yield
        self.work.consume((time.thread_time() - begun) * IN_LOOP)


class Quotas:
    def __init__(self, limits: QuotaLimits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._known = BoundedDict[int | str, ServerQuota](MAX_KNOWN)

    def of(self, who: int | str) -> ServerQuota:
        """``who``: a server, a person without one, or a client address."""
        server_quota = self._known[who] = self._known.get(who) or ServerQuota(self.limits, self._clock)
        return server_quota

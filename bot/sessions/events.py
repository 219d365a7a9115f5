"""Events and their subscribers, which subscribe once, at startup."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.rules.text import EMPTY, Shown
from bot.sessions.request import Request
from bot.sessions.roll import Played

Fact = TypeVar("Fact")
Tell = Callable[[Any], Awaitable[None]]
"""``EventBus.publish``, for code that only publishes."""
Heard = Awaitable[None] | None
"""Return value of a handler: None or an awaitable."""
EventFilter = Callable[[Any], object]
"""Whether an event concerns a subscriber, decided from memory only."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PiecesChanged:
    """A game's pieces in a channel, by name, before and after a step; ``changed``: the names it changed. ``what``: its
    history sentence without the subject; "" if it was not stored.
    """

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    changed: tuple[str, ...]
    what: Shown = EMPTY


@dataclass(frozen=True, slots=True)
class StateStored:
    """Event: a public change was committed; for a table step, ``stepped`` are the pieces of its ``game``.

    ``played``: the roll after a ply with its changes to pieces, or None. Published after the commit and before the
    response, so handlers must not block.
    """

    request: Request
    game: str = ""
    stepped: PiecesChanged | None = None
    played: Played | None = None


@dataclass(frozen=True, slots=True)
class PrivateStateStored:
    """Event: something private was stored: plans, or ``played``, a secret roll."""

    request: Request
    played: Played | None = None


class EventBus:
    """Publishes events to subscribers in the order of subscription.

    A failing handler is logged and affects neither the others nor the publisher. ``expected``: errors that aren't our
    bugs, such as a busy store, logged in one line.
    """

    def __init__(self, expected: tuple[type[Exception], ...] = ()) -> None:
        self._expected = expected
        self._subscribers: dict[type, list[tuple[Callable[[Any], Heard], EventFilter | None]]] = {}

    def subscribe(
        self, kind: type[Fact], hear: Callable[[Fact], Heard], when: Callable[[Fact], object] | None = None
    ) -> None:
        """Subscribe a function or coroutine function to events of a type for which ``when`` is true."""
        self._subscribers.setdefault(kind, []).append((hear, when))

    async def publish(self, fact: object) -> None:
        """Publish an event. Never raises an ``Exception``."""
        for hear, when in self._subscribers.get(type(fact), ()):
            try:
                going_on = hear(fact) if when is None or when(fact) else None
                if going_on is not None:
                    await going_on
            except self._expected as error:
                log.warning("%s did not follow %s: %s", name_of(hear), type(fact).__name__, error)
            except Exception:
                log.exception("%s did not follow %s", name_of(hear), type(fact).__name__)


def name_of(hear: Callable[..., object]) -> str:
    return f"{hear.__module__}.{getattr(hear, '__qualname__', '')}"


async def ignore_event(_: object) -> None:
    """Default handler: does nothing."""

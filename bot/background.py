"""Background work: timers and tasks that outlive the request that started them, and that no answer waits for.

Everything of ours that runs later starts here. A host that tracks which work belongs to which request, as the simulated
Discord of ``bot.cli.play`` does, says once in ``CONTEXT`` where background work runs instead.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, TypeVar

Result = TypeVar("Result")

CONTEXT: Final[ContextVar[Callable[[], Context]]] = ContextVar("background", default=copy_context)
"""Factory of the context in which background work runs; by default a copy of the caller's, as asyncio does."""


def start(work: Coroutine[Any, Any, Result], *, name: str | None = None) -> asyncio.Task[Result]:
    """Start a background task. The caller keeps it: asyncio holds tasks weakly."""
    return CONTEXT.get()().run(asyncio.create_task, work, name=name)


def call_later(seconds: float, function: Callable[..., object], *arguments: Any) -> asyncio.TimerHandle:
    """Call a function after some seconds, as ``call_later`` of an event loop does."""
    return CONTEXT.get()().run(asyncio.get_running_loop().call_later, seconds, function, *arguments)

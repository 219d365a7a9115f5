"""Background work: timers and tasks that outlive the request that started them, and that no answer waits for. All of
ours start here. A host that tracks each request's work, as the simulated Discord of ``bot.cli.play`` does, sets in
``CONTEXT`` where background work runs.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, TypeVar

Result = TypeVar("Result")

CONTEXT: Final[ContextVar[Callable[[], Context]]] = ContextVar("background", default=copy_context)
"""Factory of background work's context; by default a copy of the caller's, as in asyncio."""


def start(work: Coroutine[Any, Any, Result], *, name: str | None = None) -> asyncio.Task[Result]:
    """Start a background task. The caller keeps it: asyncio holds tasks weakly."""
    return CONTEXT.get()().run(asyncio.create_task, work, name=name)


def call_later(seconds: float, function: Callable[..., object], *arguments: Any) -> asyncio.TimerHandle:
    """Call a function after some seconds, as an event loop's ``call_later``."""
    return CONTEXT.get()().run(asyncio.get_running_loop().call_later, seconds, function, *arguments)

"""One bot for one SQLite file: a second process would send answers that the first one does not know of."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from sqlalchemy.engine import make_url

from bot.store.driver import as_store_errors
from bot.store.errors import InUse

PATIENCE: Final = 10.0
"""Seconds that a process may take to end after it was told to; the next one waits for it."""
_AGAIN: Final = 0.1


@asynccontextmanager
async def claimed(url: str) -> AsyncIterator[None]:
    """Hold the file of an SQLite database until the end, or until this process dies. PostgreSQL serves many.

    Raises ``InUse`` where another process holds it.
    """
    name = make_url(url).database if url.startswith("sqlite") else None
    if not name or name.startswith("file:"):
        yield
        return
    with as_store_errors():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        held = os.open(f"{name}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        await _lock(held, name)
        yield
    finally:
        os.close(held)


async def _lock(held: int, name: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if loop.time() > until:
                raise InUse(f"{name} belongs to another process") from None
            await asyncio.sleep(_AGAIN)
        else:
            return

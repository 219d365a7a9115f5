"""Connections that neither a cancelled task nor a chatty driver spoils."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

_Result = TypeVar("_Result")


class Unbroken(AsyncConnection):
    """Sees every statement through to its end, even if whoever waits for it is cancelled meanwhile.

    SQLAlchemy throws away a connection on which it was cancelled while the driver's thread still works on it. Up to
    2.1.9 that left locks behind, and took the only place of the pool with it for good.
    """

    async def execute(self, *args: Any, **kwargs: Any) -> Any:
        """As in ``AsyncConnection``, which builds ``scalar`` and ``scalars`` on it."""
        return await whole(super().execute(*args, **kwargs))

    async def enter(self) -> None:
        """Take a connection from the pool and begin."""
        await whole(self._enter())

    async def leave(self, *, keep: bool) -> None:
        """Commit or roll back, and give the connection back to the pool."""
        await whole(self._leave(keep=keep))

    async def _enter(self) -> None:
        await self.start()
        try:
            await self.begin()
        except BaseException:
            await self.close()
            raise

    async def _leave(self, *, keep: bool) -> None:
        try:
            if keep:
                await self.commit()
        finally:
            await self.close()  # rolls back what was not committed


async def whole(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Await ``work`` to its very end, and only then be cancelled."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # heard, so that nobody warns that it was not
        raise cancelled
    return task.result()

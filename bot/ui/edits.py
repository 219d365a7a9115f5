"""The messages that show how things stand in a channel, its board and turn order, are edited soon after a change."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol

from bot.client import Client
from bot.store.errors import StoreError

log = logging.getLogger(__name__)


class Followed(Protocol):
    """A message that is edited: ``stale`` when something changed, ``editing`` the task that will show it."""

    stale: bool
    editing: asyncio.Task[None] | None


def edit_soon(shown: Followed, refresh: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Something changed. ``refresh`` edits the message for as long as it is stale; it is begun once at a time."""
    shown.stale = True
    if shown.editing is None or shown.editing.done():
        shown.editing = asyncio.create_task(refresh())


def once_found(
    client: Client,
    channel_id: int,
    unsure: Mapping[int, float],
    find: Callable[[Client, int], Awaitable[object]],
    change: Callable[[Client, int], None],
) -> None:
    """Call ``change`` now; of a channel that is ``unsure`` which message it has, after ``find`` has looked it up."""
    if channel_id not in unsure:
        change(client, channel_id)
        return

    async def look() -> None:
        try:
            await find(client, channel_id)
        except StoreError as error:
            log.warning("a message of channel %s was not looked for: %s", channel_id, error.reason)
        change(client, channel_id)

    looking = asyncio.create_task(look())
    client.background.add(looking)
    looking.add_done_callback(client.background.discard)

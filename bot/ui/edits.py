"""The messages that show how things stand in a channel, its board and turn order, are edited soon after a change."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final, Protocol, TypeVar

from bot.client import Client
from bot.store.errors import StoreError

PAUSE: Final = 0.25
"""Seconds from a change to the edit of the message; further changes in that time need no edit of their own."""
UNSURE: Final = 10.0
"""Seconds for which another process may still be at work on what it has answered."""

Kept = TypeVar("Kept")

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


async def edit_while_stale(
    shown: Followed, newest: Callable[[], object], edit: Callable[[], Awaitable[object]]
) -> None:
    """Call ``edit``, each time after a pause, until the message is up to date, or is not the ``newest`` any more."""
    while shown.stale:
        await asyncio.sleep(PAUSE)
        if newest() is not shown:
            return
        shown.stale = False
        await edit()


def answered_elsewhere(client: Client, channel_id: int) -> None:
    """Another process has answered something in a channel: which messages show how things stand there, and what those
    show, is not known.
    """
    client.unsure_boards[channel_id] = client.unsure_turns[channel_id] = asyncio.get_running_loop().time()


async def make_sure(
    client: Client,
    channel_id: int,
    unsure: dict[int, float],
    stored: Callable[[int], Awaitable[Kept]],
    take_over: Callable[[Client, int, Kept], None],
) -> None:
    """For a channel that is ``unsure`` which message it has, ``take_over`` what is ``stored``. Raises ``StoreError``.

    It stays so for ``UNSURE`` seconds: the other process may not have stored its message yet.
    """
    if (since := unsure.get(channel_id)) is None:
        return
    take_over(client, channel_id, await stored(channel_id))
    is_over = asyncio.get_running_loop().time() - since > UNSURE
    if is_over and unsure.get(channel_id) == since:  # nobody has looked or answered meanwhile
        del unsure[channel_id]


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

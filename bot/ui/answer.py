"""One answer to one interaction, in time.

Discord waits three seconds. An answer that takes longer is deferred after ``DEFER_AFTER`` seconds: Discord shows
"thinking", and the real answer replaces that. So a slow disk never ends in "This interaction failed". An answer that
only one person may see is deferred for that person only.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import discord

from bot.client import Interaction
from bot.ui.display import EMBEDS_HINT, REFUSED_HINT, is_first, may_embed, without_embed

DEFER_AFTER: Final = 1.8
MISSING_PERMISSIONS: Final = 50013
"""Discord's number for a refusal."""
Sent = TypeVar("Sent")
log = logging.getLogger(__name__)


class Answer:
    """The answer to an interaction; made when it arrives, so that the clock runs from there."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._timer = asyncio.get_running_loop().call_later(DEFER_AFTER, self._defer_later)
        self._deferring: asyncio.Task[None] | None = None
        self._is_private = False

    def keep_private(self) -> None:
        """Say, before anything is waited for, that nobody but the person who asked may see the answer to a command."""
        self._is_private = True

    def _defer_later(self) -> None:
        self._deferring = asyncio.ensure_future(self._defer_now())

    async def _defer_now(self) -> None:
        try:
            if not self._interaction.response.is_done():
                await self._interaction.response.defer(ephemeral=self._is_private)
        except discord.HTTPException as error:
            log.warning("an interaction could not be deferred: %s", error)

    async def _in_time(self) -> bool:
        """Stop the clock; whether the first answer is still ours to give."""
        self._timer.cancel()
        if self._deferring is not None:
            await self._deferring
        return not self._interaction.response.is_done()

    async def post(self, **message: Any) -> int | None:
        """A new message that all see; its id, as far as Discord tells it."""
        if await self._in_time():
            return (await self._fitting(self._interaction.response.send_message, message)).message_id
        return (await self._fitting(self._edit_original, message)).id

    async def update(self, **message: Any) -> None:
        """The message whose button was pressed, changed in place."""
        old = self._interaction.message
        if old is not None and not old.embeds:
            message = {"content": None, **message}  # it was in plain words
        if await self._in_time():
            await self._fitting(self._edit_pressed, message)
        else:
            await self._fitting(self._edit_original, message)

    async def _edit_pressed(self, **message: Any) -> None:
        await self._interaction.response.edit_message(**as_edit(message))

    async def _edit_original(self, **message: Any) -> discord.InteractionMessage:
        return await self._interaction.edit_original_response(**as_edit(message))

    async def _fitting(self, send: Callable[..., Awaitable[Sent]], message: dict[str, Any]) -> Sent:
        """Send what Discord lets the bot show here; if it refuses all the same, once more in plain words."""
        first = is_first(self._interaction)
        if "embed" in message and not may_embed(self._interaction):
            message = without_embed(message, hint=EMBEDS_HINT if first else "")
        try:
            return await send(**message)
        except discord.Forbidden as error:
            if error.code != MISSING_PERMISSIONS:
                raise
            log.info("a card was refused (%s): answering in plain words", error)
            return await send(**without_embed(message, files=False, hint=REFUSED_HINT if first else ""))

    async def ask(self, form: discord.ui.Modal) -> None:
        """A form. Too late for one, the person is asked to press again."""
        if await self._in_time():
            form.stop()  # the answer comes by its custom_id, also after a restart; nothing waits in memory
            await self._interaction.response.send_modal(form)
        else:
            await self.whisper("That took me too long to open the form. Please press the button again.")

    async def whisper(self, text: str) -> None:
        """Words for this person alone, unless a command's answer was begun in public already."""
        if not await self._in_time() and self._interaction.type is discord.InteractionType.application_command:
            await self._interaction.edit_original_response(content=text)
        else:
            await self.post_private(content=text)

    async def post_private(self, **message: Any) -> None:
        """A new message for the person who asked or pressed, and for nobody else."""
        alone = {**message, "ephemeral": True}
        if await self._in_time():
            await self._fitting(self._interaction.response.send_message, alone)
        elif self._is_private:
            await self._fitting(self._edit_original, message)
        else:
            await self._fitting(self._interaction.followup.send, alone)


def answer(interaction: Interaction) -> Answer:
    """The interaction's one answer."""
    kept = interaction.extras.get("answer")
    if not isinstance(kept, Answer):
        kept = interaction.extras["answer"] = Answer(interaction)
    return kept


def as_edit(message: dict[str, Any]) -> dict[str, Any]:
    """The same message as an edit: its embed and its files replace the old ones, their absence removes them."""
    rest = {key: value for key, value in message.items() if key not in ("file", "files")}
    files = [message["file"]] if "file" in message else list(message.get("files", ()))
    return {"embed": None, **rest, "attachments": files}

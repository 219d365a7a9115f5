"""One answer to one interaction, in time.

Discord waits three seconds. Whoever is slower is excused at ``LATE`` seconds with a "thinking" answer, which the real
one then replaces; that way a slow disk never ends in "This interaction failed".
"""

import asyncio
import logging
from typing import Any, Final

import discord

from bot.client import Interaction

LATE: Final = 1.8
log = logging.getLogger(__name__)


class Answer:
    """The answer to an interaction; made when it arrives, so that the clock runs from there."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._timer = asyncio.get_running_loop().call_later(LATE, self._excuse_later)
        self._excuse: asyncio.Task[None] | None = None

    def _excuse_later(self) -> None:
        self._excuse = asyncio.ensure_future(self._excuse_now())

    async def _excuse_now(self) -> None:
        try:
            if not self._interaction.response.is_done():
                await self._interaction.response.defer()
        except discord.HTTPException as error:
            log.warning("an interaction could not be deferred: %s", error)

    async def _in_time(self) -> bool:
        """Stop the clock; whether the first answer is still ours to give."""
        self._timer.cancel()
        if self._excuse is not None:
            await self._excuse
        return not self._interaction.response.is_done()

    async def post(self, **message: Any) -> int | None:
        """A new message that all see; its id, as far as Discord tells it."""
        if await self._in_time():
            return (await self._interaction.response.send_message(**message)).message_id
        return (await self._interaction.edit_original_response(**edited(message))).id

    async def update(self, **message: Any) -> None:
        """The message whose button was pressed, changed in place."""
        if await self._in_time():
            await self._interaction.response.edit_message(**edited(message))
        else:
            await self._interaction.edit_original_response(**edited(message))

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
            await self.show_alone(content=text)

    async def show_alone(self, **message: Any) -> None:
        """A new message for the person who pressed, and for nobody else."""
        if await self._in_time():
            await self._interaction.response.send_message(**message, ephemeral=True)
        else:
            await self._interaction.followup.send(**message, ephemeral=True)


def answer(interaction: Interaction) -> Answer:
    """The interaction's one answer."""
    kept = interaction.extras.get("answer")
    if not isinstance(kept, Answer):
        kept = interaction.extras["answer"] = Answer(interaction)
    return kept


def edited(message: dict[str, Any]) -> dict[str, Any]:
    """The same message as an edit: its picture replaces the old one, its absence removes it."""
    rest = {key: value for key, value in message.items() if key != "file"}
    return rest | {"attachments": [message["file"]] if "file" in message else []}

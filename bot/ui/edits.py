"""Changing a message that may be gone, or that the bot may not reach any more."""

import logging
from typing import Any

import discord

from bot.client import Client
from bot.sessions.place import Place

log = logging.getLogger(__name__)


def message_at(client: Client, here: Place, message_id: int) -> discord.PartialMessage:
    """A message of a channel, by its id."""
    return client.get_partial_messageable(here.channel_id, guild_id=here.guild_id).get_partial_message(message_id)


async def try_edit(client: Client, here: Place, message_id: int, **changes: Any) -> bool:
    """Change a message that only says less if it stays as it was; whether that worked."""
    try:
        await message_at(client, here, message_id).edit(**changes)
    except discord.HTTPException as error:
        log.info("a message stays as it was: %s", error)
        return False
    return True

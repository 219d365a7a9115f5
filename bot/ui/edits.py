"""Changing a message that nobody presses just now: by a token where there is one, else by a request that counts."""

import logging
from typing import Any, Final

import discord

from bot.client import Client
from bot.sessions.place import Place

UNKNOWN_MESSAGE: Final = 10008
"""Discord's number for a message that is gone."""
log = logging.getLogger(__name__)


def message_at(client: Client, here: Place, message_id: int) -> discord.PartialMessage:
    """A message of a channel, by its id."""
    return client.get_partial_messageable(here.channel_id, guild_id=here.guild_id).get_partial_message(message_id)


async def edit(client: Client, here: Place, message_id: int, **changes: Any) -> None:
    """Change a message. Raises ``HTTPException``."""
    token = client.tokens.of(message_id)
    if token is not None and client.application_id is not None:
        try:
            webhook = discord.Webhook.partial(client.application_id, token, client=client)
            await webhook.edit_message(message_id, **changes)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                raise
            log.info("a message is edited by the bot: Discord no longer takes its token (%s)", error)
            client.tokens.forget(message_id)
        else:
            return
    await message_at(client, here, message_id).edit(**changes)


async def try_edit(client: Client, here: Place, message_id: int, **changes: Any) -> bool:
    """Change a message that only says less if it stays as it was; whether that worked."""
    try:
        await edit(client, here, message_id, **changes)
    except discord.HTTPException as error:
        log.info("a message stays as it was: %s", error)
        return False
    return True

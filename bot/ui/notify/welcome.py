"""A short welcome, once, to a new server and to a channel's first player, unless the host has disabled it."""

import logging
from typing import Final

import discord

from bot.client import Client
from bot.games import IN_A_SENTENCE
from bot.languages.translate import translate, using_language
from bot.rules.text import Names, Text
from bot.sessions.request import Place
from bot.store.errors import StoreError
from bot.ui.core import card_messages, components, request_context
from bot.ui.core.responses import Answered
from bot.ui.roll import tutorial

JOINED: Final = Text(
    "Hello! I referee dice for {games}.\n"
    "Type `/help` for examples from each game; only you can see it. **Try it** plays a first "
    "roll against me, in three steps.\n"
    "-# An admin chooses games, editions, and methods with `/ruleset set`.",
    games=Names(IN_A_SENTENCE),
)
FIRST: Final = Text(
    "This is the first roll in this channel. `/help` has examples from each game, `/table show` "
    "shows what is in play, and `/prefer` sets your own dice style."
)

log = logging.getLogger(__name__)


async def on_join(client: Client, guild: discord.Guild) -> None:
    """Post a welcome in the system channel, else in the first writable one."""
    try:
        here = Place(guild.id, guild.id)
        every = [guild.system_channel, *guild.text_channels]
        channel = next((item for item in every if item and may_write(item)), None)
        if channel is not None:
            with using_language(await request_context.language_at(client, here)):
                view = components.Components(tutorial.buttons(), card_messages.support_buttons(client))
                await channel.send(translate(JOINED), view=view)
    except (discord.HTTPException, StoreError) as error:
        log.info("server %s got no welcome: %s", guild.id, error)


def may_write(channel: discord.TextChannel) -> bool:
    rights = channel.permissions_for(channel.guild.me)
    return rights.view_channel and rights.send_messages


async def follow(fact: Answered) -> None:
    """Tell a channel's first roller privately where to read more."""
    interaction, client = fact.interaction, fact.interaction.client
    here = request_context.place(interaction)
    happened = len(await client.tables.history(here, most=2))
    if happened:
        client.greeted.add(here.channel_id)
    if happened == 1:
        with request_context.in_user_language(interaction):
            view = components.Components(tutorial.buttons())
            await interaction.followup.send(translate(FIRST), ephemeral=True, view=view)

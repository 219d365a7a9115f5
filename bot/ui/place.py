"""Where an interaction happens, and which settings count there."""

from collections.abc import Iterator

import discord

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.ruleset.ruling import Ruling
from bot.sessions.place import Person, Place
from bot.ui.names import person


def place(interaction: Interaction) -> Place:
    """Where it happens; in a voice channel's own chat also who is in the call, bots apart. Looked up once.

    Raises ``PlayerError`` in a kind of channel so new that discord.py does not know its id.
    """
    kept = interaction.extras.get("place")
    if not isinstance(kept, Place):
        kept = interaction.extras["place"] = find_place(interaction)
    return kept


def find_place(interaction: Interaction) -> Place:
    channel, number = interaction.channel, interaction.channel_id
    if number is None:
        raise PlayerError(Text("I do not know this kind of channel yet. Please use me in a text channel or a thread."))
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    is_alone = interaction.context.dm_channel
    return Place(number, interaction.guild_id, tuple(in_call(channel)), parent, is_alone, interaction.id)


def link(here: Place, message_id: int) -> str:
    """The address of a message in a channel."""
    return f"https://discord.com/channels/{here.guild_id or '@me'}/{here.channel_id}/{message_id}"


def in_call(channel: object) -> Iterator[Person]:
    """The people in a voice channel's call, including those whose names Discord has not sent yet."""
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        for key in channel.voice_states:
            member = channel.guild.get_member(key)
            if member is None or not member.bot:
                yield person(member) if member else Person(key, "")


async def ruling(interaction: Interaction) -> Ruling:
    """What counts here for the one who acts, read once for each interaction: a press is judged by one ruling."""
    kept = interaction.extras.get("ruling")
    if not isinstance(kept, Ruling):
        kept = await interaction.client.rulesets.ruling(place(interaction), interaction.user.id)
        interaction.extras["ruling"] = kept
    return kept

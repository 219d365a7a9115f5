"""Where an interaction happens, what counts there, and for whom."""

from collections.abc import Iterator

import discord

from bot.client import Interaction
from bot.ruleset.ruling import Ruling
from bot.sessions.place import Person, Place
from bot.ui.names import person


def place(interaction: Interaction) -> Place:
    """Where it happens; in a voice channel's own chat also who is in the call, bots apart."""
    channel = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    return Place(interaction.channel_id or 0, interaction.guild_id, tuple(in_call(channel)), parent)


def in_call(channel: object) -> Iterator[Person]:
    """The people in a voice channel's call; one whose name Discord has not told yet counts too."""
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        for key in channel.voice_states:
            member = channel.guild.get_member(key)
            if member is None or not member.bot:
                yield person(member) if member else Person(key, "")


async def ruling(interaction: Interaction) -> Ruling:
    """What counts here for the one who acts."""
    return await interaction.client.rulesets.ruling(place(interaction), interaction.user.id)

"""Who acts, where, and which settings count for them there: read once for each interaction."""

from collections.abc import Iterator

import discord

from bot.allowance import Allowance, Asker, payer
from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import UNNAMED, Text
from bot.ruleset.ruling import Ruling
from bot.ruleset.settings import GM_ROLE
from bot.sessions.place import Person, Place
from bot.sessions.request import Request, Stored
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
    return Place(number, interaction.guild_id, tuple(in_call(channel)), parent, is_alone)


def asker(interaction: Interaction) -> Asker:
    """Who asks a worker, and which server pays."""
    return Asker(interaction.user.id, payer(interaction.guild_id, interaction.user.id))


def allowance_of(interaction: Interaction) -> Allowance:
    """What the server that pays has left."""
    return interaction.client.allowances.of(asker(interaction).payer)


def link(here: Place, message_id: int) -> str:
    """The address of a message in a channel."""
    return f"https://discord.com/channels/{here.guild_id or '@me'}/{here.channel_id}/{message_id}"


def in_call(channel: object) -> Iterator[Person]:
    """The people in a voice channel's call, including those whose names Discord has not sent yet."""
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        for key in channel.voice_states:
            member = channel.guild.get_member(key)
            if member is None or not member.bot:
                yield person(member) if member else Person(key, UNNAMED)


async def ruling(interaction: Interaction) -> Ruling:
    """What counts here for the one who acts, read once for each interaction: a press is judged by one ruling."""
    kept = interaction.extras.get("ruling")
    if not isinstance(kept, Ruling):
        kept = await interaction.client.rulesets.ruling(place(interaction), interaction.user.id)
        interaction.extras["ruling"] = kept
    return kept


async def request(interaction: Interaction) -> Request:
    """Who asks for something, where, and what counts for them there. Made once."""
    kept = interaction.extras.get("request")
    if not isinstance(kept, Request):
        counts = await ruling(interaction)
        by, is_master = person(interaction.user), is_gm_by(interaction, counts)
        token = interaction.token if interaction.message is None else ""  # an answer to a press cannot be looked up
        me = interaction.client.user
        kept = Request(by, place(interaction), counts, is_master, interaction.id, me.id if me is not None else 0, token)
        interaction.extras["request"] = kept
    return kept


def stored_by(interaction: Interaction) -> list[Stored]:
    """What was stored because of an interaction."""
    kept = interaction.extras.get("request")
    return kept.stored if isinstance(kept, Request) else []


def is_gm_by(interaction: Interaction, counts: Ruling) -> bool:
    """In a server, whoever may manage the channel or has the GM role; in direct messages, everybody."""
    if interaction.guild_id is None or may(interaction, "manage_channels"):
        return True
    role, user = counts[GM_ROLE], interaction.user
    return role is not None and isinstance(user, discord.Member) and user.get_role(role) is not None


def may(interaction: Interaction, permission: str) -> bool:
    """Whether the person has a permission here; administrators have all of them."""
    given = interaction.permissions
    return given.administrator or bool(getattr(given, permission))

"""Who counts as GM and who as admin. Discord hides commands by permission; here the bot checks again."""

import discord

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.ruleset.settings import GM_ROLE
from bot.ui.place import ruling


async def is_gm(interaction: Interaction) -> bool:
    """In a server, whoever may manage the channel or has the GM role; in direct messages, everybody."""
    if interaction.guild_id is None or may(interaction, "manage_channels"):
        return True
    role = (await ruling(interaction))[GM_ROLE]
    user = interaction.user
    return role is not None and isinstance(user, discord.Member) and user.get_role(role) is not None


async def need_gm(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for a person who is not a GM."""
    if not await is_gm(interaction):
        role = (await ruling(interaction))[GM_ROLE]
        whoever = Text("<@&{role}> or somebody", role=role) if role else "somebody"
        raise PlayerError(
            Text(
                "Only a GM may do that: {whoever} with the permission Manage Channels here. Please ask one.",
                whoever=whoever,
            )
        )


def need_admin(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for a person who may not manage the server."""
    if not may(interaction, "manage_guild"):
        raise PlayerError(
            Text(
                "Only an admin may do that: somebody with the permission Manage Server. Please ask "
                "one, or set it for this channel alone if you are its GM."
            )
        )


def may(interaction: Interaction, permission: str) -> bool:
    """Whether the person has a permission here; administrators have all of them."""
    given = interaction.permissions
    return given.administrator or bool(getattr(given, permission))

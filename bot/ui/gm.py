"""Who counts as GM and who as admin. Discord hides commands by permission; here the bot checks again."""

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Text
from bot.ruleset.settings import GM_ROLE
from bot.ui.place import may, request, ruling


async def is_gm(interaction: Interaction) -> bool:
    """Whether whoever typed or pressed is a GM here."""
    return (await request(interaction)).is_gm


async def need_gm(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for a person who is not a GM."""
    if not await is_gm(interaction):
        role = (await ruling(interaction))[GM_ROLE]
        message = N_("Only a GM may do that: somebody with the permission Manage Channels here. Please ask one.")
        if role:
            message = N_(
                "Only a GM may do that: <@&{role}> or somebody with the permission Manage Channels here. "
                "Please ask one."
            )
        raise PlayerError(Text(message, role=role))


def need_admin(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for a person who may not manage the server."""
    if not may(interaction, "manage_guild"):
        raise PlayerError(
            Text(
                "Only an admin may do that: somebody with the permission Manage Server. Please ask "
                "one, or set it for this channel alone if you are its GM."
            )
        )

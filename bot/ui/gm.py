"""Who counts as GM."""

from bot.client import Interaction
from bot.rules.errors import PlayerError


def is_gm(interaction: Interaction) -> bool:
    """In a server whoever may manage the channel, in direct messages everybody."""
    return interaction.guild_id is None or interaction.permissions.manage_channels


def need_gm(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for somebody who is no GM."""
    if not is_gm(interaction):
        raise PlayerError("Only a GM may do that: somebody with the permission Manage Channels here. Please ask one.")

"""`/xwing attack`: between two people, two ships of the channel, or one of each."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.ui.options import SECRET, Given, declaration, takes
from bot.ui.place import is_gm
from bot.ui.secret import secrecy_of
from cogs.xwing.forms import ATTACK_FORM
from cogs.xwing.options import ATTACK
from cogs.xwing.out_of_order import declare_and_open


class Attacks(commands.Cog):
    """Attacks walk their windows with buttons; what ships spend and suffer stands on the table."""

    @app_commands.command(description="Attack, window by window, between two people", extras=ATTACK_FORM)
    @takes(*ATTACK, *SECRET)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        secrecy = secrecy_of(interaction, given["secret"], given["blind"])
        if given["allow"] and not await is_gm(interaction):
            raise PlayerError(Text("Only a GM can allow a third attack. Leave `allow` out, or ask a GM."))
        await declare_and_open(interaction, declaration(given, *ATTACK), given["opponent"], secrecy)

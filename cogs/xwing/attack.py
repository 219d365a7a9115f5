"""`/xwing attack`: between two people, two ships of the channel, or one of each."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.ui.gm import is_gm
from bot.ui.names import Name
from bot.ui.secret import OPTIONS as SECRET
from bot.ui.secret import secrecy_of
from cogs.xwing.forms import ATTACK_FORM
from cogs.xwing.options import ATTACK, CAMERA, Distance, Pool, Words, suggested, weapons
from cogs.xwing.out_of_order import declare_and_open


class Attacks(commands.Cog):
    """Attacks walk their windows with buttons; what ships spend and suffer stands on the table."""

    @app_commands.command(
        description="Attack: dice, tokens and damage, window by window, between two people", extras=ATTACK_FORM
    )
    @app_commands.rename(range_="range", with_="with")
    @app_commands.describe(**ATTACK, **SECRET)
    @app_commands.choices(camera=CAMERA)
    @app_commands.autocomplete(attacker=suggested, defender=suggested, weapon=weapons)
    async def attack(
        self,
        interaction: Interaction,
        dice: Pool | None = None,
        agility: Pool | None = None,
        range_: Distance | None = None,
        ordnance: bool = False,
        obstructed: bool = False,
        in_arc: bool | None = None,
        with_: Words | None = None,
        against: Words | None = None,
        attacker: Name | None = None,
        defender: Name | None = None,
        weapon: Words | None = None,
        opponent: discord.User | None = None,
        camera: str | None = None,
        bonus: bool = False,
        anyway: bool = False,
        allow: bool = False,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        if allow and not await is_gm(interaction):
            raise PlayerError("Only a GM can allow a third attack. Leave `allow` out, or ask a GM.")
        typed: dict[str, object] = {"dice": dice, "agility": agility, "with": with_, "against": against}
        typed |= {"range": range_, "ordnance": ordnance, "obstructed": obstructed, "in_arc": in_arc}
        typed |= {"attacker": attacker, "defender": defender, "weapon": weapon, "camera": camera}
        typed |= {"bonus": bonus, "anyway": anyway, "allowed": allow}
        await declare_and_open(interaction, typed, opponent, secrecy)

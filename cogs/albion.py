"""`/albion`: one roll of three dice decides the hit and the focus point."""

from typing import Final

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import albion
from bot.rules.albion import POWER_MOST, STAT_MOST
from bot.rules.text import Text
from bot.ui.panel import declare, open_roll, show_odds
from bot.ui.profiles import ProfileGroup, offered
from bot.ui.secret import OPTIONS as SECRET
from bot.ui.secret import secrecy_of

Stat = Range[int, 0, STAT_MOST]

OPTIONS: Final = {
    "agility": Text("The target's Agility: 18 Evasiveness each, 36 if it dodges"),
    "stealth": Text("The target's Stealth: 18 Evasiveness each"),
    "awareness": Text("Your Awareness: 18 Seeker Skill each, and half of it counts"),
    "strength": Text("Your Strength: 18 Seeker Skill each, and half of it counts"),
    "dodging": Text("The target dodges, so its Agility counts twice"),
}
"""What `attack` and `odds` both take."""
STATS: Final = offered(albion.KEY, "agility", "stealth", "awareness", "strength")
"""The options for which Discord suggests the stats of this channel's profiles."""


class Albion(commands.GroupCog, group_name="albion", group_description=Text("Albion: Hit Chance and Focus Point")):
    """One roll decides whether an action hits, and whether it hits a focus point."""

    profile = ProfileGroup(albion.KEY)

    @app_commands.command(description="Roll Dx36 + Dx6 + Dx1: does your action hit, and is it a focus point?")
    @app_commands.describe(
        **OPTIONS,
        power="Total Active Power of your action; without it you see the factor",
        faces="Dice you rolled by hand: Dx36, Dx6 and Dx1, for example 72 0 1",
        **SECRET,
    )
    @app_commands.autocomplete(**STATS)
    async def attack(
        self,
        interaction: Interaction,
        agility: Stat,
        stealth: Stat,
        awareness: Stat,
        strength: Stat,
        dodging: bool = False,
        power: Range[int, 0, POWER_MOST] | None = None,
        faces: Range[str, 5, 20] | None = None,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        target = {"agility": agility, "stealth": stealth, "dodging": dodging}
        attacker = {"awareness": awareness, "strength": strength}
        words = {"target": target, "attacker": attacker, "power": power, "faces": faces}
        declared = await declare(interaction, albion.KEY, words)
        await open_roll(interaction, albion.KEY, declared, secrecy=secrecy)

    @app_commands.command(description="Exact odds of an action: miss, hit and focus point")
    @app_commands.describe(**OPTIONS)
    @app_commands.autocomplete(**STATS)
    async def odds(
        self,
        interaction: Interaction,
        agility: Stat,
        stealth: Stat,
        awareness: Stat,
        strength: Stat,
        dodging: bool = False,
    ) -> None:
        target = {"agility": agility, "stealth": stealth, "dodging": dodging}
        words = {"target": target, "attacker": {"awareness": awareness, "strength": strength}}
        declared = await declare(interaction, albion.KEY, words)
        await show_odds(interaction, albion.KEY, declared)


async def setup(client: Client) -> None:
    await client.add_cog(Albion())

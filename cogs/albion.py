"""`/albion`: one roll of three dice decides the hit and the focus point."""

from typing import Final

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import albion
from bot.rules.text import Shown, Text
from bot.ui.commands import profiles
from bot.ui.commands.options import MISSING, SECRET, CommandOption, Given, declaration, secrecy_of, takes
from bot.ui.roll import roll_message

SUGGESTED: Final = profiles.suggest_stats(albion.KEY, "agility", "stealth", "awareness", "strength")
"""The options for which Discord suggests the stats of this channel's profiles."""


def stat(name: str, about: Shown) -> CommandOption:
    return CommandOption(name, Range[int, 0, albion.MAX_STAT], about, MISSING, suggest=SUGGESTED[name])


TARGET: Final = (
    stat("agility", Text("The target's Agility: 18 Evasiveness per point, 36 if it dodges")),
    stat("stealth", Text("The target's Stealth: 18 Evasiveness per point")),
    CommandOption("dodging", bool, Text("The target dodges, so its Agility counts twice"), False),
)
ATTACKER: Final = (
    stat("awareness", Text("Your Awareness: 18 Seeker Skill per point, half of which counts")),
    stat("strength", Text("Your Strength: 18 Seeker Skill per point, half of which counts")),
)
POWER: Final = CommandOption(
    "power",
    Range[int, 0, albion.MAX_POWER],
    Text("Total Active Power of your action. Default: show only the multiplier"),
)
FACES: Final = CommandOption(
    "faces", Range[str, 5, 20], Text("Dice you rolled by hand: Dx36, Dx6, and Dx1, for example 72 0 1")
)


class Albion(commands.GroupCog, group_name="albion", group_description="Albion: Hit Chance and Focus Point"):
    """One roll decides whether an action hits, and whether it hits a focus point."""

    profile = profiles.ProfileGroup(albion.KEY)

    @app_commands.command(description="Roll Dx36 + Dx6 + Dx1: does your action hit, and is it a focus point?")
    @takes(*TARGET, *ATTACKER, POWER, FACES, *SECRET)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        secrecy = secrecy_of(interaction, given)
        declared = await roll_message.declare(interaction, albion.KEY, sides(given) | declaration(given, POWER, FACES))
        await roll_message.open_roll(interaction, albion.KEY, declared, secrecy=secrecy)

    @app_commands.command(description="Exact odds of an action: miss, hit, and focus point")
    @takes(*TARGET, *ATTACKER)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        await roll_message.show_odds(
            interaction, albion.KEY, await roll_message.declare(interaction, albion.KEY, sides(given))
        )


def sides(given: Given) -> dict[str, object]:
    return {"target": declaration(given, *TARGET), "attacker": declaration(given, *ATTACKER)}


async def setup(client: Client) -> None:
    await client.add_cog(Albion())

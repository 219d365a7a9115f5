"""`/roll`: any dice, in the notation that dice bots share."""

from typing import Final

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import anydice
from bot.rules.anydice.notation import LABEL_MOST, TEXT_MOST, TIMES_MOST
from bot.rules.anydice.play import FACES_LONGEST
from bot.ui.panel import declare, open_roll, show_odds

KEY: Final = anydice.KEY
Dice = Range[str, 1, TEXT_MOST]
Label = Range[str, 1, LABEL_MOST]
Times = Range[int, 1, TIMES_MOST]
Faces = Range[str, 1, FACES_LONGEST]


class Roll(commands.Cog):
    """Dice outside the other games."""

    @app_commands.command(description="Roll any dice: 4d6kh3, 2d20kl1+5, 6d10>=7, 4dF, 3#1d20+4")
    @app_commands.describe(
        dice="What to roll: 4d6kh3, 1d20+5, 6d10>=7, 2d6!, d%, 4dF; /help explains more",
        label="What it is for, shown with the result",
        times="How often to roll it; once if you leave it out",
        faces="Dice you rolled by hand, in the order they fell: 6 5 1",
        odds="Show the exact odds instead of rolling",
    )
    async def roll(
        self,
        interaction: Interaction,
        dice: Dice,
        label: Label | None = None,
        times: Times | None = None,
        faces: Faces | None = None,
        odds: bool = False,
    ) -> None:
        declared = await declare(interaction, KEY, {"dice": dice, "label": label, "times": times, "faces": faces})
        if odds:
            await show_odds(interaction, KEY, declared)
        else:
            await open_roll(interaction, KEY, declared)


async def setup(client: Client) -> None:
    await client.add_cog(Roll())

"""`/fairness`: the counts of all dice that the bot has rolled, and what they say."""

import time
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.render import fairness
from bot.rules.text import Text
from bot.ui.options import Given, Option, fitting, takes
from bot.ui.panel import show_card


async def kinds(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The kinds of dice that were counted."""
    counted = await interaction.client.fairness.read()
    return fitting(typed, ((fairness.name(kind), kind) for kind in counted.counts))


DICE: Final = Option(
    "dice",
    app_commands.Range[str, 1, 40],
    Text("Which dice the picture shows. Default: those rolled most"),
    suggest=kinds,
)


class Fairness(commands.Cog):
    """One page for the whole bot, with no person in it."""

    @app_commands.command(name="fairness", description="How often each side of my dice came, and whether they are fair")
    @takes(DICE)
    async def page(self, interaction: Interaction, given: Given) -> None:
        client = interaction.client
        await client.fairness.step(int(time.time()))
        counted, seals = await client.fairness.read(), await client.seals.counts()
        sealed = fairness.sealed_tables(seals.sealed, seals.revealed, seals.open, seals.lost)
        await show_card(interaction, fairness.card(counted.counts, counted.log_highest, sealed, given["dice"]))


async def setup(client: Client) -> None:
    await client.add_cog(Fairness())

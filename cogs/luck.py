"""`/luck`: how lucky you were, for you alone."""

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.ui import recap


class Luck(commands.Cog):
    """Nobody else sees the answer; `/table luck` is the same for a match, for those who played it."""

    @app_commands.command(name="luck", description="How lucky your own rolls were, exactly; only you see it")
    async def own(self, interaction: Interaction) -> None:
        await recap.of_person(interaction)


async def setup(client: Client) -> None:
    await client.add_cog(Luck())

"""`/privacy`: get a file of what the bot keeps about you, or have it erased."""

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.text import Text, english
from bot.ui import privacy


class Privacy(commands.GroupCog, group_name="privacy", group_description=english(Text("What I keep about you"))):
    """People see and erase their own data only."""

    @app_commands.command(description="Everything I keep about you, as a JSON file that only you can see")
    async def export(self, interaction: Interaction) -> None:
        await privacy.export(interaction)

    @app_commands.command(description="Erase what I keep about you (I ask first). Rolls of others stay whole")
    async def forget(self, interaction: Interaction) -> None:
        await privacy.ask_forget(interaction)


async def setup(client: Client) -> None:
    await client.add_cog(Privacy())

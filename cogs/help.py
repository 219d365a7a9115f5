"""`/help`: the commands, and how the bot reads the rules; a page at a time, for the one who asks."""

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.ui import help_pages
from bot.ui.answer import answer

PAGES = [app_commands.Choice(name=title, value=key) for key, title in help_pages.LISTED.items()]


class Help(commands.Cog):
    """Pages of ``bot.ui.help_pages``."""

    @app_commands.command(name="help", description="All commands, and how I read the rules where the books are unclear")
    @app_commands.describe(game="One game, or what all games share. Default: an overview")
    @app_commands.choices(game=PAGES)
    async def page(self, interaction: Interaction, game: str | None = None) -> None:
        answer(interaction).keep_private()
        await help_pages.show(interaction, game or help_pages.OVERVIEW)


async def setup(client: Client) -> None:
    await client.add_cog(Help())

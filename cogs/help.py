"""`/help`: the commands, and how the bot reads the rules; a page at a time, for the one who asks."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.text import Text
from bot.ui import help_pages
from bot.ui.answer import answer
from bot.ui.options import Given, Option, choice, takes

GAME: Final = Option(
    "game",
    str,
    Text("One game, or what all games share. Default: what to do first"),
    choices=tuple(choice(title, key) for key, title in help_pages.LISTED.items()),
)


class Help(commands.Cog):
    """Pages of ``bot.ui.help_pages``."""

    @app_commands.command(name="help", description="What to do first, all commands, and how I read unclear rules")
    @takes(GAME)
    async def page(self, interaction: Interaction, given: Given) -> None:
        answer(interaction).keep_private()
        await help_pages.show(interaction, given["game"] or help_pages.START)


async def setup(client: Client) -> None:
    await client.add_cog(Help())

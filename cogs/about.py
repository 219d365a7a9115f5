"""`/about`: what this bot is and how its dice fall."""

import time

from discord import app_commands
from discord.ext import commands

from bot import package
from bot.client import Client, Interaction
from bot.games import GAMES
from bot.render import about
from bot.ui.panel import show_card

POINTERS = ("help", "privacy")
"""Where to read on, as far as there are such commands."""


class About(commands.Cog):
    """One card, short enough for a phone."""

    @app_commands.command(name="about", description="What this bot is, how its dice are drawn, how long it has run")
    async def page(self, interaction: Interaction) -> None:
        client = interaction.client
        found = [one for one in client.tree.get_commands() if one.name in POINTERS]
        pointers = {one.name: one.description for one in found if not isinstance(one, app_commands.ContextMenu)}
        games = [game.title for game in GAMES.values()]
        running = time.time() - client.started
        await show_card(interaction, about.card(package.read(), games, pointers, running, len(client.guilds)))


async def setup(client: Client) -> None:
    await client.add_cog(About())

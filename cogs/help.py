"""`/help`: what can be typed, generated from the registered commands, and where the sources err."""

from collections.abc import Iterator

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.render import help as pages
from bot.rules.games import GAMES
from bot.ui.panel import show_card

TITLES = [app_commands.Choice(name=game.TITLE, value=key) for key, game in GAMES.items()]


class Help(commands.Cog):
    """Pages made from what is registered, so that they cannot go stale."""

    @app_commands.command(name="help", description="What you can type, and where the rules sources err")
    @app_commands.describe(game="The game; left out, all commands")
    @app_commands.choices(game=TITLES)
    async def page(self, interaction: Interaction, game: str | None = None) -> None:
        found = dict(groups(interaction.client))
        await show_card(interaction, pages.page(game, found[game]) if game else pages.overview(found))


def groups(client: Client) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each group of commands with its commands and their descriptions."""
    for group in client.tree.get_commands():
        if isinstance(group, app_commands.Group):
            every = [one for one in group.walk_commands() if isinstance(one, app_commands.Command)]
            yield group.name, [(one.qualified_name.removeprefix(f"{group.name} "), one.description) for one in every]


async def setup(client: Client) -> None:
    await client.add_cog(Help())

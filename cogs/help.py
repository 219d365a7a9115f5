"""`/help`: the commands, read from what is registered, and how the bot reads the rules."""

from collections.abc import Iterator
from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games import COMMANDS, GAMES, Game
from bot.render import help as pages
from bot.render.card import Card
from bot.render.help import Registered
from bot.ui.panel import show_card

SHARED: Final = "shared"
WORDS: Final = "-words"
"""Ends the choice of a game's page of short words."""
TITLES = [app_commands.Choice(name=game.title, value=key) for key, game in GAMES.items()]
TITLES += [
    app_commands.Choice(name=f"{game.title}: what to type in short words", value=f"{key}{WORDS}")
    for key, game in GAMES.items()
    if game.examples
]
TITLES.append(app_commands.Choice(name="All games: the table, rulesets, privacy", value=SHARED))

Slash = app_commands.Command[Any, ..., Any]


class Help(commands.Cog):
    """Pages made from the registered commands, so that they cannot go out of date."""

    @app_commands.command(name="help", description="All commands, and how I read the rules where the books are unclear")
    @app_commands.describe(game="One game, or what all games share; leave it out for an overview")
    @app_commands.choices(game=TITLES)
    async def page(self, interaction: Interaction, game: str | None = None) -> None:
        every = [registered(command) for command in slashes(interaction.client)]
        if game is None:
            card = pages.overview(COMMANDS, every)
        elif game == SHARED:
            card = pages.shared(COMMANDS, every)
        elif game.endswith(WORDS):
            described = GAMES[game.removesuffix(WORDS)]
            card = pages.words(described.title, described.examples)
        else:
            card = page_of(GAMES[game], every)
        await show_card(interaction, card)


def page_of(game: Game, every: list[Registered]) -> Card:
    """The help of one game, with its table of numbers where it has one."""
    return pages.page(game.rules, every, game.reference() if game.reference is not None else None, game.command)


def slashes(client: Client) -> Iterator[Slash]:
    """Every slash command that can be typed, single ones and those of groups."""
    for root in client.tree.get_commands():
        if isinstance(root, app_commands.Command):
            yield root
        elif isinstance(root, app_commands.Group):
            yield from (one for one in root.walk_commands() if isinstance(one, app_commands.Command))


def registered(command: Slash) -> Registered:
    options = (one.display_name if one.required else f"[{one.display_name}]" for one in command.parameters)
    path = tuple(command.qualified_name.split())
    return Registered(path, command.description, tuple(options), tuple(limits(command)))


def limits(command: Slash) -> Iterator[str]:
    """Where a command works and who may use it, as Discord knows it for the whole command."""
    root = command.root_parent or command
    where = root.allowed_contexts
    if root.guild_only or (where is not None and where.guild and not (where.dm_channel or where.private_channel)):
        yield "servers only"
    if root.default_permissions is not None:
        yield "admins"


async def setup(client: Client) -> None:
    await client.add_cog(Help())

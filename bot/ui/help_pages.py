"""The pages of `/help`, made from the registered commands, so that they cannot go out of date.

They are private, and a select below turns to another page.
"""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import app_commands

from bot.client import Client, Interaction
from bot.games import GAMES, Game, by_command
from bot.render import help as pages
from bot.render.card import Card
from bot.render.help import Registered
from bot.rules.errors import NotOffered
from bot.rules.text import Text, Words, term
from bot.ui import forms, practice
from bot.ui.address import Answer, Typed
from bot.ui.answer import answer
from bot.ui.components import Component, Components, button, option, rows, select
from bot.ui.display import card_message
from bot.ui.panel import user_display

PAGE: Final = Answer("help", "page")
"""The select that turns pages."""
START: Final = "start"
ALL: Final = Answer("help", "all")
"""The button that leads to the list of commands."""
ROLL: Final = "/roll dice:4d6kh3"
OVERVIEW: Final = "overview"
SHARED: Final = "shared"
AT_THE_TABLE: Final = "table"
WORDS: Final = "-words"
"""Ends the choice of a game's page of short words."""
COUNTED: Final = "-counted"
"""Ends the choice of a game's page of what counts of a profile."""
SYSTEM: Final = "dice-"
"""Begins the choice of a page with rolls to press."""
SYSTEMS: Final = {page.key: page for game in GAMES.values() for page in game.help.systems}
TITLES: Final[dict[str, Words]] = {
    START: Text("What to do first"),
    OVERVIEW: Text("All commands"),
    **{key: game.title for key, game in GAMES.items()},
    **{
        f"{key}{WORDS}": Text("{game}: what to type in short words", game=game.title)
        for key, game in GAMES.items()
        if game.help.examples
    },
    **{
        f"{key}{COUNTED}": Text("{game}: what counts of a profile", game=game.title)
        for key, game in GAMES.items()
        if game.help.counted
    },
    **{f"{SYSTEM}{page.key}": page.title for page in SYSTEMS.values()},
    AT_THE_TABLE: Text("Saved rolls, secret rolls, turn order"),
    SHARED: Text("All games: the table, rulesets, privacy"),
}
"""The pages by key, in the order in which people see them."""

PAGES_MOST: Final = 25
"""Discord's limit for the choices of an option and of a list."""
FITTING: Final = sorted(TITLES, key=lambda key: key.startswith(SYSTEM))[:PAGES_MOST]
LISTED: Final[dict[str, Words]] = {key: title for key, title in TITLES.items() if key in FITTING}
"""Those that there is room for. Of more pages than that, the last ones of dice systems are left out."""

Slash = app_commands.Command[Any, ..., Any]


async def show(interaction: Interaction, key: str) -> None:
    """Answer with a page that only this person sees. Raises ``NotOffered`` for a page that is not there."""
    await answer(interaction).post_private(**await message(interaction, key))


async def turn(interaction: Interaction, _: Answer) -> None:
    """Somebody picked another page from the select; it takes the place of the one before.

    Raises ``NotOffered`` unless exactly one page is picked.
    """
    picked = forms.picked(interaction)
    if len(picked) != 1:
        raise NotOffered
    await answer(interaction).update(**await message(interaction, picked[0]))


async def show_all(interaction: Interaction, _: Answer) -> None:
    """The list of commands takes the place of what to do first."""
    await answer(interaction).update(**await message(interaction, OVERVIEW))


async def message(interaction: Interaction, key: str) -> dict[str, Any]:
    card = page_named(key, [registered(command) for command in slashes(interaction.client)])
    found = rows(pressed(key))
    view = Components(*found) if key == START else Components(turner(key), *found)
    return {**card_message(card, await user_display(interaction)), "view": view}


def page_named(key: str, every: list[Registered]) -> Card:
    if key not in TITLES:
        raise NotOffered(Text("There is no such page of help."))
    if key == START:
        return pages.start()
    if key == OVERVIEW:
        return pages.overview(by_command(), every)
    if key == SHARED:
        return pages.shared(by_command(), every)
    if key == AT_THE_TABLE:
        return pages.at_the_table(every)
    if key.startswith(SYSTEM):
        page = SYSTEMS[key.removeprefix(SYSTEM)]
        return pages.to_press(page.title, [(line, meaning) for _, line, meaning in page.commands])
    if key.endswith(WORDS):
        game = GAMES[key.removesuffix(WORDS)]
        return pages.words(game.title, game.help.examples)
    if key.endswith(COUNTED):
        game = GAMES[key.removesuffix(COUNTED)]
        return pages.counted(game.title, game.help.counted)
    return page_of(GAMES[key], every)


def turner(key: str) -> list[Component]:
    """The list of pages; the one that is shown is picked."""
    options = [option(title, one, is_picked=one == key) for one, title in LISTED.items()]
    return [select(Text("Turn to another page"), PAGE, options)]


def pressed(key: str) -> list[Component]:
    """A button for each command of a page that has some to press; of the first page what to do first."""
    if key == START:
        return [
            *practice.buttons(),
            button(Text("Roll 4d6, keep 3"), Typed(ROLL)),
            button(TITLES[OVERVIEW], ALL),
        ]
    page = SYSTEMS.get(key.removeprefix(SYSTEM)) if key.startswith(SYSTEM) else None
    style = discord.ButtonStyle.primary
    return [] if page is None else [button(label, Typed(line), style) for label, line, _ in page.commands]


def page_of(game: Game, every: list[Registered]) -> Card:
    """The help of one game, with its table of numbers where it has one."""
    table = game.help.reference() if game.help.reference is not None else None
    return pages.page(game.rules, every, table, game.slash, game.help.worked_examples, game.help.notes)


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
    return Registered(path, term(str(command.description)), tuple(options), tuple(limits(command)))


def limits(command: Slash) -> Iterator[Words]:
    """Where a command works and who may use it, as Discord knows it for the whole command."""
    root = command.root_parent or command
    where = root.allowed_contexts
    if root.guild_only or (where is not None and where.guild and not (where.dm_channel or where.private_channel)):
        yield Text("servers only")
    if root.default_permissions is not None:
        yield Text("admins")

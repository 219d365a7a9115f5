"""`/help`: the commands and the rules' interpretation, in private pages built from the registered commands."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from discord import ButtonStyle, app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games import GAMES, Game, by_command
from bot.games.game import read_help
from bot.render import help as pages
from bot.render.card import Card
from bot.rules.errors import NotOfferedError
from bot.rules.text import Shown, Text, term
from bot.ui.commands.options import CommandOption, Given, Slash, choice, takes
from bot.ui.core import card_messages, request_context
from bot.ui.core.components import AnswerAddress, CommandButton, Component, Components, button, option, rows, select
from bot.ui.core.responses import answer
from bot.ui.dispatch import router
from bot.ui.roll import tutorial

PAGE: Final = AnswerAddress("help", "page")
"""The select that changes the page."""
START: Final = "start"
ALL: Final = AnswerAddress("help", "all")
"""The button for the list of commands."""
ROLL: Final = "/roll dice:4d6kh3"
OVERVIEW: Final = "overview"
SHARED: Final = "shared"
AT_THE_TABLE: Final = "table"
SYSTEM: Final = "dice-"
"""Key prefix of a page with rolls to press."""


def page_of(game: Game, every: list[pages.RegisteredCommand]) -> Card:
    table = game.help.reference() if game.help.reference is not None else None
    return pages.page(game.rules, every, table, game.slash, game.help.worked_examples, game.help.notes)


def without_commands(card: Callable[..., Card], *given: Any) -> Callable[[object], Card]:
    """Return a page builder that ignores the command list."""
    return lambda _: card(*given)


def table_page(every: list[pages.RegisteredCommand]) -> Card:
    return pages.table_help(every, read_help("table").worked_examples)


SYSTEMS: Final = {f"{SYSTEM}{page.key}": page for game in GAMES.values() for page in game.help.systems}
PAGES: Final[dict[str, tuple[Shown, Callable[[list[pages.RegisteredCommand]], Card]]]] = {
    START: (Text("Where to start"), lambda _: pages.start()),
    OVERVIEW: (Text("All commands"), lambda every: pages.overview(by_command(), every)),
    **{key: (game.title, partial(page_of, game)) for key, game in GAMES.items()},
    **{
        f"{key}-words": (
            Text("{game}: short words you can type", game=game.title),
            without_commands(pages.words, game.title, game.help.examples),
        )
        for key, game in GAMES.items()
        if game.help.examples
    },
    **{
        f"{key}-counted": (
            Text("{game}: which parts of a profile are used", game=game.title),
            without_commands(pages.profile_card, game.title, game.help.counted),
        )
        for key, game in GAMES.items()
        if game.help.counted
    },
    **{
        key: (page.title, without_commands(pages.command_card, page.title, [words[1:] for words in page.commands]))
        for key, page in SYSTEMS.items()
    },
    AT_THE_TABLE: (Text("Saved rolls, secret rolls, turn order"), table_page),
    SHARED: (Text("All games: the table, rulesets, privacy"), lambda every: pages.shared_help(by_command(), every)),
}
"""Pages by key, in display order: the title, and the builder, given all commands."""
TITLES: Final = tuple(choice(title, key) for key, (title, _) in PAGES.items())
GAME: Final = CommandOption(
    "game", str, Text("One game, or what all games share. Default: where to start"), choices=TITLES
)


async def turn(interaction: Interaction, at: AnswerAddress) -> None:
    """Replace the page with the one selected, or the list of commands."""
    key = OVERVIEW if at == ALL else request_context.picked_value(interaction)
    await answer(interaction).update(**await message(interaction, key))


async def message(interaction: Interaction, key: str) -> dict[str, Any]:
    """Return a page with its select and buttons. Raises ``NotOfferedError`` for an unknown key."""
    if key not in PAGES:
        raise NotOfferedError(Text("There's no help page by that name. Pick one from the list."))
    card = PAGES[key][1]([describe_command(command) for command in slashes(interaction.client)])
    options = [option(title, item, is_picked=item == key) for item, (title, _) in PAGES.items()]
    turner = [] if key == START else [select(Text("Turn to another page"), PAGE, options)]
    links = card_messages.support_buttons(interaction.client) if key == START else []
    view = Components(turner, *rows(command_buttons(key)), links)
    return {**card_messages.card_message(card, await card_messages.user_display(interaction)), "view": view}


def command_buttons(key: str) -> list[Component]:
    """Return the buttons for a page's commands; on the first page, first steps."""
    if key == START:
        return [
            *tutorial.buttons(),
            button(Text("Roll 4d6, keep 3"), CommandButton(ROLL)),
            button(PAGES[OVERVIEW][0], ALL),
        ]
    commands = SYSTEMS[key].commands if key in SYSTEMS else ()
    return [button(label, CommandButton(line), ButtonStyle.primary) for label, line, _ in commands]


def slashes(client: Client) -> Iterator[Slash]:
    """Yield every slash command, including subcommands."""
    for root in client.tree.get_commands():
        if isinstance(root, app_commands.Command):
            yield root
        elif isinstance(root, app_commands.Group):
            yield from (command for command in root.walk_commands() if isinstance(command, app_commands.Command))


def describe_command(command: Slash) -> pages.RegisteredCommand:
    options = (option.display_name if option.required else f"[{option.display_name}]" for option in command.parameters)
    path = tuple(command.qualified_name.split())
    return pages.RegisteredCommand(path, term(str(command.description)), tuple(options), tuple(limits(command)))


def limits(command: Slash) -> Iterator[Shown]:
    """Yield where a command works and who may use it, as Discord knows for the whole command."""
    root = command.root_parent or command
    where = root.allowed_contexts
    if root.guild_only or (where is not None and where.guild and not (where.dm_channel or where.private_channel)):
        yield Text("servers only")
    if root.default_permissions is not None:
        yield Text("admins")


class Help(commands.Cog):
    """Private help pages."""

    @app_commands.command(name="help", description="Where to start, all commands, and how I apply unclear rules")
    @takes(GAME)
    async def page(self, interaction: Interaction, given: Given) -> None:
        answer(interaction).keep_private()
        await answer(interaction).post_private(**await message(interaction, given["game"] or START))


ROUTES: Final[router.Routes] = dict.fromkeys((PAGE, ALL), router.Route(turn, is_private=True))


async def setup(client: Client) -> None:
    await client.add_cog(Help())
    router.ROUTES.update(ROUTES)

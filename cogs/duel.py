"""`/duel`: a roll of two people in any game that is a file, and its exact odds."""

from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games.duels import OWN
from bot.render.card import Card
from bot.rules import duels
from bot.rules.duels import typed
from bot.rules.duels.rows import DUELS, MAX_BYTES
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Option
from bot.rules.text import N_, Code, Name, Names, Text, english
from bot.ui.commands import options
from bot.ui.commands.options import FORM, CommandForm, CommandOption, Given, declaration, takes
from bot.ui.core import uploads
from bot.ui.core.request_context import has_permission, place
from bot.ui.roll import roll_message

KEY: Final = duels.KEY
MAX_OWN: Final = 12
"""Games that a server may have of its own."""


async def suggest_lines(interaction: Interaction, written: str) -> list[Choice[str]]:
    """Examples of the game that was chosen, of all of them before that."""
    chosen = options.other_option(interaction, "game")
    lines = [line for duel in DUELS.values() if chosen in ("", duel.key) for line, _ in duel.examples]
    return options.names(written, lines)


async def suggest_games(interaction: Interaction, written: str) -> list[Choice[str]]:
    """Our games by their titles, and the server's own."""
    ours = [(duel.title, duel.key) for duel in DUELS.values()]
    return options.matching_choices(written, [*ours, *((Name(key), key) for key in await own_keys(interaction))])


async def suggest_own(interaction: Interaction, written: str) -> list[Choice[str]]:
    return options.names(written, await own_keys(interaction))


async def own_keys(interaction: Interaction) -> list[str]:
    """The server's own games."""
    guild = place(interaction).guild_id
    return [] if guild is None else await interaction.client.kept_files.kinds(guild, OWN)


GAME: Final = CommandOption(
    "game",
    Range[str, 1, 60],
    Text("Which game. Default: the line begins with its name"),
    suggest=suggest_games,
)
LINE: Final = CommandOption(
    "line", Range[str, 1, typed.MAX_LINE], Text("Both sides: 3r 2b aim 1 red saves dodge 1"), suggest=suggest_lines
)
OPPONENT: Final = CommandOption("opponent", discord.User, Text("Who plays the other side. Default: anyone"), word="")
FIELDS: Final = (
    Field("game", Text("Game"), options=tuple(Option(duel.key, duel.title) for duel in DUELS.values())),
    LINE.field(Text("Both sides, in its words"), Code("3r 2b aim 1 red saves"), required=True),
)
IMPORT: Final = (
    CommandOption("file", discord.Attachment, Text("A game as a TOML file, for this server")),
    CommandOption("remove", Range[str, 1, 20], Text("A game of this server to remove"), suggest=suggest_own),
)
ATTACK_FORM: Final = {FORM: CommandForm(Text("A duel"), FIELDS)}
ODDS_FORM: Final = {FORM: CommandForm(Text("The odds of a duel"), FIELDS)}
ABOUT: Final = english(Text("Two people, one roll: Legion, Kill Team, 40k, and more"))


class Duel(commands.GroupCog, group_name="duel", group_description=ABOUT):
    """One side's dice, the other side's, and the choices of both in the order of the game."""

    @app_commands.command(
        description="Roll an attack; each side chooses in its turn what to do with the dice", extras=ATTACK_FORM
    )
    @takes(GAME, LINE, OPPONENT)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        declared = await roll_message.declare(interaction, KEY, declaration(given, GAME, LINE))
        await roll_message.open_roll(interaction, KEY, declared, given["opponent"])

    @app_commands.command(description="The exact odds if both sides choose well", extras=ODDS_FORM)
    @takes(GAME, LINE)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        declared = await roll_message.declare(interaction, KEY, declaration(given, GAME, LINE))
        await roll_message.show_odds(interaction, KEY, declared)

    @app_commands.command(name="import", description="This server's own games, each a file: list, add, or remove them")
    @takes(*IMPORT)
    async def import_(self, interaction: Interaction, given: Given) -> None:
        file, gone = given["file"], given["remove"]
        guild, files = place(interaction).guild_id, interaction.client.kept_files
        if guild is None:
            raise PlayerError(Text("Games of their own belong to servers. Use this in one of your server's channels."))
        if (file is not None or gone is not None) and not has_permission(interaction, "manage_guild"):
            raise PlayerError(
                Text("Only an admin can do that: someone with the Manage Server permission. Please ask one.")
            )
        kept = await files.kinds(guild, OWN)
        if file is not None:
            sent = await uploads.fetch(interaction, file, Text("a game as a TOML file"), MAX_BYTES)
            read = await uploads.read(interaction, partial(duels.import_file, sent.name), sent)
            if read.key not in kept and len(kept) >= MAX_OWN:
                raise PlayerError(Text("This server has {most} games of its own. Remove one first.", most=MAX_OWN))
            await files.store_file(guild, OWN + read.key, read.packed)
            message = N_("{title} is imported. Roll it with {command}.")
            said = Text(message, title=Name(read.title), command=Code("/duel attack game:" + read.key))
        elif gone is not None:
            if gone not in kept:
                raise PlayerError(Text("This server has no game {name} of its own.", name=Name(gone)))
            await files.remove(guild, OWN + gone)
            said = Text("{name} is removed. Rolls that are open go on.", name=Name(gone))
        elif kept:
            said = Text("Games of this server's own: {games}.", games=Names(map(Name, kept)))
        else:
            said = Text("This server has no games of its own yet. An admin can attach a file.")
        await roll_message.show_card(interaction, Card(title=duels.TITLE, outcome=said))


async def setup(client: Client) -> None:
    await client.add_cog(Duel())

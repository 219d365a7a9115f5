"""`/duel`: a roll of two people in any game that is a file, and its exact odds."""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import duels
from bot.rules.duels import typed
from bot.rules.duels.rows import DUELS
from bot.rules.game import Field, Option
from bot.rules.text import Code, Text, english
from bot.ui.commands import options
from bot.ui.commands.options import FORM, CommandForm, CommandOption, Given, declaration, takes
from bot.ui.roll import roll_message

KEY: Final = duels.KEY
GAMES: Final = tuple(options.choice(duel.title, duel.key) for duel in DUELS.values())


async def suggest_lines(interaction: Interaction, written: str) -> list[Choice[str]]:
    """Examples of the game that was chosen, of all of them before that."""
    chosen = options.other_option(interaction, "game")
    lines = [line for duel in DUELS.values() if chosen in ("", duel.key) for line, _ in duel.examples]
    return options.names(written, lines)


GAME: Final = CommandOption("game", str, Text("Which game. Default: the line begins with its name"), choices=GAMES)
LINE: Final = CommandOption(
    "line", Range[str, 1, typed.MAX_LINE], Text("Both sides: 3r 2b aim 1 red saves dodge 1"), suggest=suggest_lines
)
OPPONENT: Final = CommandOption("opponent", discord.User, Text("Who plays the other side. Default: anyone"), word="")
FIELDS: Final = (
    Field("game", Text("Game"), options=tuple(Option(duel.key, duel.title) for duel in DUELS.values())),
    LINE.field(Text("Both sides, in its words"), Code("3r 2b aim 1 red saves"), required=True),
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


async def setup(client: Client) -> None:
    await client.add_cog(Duel())

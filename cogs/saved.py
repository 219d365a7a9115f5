"""`/saved`: rolls of any game under a name, and a panel with a button for each."""

from typing import Final, get_args

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.text import Text, english
from bot.ui import saved
from bot.ui.names import NameOption
from bot.ui.options import MISSING, Given, Option, choice, takes
from bot.ui.saved import LINE_MOST, Whose

Line = Range[str, 1, LINE_MOST]
NEW: Final = Option("name", NameOption, Text("What to call it: Fireball"), MISSING, suggest=saved.suggest)
KNOWN: Final = NEW.said(Text("Which roll"))
ROLL: Final = Option(
    "roll",
    Line,
    Text("Dice or a command: 8d6, /infinity roll sv:12. Default: your last roll here"),
    suggest=saved.suggest_lines,
)
WHOSE: Final = Option(
    "whose",
    str,
    Text("Default: your own. Only a GM changes those of the channel"),
    "mine",
    choices=tuple(choice(Text(whose), whose) for whose in get_args(Whose)),
)


class Saved(
    commands.GroupCog,
    group_name="saved",
    group_description=english(Text("Rolls of any game that you saved under a name")),
):
    """One's own rolls go with a person everywhere; those of a channel are for everybody there."""

    @app_commands.command(description="Save a roll under a name; it replaces the one of the same name")
    @takes(NEW, ROLL, WHOSE)
    async def add(self, interaction: Interaction, given: Given) -> None:
        await saved.add(interaction, given["name"], given["roll"], given["whose"])

    @app_commands.command(description="Roll a saved roll; typing its name in /roll does the same")
    @takes(KNOWN)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        await saved.roll_named(interaction, given["name"])

    @app_commands.command(name="list", description="Your saved rolls, and those of this channel; only you see them")
    async def list_(self, interaction: Interaction) -> None:
        await saved.show_list(interaction)

    @app_commands.command(description="Remove a saved roll")
    @takes(KNOWN, WHOSE)
    async def remove(self, interaction: Interaction, given: Given) -> None:
        await saved.remove(interaction, given["name"], given["whose"])

    @app_commands.command(description="Post a panel with a button for each saved roll")
    @takes(WHOSE.said(Text("Yours, for you to press, or those of the channel. Default: yours")))
    async def panel(self, interaction: Interaction, given: Given) -> None:
        await saved.post_panel(interaction, given["whose"])


async def setup(client: Client) -> None:
    await client.add_cog(Saved())

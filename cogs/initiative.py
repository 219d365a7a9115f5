"""`/initiative`: the turn order of a channel, in one message with buttons."""

from typing import Final

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.anydice.expression import TEXT_MOST
from bot.rules.text import Text, english
from bot.ui import saved, turns
from bot.ui.names import NameOption
from bot.ui.options import MISSING, Given, Option, choice, takes

RollText = Range[str, 1, TEXT_MOST]
HowMany = Range[int, 1, turns.NPCS_MOST]


LOWEST: Final = "lowest"
FIRST: Final = Option(
    "first",
    str,
    Text("Who acts first. Default: the highest roll"),
    "highest",
    choices=(
        choice(Text("highest"), "highest"),
        choice(Text("lowest"), LOWEST),
    ),
)
JOIN: Final = (
    Option(
        "roll", RollText, Text("What you roll: 1d20+3, or a plain number"), MISSING, suggest=saved.suggest_only_dice
    ),
    Option("name", NameOption, Text("For GMs: the NPC that joins. Default: you yourself"), ""),
    Option("count", HowMany, Text("For GMs: how many such NPCs, each with a roll of its own"), 1),
)
WHO: Final = Option("name", NameOption, Text("Who leaves. Default: you"), "", suggest=turns.suggested)


class Initiative(
    commands.GroupCog, group_name="initiative", group_description=english(Text("Turn order: who acts when, by a roll"))
):
    """Each step is one of the table, which `/table undo` takes back."""

    @app_commands.command(description="Start a turn order in this channel; people join it with a roll")
    @takes(FIRST)
    async def start(self, interaction: Interaction, given: Given) -> None:
        await turns.start(interaction, lowest=given["first"] == LOWEST)

    @app_commands.command(description="Join the turn order with a roll or a number; a GM also adds NPCs")
    @takes(*JOIN)
    async def join(self, interaction: Interaction, given: Given) -> None:
        await turns.join(interaction, given["roll"], given["name"], given["count"])

    @app_commands.command(name="next", description="The next turn, for whoever acts now or a GM")
    async def next_(self, interaction: Interaction) -> None:
        await turns.advance(interaction)

    @app_commands.command(description="Leave the turn order; a GM takes anybody out")
    @takes(WHO)
    async def leave(self, interaction: Interaction, given: Given) -> None:
        await turns.leave(interaction, given["name"])

    @app_commands.command(description="Show the turn order again, below what was written since")
    async def show(self, interaction: Interaction) -> None:
        await turns.show(interaction)

    @app_commands.command(description="End the turn order, for whoever started it or a GM")
    async def end(self, interaction: Interaction) -> None:
        await turns.end(interaction)


async def setup(client: Client) -> None:
    await client.add_cog(Initiative())

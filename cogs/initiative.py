"""`/initiative`: the turn order of a channel, in one message with buttons."""

from typing import Literal

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.anydice.notation import TEXT_MOST
from bot.rules.text import Text
from bot.ui import saved, turns
from bot.ui.names import Name

RollText = Range[str, 1, TEXT_MOST]
HowMany = Range[int, 1, turns.NPCS_MOST]


class Initiative(
    commands.GroupCog, group_name="initiative", group_description=Text("Turn order: who acts when, by a roll")
):
    """Each step is one of the table, which `/table undo` takes back."""

    @app_commands.command(description="Start a turn order in this channel; people join it with a roll")
    @app_commands.describe(first="Who acts first. Default: the highest roll")
    async def start(self, interaction: Interaction, first: Literal["highest", "lowest"] = "highest") -> None:
        await turns.start(interaction, lowest=first == "lowest")

    @app_commands.command(description="Join the turn order with a roll or a number; a GM also adds NPCs")
    @app_commands.describe(
        roll="What you roll: 1d20+3, or a plain number",
        name="For GMs: the NPC that joins. Default: you yourself",
        count="For GMs: how many such NPCs, each with a roll of its own",
    )
    @app_commands.autocomplete(roll=saved.suggest_only_dice)
    async def join(self, interaction: Interaction, roll: RollText, name: Name = "", count: HowMany = 1) -> None:
        await turns.join(interaction, roll, name, count)

    @app_commands.command(name="next", description="The next turn, for whoever acts now or a GM")
    async def next_(self, interaction: Interaction) -> None:
        await turns.advance(interaction)

    @app_commands.command(description="Leave the turn order; a GM takes anybody out")
    @app_commands.describe(name="Who leaves. Default: you")
    @app_commands.autocomplete(name=turns.suggested)
    async def leave(self, interaction: Interaction, name: Name = "") -> None:
        await turns.leave(interaction, name)

    @app_commands.command(description="Show the turn order again, below what was written since")
    async def show(self, interaction: Interaction) -> None:
        await turns.show(interaction)

    @app_commands.command(description="End the turn order, for whoever started it or a GM")
    async def end(self, interaction: Interaction) -> None:
        await turns.end(interaction)


async def setup(client: Client) -> None:
    await client.add_cog(Initiative())

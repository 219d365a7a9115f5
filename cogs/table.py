"""`/table`: what every game shares in a channel: the board, undo, history, a clean start."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games import GAMES
from bot.rules.game import Side
from bot.sessions.tables import TABLE
from bot.ui import board

OF_GAMES = [app_commands.Choice(name=game.title, value=key) for key, game in GAMES.items()]
OF_GAMES.append(app_commands.Choice(name="Table steps", value=TABLE))


async def rolls(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    return await board.suggest_rolls(interaction, str(typed))


class Table(commands.GroupCog, group_name="table", group_description="The table of this channel: board, undo, history"):
    """Every channel and every thread is a table of its own."""

    @app_commands.command(
        description="What is in play here: ships, tokens, locks, open rolls; it keeps itself up to date"
    )
    async def show(self, interaction: Interaction) -> None:
        await board.show(interaction)

    @app_commands.command(description="Take the last press back: yours, or as GM anybody's; seen dice come again")
    async def undo(self, interaction: Interaction) -> None:
        await board.undo(interaction)

    @app_commands.command(description="Give a side of an open roll to somebody, or free it. For GMs")
    @app_commands.describe(
        side="Which side; in Infinity the attacker is the active one",
        player="Who shall sit there; left out, whoever presses first",
        roll="Which roll; left out, the newest that is open",
    )
    @app_commands.autocomplete(roll=rolls)
    async def seat(
        self,
        interaction: Interaction,
        side: Literal["attacker", "defender"],
        player: discord.User | None = None,
        roll: int | None = None,
    ) -> None:
        await board.seat(interaction, Side(side), player, roll)

    @app_commands.command(description="What happened here, with links to the rolls")
    @app_commands.describe(player="Only what this person did", game="Only this game")
    @app_commands.choices(game=OF_GAMES)
    async def history(
        self, interaction: Interaction, player: discord.User | None = None, game: str | None = None
    ) -> None:
        await board.history(interaction, player, game)

    @app_commands.command(description="Remove every piece from this channel; asks first. For GMs")
    async def clear(self, interaction: Interaction) -> None:
        await board.ask_clear(interaction)


async def setup(client: Client) -> None:
    await client.add_cog(Table())

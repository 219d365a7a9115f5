"""`/table`: what every game shares in a channel: the board, undo, history, a clean start."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games import GAMES
from bot.rules.game import Side
from bot.rules.text import Text, english, term
from bot.sessions.tables import TABLE
from bot.ui import board, plans, recap, reveal, seal, watch_link
from bot.ui.options import MISSING, Given, Option, choice, takes
from bot.ui.place import place
from bot.ui.secret import PRIVATE

OF_GAMES = [choice(game.title, key) for key, game in GAMES.items()]
OF_GAMES.append(choice(Text("Changes to the table"), TABLE))


async def rolls(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    return await board.suggest_rolls(interaction, str(typed))


SEAT: Final = (
    Option(
        "side",
        str,
        Text("Which side; in Infinity the attacker is the active trooper"),
        MISSING,
        choices=tuple(choice(term(side.value), side.value) for side in Side),
    ),
    Option("player", discord.User, Text("Who plays that side. Default: whoever presses first")),
    Option("roll", int, Text("Which open roll. Default: the newest"), suggest=rolls),
)
HISTORY: Final = (
    Option("player", discord.User, Text("Only what this player did")),
    Option("game", str, Text("Only this game"), choices=tuple(OF_GAMES)),
)
OPPONENT: Final = Option(
    "opponent", discord.User, Text("The other player, who gives a word too; in a call of two that is clear")
)
REVOKE: Final = Option("revoke", bool, Text("End the link to that page instead"), False)


class Table(
    commands.GroupCog,
    group_name="table",
    group_description=english(Text("The table of this channel: board, undo, history")),
):
    """Every channel and every thread is a table of its own."""

    @app_commands.command(description="What is in play here: ships, tokens, locks, open rolls. Updates itself")
    async def show(self, interaction: Interaction) -> None:
        await board.BOARD.post(interaction)

    @app_commands.command(description="Take back the last press: your own, or anybody's if you are a GM")
    async def undo(self, interaction: Interaction) -> None:
        await board.undo(interaction)

    @app_commands.command(description="Give a side of an open roll to a player, or free it (GMs only)")
    @takes(*SEAT)
    async def seat(self, interaction: Interaction, given: Given) -> None:
        await board.seat(interaction, Side(given["side"]), given["player"], given["roll"])

    @app_commands.command(description="The last rolls and changes here, with links to them")
    @takes(*HISTORY)
    async def history(self, interaction: Interaction, given: Given) -> None:
        await board.history(interaction, given["player"], given["game"])

    @app_commands.command(description="How lucky everybody was in this match, exactly; ask if you played in it")
    async def luck(self, interaction: Interaction) -> None:
        await recap.of_match(interaction)

    @app_commands.command(description="Secret rolls here that you may see: look, reveal", extras={PRIVATE: True})
    async def secrets(self, interaction: Interaction) -> None:
        await reveal.show_list(interaction)

    @app_commands.command(description="Your own plans here, as dials: only you see them", extras={PRIVATE: True})
    async def plan(self, interaction: Interaction) -> None:
        await plans.of_table(interaction)

    @app_commands.command(description="How this match stands or ended: losses, luck, the luckiest roll")
    async def recap(self, interaction: Interaction) -> None:
        await recap.ask(interaction)

    @app_commands.command(description="A page that shows this table live, on a second screen", extras={PRIVATE: True})
    @takes(REVOKE)
    async def link(self, interaction: Interaction, given: Given) -> None:
        await (watch_link.revoke(interaction) if given["revoke"] else watch_link.make(interaction))
        board.BOARD.changed(interaction.client, place(interaction).channel_id)

    @app_commands.command(description="Seal this table: nobody can choose a result, and anyone can check the dice")
    @takes(OPPONENT)
    async def seal(self, interaction: Interaction, given: Given) -> None:
        await seal.ask(interaction, given["opponent"])

    @app_commands.command(description="End the sealed table, and get the transcript with which you check every die")
    async def unseal(self, interaction: Interaction) -> None:
        await seal.unseal(interaction)

    @app_commands.command(description="Remove every piece from this channel (GMs only; I ask first)")
    async def clear(self, interaction: Interaction) -> None:
        await board.ask_clear(interaction)


async def setup(client: Client) -> None:
    await client.add_cog(Table())

"""`/table`: the board, undo, history, and clearing, shared by all games. `/luck`: one's own rolls."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games import GAMES
from bot.render import table
from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.text import N_, Count, Name, Text, english, labeled, term
from bot.sessions.tables import TABLE
from bot.ui.commands.options import MISSING, PRIVATE, CommandOption, Given, choice, matching_choices, takes
from bot.ui.core import card_messages, components
from bot.ui.core.request_context import clean, mentions_of, name_shown, place, request, require_gm
from bot.ui.core.responses import answer
from bot.ui.dispatch import router
from bot.ui.live import live_page
from bot.ui.roll import bot_player, roll_message, secret_rolls
from bot.ui.table import board, plans, recap, sealing

OF_GAMES = [choice(game.title, key) for key, game in GAMES.items()]
OF_GAMES.append(choice(Text("Changes to the table"), TABLE))
ABOUT: Final = english(Text("This channel's table: board, undo, history"))
CLEAR: Final = components.AnswerAddress("table", "clear")
KEEP: Final = components.AnswerAddress("table", "keep")
SEATS: Final = {
    (Side.ATTACKER, False): N_("{by} gives the attacker's seat to {whom}."),
    (Side.ATTACKER, True): N_("{by} gives the attacker's seat to the first person to press."),
    (Side.DEFENDER, False): N_("{by} gives the defender's seat to {whom}."),
    (Side.DEFENDER, True): N_("{by} gives the defender's seat to the first person to press."),
}
"""Sentences by seat, and whether it is unassigned."""


async def rolls(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    result = board.with_turn(await interaction.client.tables.rolls(place(interaction)))
    return matching_choices(str(typed), ((labeled(roll.game.title, card.turn), roll.session) for roll, card in result))


async def handle_clear(interaction: Interaction, at: components.AnswerAddress) -> None:
    """Apply the GM's answer: remove every piece, or keep them."""
    await require_gm(interaction)
    text, names = Text("The table stays unchanged."), tuple[Name, ...]()
    if at == CLEAR:
        names = await interaction.client.tables.clear(await request(interaction))
        who = clean(interaction.user.display_name)
        text = Text("{display_name} clears the table. To bring it back, use /table undo.", display_name=who)
    await answer(interaction).update(embed=card_messages.embed(table.notice(text, names)), view=None)


SIDES: Final = tuple(choice(term(side.value), side.value) for side in Side)
SEAT: Final = (
    CommandOption(
        "side", str, Text("Which side; in Infinity the attacker is the active trooper"), MISSING, choices=SIDES
    ),
    CommandOption("player", discord.User, Text("Who plays that side. Default: the first person to press")),
    CommandOption("roll", int, Text("Which open roll. Default: the newest"), suggest=rolls),
)
HISTORY: Final = (
    CommandOption("player", discord.User, Text("Only what this player did")),
    CommandOption("game", str, Text("Only this game"), choices=tuple(OF_GAMES)),
)
OPPONENT: Final = CommandOption(
    "opponent", discord.User, Text("The other player, who also gives a seed word; not needed in a call of two")
)
REVOKE: Final = CommandOption("revoke", bool, Text("Revoke the link to that page instead"), False)


class Table(commands.GroupCog, group_name="table", group_description=ABOUT):
    """Every channel and thread is its own table."""

    @app_commands.command(description="What's in play here: ships, tokens, locks, open rolls. Updates itself")
    async def show(self, interaction: Interaction) -> None:
        await board.BOARD.post(interaction)

    @app_commands.command(description="Take back the last press: your own, or anyone's if you are a GM")
    async def undo(self, interaction: Interaction) -> None:
        await board.undo(interaction)

    @app_commands.command(description="Give a side of an open roll to a player, or free it (GMs only)")
    @takes(*SEAT)
    async def seat(self, interaction: Interaction, given: Given) -> None:
        await require_gm(interaction)
        here, side, player, session = place(interaction), Side(given["side"]), given["player"], given["roll"]
        if session is None:
            rolls = board.with_turn(await interaction.client.tables.rolls(here))
            if not rolls:
                message = N_("No open roll in this channel is waiting for a player. Start one with a command first.")
                raise PlayerError(Text(message))
            session = rolls[0][0].session
        game = (await interaction.client.sessions.find(session, here)).game
        who = bot_player.opponent(interaction, game, player)
        roll = await interaction.client.tables.seat(await request(interaction), session, side, who)
        roll = await bot_player.play_on(interaction, roll)
        old = interaction.client.links.of(roll)
        whom, called = Name(player.mention if player is not None else ""), mentions_of([player.id] if player else [])
        told = Text(SEATS[side, player is None], by=name_shown(interaction.user), whom=whom)
        await roll_message.post_roll(interaction, roll, content=told, allowed_mentions=called)
        await roll_message.link_to_new(interaction, old, interaction.client.links.of(roll), roll)

    @app_commands.command(description="The last rolls and changes here, with links to them")
    @takes(*HISTORY)
    async def history(self, interaction: Interaction, given: Given) -> None:
        await board.history(interaction, given["player"], given["game"])

    @app_commands.command(description="How lucky everyone was in this match, exactly (players only)")
    async def luck(self, interaction: Interaction) -> None:
        await recap.of_match(interaction)

    @app_commands.command(description="Secret rolls here that you can see: look, reveal", extras={PRIVATE: True})
    async def secrets(self, interaction: Interaction) -> None:
        await secret_rolls.show_list(interaction)

    @app_commands.command(
        description="Your own plans here, such as dials: only you can see them", extras={PRIVATE: True}
    )
    async def plan(self, interaction: Interaction) -> None:
        await plans.of_table(interaction)

    @app_commands.command(description="How this match stands or ended: losses, luck, the luckiest roll")
    async def recap(self, interaction: Interaction) -> None:
        await recap.ask(interaction)

    @app_commands.command(description="A page that shows this table live, for a second screen", extras={PRIVATE: True})
    @takes(REVOKE)
    async def link(self, interaction: Interaction, given: Given) -> None:
        await (live_page.revoke_link(interaction) if given["revoke"] else live_page.make_link(interaction))
        board.BOARD.mark_changed(interaction.client, place(interaction).channel_id)

    @app_commands.command(description="Seal this table: nobody can choose a result, and anyone can verify the dice")
    @takes(OPPONENT)
    async def seal(self, interaction: Interaction, given: Given) -> None:
        await sealing.ask(interaction, given["opponent"])

    @app_commands.command(description="End the sealed table and get the transcript that verifies every die")
    async def unseal(self, interaction: Interaction) -> None:
        await sealing.unseal(interaction)

    @app_commands.command(description="Remove every piece from this channel (GMs only; I ask first)")
    async def clear(self, interaction: Interaction) -> None:
        await require_gm(interaction)
        pieces = (await interaction.client.tables.snapshot(place(interaction))).pieces
        held = {name: item for result in pieces.values() for name, item in result.items()}
        names = [Name(name) for name, item in held.items() if getattr(item, "name", "")]
        view = components.yes_or_no(CLEAR, Text("Clear the table"), KEEP, Text("Keep it"))
        asked: dict[str, Any] = {"view": view} if held else {}
        text = Text("The table is already empty.")
        if held:
            text = Text("Remove {pieces} from the table?", pieces=Count(len(held), "piece", "pieces"))
        await answer(interaction).post(embed=card_messages.embed(table.notice(text, names)), **asked)


class Luck(commands.Cog):
    """Private answers; `/table luck` is the same for a match and its players."""

    @app_commands.command(name="luck", description="How lucky your own rolls were, exactly; only you can see it")
    async def own(self, interaction: Interaction) -> None:
        await recap.of_person(interaction)


ROUTES: Final[router.Routes] = dict.fromkeys((CLEAR, KEEP), router.Route(handle_clear))


async def setup(client: Client) -> None:
    await client.add_cog(Table())
    await client.add_cog(Luck())
    router.ROUTES.update(ROUTES)

"""All subscriptions to events: reactions that no response waits for.

Data stored with a ply is not here (``bot.sessions``), only its display. A failing handler is logged and affects nothing
else. A new reaction to a press is one line here; a command's or game's own handlers subscribe in its cog.

``when`` filters by what a channel has: a board, a turn order, a viewer, a log channel, a lost card, all known in
memory.
"""

from collections.abc import Callable, Container
from functools import partial
from typing import Final

import discord

from bot.client import Client, Interaction
from bot.games import GAMES, roll_commands
from bot.languages import ENGLISH
from bot.ruleset.settings import LOG_CHANNEL, PING, READ_ALOUD
from bot.sessions.events import StateStored
from bot.store.tracked_messages import EVERYBODY
from bot.ui.commands import saved_rolls
from bot.ui.core import request_context
from bot.ui.core.responses import Answered, CardShown, StepAnswered
from bot.ui.live import live_messages, live_page
from bot.ui.notify import log_channel, turn_mentions, welcome
from bot.ui.roll import roll_message
from bot.ui.table import board, board_actions, plans, recap


def subscribe(client: Client, *, welcomes: bool) -> None:
    """Subscribe everything at startup. ``welcomes``: whether newcomers are welcomed."""
    bus = client.bus
    bus.subscribe(StateStored, lambda fact: fact.request.stored.append(fact))
    follows_table(client, board.BOARD)
    bus.subscribe(StateStored, partial(live_page.on_stored, client), lambda fact: client.is_watched(channel(fact)))
    bus.subscribe(
        StateStored, lambda fact: plans.follow(client, fact, game_of(fact)), lambda fact: game_of(fact) in PLANS_OPEN
    )
    bus.subscribe(
        StateStored,
        lambda fact: client.lost.mark_seen(*channel_and_person(fact)),
        lambda fact: channel_and_person(fact) in client.lost.unseen,
    )
    bus.subscribe(CardShown, log_channel.copy, lambda fact: fact.is_taken_back or fact.counts[LOG_CHANNEL])
    bus.subscribe(CardShown, turn_mentions.follow, is_turn)
    bus.subscribe(
        CardShown,
        lambda fact: roll_message.count_card_below_board(fact.interaction),
        lambda fact: fact.played.is_new and fact.played.is_opening,
    )
    bus.subscribe(CardShown, board_actions.follow, is_of_board)
    bus.subscribe(Answered, roll_message.show_lost_too, is_lost)
    bus.subscribe(StepAnswered, recap.follow, lambda fact: fact.winner is not None)
    bus.subscribe(StepAnswered, board_actions.renew, kept_in(client.next_cards))
    bus.subscribe(Answered, saved_rolls.note, is_roll)
    if welcomes:
        bus.subscribe(Answered, welcome.follow, is_unwelcomed)


async def tell_answered(interaction: Interaction) -> None:
    tell = interaction.client.bus.publish
    with request_context.in_channel_language(interaction):
        await tell(Answered(interaction))
        for fact in request_context.stored_by(interaction):
            if fact.stepped is not None:
                ending = GAMES[fact.game].table.ending
                winner = None if ending is None else ending.winner(fact.stepped.before, fact.stepped.after)
                await tell(StepAnswered(interaction, fact.game, fact.stepped, winner))


PLANS_OPEN: Final = {key for key, game in GAMES.items() if game.table.due}
"""Games in which plans open automatically."""


def game_of(fact: StateStored) -> str:
    return fact.played.game.key if fact.played is not None else fact.game


def channel(fact: StateStored) -> int:
    return fact.request.place.channel_id


def channel_and_person(fact: StateStored) -> tuple[int, int]:
    return fact.request.place.channel_id, fact.request.by.id


def follows_table(client: Client, message: live_messages.LiveMessage) -> None:
    """Updates a message whenever its channel's table changes."""

    def may_have(fact: StateStored) -> bool:
        """Whether the channel has such a message, or another process may have posted one."""
        return (message.kind, channel(fact), EVERYBODY) in client.live or channel(fact) in client.unsure

    client.bus.subscribe(StateStored, lambda fact: message.mark_changed(client, channel(fact)), may_have)


def is_turn(fact: CardShown) -> bool:
    """Whether the event ends a mentioned turn, or the table wants mentions or outcomes read aloud."""
    wants = fact.counts[PING] != PING.built_in or fact.counts[READ_ALOUD]
    return wants or fact.played.session in fact.interaction.client.calls.waiting


def kept_in(channels: Container[int | None]) -> Callable[[StepAnswered], bool]:
    """Return a filter for steps in these channels, as they are at that time."""
    return lambda fact: fact.interaction.channel_id in channels


def has_clock(fact: StepAnswered) -> bool:
    board = GAMES[fact.game].table.board
    return board is not None and board.ends_at is not None and board.ends_at(fact.stepped.after) > 0


def is_of_board(fact: CardShown) -> bool:
    """Whether a next-step card must change, or this roll has one."""
    return fact.interaction.channel_id in fact.interaction.client.next_cards or roll_message.is_of_board(fact.played)


def reads_another(fact: Answered) -> bool:
    """Whether somebody in the server reads another language than the bot's there."""
    interaction = fact.interaction
    is_foreign = request_context.language_of_reader(interaction) is not interaction.extras.get("voice", ENGLISH)
    return is_foreign or interaction.guild_id in interaction.client.heard


def is_command(fact: Answered) -> bool:
    return fact.interaction.type is discord.InteractionType.application_command


def is_roll(fact: Answered) -> bool:
    command = fact.interaction.command
    return is_command(fact) and command is not None and command.qualified_name in roll_commands()


def is_unwelcomed(fact: Answered) -> bool:
    """Whether it was a command in a channel without known activity."""
    return is_command(fact) and fact.interaction.channel_id not in fact.interaction.client.greeted


def is_lost(fact: Answered) -> bool:
    """Whether this person has a lost card in the channel."""
    return (fact.interaction.channel_id, fact.interaction.user.id) in fact.interaction.client.lost.sessions

"""Routes buttons, selects, and forms by ``custom_id``. discord.py's ``DynamicItem`` classes swallow errors, keep forms
in memory, and need two classes per id. One function handles all three, and a form opened before a restart still works.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.games import GAMES
from bot.rules import errors, game
from bot.rules.text import EMPTY, Text
from bot.ruleset.ruling import allowed_fields
from bot.sessions.roll import Address, NotYourSideError, Played
from bot.ui.commands import options, saved_rolls
from bot.ui.core import components, request_context
from bot.ui.core.components import At, InvalidCustomIdError
from bot.ui.core.request_context import check_block, mentioned_in, picked_value, picked_values, request, ruling
from bot.ui.core.responses import answer
from bot.ui.dispatch import subscriptions
from bot.ui.dispatch.error_messages import report_error
from bot.ui.live import live_page, replay
from bot.ui.roll import advice, bot_player, explanation, roll_message, secret_rolls, tutorial
from bot.ui.table import board, board_actions, plans, recap, sealing

CALLED: Final = re.compile(r"<@!?\d+>(?: <@!?\d+>)*")
log = logging.getLogger(__name__)


async def on_interaction(interaction: Interaction) -> None:
    """Handle a press, a selection, or a form. Never raises."""
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    answer(interaction)
    try:
        request_context.check_rate_limit(interaction)
        await dispatch(interaction, custom_id)
    except Exception as error:  # noqa: BLE001 - report_error sorts them
        if isinstance(error, InvalidCustomIdError):
            log.warning("interaction %s has a custom_id that does not belong there: %r", interaction.id, custom_id)
        await report_error(interaction, error)
    await subscriptions.tell_answered(interaction)


def quoted_texts(message: discord.Message) -> dict[str, str]:
    """Return the texts that a message quotes, by field."""
    quoted = [message.content, *(embed.description or "" for embed in message.embeds)]
    return {match[1]: match[2] for match in components.QUOTED.finditer("\n".join(quoted))}


async def dispatch(interaction: Interaction, custom_id: str) -> None:
    """Route an id: declare a roll, answer a question, give advice, or make a choice and show the result."""
    filled = None
    if interaction.type is discord.InteractionType.modal_submit:
        filled = components.submitted_fields(interaction.data or {})
    at = components.read(custom_id)
    message = interaction.message if filled is None else None
    if isinstance(at, components.EditForm | components.ApplySuggestion) and message is not None:
        texts = quoted_texts(message)
        if isinstance(at, components.ApplySuggestion):
            filled = texts | {at.field: at.text}
            answer(interaction).sent_again = (at.form, filled)
        else:
            answer(interaction).refilled = texts
        at = components.form_of(at)
    check_block(interaction, at.subject if isinstance(at, components.AnswerAddress) else "")
    route = route_to(at)
    await request_context.begin_to_speak(interaction, is_private=route.is_private)
    if route.on_private and not answer(interaction).is_on_private:
        raise InvalidCustomIdError
    if filled is None and route.press is not None:
        await route.press(interaction, at)
    elif filled is not None and route.form is not None:
        await route.form(interaction, at, filled)
    else:
        raise InvalidCustomIdError


async def choose(interaction: Interaction, at: Address, filled: dict[str, str] | None = None) -> None:
    """Apply a choice on a card, by a press, its form, or the menu of rare choices, and show the result."""
    if interaction.message is None:
        raise InvalidCustomIdError
    fixes = answer(interaction).refilled is not None
    if answer(interaction).is_on_private and filled is None and not fixes:  # choices are on public cards
        raise InvalidCustomIdError
    taken = () if fixes else picked_values(interaction)
    if at.offer == components.MORE:
        at, taken = replace(at, offer=picked_value(interaction)), ()
    filled, mentioned = await mentioned_in(interaction, filled)
    asked = await request(interaction)
    choice = game.Choice(at.offer, taken, filled)
    try:
        played = await interaction.client.sessions.choose(asked, at, choice, mentioned=mentioned)
    except NotYourSideError as error:
        played = await bot_player.continue_roll(interaction, at, error)
    if isinstance(played, Played) and played.seats_bot(asked.bot_id):
        played = await bot_player.play_on(interaction, played)
    if isinstance(played, game.Offer) and played.then is game.AfterOffer.FOLLOWS:
        await roll_message.follow(interaction, at, filled)
    elif isinstance(played, game.Offer):
        title = played.asks.title if isinstance(played.asks, game.Fill) else EMPTY
        fields = allowed_fields(await ruling(interaction), played.fields)
        await answer(interaction).ask(title or played.label, at, fields)
    elif answer(interaction).is_on_private:  # a form that was fixed
        await roll_message.show_on_its_card(interaction, played)
    elif played.session != at.session:  # a repeat has its own card; this one stays
        await roll_message.post_roll(interaction, played)
        await board.remove_button(interaction, components.write(at))
    else:
        known = interaction.client.links.of(played)
        above = interaction.message.content  # drops "taken back", keeps the mention
        extra: dict[str, Any] = {"content": None} if above and not CALLED.fullmatch(above) else {}
        await roll_message.update_card(interaction, played, **extra)
        await note_card(interaction, played, known)


async def take_advised(interaction: Interaction, at: components.AdvisedAddress) -> None:
    """Make a choice from private advice, and show it on the roll's card. Raises as a press there."""
    played = await interaction.client.sessions.choose(await request(interaction), at, game.Choice(at.offer, at.picked))
    if isinstance(played, game.Offer):  # it has a form, which advice never suggests
        raise errors.NotOfferedError
    await roll_message.show_on_its_card(interaction, await bot_player.play_on(interaction, played))


async def cancel(interaction: Interaction, _: components.AnswerAddress) -> None:
    """Close a private question without doing what it asks."""
    await answer(interaction).update(content=Text("Canceled. Nothing has changed."), view=None)


async def note_card(interaction: Interaction, played: Played, known: int | None) -> None:
    """Record that a roll is shown on the pressed message; its previous card links there. ``known``: its card when the
    press counted. A card posted since then, as after an undo, is newer and stays the card.
    """
    client, message = interaction.client, interaction.message
    now = client.links.of(played)
    if message is None:
        return
    if now not in (known, played.message_id):  # the noted message may have been stored meanwhile
        await roll_message.link_to_new(interaction, message.id, now)
    elif message.id != known:
        client.links.note(played.session, message.id)
        await roll_message.link_to_new(interaction, known, message.id)


@dataclass(frozen=True, slots=True)
class Route:
    """Handlers of a press and a form, if any; ``is_private``: its answer; ``on_private``: only on private messages."""

    press: Callable[[Interaction, Any], Awaitable[None]] | None = None
    form: Callable[[Interaction, Any, dict[str, str]], Awaitable[None]] | None = None
    is_private: bool = False
    on_private: bool = False


Routes = dict[At | type[At], Route]
ROUTES: Final[Routes] = {
    components.AdvisedAddress: Route(take_advised, on_private=True),
    components.BoardAddress: Route(board_actions.press, board_actions.press),
    components.NextAddress: Route(board_actions.press_next, board_actions.press_next),
    components.CommandAddress: Route(options.reopen, saved_rolls.handle_form),
    components.NewRoll: Route(roll_message.ask_again, roll_message.open_filled),
    components.RematchAddress: Route(recap.press),
    components.ReplayAddress: Route(replay.press),
    components.PlanAddress: Route(plans.press, plans.handle_form, is_private=True),
    components.FilledForm: Route(saved_rolls.open_filled),
    components.CommandButton: Route(saved_rolls.press_typed),
    **{
        components.AnswerAddress(explanation.SUBJECT, key): Route(explanation.explain, is_private=True)
        for key in explanation.EXPLAINS
    },
    **{components.AnswerAddress(tutorial.GOOD, key): Route(tutorial.start, is_private=True) for key in tutorial.TRIED},
    **{components.AnswerAddress(tutorial.BEGIN, key): Route(tutorial.begin, is_private=True) for key in tutorial.TRIED},
    **{components.AnswerAddress(tutorial.WORSE, key): Route(tutorial.begin, is_private=True) for key in tutorial.TRIED},
    secret_rolls.SHOW: Route(secret_rolls.show_chosen, is_private=True),
    live_page.LAUNCH: Route(live_page.launch, is_private=True),
    components.CANCEL: Route(cancel, is_private=True, on_private=True),
}
"""Handlers by kind of address, or for a single one; cogs add their own."""
CHOICE: Final = Route(choose, choose)
ON_CARDS: Final[Mapping[str, Route]] = {
    components.ADVICE: Route(advice.show, is_private=True),
    components.HOW: Route(explanation.show, is_private=True),
    components.MORE: Route(choose),
    components.UNDO: Route(board.undo_ply),
    board.ALLOW: Route(board.answer_request),
    board.REFUSE: Route(board.answer_request),
    tutorial.PRESS: Route(tutorial.press, is_private=True),
    sealing.SEAL: Route(sealing.close),
    sealing.WORD: Route(sealing.ask_word, sealing.give_word),
    roll_message.EXPLAIN: Route(secret_rolls.explain, is_private=True, on_private=True),
    roll_message.LOOK: Route(secret_rolls.look, is_private=True),
    roll_message.REVEAL: Route(secret_rolls.reveal, on_private=True),
}
"""Handlers of reserved keys on a card. A key ending in a hyphen is a prefix."""


def route_to(at: At | None) -> Route:
    """Return an address's route; an unknown address has a route without handlers."""
    if type(at) is Address:
        beginning = next((key for key in ON_CARDS if key.endswith("-") and at.offer.startswith(key)), at.offer)
        return ON_CARDS.get(beginning, CHOICE)
    if at is None or (isinstance(at, components.NewRoll) and at.game not in GAMES):
        return Route()
    return ROUTES.get(at) or ROUTES.get(type(at), Route())

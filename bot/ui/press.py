"""Handles buttons, selects and forms by their ``custom_id``.

discord.py could route them to ``DynamicItem`` classes, but those swallow their errors, keep forms in memory, and need
two classes for one id. One function handles all three, and a form opened before a restart still works.
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
from bot.rules.text import EMPTY
from bot.ruleset.ruling import allowed_fields
from bot.sessions.roll import Address, NotYourSide, Played
from bot.ui import (
    advice,
    after,
    board,
    board_press,
    components,
    follow,
    how,
    options,
    panel,
    partner,
    plans,
    practice,
    recap,
    replay,
    reveal,
    saved,
    seal,
)
from bot.ui.answer import answer
from bot.ui.components import At, Strange
from bot.ui.errors import report_error
from bot.ui.place import begin_to_speak, check_rate_limit, mentioned_in, picked, picked_one, request, ruling

CALLED: Final = re.compile(r"<@!?\d+>(?: <@!?\d+>)*")
log = logging.getLogger(__name__)


async def on_interaction(interaction: Interaction) -> None:
    """Answer a press, a pick or a form. Never raises."""
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    answer(interaction)
    try:
        check_rate_limit(interaction)
        await dispatch(interaction, custom_id)
    except Exception as error:  # noqa: BLE001 - report_error sorts them
        if isinstance(error, Strange):
            log.warning("interaction %s has a custom_id that does not belong there: %r", interaction.id, custom_id)
        await report_error(interaction, error)
    await after.tell_answered(interaction)


async def dispatch(interaction: Interaction, custom_id: str) -> None:
    """Route an id: declare a roll, answer a question, give advice, or make a choice and show the result."""
    filled = None
    if interaction.type is discord.InteractionType.modal_submit:
        filled = components.filled(interaction.data or {})
    at = components.read(custom_id)
    if isinstance(at, components.Fix | components.Instead) and filled is None and interaction.message is not None:
        quoted = [interaction.message.content, *(one.description or "" for one in interaction.message.embeds)]
        texts = components.read_quoted("\n".join(quoted))
        if isinstance(at, components.Instead):
            filled = texts | {at.field: at.text}
            answer(interaction).sent_again = (at.form, filled)
        else:
            answer(interaction).refilled = texts
        at = components.form_of(at)
    route = route_to(at)
    await begin_to_speak(interaction, is_private=route.is_private)
    if route.on_private and not answer(interaction).is_on_private:
        raise Strange
    if filled is None and route.press is not None:
        await route.press(interaction, at)
    elif filled is not None and route.form is not None:
        await route.form(interaction, at, filled)
    else:
        raise Strange


async def choose(interaction: Interaction, at: Address, filled: dict[str, str] | None = None) -> None:
    """Make a choice on a card, by a press or by the form that it opened, and show the result.

    An offer picked from the menu of rare choices works like its button.
    """
    if interaction.message is None:
        raise Strange
    fixes = answer(interaction).refilled is not None
    if answer(interaction).is_on_private and filled is None and not fixes:  # choices are on public cards
        raise Strange
    taken = () if fixes else picked(interaction)
    if at.offer == components.MORE:
        at, taken = replace(at, offer=picked_one(interaction)), ()
    asked, mentioned = await request(interaction), await mentioned_in(interaction, filled) if filled else None
    choice = game.Choice(at.offer, taken, filled)
    try:
        played = await interaction.client.sessions.choose(asked, at, choice, mentioned=mentioned)
    except NotYourSide as error:
        played = await partner.goes_on(interaction, at, error)
    if isinstance(played, Played) and played.seats_bot(asked.bot_id):
        played = await partner.play_on(interaction, played)
    if isinstance(played, game.Offer) and played.then is game.Then.FOLLOWS:
        await panel.follow(interaction, at, filled)
    elif isinstance(played, game.Offer):
        title = played.asks.title if isinstance(played.asks, game.Fill) else EMPTY
        fields = allowed_fields(await ruling(interaction), played.fields)
        await answer(interaction).ask(title or played.label, at, fields)
    elif answer(interaction).is_on_private:  # a form that was fixed
        await panel.show_on_its_card(interaction, played)
    elif played.session != at.session:  # the same values are rolled again on a card of its own; this one stays
        await panel.post_roll(interaction, played)
        await board.remove_button(interaction, components.write(at))
    else:
        known = interaction.client.links.of(played)
        above = interaction.message.content  # that something was taken back goes; who was called to play stays called
        extra: dict[str, Any] = {"content": None} if above and not CALLED.fullmatch(above) else {}
        await panel.update_card(interaction, played, **extra)
        await note_card(interaction, played, known)


async def take_advised(interaction: Interaction, at: components.AdvisedAddress) -> None:
    """Make a choice named by private advice, and show it on the roll's card. Raises as a press on that card."""
    played = await interaction.client.sessions.choose(await request(interaction), at, game.Choice(at.offer, at.picked))
    if isinstance(played, game.Offer):  # it has a form, and advice never names such a choice
        raise errors.NotOffered
    await panel.show_on_its_card(interaction, await partner.play_on(interaction, played))


async def note_card(interaction: Interaction, played: Played, known: int | None) -> None:
    """Record that a roll is now shown on the pressed message; its previous card says so.

    ``known`` is the card that showed it when the press counted. A card posted since then, as after a ply that was taken
    back, shows more than this press does: it stays the card.
    """
    client, message = interaction.client, interaction.message
    now = client.links.of(played)
    if message is None:
        return
    if now not in (known, played.message_id):  # what was noted may have been stored meanwhile
        await panel.link_to_new(interaction, message.id, now)
    elif message.id != known:
        client.links.note(played.session, message.id)
        await panel.link_to_new(interaction, known, message.id)


@dataclass(frozen=True, slots=True)
class Route:
    """Handlers of a press, and of a submitted form; None if there is no such component or form.

    ``is_private``: only the person who pressed sees the answer. ``on_private``: only on private messages.
    """

    press: Callable[[Interaction, Any], Awaitable[None]] | None = None
    form: Callable[[Interaction, Any, dict[str, str]], Awaitable[None]] | None = None
    is_private: bool = False
    on_private: bool = False


Routes = dict[At | type[At], Route]
ROUTES: Final[Routes] = {
    components.AdvisedAddress: Route(take_advised, on_private=True),
    components.BoardAddress: Route(board_press.press, board_press.press),
    components.NextAddress: Route(board_press.press_next, board_press.press_next),
    components.CommandAddress: Route(options.reopen, saved.submitted),
    components.NewRoll: Route(panel.ask_again, panel.open_filled),
    components.RematchAddress: Route(recap.press),
    components.ReplayAddress: Route(replay.press),
    components.PlanAddress: Route(plans.press, plans.submitted, is_private=True),
    components.FilledForm: Route(saved.open_filled),
    components.Typed: Route(saved.press_typed),
    **{components.Answer(how.SUBJECT, key): Route(how.explain, is_private=True) for key in how.EXPLAINS},
    **{components.Answer(practice.GOOD, key): Route(practice.start, is_private=True) for key in practice.TRIED},
    **{components.Answer(practice.BEGIN, key): Route(practice.begin, is_private=True) for key in practice.TRIED},
    **{components.Answer(practice.WORSE, key): Route(practice.begin, is_private=True) for key in practice.TRIED},
    reveal.SHOW: Route(reveal.chosen, is_private=True),
    follow.LAUNCH: Route(follow.launch, is_private=True),
}
"""Handlers by kind of address, or for a single one. Those of one command or game are added by its cog."""
CHOICE: Final = Route(choose, choose)
ON_CARDS: Final[Mapping[str, Route]] = {
    components.ADVICE: Route(advice.show, is_private=True),
    components.HOW: Route(how.show, is_private=True),
    components.MORE: Route(choose),
    components.UNDO: Route(board.undo_ply),
    board.ALLOW: Route(board.answer_request),
    board.REFUSE: Route(board.answer_request),
    practice.PRESS: Route(practice.press, is_private=True),
    seal.SEAL: Route(seal.close),
    seal.WORD: Route(seal.ask_word, seal.give_word),
    panel.EXPLAIN: Route(reveal.explain, is_private=True, on_private=True),
    panel.LOOK: Route(reveal.look, is_private=True),
    panel.REVEAL: Route(reveal.reveal, on_private=True),
}
"""Handlers of keys in an offer's place on a card; no offer has such a key. A key ending in a hyphen is a prefix."""


def route_to(at: At | None) -> Route:
    """Return an address's route; an unknown address has a route without handlers."""
    if type(at) is Address:
        beginning = next((key for key in ON_CARDS if key.endswith("-") and at.offer.startswith(key)), at.offer)
        return ON_CARDS.get(beginning, CHOICE)
    if at is None or (isinstance(at, components.NewRoll) and at.game not in GAMES):
        return Route()
    return ROUTES.get(at) or ROUTES.get(type(at), Route())

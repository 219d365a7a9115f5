"""Handles buttons, selects and forms by their ``custom_id``.

discord.py could route them to ``DynamicItem`` classes, but those swallow their errors, keep forms in memory, and need
two classes for one id. One function handles all three, and a form opened before a restart still works.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.games import GAMES
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Offer
from bot.sessions.roll import Address, Played
from bot.ui import (
    address,
    advice,
    board,
    board_press,
    calls,
    command_form,
    forms,
    help_pages,
    how,
    out_of_order,
    panel,
    privacy,
    recap,
    reveal,
    saved,
    seal,
    secret,
    squads,
    turns,
)
from bot.ui.answer import answer
from bot.ui.checks import check_rate_limit
from bot.ui.errors import report_error
from bot.ui.names import person
from bot.ui.place import place, ruling

ANSWERS: Final[Mapping[str | None, Callable[[Interaction], Awaitable[None]]]] = {
    board.CLEAR: partial(board.answer_clear, clear=True),
    board.KEEP: partial(board.answer_clear, clear=False),
    out_of_order.ANYWAY: out_of_order.attack_anyway,
    squads.FIRST: partial(squads.choose, side="first"),
    squads.SECOND: partial(squads.choose, side="second"),
    privacy.FORGET: partial(privacy.answer_forget, forget=True),
    help_pages.PAGE: help_pages.turn,
    privacy.KEEP: partial(privacy.answer_forget, forget=False),
    reveal.SHOW: reveal.chosen,
}
"""What to do for each answer to a question, by subject and answer."""
Act = Callable[[Interaction, Address, dict[str, str] | None], Awaitable[None]]
Ask = Callable[[Interaction], Awaitable[None]]
Take = Callable[[Interaction, Mapping[str, str]], Awaitable[None]]
FORMS: Final[Mapping[str | None, tuple[Ask, Take]]] = {squads.PASTE: (squads.ask, squads.pasted)}
"""What opens a form that a command opens, and what to do with it when it comes back, by its subject."""
CALLED: Final = re.compile(r"<@!?\d+>(?: <@!?\d+>)*")
log = logging.getLogger(__name__)


async def on_interaction(interaction: Interaction) -> None:
    """Answer a press, a pick or a form. Never raises."""
    data: Mapping[str, Any] = interaction.data or {}
    answer(interaction)
    try:
        check_rate_limit(interaction)
        await dispatch(interaction, str(data.get("custom_id", "")))
    except Exception as error:  # noqa: BLE001 - report_error sorts them
        await report_error(interaction, error)
    await show_lost_too(interaction)


async def show_lost_too(interaction: Interaction) -> None:
    """After an answer: if this person has a roll here whose card was lost, post that card as well. Never raises."""
    channel_id = interaction.channel_id or 0
    if not interaction.response.is_done() or interaction.client.lost.newest(channel_id, interaction.user.id) is None:
        return
    try:
        await panel.show_lost(interaction, anew=True)
    except Exception as error:  # noqa: BLE001 - the person has an answer; the card waits for the next one
        log.warning("a lost card could not be shown: %s", type(error).__name__)


async def dispatch(interaction: Interaction, custom_id: str) -> None:
    """Do what the id asks for: declare a roll, answer a question, give advice, or make a choice and show the result."""
    data: Mapping[str, Any] = interaction.data or {}
    filled = forms.filled(data) if interaction.type is discord.InteractionType.modal_submit else None
    fixes = refused_form(interaction, custom_id) if filled is None else None
    custom_id = fixes or custom_id
    if await is_advised(interaction, custom_id) or await is_dispatched(interaction, custom_id, filled):
        return
    at = address.read(custom_id)
    if at is None or (filled is not None and interaction.message is None):  # only a card opens our other forms
        raise unknown(interaction, custom_id)
    if (aim := address.aim_of(at)) is not None:
        await advice.show(interaction, at, aim)
        return
    if at.offer == address.UNDO:
        await board.undo_ply(interaction, at)
        return
    if at.offer in board.CONSENT:
        await board.answer_request(interaction, at, allow=at.offer == board.ALLOW)
        return
    if answer(interaction).is_on_private and filled is None and fixes is None:  # choices are on public cards
        raise unknown(interaction, custom_id)
    choice = Choice(at.offer, () if fixes else tuple(data.get("values", ())), filled)
    played = await interaction.client.sessions.choose(
        at,
        choice,
        by=person(interaction.user),
        place=place(interaction),
        ruling=await ruling(interaction),
        mentioned=await panel.mentioned_in(interaction, filled) if filled else None,
    )
    if isinstance(played, Offer) and played.follows:
        await panel.follow(interaction, at, filled)
    elif isinstance(played, Offer):
        await answer(interaction).ask(panel.form(played, at, await ruling(interaction)))
    elif answer(interaction).is_on_private:  # a form that was fixed
        await panel.show_on_its_card(interaction, played)
        await calls.after_press(interaction, played, await ruling(interaction))
    elif played.session != at.session:  # the same values are rolled again on a card of its own; this one stays
        await panel.post_roll(interaction, played)
        await board.remove_button(interaction, custom_id)
        await calls.after_press(interaction, played, await ruling(interaction))
    else:
        known = interaction.client.links.of(played)
        await panel.update_card(interaction, played, **without_note(interaction))
        await note_card(interaction, played, known)
        await calls.after_press(interaction, played, await ruling(interaction))


async def is_advised(interaction: Interaction, custom_id: str) -> bool:
    """Take a choice that private advice named, and show it on the roll's card. Raises as a press on that card."""
    advised = address.read_advised(custom_id) if answer(interaction).is_on_private else None
    if advised is None:
        return False
    at, picked = advised
    played = await interaction.client.sessions.choose(
        at,
        Choice(at.offer, picked),
        by=person(interaction.user),
        place=place(interaction),
        ruling=await ruling(interaction),
    )
    if isinstance(played, Offer):  # it has a form, and advice never names such a choice
        raise NotOffered
    await panel.show_on_its_card(interaction, played)
    await calls.after_press(interaction, played, await ruling(interaction))
    return True


def act_on_card(offer: str) -> Act | None:
    """What does something about a card that is no choice of its roll, by what stands in the offer's place."""
    if seal.is_offer(offer):
        return seal.on_press
    return reveal.on_press if offer in secret.OFFERS else None


def refused_form(interaction: Interaction, custom_id: str) -> str | None:
    """The id of the form that a press on **Fix it** opens again, filled with what its message quotes; else None."""
    form = address.read_fix(custom_id)
    if form is not None and interaction.message is not None:
        quoted = [interaction.message.content, *(one.description or "" for one in interaction.message.embeds)]
        answer(interaction).texts = forms.read_quoted("\n".join(quoted))
    return form


async def is_dispatched(interaction: Interaction, custom_id: str, filled: dict[str, str] | None) -> bool:
    """Do what an id asks for that is no choice on a card, if it is one."""
    at, new = address.read(custom_id), address.read_new(custom_id)
    given, pressed = address.read_answer(custom_id), address.read_board(custom_id)
    rematch = address.read_rematch(custom_id)
    if new is not None and new.game in GAMES:
        await (panel.ask_again(interaction, new) if filled is None else panel.open_filled(interaction, new, filled))
    elif (number := address.read_saved(custom_id)) is not None and filled is None:
        await saved.press(interaction, number)
    elif (turn := address.read_turns(custom_id)) is not None:
        await turns.press(interaction, turn, filled)
    elif (command := address.read_command(custom_id)) is not None:
        if filled is None:
            await command_form.reopen(interaction, command)
        else:
            await command_form.submitted(interaction, command, filled)
            saved.note_form(interaction, command, filled)
    elif rematch is not None and filled is None:
        await recap.press(interaction, rematch)
    elif given in ANSWERS and filled is None:
        await ANSWERS[given](interaction)
    elif given in FORMS:
        ask, take = FORMS[given]
        await (ask(interaction) if filled is None else take(interaction, filled))
    elif at is not None and at.offer == address.HOW and filled is None:
        await how.show(interaction, at)
    elif at is not None and (act := act_on_card(at.offer)) is not None:
        await act(interaction, at, filled)
    elif pressed is not None and interaction.message is not None:  # boards, and their private warnings
        data: Mapping[str, Any] = interaction.data or {}
        await board_press.press(interaction, pressed, tuple(data.get("values", ())), filled)
    else:
        return False
    return True


async def note_card(interaction: Interaction, played: Played, known: int | None) -> None:
    """From now on a roll is shown on the message that was pressed; the card that showed it before says so.

    ``known`` is the card that showed it when the press counted. One that was posted since then, as after a ply that was
    taken back, shows more than this press does: it stays the card.
    """
    client, message, here = interaction.client, interaction.message, place(interaction)
    now = client.links.of(played)
    if message is None:
        return
    if now not in (known, played.message_id):  # what was noted may have been stored meanwhile
        await panel.link_to_new(client, here, message.id, now)
    elif message.id != known:
        client.links.note(played.session, message.id)
        await panel.link_to_new(client, here, known, message.id)


def without_note(interaction: Interaction) -> dict[str, None]:
    """What removes a sentence above a card, as that something was taken back; who was called to play stays called."""
    content = interaction.message.content if interaction.message is not None else ""
    is_note = bool(content) and not CALLED.fullmatch(content)
    return {"content": None} if is_note else {}


def unknown(interaction: Interaction, custom_id: str) -> NotOffered:
    """The refusal of an id that somebody made up, or sent from the wrong message."""
    log.warning("interaction %s has a custom_id that does not belong there: %r", interaction.id, custom_id)
    return NotOffered("I do not know this button.")

"""Buttons, selects and forms come in here, by their ``custom_id``.

discord.py could route them to ``DynamicItem`` classes, but those swallow their own errors, keep forms in memory, and
need two classes for one id; one function does for all three, and a form opened before a restart still counts.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.games import GAMES
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Offer
from bot.ui import address, advice, board, panel, privacy
from bot.ui.answer import answer
from bot.ui.checks import check_rate_limit
from bot.ui.errors import report_error
from bot.ui.names import person
from bot.ui.place import place, ruling

ANSWERS: Final[Mapping[str | None, Callable[[Interaction], Awaitable[None]]]] = {
    board.CLEAR: partial(board.answer_clear, clear=True),
    board.KEEP: partial(board.answer_clear, clear=False),
    privacy.FORGET: partial(privacy.answer_forget, forget=True),
    privacy.KEEP: partial(privacy.answer_forget, forget=False),
}
"""What follows the answer to a question, by subject and answer."""
log = logging.getLogger(__name__)


async def on_interaction(interaction: Interaction) -> None:
    """Answer a press, a pick or a form: they can only come from a message or a form of ours. Never raises."""
    data: Mapping[str, Any] = interaction.data or {}
    answer(interaction)
    try:
        check_rate_limit(interaction)
        await dispatch(interaction, str(data.get("custom_id", "")))
    except Exception as error:  # noqa: BLE001 - the funnel sorts them
        await report_error(interaction, error)


async def dispatch(interaction: Interaction, custom_id: str) -> None:
    """Make the choice count and show what came of it, or open the form that the choice needs first."""
    data: Mapping[str, Any] = interaction.data or {}
    filled = panel.filled(data) if interaction.type is discord.InteractionType.modal_submit else None
    at, new = address.read(custom_id), address.read_new(custom_id)
    if new is not None and new in GAMES and filled is not None:
        await panel.open_roll(interaction, new, await panel.declare(interaction, new, filled))
        return
    if (given := address.read_answer(custom_id)) in ANSWERS and filled is None:
        await ANSWERS[given](interaction)
        return
    if at is None or (filled is not None and interaction.message is None):  # our other forms are opened by a card
        raise unknown(interaction, custom_id)
    if (aim := address.aim_of(at)) is not None:
        await advice.show(interaction, at, aim)
        return
    if interaction.message is not None and interaction.message.flags.ephemeral:  # choices stand on cards that all see
        raise unknown(interaction, custom_id)
    choice = Choice(at.offer, tuple(data.get("values", ())), filled)
    played = await interaction.client.sessions.choose(
        at, choice, by=person(interaction.user), place=place(interaction), ruling=await ruling(interaction)
    )
    if isinstance(played, Offer):
        await answer(interaction).ask(panel.form(played, at))
    else:
        await answer(interaction).update(**await panel.current_message(interaction, played))
        if interaction.message is not None and interaction.message.id != interaction.client.links.of(played):
            interaction.client.links.note(played.session, interaction.message.id)


def unknown(interaction: Interaction, custom_id: str) -> NotOffered:
    """The refusal of an id that somebody made up, or moved to where it does not belong."""
    log.warning("interaction %s has an id that was never written for it: %r", interaction.id, custom_id)
    return NotOffered("I do not know this button.")

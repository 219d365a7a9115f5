"""The **How?** button on cards with dice: a private explanation of the roll."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.client import Interaction
from bot.games import GAMES
from bot.render import explanation
from bot.render.luck import EXPLAINED, line
from bot.rules.text import N_, Code, Text
from bot.sessions.roll import Address, Played
from bot.ui.core import card_messages, components, request_context
from bot.ui.core.components import AnswerAddress, Component, Components, link_to
from bot.ui.core.responses import answer

LABEL: Final = Text("How?")
SUBJECT: Final = "how"
LUCK: Final = "luck"
EXPLAINS: Final = (LUCK, *(key for key, game in GAMES.items() if game.odds_answer.explained))
"""Computations with an explanation button: luck, and the odds of some games."""
CHECK: Final = Text("Verify this roll")


CHECKS: Final = {
    (True, True): N_(
        "Ply {place} of this sealed table, {digits}. Once it's unsealed, save the transcript I post, "
        "press Verify this roll, and drop it on that page."
    ),
    (True, False): N_(
        "Ply {place} of a sealed table, {digits}. /table unseal posts its transcript again: save it, "
        "press Verify this roll, and drop it on that page."
    ),
    (False, True): N_(
        "Ply {place} of this sealed table, {digits}. Once it's unsealed, save both files I post, "
        "open verify.html#ply-{place} in a browser, and drop the transcript on it."
    ),
    (False, False): N_(
        "Ply {place} of a sealed table, {digits}. /table unseal posts its files again: save both, "
        "open verify.html#ply-{place} in a browser, and drop the transcript on it."
    ),
}
"""A roll's place in a sealed table's chain, and how to verify its dice, with or without a checker page."""


def explains(key: str) -> Component:
    """Return the button that explains a game's odds, or luck."""
    return components.button(LABEL, AnswerAddress(SUBJECT, key))


async def explain(interaction: Interaction, at: AnswerAddress) -> None:
    text = EXPLAINED if at.answer == LUCK else GAMES[at.answer].odds_answer.explained
    await answer(interaction).post_private(content=text)


async def show(interaction: Interaction, at: Address) -> None:
    """Show the person who asks the roll's state and history. Raises ``Unknown``."""
    played = await interaction.client.sessions.find(at.session, request_context.place(interaction))
    await show_played(interaction, played)


async def show_played(interaction: Interaction, played: Played) -> None:
    """Explain a roll that is already loaded."""
    names = card_messages.names_of(played)
    sides = {side.value: name for side, name in names.items()}
    shown, dice = card_messages.card_of(played), played.game.rules.rolled(played.state)
    if card_messages.has_luck(played, await request_context.ruling(interaction), apart=True):
        luck = await card_messages.count_luck(interaction, played)
        shown = replace(shown, reminders=(*shown.reminders, *([line(luck, names)] if luck else [])))
    card = explanation.card(shown, dice, sides, partial(played.game.name_face, played.state))
    page, more = interaction.client.watching.url, dict[str, Any]()
    if played.mark is not None:
        is_open = played.open_seal is not None and played.open_seal.seal_id == played.mark.seal_id
        places = {"place": played.mark.place, "digits": Code(played.mark.digits)}
        card = replace(card, facts=(*card.facts, (CHECK, Text(CHECKS[bool(page), is_open], **places))))
        more = {"view": Components([link_to(CHECK, f"{page}/verify.html#ply-{played.mark.place}")])} if page else {}
    await answer(interaction).post_private(embed=card_messages.embed(card), **more)

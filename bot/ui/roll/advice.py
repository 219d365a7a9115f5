"""Advice: a button on every open window; a private answer with a button for each choice and aim. Nothing is stored
until a choice is made.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.odds.advice import Advice, Adviser
from bot.render import advice
from bot.rules.errors import NotOfferedError
from bot.rules.text import Capitalized, Text, as_text
from bot.ruleset import settings
from bot.sessions.roll import Address, Played
from bot.ui.core import card_messages, components, request_context
from bot.ui.core.responses import answer

MAX_CHOICES: Final = 25
"""Maximum buttons of a message."""
MORE: Final = "-"
"""Separator between an aim and the word for the full list, in a button's address."""
NO_ADVICE: Final = Text("There's no advice for this roll.")


def button(played: Played) -> components.Component:
    usual = next(iter(adviser_of(played).aims(played.state)))
    return card_messages.control(played, Text("Advice"), f"{components.ADVICE}{usual}")


async def show(interaction: Interaction, at: Address) -> None:
    """Show the advice to the acting player; a press on a private answer replaces it. Raises ``StaleCardError``,
    ``NotYourSideError``, ``UnknownRollError``, ``NotOfferedError``, ``ComputationError``, or ``BadInputError`` if too
    large.
    """
    aim, _, more = at.offer.removeprefix(components.ADVICE).partition(MORE)
    played = await interaction.client.sessions.look(await request_context.request(interaction), at)
    counts = await request_context.ruling(interaction)
    if not card_messages.has_advice(played, counts):
        raise NotOfferedError(NO_ADVICE)
    adviser = adviser_of(played)
    count = partial(adviser.advise, played.state, aim)
    result = await interaction.client.workers.run(count, asked_by=request_context.asker(interaction))
    is_full = bool(more)
    card = advice.card(result, as_text(adviser.aims(played.state)[aim]), is_full=is_full)
    display = card_messages.display_for(interaction, counts[settings.LOOK])
    parts: dict[str, Any] = card_messages.card_message(card, display)
    parts["view"] = view(played, aim, result, is_full=is_full)
    await answer(interaction).show(**parts)


def adviser_of(played: Played) -> Adviser:
    """Return the adviser of a roll's game. Raises ``NotOfferedError`` for a game without advice."""
    if played.game.chances.advice is None:
        raise NotOfferedError(NO_ADVICE)
    return played.game.chances.advice


def view(played: Played, aim: str, result: Sequence[Advice], *, is_full: bool) -> components.Components:
    """Return a button per shown choice, then a button per aim (the shown one disabled), and More, as there is room."""
    aims = adviser_of(played).aims(played.state)
    choices = [item for item in result if item.offer] if is_full else advice.shortest(result)
    buttons = list[components.Component]()
    for choice in choices[: MAX_CHOICES - len(aims) - 1]:  # each like its own button on the card
        at = components.AdvisedAddress(played.session, played.ply, choice.offer, choice.picked)
        style = discord.ButtonStyle.primary if choice is result[0] else discord.ButtonStyle.secondary
        buttons.append(components.button(choice.label, at, style))
    for key, words in aims.items():
        asks_it = card_messages.control(played, Capitalized(words), f"{components.ADVICE}{key}")
        buttons.append({**asks_it, "disabled": True} if key == aim else asks_it)
    if not is_full:
        buttons.append(card_messages.control(played, Text("More"), f"{components.ADVICE}{aim}{MORE}more"))
    return components.Components(*components.rows(buttons))

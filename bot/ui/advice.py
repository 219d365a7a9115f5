"""Advice: a button on every open window, and a private answer with a button for each aim. Nothing is stored."""

from functools import partial
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.odds.advice import Adviser
from bot.render import advice
from bot.rules.errors import NotOffered
from bot.sessions.roll import Address, Played
from bot.ui import address, components, features
from bot.ui.answer import answer
from bot.ui.components import Component
from bot.ui.embed import embed
from bot.ui.names import person
from bot.ui.place import place, ruling

NO_ADVICE: Final = "There is no advice for this roll."


def button(played: Played) -> Component:
    """The button that asks for advice on this ply, by the aim that people usually have."""
    usual = next(iter(adviser_of(played).aims(played.state)))
    return components.button("Advice", address.write_advice(played.session, played.ply, usual))


async def show(interaction: Interaction, at: Address, aim: str) -> None:
    """Show the advice to the player whose window it is. A press on a private answer replaces that answer.

    Raises ``Stale``, ``NotYourSide``, ``Unknown``, ``NotOffered``, ``NotCounted``, or ``BadInput`` where there is too
    much to count.
    """
    played = await interaction.client.sessions.look(at, by=person(interaction.user), place=place(interaction))
    if not features.has_advice(played, await ruling(interaction)):
        raise NotOffered(NO_ADVICE)
    adviser = adviser_of(played)
    count = partial(adviser.advise, played.state, aim)
    found = await interaction.client.workers.count(count, asked_by=interaction.user.id)
    card = advice.card(found, adviser.aims(played.state)[aim])
    parts: dict[str, Any] = {"embed": embed(card), "view": view(played, aim)}
    if interaction.message is not None and interaction.message.flags.ephemeral:
        await answer(interaction).update(**parts)
    else:
        await answer(interaction).post_private(**parts)


def adviser_of(played: Played) -> Adviser:
    """What counts the advice of a roll's game. Raises ``NotOffered`` for a game without advice."""
    if played.game.advice is None:
        raise NotOffered(NO_ADVICE)
    return played.game.advice


def view(played: Played, aim: str) -> discord.ui.View:
    """A button for each aim; the one whose advice is shown is disabled."""
    shown = discord.ui.View(timeout=None)
    for key, words in adviser_of(played).aims(played.state).items():
        shown.add_item(
            discord.ui.Button(
                label=words.capitalize(),
                style=discord.ButtonStyle.primary if key == aim else discord.ButtonStyle.secondary,
                disabled=key == aim,
                custom_id=address.write_advice(played.session, played.ply, key),
            )
        )
    shown.stop()
    return shown

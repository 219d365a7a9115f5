"""Advice: a button on every open window, and the private answer, whose buttons change the aim. Nothing is stored."""

import asyncio
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.odds.advice import Adviser
from bot.render import advice
from bot.render.card import Card
from bot.rules.errors import NotOffered
from bot.sessions.roll import Address, Played
from bot.ui import address, features
from bot.ui.answer import answer
from bot.ui.embed import embed
from bot.ui.names import person
from bot.ui.place import place, ruling

NO_ADVICE: Final = "There is no advice for this roll."


def button(played: Played) -> discord.ui.Button[discord.ui.View]:
    """Asks what the offers of this ply are worth, by the aim that people usually have."""
    usual = next(iter(adviser_of(played).aims(played.state)))
    custom_id = address.write_advice(played.session, played.ply, usual)
    return discord.ui.Button(label="Advice", style=discord.ButtonStyle.secondary, custom_id=custom_id)


async def show(interaction: Interaction, at: Address, aim: str) -> None:
    """Answer such a question, to the one whose window it is; from a private answer on, in its place.

    Raises ``Stale``, ``NotYourSide``, ``Unknown``, ``NotOffered``, or ``BadInput`` where there is too much to count.
    """
    played = await interaction.client.sessions.look(at, by=person(interaction.user), place=place(interaction))
    if not features.has_advice(played, await ruling(interaction)):
        raise NotOffered(NO_ADVICE)
    parts: dict[str, Any] = {"embed": embed(await asyncio.to_thread(counted, played, aim)), "view": view(played, aim)}
    if interaction.message is not None and interaction.message.flags.ephemeral:
        await answer(interaction).update(**parts)
    else:
        await answer(interaction).post_private(**parts)


def adviser_of(played: Played) -> Adviser:
    """The advice of a roll's game. Raises ``NotOffered`` for a game without any."""
    if played.game.advice is None:
        raise NotOffered(NO_ADVICE)
    return played.game.advice


def counted(played: Played, aim: str) -> Card:
    """The card; counting may take a while, so it is done off the event loop."""
    adviser = adviser_of(played)
    found = adviser.advise(played.state, aim)
    return advice.card(found, adviser.aims(played.state)[aim])


def view(played: Played, aim: str) -> discord.ui.View:
    """A button for each aim; the one that is shown cannot be pressed."""
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

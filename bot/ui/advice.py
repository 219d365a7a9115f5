"""Advice: a button on every open window, and the private answer, whose buttons change the aim. Nothing is stored."""

import asyncio
from typing import Any

import discord

from bot.client import Interaction
from bot.odds.odds import ADVICE
from bot.render import advice
from bot.render.card import Card
from bot.rules.errors import NotOffered
from bot.sessions.sessions import Address, Played
from bot.ui import address, looks
from bot.ui.answer import answer
from bot.ui.embed import embed
from bot.ui.names import person
from bot.ui.place import place, ruling


def button(played: Played) -> discord.ui.Button[discord.ui.View]:
    """Asks what the offers of this ply are worth, by the aim that people usually have."""
    usual = next(iter(ADVICE[played.game.KEY].aims(played.state)))
    custom_id = address.write_advice(played.session, played.ply, usual)
    return discord.ui.Button(label="Advice", style=discord.ButtonStyle.secondary, custom_id=custom_id)


async def show(interaction: Interaction, at: Address, aim: str) -> None:
    """Answer such a question, to the one whose window it is; from a private answer on, in its place.

    Raises ``Settled``, ``NotYourSide``, ``Unknown``, ``NotOffered``, or ``BadInput`` where there is too much to count.
    """
    played = await interaction.client.sessions.look(at, by=person(interaction.user), place=place(interaction))
    if not looks.has_advice(played, await ruling(interaction)):
        raise NotOffered("There is no advice to be had on this roll.")
    parts: dict[str, Any] = {"embed": embed(await asyncio.to_thread(counted, played, aim)), "view": view(played, aim)}
    if interaction.message is not None and interaction.message.flags.ephemeral:
        await answer(interaction).update(**parts)
    else:
        await answer(interaction).show_alone(**parts)


def counted(played: Played, aim: str) -> Card:
    """The card; counting may take a while, so it is done off the event loop."""
    adviser = ADVICE[played.game.KEY]
    found = adviser.advise(played.state, aim)
    return advice.card(found, adviser.aims(played.state)[aim])


def view(played: Played, aim: str) -> discord.ui.View:
    """A button for each aim; the one that is shown cannot be pressed."""
    shown = discord.ui.View(timeout=None)
    for key, words in ADVICE[played.game.KEY].aims(played.state).items():
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

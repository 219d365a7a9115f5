"""The people whom a declaration names: mentioned in its words, or chosen as the other side."""

import re
from collections.abc import Mapping
from typing import Final

import discord

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.sessions.place import MENTION, Person
from bot.ui.names import person

PEOPLE_MOST: Final = 6
"""So many people can be mentioned in one declaration."""


def player(user: discord.abc.User | None) -> Person | None:
    """Somebody whom a command names. Raises ``PlayerError`` for a bot."""
    if user is not None and user.bot:
        raise PlayerError(Text("A bot cannot play a side here. Name a person, or leave it out."))
    return None if user is None else person(user)


def number_people(typed: Mapping[str, object]) -> tuple[dict[str, object], dict[int, int]]:
    """The words with ``@1``, ``@2`` for the people whom they mention, and the id of each number.

    A state is kept as it is when somebody asks to be forgotten, so it must not name people by their ids; the seats do.
    """
    numbers: dict[int, int] = {}

    def number(found: re.Match[str]) -> str:
        return f" @{numbers.setdefault(int(found[1]), len(numbers) + 1)} "

    words = {key: MENTION.sub(number, text) if isinstance(text, str) else text for key, text in typed.items()}
    if len(numbers) > PEOPLE_MOST:
        raise PlayerError(
            Text("You named {count} people. Name at most {people_most}.", count=len(numbers), people_most=PEOPLE_MOST)
        )
    return words, {number: one for one, number in numbers.items()}


async def mentioned_in(interaction: Interaction, filled: Mapping[str, str]) -> dict[int, Person]:
    """The people whom a form mentions, by id. Raises ``PlayerError`` for too many, for a bot, and for nobody's id."""
    _, named = number_people(filled)
    return {one: await person_of(interaction, one) for one in named.values()}


async def person_of(interaction: Interaction, number: int) -> Person:
    """Somebody who plays a trooper, by id. Raises ``PlayerError`` for a bot, and for an id that is nobody's."""
    user = await user_of(interaction, number)
    if user.bot:
        raise PlayerError(Text("A bot cannot play a trooper. Name a person."))
    return person(user)


async def user_of(interaction: Interaction, number: int) -> discord.abc.User:
    """A person by id. Raises ``PlayerError`` for an id that is nobody's."""
    known = interaction.guild.get_member(number) if interaction.guild else interaction.client.get_user(number)
    if known is not None:
        return known
    try:
        return await interaction.client.fetch_user(number)
    except discord.HTTPException as error:
        if error.status not in (400, 404):
            raise
        raise PlayerError(Text("I cannot find a person whom you named. Name somebody of this server.")) from error

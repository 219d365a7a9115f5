"""People and their names on Discord.

Names are made safe: they cannot ping, reverse the line, or break the text around them.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import discord
from discord import app_commands

from bot.client import Interaction
from bot.languages.say import say
from bot.rules import name as names
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Code, Name, Said, Shown, Text
from bot.sessions.people import FORGOTTEN
from bot.sessions.place import MENTION, Person

LONGEST: Final = names.NAME_MOST

MARKDOWN: Final = re.compile(
    r"[\\*_~|`\[]"  # style, code, spoilers, links
    r"|<(?!@&\d+>)"  # mentions, times, emoji; not roles, which only our own texts mention
    r"|:(?=//)"  # an address becomes a link
    r"|@(?=everyone|here)"
)
LINES: Final = re.compile(r"^([ \t]*(?:\d+(?=\.\s)|(?=(?:#{1,3}|-#|>{1,3}|[-+])\s)))", re.MULTILINE)
"""The place before a sign that makes the whole line a heading, a quote, small print or part of a list."""


class Named(app_commands.Transformer):
    """An option that takes a name. The name arrives clean; it is empty if nothing of it is visible."""

    @property
    def min_value(self) -> int:
        return 1

    @property
    def max_value(self) -> int:
        return LONGEST

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> str:  # noqa: ARG002 - discord.py's signature
        return names.clean(value)


NameOption = app_commands.Transform[str, Named]


def person(user: discord.abc.User) -> Person:
    """A person by the name that they have here, without a character that PostgreSQL does not store."""
    return Person(user.id, Name(user.display_name.replace("\x00", "")))


def mention(person_id: int) -> Code:
    """A mention of a person by id, which Discord shows as their name; ``somebody`` for a person who was forgotten."""
    return Code("somebody" if person_id == FORGOTTEN else f"<@{person_id}>")


def name_shown(user: discord.abc.User) -> Name:
    """A person's name where Discord would format it."""
    return Name(escape_markdown(clean(person(user).name)))


def calling(people: Iterable[int]) -> discord.AllowedMentions:
    """The mentions of a message that calls these people, by id."""
    return discord.AllowedMentions(users=[discord.Object(one) for one in people])


@lru_cache(maxsize=1000)  # whoever plays stands on one card after the other
def clean(name: str) -> Shown:
    """A person's name, ready for a card: on one line, without mentions, never empty.

    It may still contain Markdown: see ``escape_markdown``.
    """
    return Name(discord.utils.escape_mentions(names.clean(name))) or Text("Somebody")


def escape_markdown(text: Text | str) -> Said:
    """A text as it is said, or what is said already, with its Markdown escaped, where Discord would format it."""
    plain = say(text) if isinstance(text, Text) else text
    return Said(LINES.sub(r"\1\\", MARKDOWN.sub(r"\\\g<0>", plain)))


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
        message = N_("You named {count} people. Name at most {people_most}.")
        raise PlayerError(Text(message, count=len(numbers), people_most=PEOPLE_MOST))
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

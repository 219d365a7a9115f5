"""Names on Discord, made safe: they cannot ping, reverse the line, or break the text around them."""

import re
from functools import lru_cache
from typing import Any, Final

import discord
from discord import app_commands

from bot.languages.say import say
from bot.rules import name as names
from bot.rules.text import Code, Name, Shown, Text
from bot.sessions.people import FORGOTTEN
from bot.sessions.place import Person

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


@lru_cache(maxsize=1000)  # whoever plays stands on one card after the other
def clean(name: str) -> Shown:
    """A person's name, ready for a card: on one line, without mentions, never empty.

    It may still contain Markdown: see ``escape_markdown``.
    """
    return Name(discord.utils.escape_mentions(names.clean(name))) or Text("Somebody")


def escape_markdown(text: Text | str) -> str:
    """A text as it is said, or what is said already, with its Markdown escaped, where Discord would format it."""
    return LINES.sub(r"\1\\", MARKDOWN.sub(r"\\\g<0>", say(text) if isinstance(text, Text) else text))

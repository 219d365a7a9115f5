"""Names that people gave themselves, made harmless: they neither ping, nor turn the line around."""

import unicodedata
from typing import Final

import discord

from bot.sessions.place import Person

LONGEST: Final = 32


def person(user: discord.abc.User) -> Person:
    return Person(user.id, user.display_name)


def clean(name: str) -> str:
    """A name fit for a card: no control or direction marks, no mentions, never empty.

    Markdown is the embed's matter.
    """
    visible = "".join(sign for sign in name if unicodedata.category(sign) not in ("Cc", "Cf", "Zl", "Zp", "Cs"))
    return discord.utils.escape_mentions(" ".join(visible.split())[:LONGEST]) or "Somebody"

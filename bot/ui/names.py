"""Names that people gave themselves, made harmless: they neither ping, nor format, nor turn the line around."""

import unicodedata
from typing import Final

import discord

from bot.sessions.sessions import Person

LONGEST: Final = 32


def person(user: discord.abc.User) -> Person:
    return Person(user.id, user.display_name)


def clean(name: str) -> str:
    """A name fit for an embed: no control or direction marks, Markdown and mentions escaped, never empty."""
    visible = "".join(sign for sign in name if unicodedata.category(sign) not in ("Cc", "Cf", "Zl", "Zp", "Cs"))
    short = " ".join(visible.split())[:LONGEST]
    return discord.utils.escape_mentions(discord.utils.escape_markdown(short)) or "Somebody"

"""The bot as a type: a client that holds sessions. What runs it is in ``bot.app``."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.render.faces import Face
from bot.sessions.links import Links
from bot.sessions.people import People
from bot.sessions.rulesets import Rulesets
from bot.sessions.servers import Servers
from bot.sessions.sessions import Sessions
from bot.sessions.tables import Tables


@dataclass(slots=True)
class Board:
    """The message that shows a channel's table; ``stale`` while a change is to be shown by ``editing``.

    Without ``embeds`` it is in plain words, since Discord would not show more there.
    """

    message: discord.PartialMessage
    guild_id: int | None
    embeds: bool = True
    stale: bool = False
    editing: asyncio.Task[None] | None = None


class Client(commands.AutoShardedBot):
    """What cogs and the panel may rely on."""

    sessions: Sessions
    tables: Tables
    links: Links
    people: People
    servers: Servers
    rulesets: Rulesets
    rate_limit: "commands.CooldownMapping[discord.Interaction[Client]] | None"
    """Counts what each person does in a while; None where there is no limit."""
    boards: dict[int, Board]
    """The newest board of each channel."""
    started: float
    """When this process began, in seconds since 1970."""
    faces: Mapping[Face, discord.PartialEmoji]
    """The faces of dice that the application has emoji of, as far as is known yet."""


Interaction: TypeAlias = discord.Interaction[Client]

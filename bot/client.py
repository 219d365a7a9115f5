"""The bot as a type, for cogs and ``bot.ui``. ``bot.app`` makes and runs it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.render.card import Figure
from bot.render.faces import Face
from bot.sessions.boards import Boards, Shown
from bot.sessions.fairness import Fairness
from bot.sessions.links import Links
from bot.sessions.matches import Matches
from bot.sessions.people import People
from bot.sessions.rulesets import Rulesets
from bot.sessions.seals import Seals
from bot.sessions.servers import Servers
from bot.sessions.sessions import Sessions
from bot.sessions.tables import Tables


@dataclass(slots=True)
class Board:
    """The message that shows a channel's table. ``stale``: something changed, and the task ``editing`` will show it.

    ``selected`` names the piece whose controls it shows, "" for the first one. ``figure`` and ``digest`` are of what
    Discord shows now, as far as this process knows: the picture, and everything else.
    """

    message: discord.PartialMessage
    guild_id: int | None
    shown: Shown = Shown.PICTURE
    selected: str = ""
    stale: bool = False
    editing: asyncio.Task[None] | None = None
    figure: Figure | None = None
    digest: str = ""


class Client(commands.AutoShardedBot):
    """The parts of the running bot that cogs and ``bot.ui`` use."""

    sessions: Sessions
    tables: Tables
    kept_boards: Boards
    links: Links
    people: People
    servers: Servers
    seals: Seals
    fairness: Fairness
    matches: Matches
    rulesets: Rulesets
    rate_limit: "commands.CooldownMapping[discord.Interaction[Client]] | None"
    """Counts the commands and presses of each person; None for no limit."""
    boards: dict[int, Board]
    """The newest board of each channel."""
    greeted: set[int]
    """The channels of which it is known that something has happened there."""
    started: float
    """When this process began, in seconds since 1970."""
    faces: Mapping[Face, discord.PartialEmoji]
    """The faces of dice for which the application has emoji, as far as they are known yet."""


Interaction: TypeAlias = discord.Interaction[Client]

"""The bot as a type: a client that holds sessions. What runs it is in ``bot.app``."""

from typing import TypeAlias

import discord
from discord.ext import commands

from bot.sessions.sessions import Sessions


class Client(commands.AutoShardedBot):
    """What cogs and the panel may rely on."""

    sessions: Sessions


Interaction: TypeAlias = discord.Interaction[Client]

"""The real bot for ``benchmarks.requests``: dice that fall as ``SEED`` says, pauses that are ``HURRY`` times shorter.

With ``OLD_TOKENS`` the token of an interaction counts as expired once it is answered.
"""

import os
import sys
from importlib import import_module
from random import Random

import discord

from bot.sessions import chance

chance.REAL = Random(os.environ.get("SEED", "7")).randrange  # before others copy it when they are imported
import_module("tests.wire.patient_bot")  # it waits for a busy machine
vars(import_module("bot.ui.live.live_messages"))["REST"] /= float(os.environ.get("HURRY", "1"))
if os.environ.get("OLD_TOKENS"):
    discord.Interaction.expires_at = discord.Interaction.created_at  # type: ignore[method-assign]  # 15 minutes earlier

if __name__ == "__main__":
    from bot.cli import commands

    sys.exit(commands.command("run"))

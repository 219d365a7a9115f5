"""The real bot for ``benchmarks.requests``: ``HURRY`` times faster between its own edits, and with ``OLD_TOKENS`` the
token of an interaction counts as expired once it is answered.
"""

import os
import sys
from random import Random

import discord

from bot.sessions import chance
from bot.ui import live
from tests.wire import patient_bot as _patient  # noqa: F401 - it waits for a busy machine

live.REST /= float(os.environ["HURRY"])  # type: ignore[misc]  # the whole evening goes faster
chance.REAL = Random(os.environ.get("SEED", "7")).randrange
if os.environ.get("OLD_TOKENS"):
    discord.Interaction.expires_at = discord.Interaction.created_at  # type: ignore[method-assign]  # 15 minutes earlier

if __name__ == "__main__":
    from bot import run

    sys.exit(run.command("run"))

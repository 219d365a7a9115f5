"""The real bot for ``benchmarks.requests``: ``HURRY`` times faster between its own edits, and with ``OLD_TOKENS`` the
token of an interaction counts as expired once it is answered.
"""

import os
import sys
from random import Random

import discord

from bot.sessions import chance
from tests.wire import patient_bot as _patient  # noqa: F401 - it waits for a busy machine

chance.REAL = Random(os.environ.get("SEED", "7")).randrange
if os.environ.get("OLD_TOKENS"):
    discord.Interaction.is_expired = lambda _: True  # type: ignore[method-assign]  # as 15 minutes later

if __name__ == "__main__":
    from bot import run

    sys.exit(run.command("run"))

"""The real bot, more patient than Discord allows: however busy the machine is, nothing runs out of time.

What a start leaves for when it is over is left out: it takes more of the machine than most tests do. Nor does anybody
wait for nothing: it connects again at once, and one address may send as many requests to its pages as it can.
"""

import sys
import time
from dataclasses import replace

from discord.backoff import ExponentialBackoff

from bot.cli import commands
from bot.resources import quotas, worker_pool
from bot.runtime import app, identify_queue
from bot.store import database
from bot.ui.core import responses
from tests.wire.process import PATIENCE

for module, name in (
    (app, "DRAIN"),
    (database, "LOCK_SECONDS"),
    (database, "POOL_SECONDS"),
    (responses, "DEFER_AFTER"),
):
    assert isinstance(getattr(module, name), float)
    setattr(module, name, PATIENCE)
many = replace(quotas.LIMITS, requests=10_000.0, pictures=10_000.0)
setattr(quotas.Quotas.__init__, "__defaults__", (many, time.monotonic))  # noqa: B010 - mypy takes no other defaults
setattr(identify_queue, "IDENTIFY_INTERVAL", 0.0)  # noqa: B010 - mypy takes no other constant
setattr(ExponentialBackoff, "delay", lambda _: 0.05)  # noqa: B010 - mypy takes no other method


async def settle(_: app.App) -> None:
    """Nothing is made ahead."""


setattr(commands, "settle", settle)  # noqa: B010 - mypy takes no other function
setattr(app, "READING", replace(worker_pool.READING, patience=PATIENCE))  # noqa: B010 - mypy takes no other limits

if __name__ == "__main__":
    sys.exit(commands.command("run"))

"""The real bot, more patient than Discord allows: however busy the machine is, nothing runs out of time.

What a start leaves for when it is over is left out: it takes more of the machine than most tests do. Nor does anybody
wait for nothing: it connects again at once, and one address may send as many requests to its pages as it can.
"""

import sys
import time
from dataclasses import replace

from discord.backoff import ExponentialBackoff

from bot import allowance, app, identify, run, workers
from bot.store import database
from bot.ui import answer
from tests.wire.process import PATIENCE

for module, name in ((app, "DRAIN"), (database, "LOCK_SECONDS"), (database, "POOL_SECONDS"), (answer, "DEFER_AFTER")):
    assert isinstance(getattr(module, name), float)
    setattr(module, name, PATIENCE)
many = replace(allowance.LIMITS, requests=10_000.0, pictures=10_000.0)
setattr(allowance.Allowances.__init__, "__defaults__", (many, time.monotonic))  # noqa: B010 - mypy takes no other defaults
setattr(identify, "APART", 0.0)  # noqa: B010 - mypy takes no other constant
setattr(ExponentialBackoff, "delay", lambda _: 0.05)  # noqa: B010 - mypy takes no other method


async def settle(_: app.App) -> None:
    """Nothing is made ahead."""


setattr(run, "settle", settle)  # noqa: B010 - mypy takes no other function
setattr(app, "READING", replace(workers.READING, patience=PATIENCE))  # noqa: B010 - mypy takes no other limits

if __name__ == "__main__":
    sys.exit(run.command("run"))

"""The real bot, more patient than Discord allows: however busy the machine is, nothing runs out of time.

What a start leaves for when it is over is left out: it takes more of the machine than most tests do.
"""

import sys
from dataclasses import replace

from bot import app, run, workers
from bot.store import database
from bot.ui import answer
from tests.wire.process import PATIENCE

for module, name in ((app, "DRAIN"), (database, "LOCK_SECONDS"), (database, "POOL_SECONDS"), (answer, "DEFER_AFTER")):
    assert isinstance(getattr(module, name), float)
    setattr(module, name, PATIENCE)


async def settle(_: app.App) -> None:
    """Nothing is made ahead."""


setattr(run, "settle", settle)  # noqa: B010 - mypy takes no other function
setattr(app, "READING", replace(workers.READING, patience=PATIENCE))  # noqa: B010 - mypy takes no other limits

if __name__ == "__main__":
    sys.exit(run.command("run"))

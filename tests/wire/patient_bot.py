"""The real bot, more patient than Discord allows: however busy the machine is, nothing runs out of time."""

import sys
from dataclasses import replace

from bot import app, run, workers
from bot.store import database
from bot.ui import answer
from tests.wire.process import PATIENCE

for module, name in ((app, "DRAIN"), (database, "LOCK_SECONDS"), (database, "POOL_SECONDS"), (answer, "DEFER_AFTER")):
    assert isinstance(getattr(module, name), float)
    setattr(module, name, PATIENCE)
setattr(app, "READING", replace(workers.READING, patience=PATIENCE))  # noqa: B010 - mypy takes no other limits

if __name__ == "__main__":
    sys.exit(run.command("run"))

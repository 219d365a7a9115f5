"""The real bot, with dice that fall as a seed says: what a random run found can be played again."""

import os
import sys
from functools import partial
from random import Random

from bot.cli import commands
from bot.runtime import app
from tests.wire import patient_bot  # noqa: F401 - it is as patient

setattr(commands, "App", partial(app.App, rng=Random(os.environ["SEED"]).randrange))  # noqa: B010 - mypy takes no other class

if __name__ == "__main__":
    sys.exit(commands.command("run"))

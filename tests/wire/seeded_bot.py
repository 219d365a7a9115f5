"""The real bot, with dice that fall as a seed says: what a random run found can be played again."""

import os
import sys
from random import Random

from bot.sessions import chance

chance.REAL = Random(os.environ["SEED"]).randrange

if __name__ == "__main__":
    from bot import run

    sys.exit(run.command("run"))

"""`python -m bot play` that lets in frames with an opaque origin, as a bot on the internet does: for tests alone."""

import sys

from bot import __main__
from bot.cli import play

if __name__ == "__main__":
    play.IS_OPEN = True
    sys.exit(__main__.main())

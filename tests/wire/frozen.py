"""What all forks share: none of them looks for garbage in it, for that would copy its memory."""

import gc

from bot.cli.commands import COLLECTIONS

gc.collect()
gc.freeze()
gc.set_threshold(*COLLECTIONS)

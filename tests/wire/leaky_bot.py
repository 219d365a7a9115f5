"""The still bot with a leak, so that the suite that looks for one is seen to find it: LEAK says where.

``log``: the log at debug says what is planned. ``board``: everyone's board says a number that follows from it.
"""

import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

from bot.cli import commands
from bot.sessions import plans
from bot.ui.table import board
from tests.wire import still_bot  # noqa: F401 - it is as still

choose, commitments_of = plans.Plans.choose, board.commitments_of
planned = dict[str, str]()


async def choose_and_tell(
    self: plans.Plans, request: Any, game: str, chosen: Mapping[str, str], sheet: str = ""
) -> plans.Planned:
    planned.update(chosen)
    if os.environ["LEAK"] == "log":
        logging.getLogger("bot.plans").debug("planned: %s", sorted(chosen.values()))
    return await choose(self, request, game, chosen, sheet)


def commitments_and_more(*given: Any) -> list[str]:
    """Those that are shown, and with that leak one line more."""
    found = commitments_of(*given)
    if planned and os.environ["LEAK"] == "board":
        found.append(str(sum(map(ord, "".join(planned.values())))))
    return found


setattr(plans.Plans, "choose", choose_and_tell)  # noqa: B010 - mypy takes no other method
setattr(board, "commitments_of", commitments_and_more)  # noqa: B010 - mypy takes no other function

if __name__ == "__main__":
    sys.exit(commands.command("run"))

"""The still bot with a leak, so that the suite that looks for one is seen to find it: LEAK says where, in words.

``log``: the log at debug says what is planned. ``board``: everyone's board says a number that follows from it.
``frame``: what each person sees alone in a frame says it.
"""

import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

from bot.cli import commands
from bot.html.html import Html, join_html, tag
from bot.rules.text import Code
from bot.sessions import plans
from bot.ui.live import private_view
from bot.ui.table import board
from tests.wire import still_bot  # noqa: F401 - it is as still

choose, commitments_of, private_html = plans.Plans.choose, board.commitments_of, private_view.private_html
planned = dict[str, str]()


async def choose_and_tell(
    self: plans.Plans, request: Any, game: str, chosen: Mapping[str, str], sheet: str = ""
) -> plans.Planned:
    planned.update(chosen)
    if "log" in os.environ["LEAK"]:
        logging.getLogger("bot.plans").debug("log: %s", sorted(chosen.values()))
    return await choose(self, request, game, chosen, sheet)


def commitments_and_more(*given: Any) -> list[str]:
    """Those that are shown, and with that leak one line more."""
    found = commitments_of(*given)
    if planned and "board" in os.environ["LEAK"]:
        found.append(f"board: {digest()}")
    return found


def digest() -> str:
    return str(sum(map(ord, "".join(planned.values()))))


async def private_and_more(*given: Any) -> Html:
    found = await private_html(*given)
    return (
        join_html([found, tag("p", Code(f"frame: {digest()}"))]) if planned and "frame" in os.environ["LEAK"] else found
    )


setattr(plans.Plans, "choose", choose_and_tell)  # noqa: B010 - mypy takes no other method
setattr(private_view, "private_html", private_and_more)  # noqa: B010 - mypy takes no other function
setattr(board, "commitments_of", commitments_and_more)  # noqa: B010 - mypy takes no other function

if __name__ == "__main__":
    sys.exit(commands.command("run"))

"""The real bot in a world that is the same each time: its clock stands still, and dice fall as SEED says.

On SIGUSR1 it waits until it has nothing under way any more, then adds a line to the file ``quiet`` of its folder: what
two runs did is compared after that, so it does not matter how fast the machine was. The clock shows what NOW says; from
a SIGUSR1 on what the file ``now`` of its folder says, if there is one.
"""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from bot.cli import commands
from bot.resources import quotas
from bot.runtime import app
from bot.sessions import links
from bot.sessions.kept_files import KeptFiles
from bot.ui.live import live_messages, live_page
from cogs.xwing import score
from tests.wire import patient_bot  # noqa: F401 - it is as patient

CLOCK = [float(os.environ.get("NOW", "1800000000"))]
LATER = Path("now")
TURNS = 5
"""So many times in a row nothing must be under way: what ends may begin something else."""
UNDER_WAY = (
    *("LiveMessage.refresh", "LiveMessage.change_once_found", "refresh", "send_all", "ring", "Links._try"),
    *("Client._run_event", "CommandTree._from_interaction.<locals>.wrapper", "BaseView._scheduled_task"),
    *("Modal._scheduled_task", "ViewStore.schedule_dynamic_item_call"),
)
"""The tasks that end by themselves: edits of boards, frames of live pages, copies, answers."""

time.time = lambda: CLOCK[0]


def look_at_the_clock() -> bool:
    """Whether it shows another time than before."""
    now = float(LATER.read_text(encoding="ascii")) if LATER.exists() else CLOCK[0]
    is_later, CLOCK[0] = now > CLOCK[0], now
    return is_later


setattr(score, "now", time.time)  # noqa: B010 - they were imported before
setattr(KeptFiles.__init__, "__defaults__", (time.time,))  # noqa: B010 - as above
setattr(quotas.TokenBucket, "consume", lambda *_: None)  # noqa: B010 - what costs more time on a busy machine is not counted
for module, name, seconds in (
    *((live_messages, "PAUSE", 0.0), (live_messages, "REST", 0.0)),
    *((links, "WAIT", 0.0), (live_page, "EVERY", 30 * 86_400.0)),
):
    assert isinstance(getattr(module, name), float)
    setattr(module, name, seconds)
refresh = live_messages.LiveMessage.refresh


async def refresh_after_the_answer(self: live_messages.LiveMessage, client: Any, shown: Any) -> None:
    """However long an answer takes to be painted: the board is edited when its card is there."""
    while client.answering:  # noqa: ASYNC110 - there is no event
        await asyncio.sleep(0.005)
    await refresh(self, client, shown)


refresh_after_the_answer.__qualname__ = refresh.__qualname__
setattr(live_messages.LiveMessage, "refresh", refresh_after_the_answer)  # noqa: B010 - mypy takes no other method


class StillApp(app.App):
    """It says when it is quiet."""

    quiet = os.open("quiet", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, rng=Random(os.environ["SEED"]).randrange, **more)

    async def setup_hook(self) -> None:
        loop, saying = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        loop.add_signal_handler(signal.SIGUSR1, lambda: saying.add(loop.create_task(self.say_when_quiet())))
        await super().setup_hook()

    async def say_when_quiet(self) -> None:
        calm = 0
        if look_at_the_clock():
            await live_page.send_heartbeat(self)  # its own beat follows the machine's clock
        while calm < TURNS:
            await asyncio.sleep(0.002)
            names = {getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()}
            calm = 0 if self.answering or names & {*UNDER_WAY} else calm + 1
        os.write(self.quiet, b"quiet\n")


setattr(commands, "App", StillApp)  # noqa: B010 - mypy takes no other class

if __name__ == "__main__":
    sys.exit(commands.command("run"))

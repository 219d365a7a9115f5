"""The GM of another server sends the worst files there are, one after the other; everybody else is answered meanwhile.

How long others wait is measured by ``python -m benchmarks.files``; here is what must hold on every machine, for every
sixth file. ``tests/test_bombs.py`` has all of them.
"""

import asyncio
from itertools import islice
from typing import Final

from benchmarks.wire import children
from bot.resources.worker_pool import READING
from tests import bombs
from tests.wire.commands import Attached
from tests.wire.process import mebibytes
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import GUILD_ID, OWNER, Channel, snowflake

MAX_GROWTH: Final = 100.0
"""MiB by which the bot may grow: what is on its way, and a card set of its own."""
MAX_WORKER: Final = READING.memory / 2**20 + 150.0 if READING.memory else 0.0
"""MiB: its limit, and what it has before it is asked anything."""


async def test_nobody_notices_the_worst_files_of_another_server(wire: Wire) -> None:
    elsewhere = Channel(snowflake(), "elsewhere", guild_id=GUILD_ID + 7)
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    await wire.slash(ana, wire.channel, "roll", dice="d6")
    before, worker, refused = mebibytes(bot.pid, "VmRSS"), 0.0, 0

    async def watch() -> None:
        """To look for its children takes a tenth of the time of a core where there are many processes."""
        nonlocal worker
        while True:
            worker = max(worker, *(mebibytes(child, "VmHWM") for child in children(bot.pid)), 0.0)
            await asyncio.sleep(0.2)

    watching = asyncio.ensure_future(watch())
    for number, (name, _, sent) in enumerate(islice(bombs.of("This server now has its own card set"), 0, None, 6)):
        wire.rest.files[f"{number}.json"] = sent.content[: bombs.MOST[bombs.CARDS]]
        file = Attached(f"{number}.json", len(sent.content), wire.file(f"{number}.json"))
        exploding = asyncio.ensure_future(wire.slash(OWNER, elsewhere, "xwing cards", file=file))
        rolled = await wire.slash(ana, wire.channel, "roll", dice="d6")
        assert "Ana rolls" in rolled.text, name
        answer = await exploding
        refused += answer.ephemeral
        assert "Something broke" not in answer.text, name
        wire.rest.files.clear()
    watching.cancel()
    assert refused > 2, "nearly all of them"
    assert bot.running
    assert mebibytes(bot.pid, "VmHWM") - before < MAX_GROWTH
    assert 0 < worker < MAX_WORKER

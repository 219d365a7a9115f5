"""What everybody waits for while the disk stands still now and then: transactions in their thread, and on the loop.

``python -m benchmarks.slow_disk [--rounds N]``. Each 40th transaction of SQLite takes 200 ms longer, as on a disk that
others keep busy. Meanwhile people roll, press, get suggestions and ask for plain odds, 20 a second; the last two need
little or nothing from the disk. "Waited" is the share of answers that took more than half a stall. "On the loop" is the
bot with each transaction done at once, without its thread.
"""

import argparse
import asyncio
import gc
import os
import statistics
import sys
import time
from itertools import count
from typing import Any, Final

from benchmarks.hammer import WHAT, everybody_else
from benchmarks.wire import ROLLCALL_BOT
from bot.cli import commands
from bot.store import sqlite_driver
from tests.wire.wire import Wire

STALL: Final = 0.2
"""Seconds."""
EACH: Final = 40
"""Transactions from one stall to the next."""
DISKS: Final = ("", "thread", "loop")
"""A disk that never waits, and one that does: with transactions in their thread, as they are, or on the loop."""


def slow(where: str) -> None:
    """Make the disk of this process slow, and move its transactions."""
    done, transact = count(1), sqlite_driver.transact

    def stalling(*given: Any) -> Any:
        if not next(done) % EACH:
            time.sleep(STALL)
        return transact(*given)

    async def at_once(self: sqlite_driver.ThreadConnection, body: sqlite_driver.Body[Any]) -> Any:
        return stalling(self._direct, body, lambda: True)

    sqlite_driver.transact = stalling  # type: ignore[assignment]  # that is the purpose
    if where == "loop":
        sqlite_driver.ThreadConnection.transact = at_once  # type: ignore[method-assign]  # that is what is tried


async def one_round(where: str, core: int | None) -> dict[str, list[float]]:
    async with Wire(record=False, patience=60) as wire:
        module = ("benchmarks.slow_disk", "--as", where) if where else ROLLCALL_BOT.module
        bot = await wire.start_bot(module, core=core)
        while ROLLCALL_BOT.settled not in bot.log():  # noqa: ASYNC110 - a log tells nobody when it grows
            await asyncio.sleep(0.1)
        await everybody_else(wire)
        return dict(await everybody_else(wire))


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.slow_disk", description="A disk that stands still.")
    parts.add_argument("--rounds", type=int, default=1)
    parts.add_argument("--as", dest="where", help=argparse.SUPPRESS)
    asked = parts.parse_args()
    if asked.where:
        slow(asked.where)
        sys.exit(commands.command("run"))
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    gc.disable()
    print("| transactions | " + " | ".join(f"{what}: median, ms · waited" for what in WHAT) + " |")
    print("|---|" + "---|" * len(WHAT))
    for where in DISKS:
        rounds = [asyncio.run(one_round(where, cores[1] if len(cores) > 1 else None)) for _ in range(asked.rounds)]
        every = {what: [item for each in rounds for item in each[what]] for what in WHAT}
        waited = {what: sum(item > STALL / 2 for item in every[what]) / len(every[what]) for what in WHAT}
        cells = [f"{statistics.median(every[what]) * 1000:.1f} · {waited[what]:.0%}" for what in WHAT]
        print(f"| {where or 'no stalls'} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

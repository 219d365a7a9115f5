"""Where the time of an answer goes: an attack as it is, and with one part after the other replaced by a constant.

``python -m benchmarks.ablation [--rounds N]``. All bots run all the time, each on a wire and a database of its own, and
take turns in short blocks: so what else this machine does meets all alike, and their ratios mean something on a busy
machine too. A round is a block of each at 20 attacks a second, then one flat out with 8 under way. What is shown is the
CPU of one attack in milliseconds, and its ratio to the bare bot's answer: the median over the rounds.
"""

import argparse
import asyncio
import gc
import os
import statistics
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final

from benchmarks.wire import BARE_BOT, RATE, ROLLCALL_BOT, Subject, Table
from tests.wire.wire import Wire

PACED_SECONDS: Final = 2.0
WARM_UP: Final = 150
CONSTANT: Final = ("benchmarks.constant_bot",)
PICTURE_BYTES: Final = "11000"
"""Of the bare bot's picture: as large as that of an attack."""


def subjects() -> list[Subject]:
    """The bare bot, ours as it is, and ours with parts that cost nothing."""

    def constant(name: str, *parts: str) -> Subject:
        return replace(ROLLCALL_BOT, name=name, module=CONSTANT, env={"CONSTANT": " ".join(parts)})

    return [
        replace(BARE_BOT, env={"PICTURE_BYTES": PICTURE_BYTES}),
        replace(ROLLCALL_BOT, name="as it is"),
        constant("card constant", "card"),
        constant("declare constant", "declare"),
        constant("declare and Sessions.open constant", "declare", "open"),
        constant("all three constant", "declare", "open", "card"),
    ]


async def opened(stack: AsyncExitStack, subject: Subject, core: int | None) -> Table:
    """A bot that has answered a while, until the stack is closed."""
    wire = await stack.enter_async_context(Wire(record=False, patience=60))
    bot = await wire.start_bot(subject.module, subject.env, core=core)
    table = Table(wire, subject, bot)
    for _ in range(WARM_UP):
        await table.timed(table.attack)
    return table


async def measure(rounds: int) -> dict[str, list[tuple[float, float]]]:
    """For each bot, round by round: CPU milliseconds of an attack at 20 a second, and flat out."""
    cores = sorted(os.sched_getaffinity(0))
    core = cores[1] if len(cores) > 1 else None
    if core is not None:
        os.sched_setaffinity(0, {cores[0]})
    gc.disable()
    result: dict[str, list[tuple[float, float]]] = {}
    async with AsyncExitStack() as stack:
        tables = {subject.name: await opened(stack, subject, core) for subject in subjects()}
        for number in range(rounds):
            for name in sorted(tables, reverse=bool(number % 2)):
                table = tables[name]
                _, paced = await table.paced(table.attack, round(RATE * PACED_SECONDS))
                _, flat = await table.flat_out(table.attack)
                result.setdefault(name, []).append((paced * 1000, flat * 1000))
    return {name: result[name] for name in tables}


def report(result: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    bare = result[BARE_BOT.name]
    lines = ["| CPU of an attack, ms | 20/s | ratio | flat out | ratio |", "|---|---|---|---|---|"]
    for name, rounds in result.items():
        cells = []
        for at in (0, 1):
            ratios = [item[at] / other[at] for item, other in zip(rounds, bare, strict=True)]
            cells.append(f"{statistics.median(item[at] for item in rounds):.2f} | {statistics.median(ratios):.2f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description="Where an answer's time goes.")
    parts.add_argument("--rounds", type=int, default=5, help="how often each bot is measured (default 5, 30 s each)")
    print(report(asyncio.run(measure(parts.parse_args().rounds))))


if __name__ == "__main__":
    main()

"""What is suggested while eight people type a pilot at once, letter by letter.

``python -m benchmarks.suggestions [--rounds N]``. Each types names of the card set as the ``name`` of
`/xwing ship add`, five letters a second, and Discord asks at each letter: 40 questions a second over 734 pilots. Times
run from the question leaving the wire to the answer having arrived; CPU is the bot's. The wire has one processor core,
the bot the other.
"""

import argparse
import asyncio
import gc
import os
import statistics
from typing import Final

from benchmarks.hammer import people
from benchmarks.wire import ROLLCALL_BOT, cpu_seconds, p99
from tests.wire.interactions import AUTOCOMPLETE
from tests.wire.wire import Wire
from tests.wire.world import Person

TYPISTS: Final = 8
LETTERS: Final = 5
"""A second, of each."""
NAMES: Final = ("luke skywalker", "darth vader", "red five", "t-65 x-wing", "han solo", "academy pilot")
TIMES: Final = 2
"""How often each types every name."""


async def types(wire: Wire, person: Person, name: str) -> list[float]:
    """The seconds of the answer to each letter."""
    command = wire.rest.commands.typed("xwing ship add", {"name": "x"})
    seconds = []
    for end in range(1, len(name) + 1):
        group = command["options"][0]
        subcommand = group["options"][0]
        typed = {**subcommand, "options": [{**subcommand["options"][0], "value": name[:end], "focused": True}]}
        asked = {**command, "options": [{**group, "options": [typed]}]}
        answer, _ = await asyncio.gather(
            wire.send(wire.interactions.open(AUTOCOMPLETE, person, wire.channel), asked), asyncio.sleep(1 / LETTERS)
        )
        seconds.append(answer.seconds)
    return seconds


async def one_round(core: int | None) -> tuple[list[float], float]:
    """The seconds of every answer, and the CPU seconds of one."""
    async with Wire(record=False, patience=30) as wire:
        bot = await wire.start_bot(core=core)
        while ROLLCALL_BOT.settled not in bot.log():  # noqa: ASYNC110 - a log tells nobody when it grows
            await asyncio.sleep(0.1)
        await types(wire, wire.people[0], NAMES[0])

        async def typist(person: Person, first: int) -> list[float]:
            await asyncio.sleep(first / LETTERS / TYPISTS)
            names = [*NAMES[first % len(NAMES) :], *NAMES[: first % len(NAMES)]] * TIMES
            return [item for name in names for item in await types(wire, person, name)]

        gc.collect()
        before = cpu_seconds(bot)
        every = await asyncio.gather(*(typist(person, at) for at, person in enumerate(people(0, TYPISTS))))
        seconds = [item for each in every for item in each]
        return seconds, (cpu_seconds(bot) - before) / len(seconds)


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.suggestions", description="Suggestions, timed.")
    parts.add_argument("--rounds", type=int, default=1)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    gc.disable()  # the wire's own collections would show as the bot's slowest answers
    print("| eight people type a pilot | median, ms | p99, ms | CPU, ms |\n|---|---|---|---|")
    for number in range(parts.parse_args().rounds):
        seconds, cpu = asyncio.run(one_round(cores[1] if len(cores) > 1 else None))
        cells = (statistics.median(seconds) * 1000, p99(seconds) * 1000, cpu * 1000)
        print(f"| round {number + 1}, {len(seconds)} letters | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")


if __name__ == "__main__":
    main()

"""The slowest acts of an evening: how long each took the first time, in the middle, and at most.

``python -m benchmarks.slowest [--rounds N] [GAME ...]``. The evenings are those of ``benchmarks.requests``, each by a
bot that has just started and settled; beside them the heavy questions of odds and advice, a squad, a picture and what
is suggested while somebody types. Times run from the interaction leaving the wire to its answer having arrived; with
several rounds each row holds the median of the rounds' first times and of their medians, and the largest of all. The
wire has one processor core, the bot the other.
"""

import argparse
import asyncio
import gc
import os
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.requests import EVENINGS, Counted, everything
from benchmarks.wire import COMMANDS, SQUADS
from bot.games import GAMES
from bot.store.database import migrate
from tests.wire.interactions import AUTOCOMPLETE, Answer, Interaction
from tests.wire.process import BotProcess
from tests.wire.world import Json

SETTLED: Final = 12.0
"""Seconds from the bot's last word about its start: it has prepared by then whatever it prepares."""
PACE: Final = 0.1
HEAVY: Final[Mapping[str, Mapping[str, Any]]] = {
    "xwing odds": {"dice": 6, "agility": 6, "with_": "focus, lock, 3 force", "against": "3 focus, 2 evade, 3 force"},
    "infinity odds": {"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 5},
    "roll": {"dice": "20d20!kh7"},
}


class Timed(Counted):
    """A wire that notes how long each answer took, by what somebody did."""

    def __init__(self, core: int | None) -> None:
        super().__init__(PACE, old=False)
        self.core = core
        self.seconds: dict[str, list[float]] = defaultdict(list)

    async def start_bot(
        self, module: Sequence[str] = (), env: Mapping[str, str] | None = None, **how: Any
    ) -> BotProcess:
        bot = await super().start_bot(module, env, **{**how, "core": self.core})
        await asyncio.sleep(SETTLED)
        return bot

    async def send(self, interaction: Interaction, data: Json) -> Answer:
        answer = await super().send(interaction, data)
        what = f"suggests for {self.what(data)}" if interaction.kind == AUTOCOMPLETE else self.what(data)
        self.seconds[what].append(answer.seconds)
        return answer


async def heavy(wire: Timed) -> None:
    """What needs a worker, a card set or many letters, each a few times, the first one first."""
    await wire.start_bot()
    ana, bo, *_ = wire.people
    for _ in range(6):
        for line, options in HEAVY.items():
            await wire.slash(ana, wire.channel, line, **options)
        for line in ("warsurge chart", "warsurge compare"):
            await wire.slash(bo, wire.channel, line, **COMMANDS[line])
        for person, pilot in zip((ana, bo), SQUADS, strict=True):
            await wire.slash(person, wire.channel, "xwing squad", text=f'{{"pilots": [{{"id": "{pilot}"}}]}}')
        shown = (await wire.slash(ana, wire.channel, "xwing attack", **COMMANDS["xwing attack"])).shown
        await wire.press(ana, shown, "Advice")
        await wire.slash(ana, wire.channel, "table show")


async def measured(name: str, core: int | None) -> dict[str, list[float]]:
    async with Timed(core) as wire:
        await migrate(wire.database_url)
        if name == "heavy":
            await heavy(wire)
        else:
            await (EVENINGS[name](wire) if name in EVENINGS else everything(wire, name))
    return wire.seconds


def report(name: str, rounds: Sequence[Mapping[str, Sequence[float]]]) -> str:
    rows = []
    for what in sorted(set().union(*rounds)):
        every = [item[what] for item in rounds if item.get(what)]
        first, middle = (statistics.median(read(item) * 1000 for item in every) for read in (_first, statistics.median))
        most = max(second for item in every for second in item) * 1000
        rows.append((most, f"| {what} | {first:.1f} | {middle:.1f} | {most:.1f} | {sum(map(len, every))} |"))
    head = [f"| {name} | first, ms | median | most | times |", "|---|---|---|---|---|"]
    return "\n".join([*head, *(line for _, line in sorted(rows, reverse=True))])


def _first(seconds: Sequence[float]) -> float:
    return seconds[0]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slowest", description="The slowest acts of an evening.")
    parser.add_argument("games", nargs="*", default=[], metavar="GAME", help=f"heavy, {', '.join(GAMES)}")
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    core = cores[1] if len(cores) > 1 else None
    os.sched_setaffinity(0, cores[:1])
    gc.disable()  # the wire's own collections would show as the bot's slowest answers
    for name in asked.games or ("heavy", *GAMES):
        print(report(name, [asyncio.run(measured(name, core)) for _ in range(asked.rounds)]), flush=True)


if __name__ == "__main__":
    main()

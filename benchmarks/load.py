"""Many people in many channels: one process and two, SQLite and PostgreSQL, beside a bare discord.py bot.

``python -m benchmarks.load [--rounds N]``. 100 servers have 30 channels each. Of ten things that somebody does, four
are commands and six are presses: attacks from the first press to the last, rolls, odds, help. The bare bot answers as
many commands and presses with the same embed and picture. The bot has two shards; of two processes each has one. All
run all the time and take turns in short blocks, so that what else this machine does meets all alike; each figure is the
median over the rounds. An answer's time runs from the interaction leaving the wire to the answer having arrived there.
CPU is user and system time.

- **Paced**: so many answers a second, however long each takes.
- **Flat out**: as many as the bot gives to people who never wait. The wire, PostgreSQL and all processes share this
  machine, so this says what the machine holds, and not what a second process is good for on a machine of its own.
- **Held**: the same, while each process is held to a share of one core (``benchmarks.share``), so small that neither
  the wire nor PostgreSQL is what is short. Two processes then have twice the processor time of one, as on two cores of
  their own, and what is missing to twice the answers is what sharing costs.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.servers import server
from benchmarks.wire import Figures, children, cpu_seconds, p99
from tests.engines import Server, why_not
from tests.wire.interactions import Answer
from tests.wire.load import Player, at_once
from tests.wire.process import REPOSITORY, BotProcess
from tests.wire.wire import ROLLCALL, Wire
from tests.wire.world import Channel

SERVERS: Final = 100
SHARDS: Final = 2
RATE: Final = 30
"""Answers a second where they are paced."""
PACED_PEOPLE: Final = 16
"""So many play where they are paced: enough for the pace while each waits for an answer."""
PEOPLE: Final = 8
"""So many play, half of them in the servers of each shard, where nobody waits."""
SHARE: Final = 0.25
"""Of a core, for each process that is held."""
WARM_UP: Final = 6.0
SETTLE: Final = 2.0
"""Seconds of each block before it is measured."""
MEASURED: Final = 6.0
"""Seconds of each block that are measured."""
PICTURE_BYTES: Final = 6_000
"""Of the bare bot's picture: as large as Rollcall's are on average."""
TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured: so many processes of a bot, on SQLite or on PostgreSQL."""

    name: str
    module: Sequence[str] = ROLLCALL
    processes: int = 1
    is_served: bool = False


BARE: Final = Subject("bare", ("benchmarks.bare_bot",))
SQLITE: Final = Subject("SQLite")
ONE: Final = Subject("PostgreSQL", is_served=True)
TWO: Final = Subject("two on PostgreSQL", processes=2, is_served=True)

Turn = Callable[[], Awaitable[None]]


class BarePlayer(Player):
    """Two commands and three presses, at a bot that knows no more."""

    async def attack(self, turn: Turn = at_once) -> None:
        """Five answers, each when its turn has come."""
        here = self.chance.choice(self.places)
        for presses in (1, 2):
            await turn()
            answer = await self.wire.slash(self.person, here, "roll")
            self.seen.answers.append(answer)
            for _ in range(presses):
                await turn()
                self.seen.answers.append(await self.wire.press(self.person, answer.shown, "Again"))


class Pace:
    """Turns at a steady rate, for as many as ask."""

    def __init__(self, rate: float) -> None:
        self._apart = 1 / rate
        self._next = asyncio.get_running_loop().time()

    async def turn(self) -> None:
        """Wait for the next turn; one that was missed by more than a second is not made up for."""
        self._next = max(self._next, asyncio.get_running_loop().time() - 1) + self._apart
        await asyncio.sleep(self._next - asyncio.get_running_loop().time())


class Club:
    """The people, and the processes that answer them."""

    def __init__(self, wire: Wire, subject: Subject, bots: Sequence[BotProcess], postgres: Server | None) -> None:
        self._wire = wire
        self._kind = BarePlayer if subject is BARE else Player
        self.bots = bots
        self._postgres = postgres
        self._times = 0

    def players(self, count: int) -> list[Player]:
        """People who have not played yet, each with channels of their own, all in servers of one shard."""
        self._times += 1
        groups: list[list[Channel]] = [[] for _ in range(count)]
        for place in places():
            groups[(place.guild_id >> 22) % SHARDS + SHARDS * (place.id % (count // SHARDS))].append(place)
        first = 1_000 * self._times
        return [self._kind(self._wire, first + number, self._times, group) for number, group in enumerate(groups)]

    def spent(self) -> list[float]:
        """CPU seconds so far: of each process, of PostgreSQL, of the wire."""
        server_spent = server_cpu(self._postgres.pid) if self._postgres else 0.0
        return [*map(cpu_seconds, self.bots), server_spent, time.process_time()]

    async def measure(self, name: str, people: int, turn: Turn = at_once, seconds: float = MEASURED) -> Figures:
        """Have so many people play and return the figures of what they saw, once it has settled."""
        gc.collect()
        players, stop = self.players(people), asyncio.Event()
        playing = [asyncio.create_task(player.play(stop, turn)) for player in players]
        await asyncio.wait(playing, timeout=SETTLE, return_when=asyncio.FIRST_EXCEPTION)
        seen, spent, begun = [len(item.seen.answers) for item in players], self.spent(), time.perf_counter()
        await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        lasted = time.perf_counter() - begun
        used = [after - before for before, after in zip(spent, self.spent(), strict=True)]
        answers: list[Answer] = [
            answer for item, before in zip(players, seen, strict=True) for answer in item.seen.answers[before:]
        ]
        stop.set()
        await asyncio.gather(*playing)
        count, took = len(answers), [answer.seconds * 1000 for answer in answers]
        return {
            f"{name}: answers": count / lasted,
            f"{name}: CPU of the bot": sum(used[:-2]) / count * 1000,
            f"{name}: CPU of PostgreSQL": used[-2] / count * 1000,
            f"{name}: CPU of the wire": used[-1] / count * 1000,
            f"{name}: a process's share of a core": max(used[:-2]) / lasted * 100,
            f"{name}: median": statistics.median(took),
            f"{name}: p99": p99(took),
            f"{name}: commands": sum(answer.type == 4 for answer in answers) / count * 100,
            f"{name}: refused": sum(len(item.seen.refusals) for item in players),
        }


def places() -> list[Channel]:
    """The channels of all servers."""
    return [
        Channel(int(item["id"]), item["name"], guild_id=int(result["id"]))
        for result in map(server, range(SERVERS))
        for item in result["channels"]
    ]


def server_cpu(pid: int) -> float:
    """CPU seconds so far of PostgreSQL: of its first process, of those that it has waited for, and of its children.

    proc(5), stat fields 14 to 17.
    """
    ticks = 0
    for item in (pid, *children(pid)):
        with contextlib.suppress(OSError):  # it has ended
            words = Path(f"/proc/{item}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, words[11:15] if item == pid else words[11:13]))
    return ticks / TICKS


@asynccontextmanager
async def held(bots: Sequence[BotProcess]) -> AsyncIterator[None]:
    """Hold each process to its share of a core."""
    holding = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.share", str(SHARE), str(bot.pid), cwd=REPOSITORY
        )
        for bot in bots
    ]
    try:
        yield
    finally:
        for item in holding:
            item.terminate()
            await item.wait()


async def opened(stack: AsyncExitStack, subject: Subject) -> Club:
    """A subject on a wire and a database of its own, until the stack is closed; it has played a little."""
    postgres = None
    if subject.is_served:
        postgres = await asyncio.to_thread(Server)
        stack.callback(postgres.close)
    url = await asyncio.to_thread(postgres.database) if postgres else ""
    wire = await stack.enter_async_context(Wire(record=False, patience=60, shards=SHARDS, database_url=url))
    wire.gateway.more_servers = [server(number) for number in range(SERVERS)]
    bots = []
    for number in range(subject.processes):
        env = {"PICTURE_BYTES": str(PICTURE_BYTES)}
        if subject.processes > 1:
            env |= {"SHARD_COUNT": str(SHARDS), "SHARD_IDS": str(number)}
        bots.append(await wire.start_bot(subject.module, env, shards=SHARDS // subject.processes))
    club = Club(wire, subject, bots, postgres)
    await club.measure("warm up", PEOPLE, seconds=WARM_UP)
    return club


async def one_round(clubs: Mapping[str, Club], order: Random) -> dict[str, Figures]:
    """Every kind of load once, on every subject."""
    figures: dict[str, Figures] = {name: {} for name in clubs}
    for kind in ("paced", "flat out", "held"):
        for name in order.sample(list(clubs), len(clubs)):
            club = clubs[name]
            if kind == "paced":
                figures[name] |= await club.measure(kind, PACED_PEOPLE, Pace(RATE).turn)
            elif kind == "flat out":
                figures[name] |= await club.measure(kind, PEOPLE)
            else:
                async with held(club.bots):
                    figures[name] |= await club.measure(kind, PEOPLE)
    return figures


ROWS: Final = (
    ("answers", "/s"),
    ("CPU of the bot", "ms"),
    ("CPU of PostgreSQL", "ms"),
    ("CPU of the wire", "ms"),
    ("a process's share of a core", "%"),
    ("median", "ms"),
    ("p99", "ms"),
    ("commands", "%"),
    ("refused", ""),
)
"""What is known of each kind of load, and its unit; CPU is for one answer, commands are those among all answers."""


def report(measured: Mapping[str, Sequence[Figures]]) -> str:
    """The tables: the median of each figure over the rounds."""
    lines = []
    kinds = (
        ("paced", f"Paced, {RATE} a second"),
        ("flat out", f"Flat out, {PEOPLE} people"),
        ("held", f"Held to {SHARE:.0%} of a core each, {PEOPLE} people"),
    )
    for kind, title in kinds:
        lines += ["", f"{title:34}" + "".join(f"{name:>18}" for name in measured)]
        for row, unit in ROWS:
            cells = [statistics.median(one[f"{kind}: {row}"] for one in rounds) for rounds in measured.values()]
            lines.append(f"{row:30}{unit:>4}" + "".join(f"{cell:18.1f}" for cell in cells))
        for item, other in ((ONE, TWO), (BARE, SQLITE)):
            if item.name in measured and other.name in measured:
                pairs = zip(measured[item.name], measured[other.name], strict=True)
                ratios = sorted(b[f"{kind}: answers"] / a[f"{kind}: answers"] for a, b in pairs)
                lines.append(f"{other.name} / {item.name}, answers: " + " ".join(f"{ratio:.2f}" for ratio in ratios))
    return "\n".join(lines)


async def measure(rounds: int) -> dict[str, list[Figures]]:
    """The figures of each subject, round by round."""
    subjects = [BARE, SQLITE, ONE, TWO]
    if reason := why_not():
        print(f"without PostgreSQL: {reason}")
        subjects = subjects[:2]
    print(
        f"{os.cpu_count()} cores, load average at the start {os.getloadavg()[0]:.2f} "
        "(a busy machine spoils the figures)"
    )
    gc.disable()  # the wire's own collections would show as the bots' slowest answers
    measured: dict[str, list[Figures]] = {subject.name: [] for subject in subjects}
    async with AsyncExitStack() as stack:
        clubs = {subject.name: await opened(stack, subject) for subject in subjects}
        order = Random(0)
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", flush=True)
            for name, figures in (await one_round(clubs, order)).items():
                measured[name].append(figures)
    return measured


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.load", description="Many people in many channels.")
    parts.add_argument("--rounds", type=int, default=3, help="how often all is measured (default 3, 100 s each)")
    print(report(asyncio.run(measure(parts.parse_args().rounds))))


if __name__ == "__main__":
    main()

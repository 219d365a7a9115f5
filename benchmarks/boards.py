"""Boards in play, on a Discord that takes 50 requests a second: none too many, no answer later, every board soon right.

``python -m benchmarks.boards [--boards N] [--seconds S] [--rate R] [--deploys D]``. Two processes with a shard each
share a PostgreSQL server. At each of 2 N tables there is a ship, and N of them have a board. Then the processes are
started again: now no board is the answer to anything, and each edit counts against Discord's limit. Tokens come and go,
R times a second in all: for S seconds at the tables with boards, and by turns half as long at the others, so that
answers with and without boards meet the same machine. D times meanwhile a new process takes the place of one of the
two. Printed: requests that counted and were refused, answers with boards and without, and how long after each change
the board showed it, or a later one.
"""

import argparse
import asyncio
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from random import Random
from typing import Any, Final

from benchmarks.load import SHARDS, Pace
from benchmarks.servers import CHANNELS, server
from benchmarks.wire import p99
from tests.engines import Server
from tests.ports import free_port
from tests.wire.messages import Message
from tests.wire.process import PATIENCE, BotProcess
from tests.wire.test_operations import is_ready
from tests.wire.wire import PATIENT, ROLLCALL, Wire
from tests.wire.world import OWNER, Channel, Person

AT_ONCE: Final = 16
"""So many people type at the same time."""
BLOCK: Final = 30.0
"""Seconds with boards, at most, between which half as many go without."""
WARM_UP: Final = 2.0
"""Seconds of play after a start that are not measured."""
MOST_TOKENS: Final = 9
STEP: Final = re.compile(r"(gives Luke|removes) (\d+) focus")
"""What the board says of the last step."""

Mark = tuple[bool, int]
"""Whether tokens came or went, and how many: differs from those of the steps before and after."""


@dataclass(slots=True)
class Table:
    """A channel where one person plays. ``steps`` are the marks of all steps, ``at`` when each was answered."""

    place: Channel
    person: Person
    steps: list[Mark] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    board: int = 0

    def next(self) -> Mark:
        return len(self.steps) % 2 == 0, 1 + len(self.steps) // 2 % MOST_TOKENS


class Watched(dict[int, Message]):
    """The messages of the wire; remembers what was shown when on those that are watched."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: defaultdict[int, list[tuple[float, Mark]]] = defaultdict(list)
        self.watched: set[int] = set()

    def __setitem__(self, key: int, message: Message) -> None:
        super().__setitem__(key, message)
        if key in self.watched and (said := STEP.search(message.text)):
            self.seen[key].append((time.perf_counter(), (said[1] != "removes", int(said[2]))))


@dataclass(frozen=True, slots=True)
class Figures:
    """What was seen: seconds of answers without and with boards, seconds until boards were right, requests.

    ``counted`` are those that Discord counts, ``refused`` the ones too many, ``most`` the most in any second; ``late``
    has infinity for a step that no board ever showed; ``busy`` are the answers that the store was too busy.
    """

    without: Sequence[float]
    with_boards: Sequence[float]
    late: Sequence[float]
    counted: int
    refused: int
    most: int
    busy: int


def tables(count: int) -> list[Table]:
    """Tables in servers of both shards by turns."""
    servers = [server(number) for number in range(-(-count // CHANNELS))]
    places = [
        Channel(int(item["id"]), item["name"], guild_id=int(result["id"]))
        for result in servers
        for item in result["channels"]
    ]
    places.sort(key=lambda place: place.id % CHANNELS)
    return [
        Table(place, Person(OWNER.id + 1_000 + number, f"P{number}")) for number, place in enumerate(places[:count])
    ]


class Club:
    """Everybody at their tables."""

    def __init__(self, wire: Wire, count: int, rate: float, *, patient: bool) -> None:
        self.wire, self.rate, self.busy = wire, rate, 0
        self._chance = Random(1)
        self._module = PATIENT if patient else ROLLCALL
        both = tables(2 * count)
        self.tables, self.bare = both[:count], both[count:]
        """Those with boards, and those without."""
        self.messages = Watched()
        wire.interactions.messages = self.messages
        wire.gateway.more_servers = [server(number) for number in range(-(-2 * count // CHANNELS))]

    async def start(self, shard: int) -> BotProcess:
        """A process with a shard, ready."""
        port = free_port()
        env = {"SHARD_COUNT": str(SHARDS), "SHARD_IDS": str(shard), "OPERATIONS_PORT": str(port)}
        bot = await self.wire.start_bot(self._module, env, shards=1)
        await is_ready(port)
        return bot

    async def start_all(self) -> list[BotProcess]:
        return [await self.start(shard) for shard in range(SHARDS)]

    async def deploy(self, bots: list[BotProcess], times: int, seconds: float) -> None:
        """So many times in some seconds, put a new process in the place of one."""
        for number in range(times):
            await asyncio.sleep(seconds / (times + 1))
            shard = number % SHARDS
            new = await self.start(shard)
            assert await bots[shard].terminate() == 0
            bots[shard] = new

    async def start_again(self, bots: Sequence[BotProcess]) -> list[BotProcess]:
        """The same, in place of those before."""
        assert await asyncio.gather(*(bot.terminate() for bot in bots)) == [0] * len(bots)
        bots = await self.start_all()
        await self.play(self.bare, WARM_UP)
        return bots

    async def each(self, tables: Sequence[Table], line: str, **options: Any) -> list[Message]:
        """Everybody at some tables types the same, again where it was refused."""
        free = asyncio.Semaphore(AT_ONCE)

        async def one(table: Table) -> Message:
            async with free:
                while (answer := await self.wire.slash(table.person, table.place, line, **options)).ephemeral:
                    self.busy += 1
                return answer.shown

        return await asyncio.gather(*map(one, tables))

    async def show_boards(self) -> None:
        """At each table, until the store knows them all."""
        missing: Sequence[Table] = self.tables
        while missing:
            for table, shown in zip(missing, await self.each(missing, "table show"), strict=True):
                table.board = shown.id
                self.messages.watched.add(shown.id)
            await asyncio.sleep(1)  # it is stored after the answer
            asked = "SELECT channel_id, message_id FROM shown WHERE kind = 'board'"
            kept = dict(await asyncio.to_thread(self.wire.rows, asked))
            missing = [table for table in self.tables if kept.get(table.place.id) != table.board]

    async def play(self, tables: Sequence[Table], seconds: float) -> list[float]:
        """Tokens come and go at tables chosen by chance; the seconds of the answers."""
        pace, chance, took = Pace(self.rate), self._chance, list[float]()
        free, ends = list(tables), time.perf_counter() + seconds

        async def somebody() -> None:
            while time.perf_counter() < ends:
                await pace.turn()
                await asyncio.sleep(chance.random() / self.rate)  # else edits would meet answers always, or never
                table = free.pop(chance.randrange(len(free)))
                took.append(await self.step(table))
                free.append(table)

        await asyncio.gather(*(somebody() for _ in range(min(AT_ONCE, len(tables)))))
        return took

    async def play_by_turns(self, seconds: float) -> tuple[list[float], list[float]]:
        """So many seconds with boards, half as many without; the seconds of the answers of each."""
        blocks = ceil(seconds / BLOCK)
        without, with_boards = list[float](), list[float]()
        for _ in range(blocks):
            without += await self.play(self.bare, seconds / blocks / 2)
            with_boards += await self.play(self.tables, seconds / blocks)
        return without, with_boards

    async def step(self, table: Table) -> float:
        comes, many = mark = table.next()
        line, what = f"xwing token {'give' if comes else 'take'}", {"ship": "Luke", "token": "focus", "count": many}
        answer = await self.wire.slash(table.person, table.place, line, **what)
        if "focus" not in answer.text:  # on a machine that is busy otherwise
            self.busy += 1
            return answer.seconds
        table.steps.append(mark)
        table.at.append(time.perf_counter())
        return answer.seconds

    async def all_shown(self, since: float) -> list[float]:
        """``late`` of all steps, once all are shown, or after so long that they never will."""
        for _ in range(round(2 * PATIENCE)):
            if max(late := list(self.late(since))) < float("inf"):
                break
            await asyncio.sleep(0.5)
        return late

    def late(self, since: float) -> Iterator[float]:
        """How long after each step since a moment the board showed it, or a later one."""
        for table in self.tables:
            shown = list(places(table, self.messages.seen[table.board]))
            for place, at in enumerate(table.at):
                if at >= since:
                    yield max(0.0, min((when for when, newest in shown if newest >= place), default=float("inf")) - at)


def places(table: Table, seen: Sequence[tuple[float, Mark]]) -> Iterator[tuple[float, int]]:
    """Which step a board showed when: the newest of its mark that could have been made by then."""
    for when, mark in seen:
        result = sum(at <= when + 1 for at in table.at)  # the answer and the edit may cross
        yield when, next((place for place in reversed(range(result)) if table.steps[place] == mark), -1)


async def measure(
    url: str, boards: int, seconds: float, rate: float, *, deploys: int = 0, patient: bool = False
) -> Figures:
    """``patient``: on a busy machine the bots wait for the store as long as it takes."""
    async with Wire(database_url=url, shards=SHARDS, record=False) as wire:
        club = Club(wire, boards, rate, patient=patient)
        bots = await club.start_all()
        await club.each([*club.tables, *club.bare], "xwing ship add", name="Luke", hull=4)
        await club.show_boards()
        bots = await club.start_again(bots)
        began, counted = time.perf_counter(), len(wire.rest.limit.counted)
        (without, with_boards), _ = await asyncio.gather(
            club.play_by_turns(seconds), club.deploy(bots, deploys, 1.5 * seconds)
        )
        late = await club.all_shown(began)
        limit = wire.rest.limit
        those = len(limit.counted) - counted
        figures = Figures(without, with_boards, late, those, limit.refused, limit.most, club.busy)
        assert "Traceback" not in bots[0].log()
    return figures


def report(result: Figures) -> str:
    median, slow, slowest = statistics.median(result.late), p99(result.late), max(result.late)
    lines = [
        f"{result.counted} requests that count, at most {result.most} in a second, {result.refused} too many",
        f"{result.busy} steps were refused because the store was busy",
        f"{len(result.late)} steps, shown after: median {median:.2f} s, p99 {slow:.2f} s, slowest {slowest:.2f} s",
    ]
    for name, took in (("without boards", result.without), ("with boards", result.with_boards)):
        median, slow = 1e3 * statistics.median(took), 1e3 * p99(took)
        lines.append(
            f"{len(took)} answers {name}: median {median:.1f} ms, p99 {slow:.0f}, slowest {1e3 * max(took):.0f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--rate", type=float, default=30.0)
    parser.add_argument("--deploys", type=int, default=0)
    parser.add_argument("--patient", action="store_true", help="wait for the store as long as it takes")
    asked = parser.parse_args()
    postgres = Server()
    try:
        how = {"deploys": asked.deploys, "patient": asked.patient}
        print(report(asyncio.run(measure(postgres.database(), asked.boards, asked.seconds, asked.rate, **how))))
    finally:
        postgres.close()


if __name__ == "__main__":
    main()

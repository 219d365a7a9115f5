"""How long one server waits while another does its worst: files, odds, pictures, watchers, suggestions, texts, or all.

``python -m benchmarks.neighbors [--seconds S] [KIND ...]``. One bot on one processor core, the wire on the other. In
one server people roll and press, 20 a second, for S seconds (300 by default) in each case: first while nobody else
does anything, then by turns beside each kind, then beside all together. In the other one the GM and eleven people do
the worst that there is of a kind, again as soon as it is answered. Printed in milliseconds: the median and the 99th
percentile of the answers of the first server, and its 99th in times that of nobody: at most 2 is what must hold. With
them, how often the other server was answered, how often refused, and the largest memory of the bot in MiB.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count, cycle
from typing import Any, Final

import aiohttp

from benchmarks.files import cases
from benchmarks.hammer import HEAVY, people
from benchmarks.wire import RATE, ROLLCALL_BOT, p99
from bot.resources.worker_process import step_back
from bot.rules.anydice import tree
from bot.rules.infinity.troopers import trooper
from bot.rules.xwing.dice import typed_sides
from bot.settings import Settings
from bot.ui.commands import saved_rolls
from tests.grammars import texts
from tests.ports import free_port
from tests.wire.commands import Attached
from tests.wire.interactions import AUTOCOMPLETE, Answer
from tests.wire.process import mebibytes
from tests.wire.wire import Wire
from tests.wire.world import GUILD_ID, OWNER, Channel, Person, snowflake

FILES: Final = ("cards, 8 MB of ships", "cards, 8 MB of lists", "squad, 200 kB", "army, 2 MB nested")
WATCHERS: Final = 400
"""People who watch one table; the server may have so many in all."""
ASKING: Final = 20
"""Clients that ask for pages without a pause."""
PLAYERS: Final = 40
"""People of the server in which nobody does anything bad: each of them once in two seconds."""
EACH: Final = 3
"""People of a kind."""
TEXTS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("xwing odds", {"dice": 3, "agility": 2, "against": texts(typed_sides.LONGEST)["sums of dice"]}),
    ("ruleset set", {"setting": texts(100)["accents"], "value": "on"}),
    ("saved add", {"name": "Croc", "roll": texts(saved_rolls.MAX_LINE)["accents"]}),
    ("infinity profile set", {"name": "Croc", "stats": texts(trooper.MAX_LINE)["states"]}),
    ("roll", {"dice": texts(tree.MAX_TEXT)["quotes"]}),
)
"""The five texts that hold the event loop for most steps; see tests/cogs/test_cost.py."""
LARGE: Final = {"dice": "10#5d20kh3+4d6"}
READS: Final = 0.05
"""Seconds until somebody sends the next thing."""

Act = Callable[[], Awaitable[Answer]]


class Worst:
    """The other server: what its people do, and how they were answered."""

    def __init__(self, wire: Wire, pages: str) -> None:
        self.wire, self.pages = wire, pages
        self.here = Channel(snowflake(), "elsewhere", guild_id=GUILD_ID + 7)
        self.crowd = iter(people(500, 1_000))
        self.answers = Counter[str]()
        self.numbers = count()
        self.kinds: Mapping[str, Callable[[], list[Awaitable[None]]]] = {
            "files": self.files,
            "odds": lambda: [self.again(self.command("xwing odds", HEAVY)) for _ in range(EACH)],
            "pictures": lambda: [self.again(self.command("roll", LARGE)) for _ in range(EACH)],
            "watchers": lambda: [self.watch()],
            "suggestions": lambda: [self.again(self.suggestions()) for _ in range(EACH)],
            "texts": lambda: [self.type_texts()],
        }

    async def again(self, act: Act, pause: float = READS) -> None:
        """Do something again and again, for ever."""
        while True:
            answer = await act()
            self.answers["refused" if answer.ephemeral else "answered"] += 1
            await asyncio.sleep(pause)

    async def type_texts(self) -> None:
        """Type one of the texts that cost most, once a second."""
        turns = cycle(self.command(name, options) for name, options in TEXTS)
        await self.again(lambda: next(turns)(), pause=1.0)

    def command(self, name: str, options: Mapping[str, Any]) -> Act:
        person = next(self.crowd)
        return lambda: self.wire.slash(person, self.here, name, **options)

    def files(self) -> list[Awaitable[None]]:
        def sent(person: Person, case: str) -> Act:
            name, options, content = cases()[case]
            assert content is not None
            key = f"{next(self.numbers)}.json"
            self.wire.rest.files[key] = content
            file = Attached(key, len(content), self.wire.file(key))
            return lambda: self.wire.slash(person, self.here, name, **options, file=file)

        return [self.again(sent(OWNER, case)) for case in FILES]

    def suggestions(self) -> Act:
        person = next(self.crowd)
        command = self.wire.rest.commands.typed("xwing odds", {"attacker": "x"})
        (subcommand,) = command["options"]
        focused = {**subcommand, "options": [{**subcommand["options"][0], "focused": True}]}
        typed = {**command, "options": [focused]}
        return lambda: self.wire.send(self.wire.interactions.open(AUTOCOMPLETE, person, self.here), typed)

    async def watch(self) -> None:
        """Watch a table with as many as may, while others ask for its page without a pause and its board changes.

        They do so in a process of their own, which waits for the wire: else its answers would be measured late.
        """
        told = await self.wire.slash(OWNER, self.here, "table link")
        match = re.search(r"http://\S+", told.text)
        assert match is not None, told.text
        crowd = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.neighbors", "--crowd", match[0]), stdout=PIPE
        )
        assert crowd.stdout is not None
        rolling = asyncio.ensure_future(self.again(self.command("xwing roll", ROLLCALL_BOT.roll_options)))
        try:
            async for line in crowd.stdout:
                self.answers.update(json.loads(line))
        finally:
            rolling.cancel()
            crowd.kill()
            await crowd.wait()


async def crowd(address: str) -> None:
    """The people who watch a table, and those who ask for its page; each second it prints how they were answered."""
    step_back()
    answers = Counter[str]()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:

        async def stay() -> None:
            async with http.get(f"{address}/live", timeout=aiohttp.ClientTimeout(total=None)) as answer:
                answers[f"watcher {answer.status}"] += 1
                async for _ in answer.content.iter_any():
                    pass

        async def ask() -> None:
            while True:
                async with http.get(address) as answer:
                    await answer.read()
                    answers[f"page {answer.status}"] += 1

        async def tell() -> None:
            while True:
                await asyncio.sleep(1)
                print(json.dumps(answers), flush=True)
                answers.clear()

        await asyncio.gather(
            *(stay() for _ in range(WATCHERS)), *(ask() for _ in range(ASKING)), tell(), return_exceptions=True
        )


async def neighbors(wire: Wire, seconds: float) -> list[float]:
    """The seconds of each answer in the server whose people only play."""
    here, players = wire.channel, people(0, PLAYERS)
    took = list[float]()

    async def play(number: int) -> None:
        player = players[number % PLAYERS]
        if number % 2:
            answer = await wire.slash(player, here, "xwing roll", **ROLLCALL_BOT.roll_options)
        else:
            answer = await wire.slash(player, here, "xwing attack", **ROLLCALL_BOT.attack_options)
            with suppress(LookupError):  # some dice leave nothing to press
                answer = await wire.press(player, answer.shown, ROLLCALL_BOT.button)
        took.append(answer.seconds)

    begin, tasks = asyncio.get_running_loop().time(), list[asyncio.Task[None]]()
    for number in range(round(seconds * RATE)):
        await asyncio.sleep(begin + number / RATE - asyncio.get_running_loop().time())
        tasks.append(asyncio.ensure_future(play(number)))
    await asyncio.gather(*tasks)
    return took


async def beside(kinds: tuple[str, ...], seconds: float, core: int | None) -> tuple[list[float], Counter[str], float]:
    """The answers of the one server, how the other one was answered, and the largest memory of the bot."""
    port = free_port()
    pages = f"http://127.0.0.1:{port}"
    env = {"PUBLIC_URL": f"{pages} {port}", "PERSON_LIMIT": str(Settings.model_fields["person_limit"].default)}
    async with Wire(record=False, patience=90) as wire:
        bot = await wire.start_bot(env=env, core=core)
        await bot.logged("all that answers share is made")
        await neighbors(wire, min(seconds, 5.0))  # warms up
        worst = Worst(wire, pages)
        tasks = [asyncio.ensure_future(item) for kind in kinds for item in worst.kinds[kind]()]
        await asyncio.sleep(1.0 if kinds else 0.0)
        took = await neighbors(wire, seconds)
        assert not [task.result() for task in tasks if task.done()], "they go on for ever"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        most = mebibytes(bot.pid, "VmHWM")
        await bot.kill()
        wire.rest.sent.clear()
        wire.rest.refusals.clear()
    return took, worst.answers, most


async def measure(seconds: float, kinds: list[str]) -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
    core, idle = cores[1] if len(cores) > 1 else None, 0.0
    each = tuple(kinds or ("files", "odds", "pictures", "watchers", "suggestions", "texts"))
    print(f"{'the other server':20}{'p50, ms':>10}{'p99, ms':>10}{'times idle':>12}{'bot, MiB':>10}  its answers")
    for case in ((), *((kind,) for kind in each), each):
        took, answers, most = await beside(case, seconds, core)
        slow = p99(took) * 1000
        idle = idle or slow
        name = "nothing" if not case else case[0] if len(case) == 1 else "all at once"
        said = ", ".join(f"{number} {how}" for how, number in sorted(answers.items()))
        print(
            f"{name:20}{statistics.median(took) * 1000:10.1f}{slow:10.1f}{slow / idle:12.2f}{most:10.0f}  {said}",
            flush=True,
        )


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.neighbors", description="One server, beside a bad one.")
    parts.add_argument("--seconds", type=float, default=300.0, help="of each case (default 300)")
    parts.add_argument("kinds", nargs="*", metavar="KIND", help="files, odds, pictures, watchers, suggestions, texts")
    parts.add_argument("--crowd", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parts.parse_args()
    if options.crowd:
        asyncio.run(crowd(options.crowd))
        return
    asyncio.run(measure(options.seconds, options.kinds))


if __name__ == "__main__":
    main()

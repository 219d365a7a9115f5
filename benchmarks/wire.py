"""Interaction to answer over a loopback Discord: Rollcall beside a bare discord.py bot, in the same run.

``python -m benchmarks.wire [--rounds N]``. The wire has one processor core, the bot under test another; the two bots
take turns, and each figure is the median over the rounds. An answer's time runs from the interaction leaving the wire
to the bot's answer, picture and all, having arrived there. Commands and presses come by turns: Rollcall opens an
attack (stored, painted), then its attacker presses Done (read, judged, stored, painted); the bare bot sends the same
embed every time, with a picture of the size that Rollcall's have on average.

Then every command that Rollcall has, at the same pace, beside the bare bot's one.
"""

import argparse
import asyncio
import gc
import os
import re
import statistics
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.wire.messages import Message
from tests.wire.process import BotProcess
from tests.wire.wire import ROLLCALL, Wire
from tests.wire.world import Json

PACED_SECONDS = 3.0
EACH_COMMAND = 30
EACH_WARM_UP = 150
FLAT_OUT_SECONDS = 2.5
FLAT_OUT_AT_ONCE = 16
WARM_UP = 40
SUBCOMMANDS = (1, 2)
"""Option types of Discord: a subcommand, and a group of them."""
TICKS = os.sysconf("SC_CLK_TCK")

Figures = dict[str, float]


@dataclass(slots=True)
class Subject:
    """A bot to be measured, and what people do with it."""

    name: str
    module: Sequence[str]
    command: str
    options: Mapping[str, Any]
    button: str
    settled: str = ""
    """What its log says when everything that a start brings along is done; what comes later is measured."""
    env: dict[str, str] = field(default_factory=dict)


ROLLCALL_BOT = Subject(
    "Rollcall",
    ROLLCALL,
    "xwing attack",
    {"dice": 4, "agility": 3, "with_": "focus, lock", "against": "focus, evade, reroll 1 green"},
    "Done",
    "emoji of dice:",
)
BARE_BOT = Subject("bare", ("benchmarks.bare_bot",), "roll", {}, "Again")

SOLDIER = {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3}
COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "xwing attack": ROLLCALL_BOT.options,
    "xwing odds": {"dice": 4, "agility": 3, "with_": "focus, lock", "against": "focus, evade"},
    "xwing roll": {"red": 4, "green": 3},
    "infinity roll": {"sv": 12, "burst": 4, "mods": "-3"},
    "infinity versus": {"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 2},
    "infinity odds": {"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 2},
    "infinity order": {"text": "Angus 12 b2 vs Ortega 11; Angus 12 b1 vs Diaz 11; Murat 13 normal vs Angus"},
    "infinity save": {"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3},
    "warsurge attack": {"power": 3, "defence": 6, "dice": 8, "method": "balanced", "save": "5+"},
    "warsurge odds": {"power": 3, "defence": 6, "dice": 8, "method": "balanced", "save": "5+"},
    "warsurge compare": {"power": 9, "defence": 3, "dice": 5},
    "warsurge chart": {"power": 3, "defence": 6},
    "albion attack": SOLDIER,
    "albion odds": SOLDIER,
}
"""Every command that rolls or counts, as somebody might type it."""

UNMEASURED = re.compile(
    "help|about|fairness|luck|prefer|(table|ruleset|privacy) .*|.* profile .*"
    "|xwing (ship|token) .*|xwing (lock|unlock|engage|endphase)"
)
"""What needs a table as it happens to stand, or only shows pages."""

AIM = 2.5
ROWS = (
    ("20/s: command, median", "ms", AIM),
    ("20/s: press, median", "ms", AIM),
    ("20/s: p99", "ms", None),
    ("200/s: command, median", "ms", AIM),
    ("200/s: press, median", "ms", AIM),
    ("200/s: p99", "ms", None),
    ("200/s: CPU an answer", "ms", 4.0),
    ("flat out: CPU an answer", "ms", 4.0),
    ("flat out: answers", "/s", None),
    ("refused as too busy", "", None),
    ("start to READY, first", "s", None),
    ("start to READY, again", "s", None),
    ("idle memory", "MiB", None),
    ("memory after the load", "MiB", None),
    ("size of a picture", "kB", None),
)
"""Name, unit, and how many times the bare bot's figure we aim to stay within."""
COMMAND = "20/s: command, median"
"""The row of the bare bot that every command is held against."""


class Table:
    """People at one bot: commands and presses by turns, every answer timed."""

    def __init__(self, wire: Wire, subject: Subject) -> None:
        self._wire = wire
        self._subject = subject
        self._shown: deque[Message] = deque()
        self.commands: list[float] = []
        self.presses: list[float] = []
        self.picture_bytes: list[int] = []
        self.refused = 0

    async def turn(self, number: int) -> None:
        """One interaction and its answer: an even turn types, an odd one presses what was shown longest ago."""
        wire, subject = self._wire, self._subject
        if number % 2 and self._shown:
            answer = await wire.press(wire.people[0], self._shown.popleft(), subject.button)
            times = self.presses
        else:
            answer = await wire.slash(wire.people[0], wire.channel, subject.command, **subject.options)
            times = self.commands
        if answer.ephemeral:  # "busy just now, please try again"
            self.refused += 1
            return
        times.append(answer.seconds)
        if times is self.commands:
            self._shown.append(answer.shown)
        self.picture_bytes.append(len(answer.shown.attachments[0].data))

    async def paced(self, per_second: int) -> None:
        """Interactions at a steady rate, however long each answer takes."""
        begin = asyncio.get_running_loop().time()
        tasks = []
        for number in range(round(per_second * PACED_SECONDS)):
            await asyncio.sleep(begin + number / per_second - asyncio.get_running_loop().time())
            tasks.append(asyncio.ensure_future(self.turn(number)))
        await asyncio.gather(*tasks)

    async def each(self, commands: Mapping[str, Mapping[str, Any]]) -> Figures:
        """The median answer of each command in milliseconds, all by turns at 20 a second."""
        wire, seconds = self._wire, {line: list[float]() for line in commands}

        async def typed(line: str) -> None:
            answer = await wire.slash(wire.people[0], wire.channel, line, **commands[line])
            assert not answer.ephemeral, f"/{line} was refused: {answer.text}"
            seconds[line].append(answer.seconds)

        for line in list(commands) * EACH_WARM_UP:  # a bot that has run for a while has drawn most faces before
            await typed(line)
        for times in seconds.values():
            times.clear()
        begin = asyncio.get_running_loop().time()
        tasks = []
        for number, line in enumerate(list(commands) * EACH_COMMAND):
            await asyncio.sleep(begin + number / 20 - asyncio.get_running_loop().time())
            tasks.append(asyncio.ensure_future(typed(line)))
        await asyncio.gather(*tasks)
        return {line: statistics.median(times) * 1000 for line, times in seconds.items()}

    async def flat_out(self) -> float:
        """As many answers as it will give; returns them per second."""
        begin = time.perf_counter()

        async def person() -> int:
            turns = 0
            while time.perf_counter() - begin < FLAT_OUT_SECONDS:
                await self.turn(turns)
                turns += 1
            return turns

        done = await asyncio.gather(*(person() for _ in range(FLAT_OUT_AT_ONCE)))
        return sum(done) / (time.perf_counter() - begin)

    def forget(self) -> None:
        """Start counting anew."""
        self.commands.clear()
        self.presses.clear()
        gc.collect()

    @property
    def answers(self) -> int:
        return len(self.commands) + len(self.presses)


def every_command(wire: Wire) -> dict[str, Mapping[str, Any]]:
    """The commands that the bot registered, with what is typed; SystemExit if ``COMMANDS`` lacks one."""
    every = [line for command in wire.rest.commands.listed(None) for line in lines(command)]
    registered = [line for line in every if not UNMEASURED.fullmatch(line)]
    if missing := [line for line in registered if line not in COMMANDS]:
        raise SystemExit(f"say in COMMANDS what is typed for: {', '.join(missing)}")
    return {line: COMMANDS[line] for line in registered}


def lines(command: Json, before: str = "") -> list[str]:
    """A command as it is typed, or each of its subcommands."""
    name, options = f"{before}{command['name']}", command.get("options") or ()
    subcommands = [option for option in options if option["type"] in SUBCOMMANDS]
    return [line for sub in subcommands for line in lines(sub, f"{name} ")] if subcommands else [name]


def cpu_seconds(bot: BotProcess) -> float:
    """User and system time of the process and its threads so far (proc(5), stat fields 14 and 15)."""
    words = Path(f"/proc/{bot.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


def memory(bot: BotProcess) -> float:
    """Resident memory in MiB."""
    lines = Path(f"/proc/{bot.pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def p99(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=100, method="inclusive")[98]


async def one_round(subject: Subject, core: int | None) -> Figures:
    """Everything about one bot, once, on a wire and a database of its own."""
    figures: Figures = {}
    async with Wire(record=False, patience=30) as wire:
        bot = await wire.start_bot(subject.module, subject.env, core=core)
        figures["start to READY, first"] = bot.ready_after
        await bot.kill()
        bot = await wire.start_bot(subject.module, subject.env, core=core)
        figures["start to READY, again"] = bot.ready_after
        while subject.settled not in bot.log():  # noqa: ASYNC110 - a log tells nobody when it grows
            await asyncio.sleep(0.1)
        await asyncio.sleep(1)
        figures["idle memory"] = memory(bot)
        table = Table(wire, subject)
        for number in range(WARM_UP):
            await table.turn(number)
        for rate in (20, 200):
            table.forget()
            before = cpu_seconds(bot)
            await table.paced(rate)
            figures[f"{rate}/s: command, median"] = statistics.median(table.commands) * 1000
            figures[f"{rate}/s: press, median"] = statistics.median(table.presses) * 1000
            figures[f"{rate}/s: p99"] = p99(table.commands + table.presses) * 1000
            figures[f"{rate}/s: CPU an answer"] = (cpu_seconds(bot) - before) / table.answers * 1000
        table.forget()
        before = cpu_seconds(bot)
        figures["flat out: answers"] = await table.flat_out()
        figures["flat out: CPU an answer"] = (cpu_seconds(bot) - before) / table.answers * 1000
        figures["refused as too busy"] = table.refused
        figures["memory after the load"] = memory(bot)
        figures["size of a picture"] = statistics.mean(table.picture_bytes) / 1000
        if subject is ROLLCALL_BOT:
            figures |= await table.each(every_command(wire))
    return figures


async def measure(rounds: int) -> dict[str, list[Figures]]:
    """The figures of each bot, round by round. The wire keeps the first core, the bot under test has the second."""
    cores = sorted(os.sched_getaffinity(0))
    bot_core = None
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
        bot_core = cores[1]
    else:
        print("only one processor core: the wire and the bots share it, the figures are too high")
    print(f"{len(cores)} cores, load average at the start {os.getloadavg()[0]:.2f} (a busy machine spoils the figures)")
    gc.disable()  # the wire's own collections would show as the bots' slowest answers
    measured: dict[str, list[Figures]] = {ROLLCALL_BOT.name: [], BARE_BOT.name: []}
    for number in range(rounds):
        for subject in (ROLLCALL_BOT, BARE_BOT):
            print(f"round {number + 1} of {rounds}: {subject.name}", flush=True)
            figures = await one_round(subject, bot_core)
            measured[subject.name].append(figures)
            if subject is ROLLCALL_BOT:
                BARE_BOT.env["PICTURE_BYTES"] = str(round(figures["size of a picture"] * 1000))
    return measured


def report(measured: Mapping[str, Sequence[Figures]]) -> str:
    """The table: the median of each figure over the rounds, and what the game costs as a ratio."""
    lines = [f"{'':28}{'bare':>10}{'Rollcall':>10}{'ratio':>8}"]
    for name, unit, aim in ROWS:
        bare, ours = (statistics.median(f[name] for f in measured[bot.name]) for bot in (BARE_BOT, ROLLCALL_BOT))
        digits = 0 if max(bare, ours) >= 100 else 2
        goal = "" if aim is None else f"   aim: within {aim:g}"
        ratio = f"{ours / bare:.2f}" if bare else ""
        lines.append(f"{name:28}{bare:>10.{digits}f}{ours:>10.{digits}f}{ratio:>8} {unit:4}{goal}")
    lines.append("aims besides: READY within 1 s, idle memory under 110 MiB")
    lines += ["", "each command at 20/s, median, beside the bare bot's one"]
    bare = statistics.median(figures[COMMAND] for figures in measured[BARE_BOT.name])
    for command in (line for line in COMMANDS if line in measured[ROLLCALL_BOT.name][0]):
        ours = statistics.median(figures[command] for figures in measured[ROLLCALL_BOT.name])
        lines.append(f"/{command:27}{bare:>10.2f}{ours:>10.2f}{ours / bare:>8.2f} ms     aim: within {AIM:g}")
    return "\n".join(lines)


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.wire", description="Interaction to answer, timed.")
    parts.add_argument("--rounds", type=int, default=3, help="how often each bot is measured (default 3, 25 s each)")
    print(report(asyncio.run(measure(parts.parse_args().rounds))))


if __name__ == "__main__":
    main()

"""Interaction to answer over a loopback Discord: Rollcall beside a bare discord.py bot, in the same run.

``python -m benchmarks.wire [--rounds N]``. The wire has one processor core, the bot under test another; the two bots
take turns, and each figure is the median over the rounds. An answer's time runs from the interaction leaving the wire
to the bot's answer, picture and all, having arrived there. CPU is that of the bot and of all processes that it started,
user and system time. An attack is a command (stored, painted), a press is its attacker's Done (read, judged, stored,
painted), a roll is `/xwing roll`; the mix is one after the other. The bare bot sends the same embed every time, with a
picture of the size that Rollcall's have on average.

Paced is 20 interactions a second, flat out is as many as the bot answers with 8 under way. Then every command that
Rollcall has, each by itself at 20 a second, beside the bare bot's one; and what else people wait for: advice, a secret
roll, an attack and a press at a sealed table, and presses on a board with two ships, a token and Undo in turn.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import re
import statistics
import time
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.share import cpu_clock
from tests.wire.interactions import Answer
from tests.wire.messages import Message
from tests.wire.process import BotProcess
from tests.wire.wire import ROLLCALL, Wire
from tests.wire.world import Channel, Json

PACED_SECONDS = 3.0
RATE = 20
"""Interactions a second."""
EACH_COMMAND = 40
EACH_WARM_UP = 60
FLAT_OUT_SECONDS = 2.0
FLAT_OUT_AT_ONCE = 8
WARM_UP = 200
TYPED = 1
"""Type of a command that people type, not one of a menu."""
SUBCOMMANDS = (1, 2)
"""Option types of Discord: a subcommand, and a group of them."""

Figures = dict[str, float]


@dataclass(slots=True)
class Subject:
    """A bot to be measured, and what people do with it: the command that is pressed later, its button, another one."""

    name: str
    module: Sequence[str]
    attack: str
    attack_options: Mapping[str, Any]
    button: str
    roll: str
    roll_options: Mapping[str, Any]
    settled: str = ""
    """What its log says when everything that a start brings along is done; what comes later is measured."""
    env: dict[str, str] = field(default_factory=dict)


ROLLCALL_BOT = Subject(
    "Rollcall",
    ROLLCALL,
    "xwing attack",
    {"dice": 4, "agility": 3, "with_": "focus, lock", "against": "focus, evade, reroll 1 green"},
    "Done",
    "xwing roll",
    {"red": 4, "green": 3},
    "all that answers share is made",
)
BARE_BOT = Subject("bare", ("benchmarks.bare_bot",), "roll", {}, "Again", "roll", {})

SOLDIER = {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3}
COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "xwing attack": ROLLCALL_BOT.attack_options,
    "xwing odds": {"dice": 4, "agility": 3, "with_": "focus, lock", "against": "focus, evade"},
    "xwing roll": ROLLCALL_BOT.roll_options,
    "infinity roll": {"sv": 12, "burst": 4, "mods": "-3"},
    "infinity versus": {"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 2},
    "infinity odds": {"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 2},
    "infinity order": {"text": "Angus 12 b2 vs Ortega 11; Angus 12 b1 vs Diaz 11; Murat 13 normal vs Angus"},
    "infinity save": {"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3},
    "warsurge attack": {"power": 3, "defence": 6, "dice": 8, "method": "balanced", "save": "5+"},
    "warsurge odds": {"power": 3, "defence": 6, "dice": 8, "method": "balanced", "save": "5+"},
    "warsurge compare": {"power": 9, "defence": 3, "dice": 5},
    "warsurge chart": {"power": 3, "defence": 6},
    "roll": {"dice": "4d6kh3"},
    "contest": {"dice": "1d20+5", "their_dice": "1d20+3"},
    "duel attack": {"game": "legion", "line": "3r, aim 1, red saves"},
    "duel odds": {"game": "legion", "line": "3r, aim 1, red saves"},
    "albion attack": SOLDIER,
    "albion odds": SOLDIER,
}
"""Every command that rolls or counts, as somebody might type it."""

UNMEASURED = re.compile(
    "help|about|fairness|luck|prefer|(table|ruleset|privacy|initiative|saved) .*|.* profile .*|infinity marker"
    "|duel import|xwing (ship|token|card) .*"
    "|xwing (squad|cards|lock|unlock|phase|engage|endphase|hazard|damage|remote|score)"
)
"""What needs a table as it happens to stand, or only shows pages."""

ADVICE, SECRET = "press Advice", "/roll in secret"
SEALED, SEALED_PRESS = "attack, sealed", "press, sealed"
BOARD = "press on a board"
FURTHER = (ADVICE, SECRET, SEALED, SEALED_PRESS, BOARD)
"""What is measured beside the commands."""
PRIVATE = (ADVICE, SECRET)
"""What is answered to one person alone, and is no refusal all the same."""
SQUADS = ("lukeskywalker", "darthvader")

PACED, FLAT_ATTACK, FLAT_ROLL, SLOWEST, EACH = 2.2, 5.2, 4.0, 3.0, 3.0
"""How many times the bare bot's figure an answer may cost: CPU paced and flat out, p99, and any command paced."""
ROWS = (
    ("20/s: attack, median", "ms", None),
    ("20/s: press, median", "ms", None),
    ("20/s: roll, median", "ms", None),
    ("20/s: p99", "ms", SLOWEST),
    ("20/s: CPU of an attack", "ms", PACED),
    ("20/s: CPU of a press", "ms", PACED),
    ("20/s: CPU of a roll", "ms", PACED),
    ("flat out: CPU of an attack", "ms", FLAT_ATTACK),
    ("flat out: CPU of a roll", "ms", FLAT_ROLL),
    ("flat out: CPU of the mix", "ms", None),
    ("flat out: attacks", "/s", None),
    ("flat out: rolls", "/s", None),
    ("flat out: the mix", "/s", None),
    ("refused as too busy", "", None),
    ("start to READY, first", "s", None),
    ("start to READY, again", "s", None),
    ("idle memory", "MiB", None),
    ("memory after the load", "MiB", None),
    ("size of a picture", "kB", None),
)
"""Name, unit, and how many times the bare bot's figure we aim to stay within."""
COMMAND = "20/s: attack, median"
COMMAND_CPU = "20/s: CPU of an attack"
"""The rows of the bare bot that every command is held against."""

Act = Callable[[], Coroutine[Any, Any, Answer]]


class Table:
    """People at one bot, every answer timed."""

    def __init__(self, wire: Wire, subject: Subject, bot: BotProcess) -> None:
        self._wire = wire
        self._subject = subject
        self._bot = bot
        self._shown: deque[Message] = deque()
        self._board: Message | None = None
        self._board_presses = 0
        self.picture_bytes: list[int] = []
        self.refused = 0

    async def command(self, line: str, options: Mapping[str, Any], channel: Channel | None = None) -> Answer:
        return await self._wire.slash(self._wire.people[0], channel or self._wire.channel, line, **options)

    async def attack(self) -> Answer:
        answer = await self.command(self._subject.attack, self._subject.attack_options)
        if not answer.ephemeral:
            self._shown.append(answer.shown)
        return answer

    async def roll(self) -> Answer:
        return await self.command(self._subject.roll, self._subject.roll_options)

    async def press(self) -> Answer:
        """Press what was shown longest ago."""
        return await self._wire.press(self._wire.people[0], self._shown.popleft(), self._subject.button)

    async def ask_advice(self) -> Answer:
        """Ask for advice on the newest attack."""
        return await self._wire.press(self._wire.people[0], self._shown[-1], "Advice")

    async def attack_sealed(self) -> Answer:
        answer = await self.command(self._subject.attack, self._subject.attack_options, self._wire.voice)
        self._shown.append(answer.shown)
        return answer

    async def press_board(self) -> Answer:
        """A token for the ship that the board shows, or that taken back again."""
        assert self._board is not None, "it was posted first"
        self._board_presses += 1
        button = "Focus" if self._board_presses % 2 else "Undo"
        return await self._wire.press(self._wire.people[0], self._wire.now(self._board), button)

    async def post_board(self) -> None:
        for number, pilot in enumerate(SQUADS):
            text = json.dumps({"pilots": [{"id": pilot}]})
            await self._wire.slash(self._wire.people[number], self._wire.channel, "xwing squad", text=text)
        self._board = (await self.command("table show", {})).shown

    async def timed(self, act: Act, *, is_private: bool = False) -> float | None:
        """The seconds of one answer; None if it is a refusal ("busy just now, please try again")."""
        answer = await act()
        if answer.ephemeral and not is_private:
            self.refused += 1
            return None
        if answer.shown.attachments:
            self.picture_bytes.append(len(answer.shown.attachments[0].data))
        return answer.seconds

    async def paced(self, act: Act, times: int, *, is_private: bool = False) -> tuple[list[float], float]:
        """The seconds of answers at a steady rate, however long each takes, and the CPU seconds of one."""
        gc.collect()
        before, begin = cpu_seconds(self._bot), asyncio.get_running_loop().time()
        tasks = []
        for number in range(times):
            await asyncio.sleep(begin + number / RATE - asyncio.get_running_loop().time())
            tasks.append(asyncio.ensure_future(self.timed(act, is_private=is_private)))
        seconds = [item for item in await asyncio.gather(*tasks) if item is not None]
        return seconds, (cpu_seconds(self._bot) - before) / times

    async def flat_out(self, *acts: Act) -> tuple[float, float]:
        """As many answers as it will give, of these acts by turns: how many a second, and the CPU seconds of one."""
        gc.collect()
        before, begin = cpu_seconds(self._bot), time.perf_counter()

        async def person() -> int:
            turns = 0
            while time.perf_counter() - begin < FLAT_OUT_SECONDS:
                for act in acts:
                    await self.timed(act)
                    turns += 1
            return turns

        done = sum(await asyncio.gather(*(person() for _ in range(FLAT_OUT_AT_ONCE))))
        return done / (time.perf_counter() - begin), (cpu_seconds(self._bot) - before) / done

    async def measure(self) -> Figures:
        """The paced and the flat-out figures."""
        figures: Figures = {}
        for _ in range(WARM_UP):
            for act in (self.attack, self.press, self.roll):
                await self.timed(act)
        every: list[float] = []
        times = round(RATE * PACED_SECONDS)
        for name, act in (("attack", self.attack), ("press", self.press), ("roll", self.roll)):
            seconds, cpu = await self.paced(act, times)
            every += seconds
            figures[f"20/s: {name}, median"] = statistics.median(seconds) * 1000
            figures[f"20/s: CPU of a{'n' * (name == 'attack')} {name}"] = cpu * 1000
        figures["20/s: p99"] = p99(every) * 1000
        figures["flat out: attacks"], cpu = await self.flat_out(self.attack)
        figures["flat out: CPU of an attack"] = cpu * 1000
        figures["flat out: rolls"], cpu = await self.flat_out(self.roll)
        figures["flat out: CPU of a roll"] = cpu * 1000
        figures["flat out: the mix"], cpu = await self.flat_out(self.attack, self.press, self.roll)
        figures["flat out: CPU of the mix"] = cpu * 1000
        return figures

    async def each(self, commands: Mapping[str, Mapping[str, Any]]) -> Figures:
        """The median answer of each command, and of what else people wait for, and their CPU, in milliseconds."""
        await self.attack()
        await seal(self._wire, self._wire.voice)
        acts: dict[str, Act] = {line: partial(self.command, line, options) for line, options in commands.items()}
        acts |= {ADVICE: self.ask_advice, SECRET: partial(self.command, "roll", {"dice": "4d6kh3", "secret": True})}
        figures: Figures = {}
        for line, act in acts.items():
            figures |= await self.one_of_each(line, act)
        self._shown.clear()
        figures |= await self.one_of_each(SEALED, self.attack_sealed)
        figures |= await self.one_of_each(SEALED_PRESS, self.press)
        await self.post_board()
        return figures | await self.one_of_each(BOARD, self.press_board)

    async def one_of_each(self, line: str, act: Act) -> Figures:
        is_private = line in PRIVATE
        for _ in range(EACH_WARM_UP):  # a bot that has run for a while has drawn most faces before
            await self.timed(act, is_private=is_private)
        seconds, cpu = await self.paced(act, EACH_COMMAND, is_private=is_private)
        # Dice may leave the attacker nothing to do, and on a busy machine a press may come before a board has changed.
        least = EACH_COMMAND // 2 if line in (SEALED_PRESS, BOARD) else EACH_COMMAND
        assert len(seconds) >= least, f"{line} was refused"
        return {line: statistics.median(seconds) * 1000, cpu_of(line): cpu * 1000}


async def seal(wire: Wire, channel: Channel) -> None:
    """Seal the table of a channel with one word."""
    ana = wire.people[0]
    asked = await wire.follow_up(await wire.slash(ana, channel, "table seal"))
    form = (await wire.press(ana, asked, "Give a seed word")).modal
    await wire.submit(ana, form, {"word": "luck"})
    await wire.press(ana, wire.now(asked), "Seal")


def cpu_of(line: str) -> str:
    """The name of the figure beside a command's own."""
    return f"CPU of {line}"


def every_command(wire: Wire) -> dict[str, Mapping[str, Any]]:
    """The commands that the bot registered, with what is typed; SystemExit if ``COMMANDS`` lacks one."""
    typed = [command for command in wire.rest.commands.listed(None) if command.get("type", TYPED) == TYPED]
    every = [line for command in typed for line in lines(command)]
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
    """User and system time so far of the process with its threads, and of the processes that it started."""
    return sum(time.clock_gettime(cpu_clock(pid)) for pid in (bot.pid, *children(bot.pid)))


def children(pid: int) -> list[int]:
    """The processes whose parent is this one (proc(5), stat field 4)."""
    result = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            words = file.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            if int(words[1]) == pid:
                result.append(int(file.parent.name))
    return result


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
        table = Table(wire, subject, bot)
        figures |= await table.measure()
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
    """The tables as docs/speed.md has them: the median of each figure over the rounds, beside the bare bot's."""
    lines = ["| | bare | Rollcall | ratio | goal |", "|---|---|---|---|---|"]
    for name, unit, aim in ROWS:
        bare, ours = (statistics.median(f[name] for f in measured[bot.name]) for bot in (BARE_BOT, ROLLCALL_BOT))
        ratio = f"{ours / bare:.2f}" if bare else ""
        what = f"{name}, {unit}" if unit else name
        lines.append(f"| {what} | {rounded(bare)} | {rounded(ours)} | {ratio} | {'' if aim is None else f'{aim:g}'} |")
    every = [line for line in (*COMMANDS, *FURTHER) if line in measured[ROLLCALL_BOT.name][0]]
    return "\n".join([*lines, "", *beside(measured, every)])


def beside(measured: Mapping[str, Sequence[Figures]], every: Collection[str]) -> list[str]:
    """Each command beside the bare bot's one, what is above the aim marked with ``!``."""
    bare = [statistics.median(item[row] for item in measured[BARE_BOT.name]) for row in (COMMAND, COMMAND_CPU)]
    lines = ["| at 20/s | median, ms | ratio | CPU, ms | ratio |", "|---|---|---|---|---|"]
    for line in every:
        ours = [statistics.median(item[name] for item in measured[ROLLCALL_BOT.name]) for name in (line, cpu_of(line))]
        ratios = [result / other for result, other in zip(ours, bare, strict=True)]
        cells = [f"{result:.1f} | {ratio:.2f}" for result, ratio in zip(ours, ratios, strict=True)]
        name, mark = line if line in FURTHER else f"`/{line}`", " !" if max(ratios) > EACH else ""
        lines.append(f"| {name}{mark} | {' | '.join(cells)} |")
    return lines


def rounded(figure: float) -> str:
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.2f}"


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.wire", description="Interaction to answer, timed.")
    parts.add_argument("--rounds", type=int, default=3, help="how often each bot is measured (default 3, 100 s each)")
    print(report(asyncio.run(measure(parts.parse_args().rounds))))


if __name__ == "__main__":
    main()

"""How long everybody else waits while a few people keep large questions open.

``python -m benchmarks.hammer [--rounds N]``. One bot on one processor core, the wire on the other. One person, or
three, keep 0, 1, 2, 6 or 12 of the heaviest ``/xwing odds`` open: each is asked again as soon as it is answered. A
refusal is an answer too; the next question comes when the person has read it. Meanwhile others roll, press, get
suggestions and ask for plain odds, one after the other, 20 a second. Medians and 99th percentiles in milliseconds, the
median of the rounds.

Then 200 people press the same button at once: how many presses count, come late, and meet a busy store; how long the
last of them waits, and what one costs.
"""

import argparse
import asyncio
import gc
import os
import statistics
from collections.abc import Mapping
from typing import Any, Final

from benchmarks.wire import RATE, ROLLCALL_BOT, cpu_seconds, p99
from tests.wire.interactions import AUTOCOMPLETE
from tests.wire.process import BotProcess
from tests.wire.wire import Wire
from tests.wire.world import OWNER, Person

HEAVY: Final = {
    "dice": 6,
    "agility": 6,
    "with_": "focus, lock, calculate 2, force 2, reroll 1 red, reroll 2 red",
    "or_": "lock, calculate 2, force 2, reroll 1 red, reroll 2 red",
    "against": "focus, calculate, evade 2, reroll 1 green, reroll 2 green",
    "shots": 2,
    "hull": 6,
}
"""As large as the limit allows, about: two line-ups, each with two attacks in a row."""
PLAIN: Final = {"dice": 3, "agility": 2, "with_": "focus", "against": "evade"}
HAMMERS: Final = ((0, 1), (1, 1), (2, 1), (6, 1), (12, 1), (6, 3), (12, 3))
"""Open questions, and the people who share them."""
TURNS: Final = 60
"""Of each of the four things that everybody else does."""
CROWD: Final = 200
READING: Final = 1.0
"""Seconds in which somebody reads a refusal before asking again."""
WHAT: Final = ("roll", "press", "autocomplete", "plain odds")


def people(first: int, count: int) -> list[Person]:
    """People who are not on the wire's list; the bot asks nobody who they are."""
    return [Person(OWNER.id + 1_000 + first + number, f"P{first + number}") for number in range(count)]


async def ask(wire: Wire, person: Person) -> None:
    """Keep one large question open, for ever."""
    while True:
        answer = await wire.slash(person, wire.channel, "xwing odds", **HEAVY)
        if answer.ephemeral:
            await asyncio.sleep(READING)


async def everybody_else(wire: Wire) -> Mapping[str, list[float]]:
    """The seconds of each answer, by what was asked."""
    seconds: dict[str, list[float]] = {what: [] for what in WHAT}
    here, (roller, attacker, typist, asker) = wire.channel, people(0, 4)
    command = wire.rest.commands.typed("xwing odds", {"attacker": "x"})
    subcommand = command["options"][0]
    being_typed = {**subcommand, "options": [{**subcommand["options"][0], "focused": True}]}
    suggest = {**command, "options": [being_typed]}
    attack = ROLLCALL_BOT.attack_options
    shown = [(await wire.slash(attacker, here, "xwing attack", **attack)).shown for _ in range(TURNS)]

    async def timed(what: str) -> None:
        if what == "roll":
            answer = await wire.slash(roller, here, "xwing roll", **ROLLCALL_BOT.roll_options)
        elif what == "press":
            answer = await wire.press(attacker, shown.pop(), "Done")
        elif what == "autocomplete":
            answer = await wire.send(wire.interactions.open(AUTOCOMPLETE, typist, here), suggest)
        else:
            answer = await wire.slash(asker, here, "xwing odds", **PLAIN)
        assert not answer.ephemeral, answer.text
        seconds[what].append(answer.seconds)

    begin, tasks = asyncio.get_running_loop().time(), []
    for number, what in enumerate(WHAT * TURNS):
        await asyncio.sleep(begin + number / RATE - asyncio.get_running_loop().time())
        tasks.append(asyncio.ensure_future(timed(what)))
    await asyncio.gather(*tasks)
    return seconds


async def crowd_at_one_card(wire: Wire, bot: BotProcess) -> dict[str, float]:
    """200 people press the button of one card at the same moment; the first is whose turn it is."""
    crowd = people(200, CROWD)
    answer = await wire.slash(crowd[0], wire.channel, "xwing attack", **ROLLCALL_BOT.attack_options)
    before = cpu_seconds(bot)
    answers = await asyncio.gather(*(wire.press(person, answer.shown, "Done") for person in crowd))
    figures = {"CPU of a press, ms": (cpu_seconds(bot) - before) / CROWD * 1000}
    read = [answer.text for answer in answers]
    late, busy = (sum(words in text for text in read) for words in ("out of date", "is busy"))
    slowest = max(answer.seconds for answer in answers)
    cards = sum(answer.is_update for answer in answers)
    return figures | {"late": late, "busy": busy, "cards drawn": cards, "last answer, ms": slowest * 1000}


async def one_round(core: int | None) -> dict[str, float]:
    figures: dict[str, float] = {}
    async with Wire(record=False, patience=60) as wire:
        bot = await wire.start_bot(core=core)
        while "emoji of dice:" not in bot.log():  # noqa: ASYNC110 - a log tells nobody when it grows
            await asyncio.sleep(0.1)
        await everybody_else(wire)
        for open_questions, askers in HAMMERS:
            gc.collect()
            crowd = people(100, askers)
            asking = [asyncio.ensure_future(ask(wire, crowd[at % askers])) for at in range(open_questions)]
            await asyncio.sleep(1)
            for what, seconds in (await everybody_else(wire)).items():
                figures[key(open_questions, askers, what, "p50")] = statistics.median(seconds) * 1000
                figures[key(open_questions, askers, what, "p99")] = p99(seconds) * 1000
            for task in asking:
                task.cancel()
            await asyncio.wait([*asking, asyncio.ensure_future(asyncio.sleep(1))])
        figures |= await crowd_at_one_card(wire, bot)
    return figures


def key(open_questions: int, askers: int, what: str, figure: str) -> str:
    return f"{open_questions} by {askers}, {what}, {figure}"


async def measure(rounds: int) -> list[dict[str, float]]:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
    gc.disable()
    return [await one_round(cores[1] if len(cores) > 1 else None) for _ in range(rounds)]


def report(measured: list[dict[str, Any]]) -> str:
    lines = [f"{'open questions':20}" + "".join(f"{what:>24}" for what in WHAT)]
    lines.append(f"{'':20}" + f"{'p50':>12}{'p99':>12}" * len(WHAT))
    for open_questions, askers in HAMMERS:
        name = f"{open_questions}" + (f" by {askers}" if open_questions else "")
        cells = [
            statistics.median(item[key(open_questions, askers, what, figure)] for item in measured)
            for what in WHAT
            for figure in ("p50", "p99")
        ]
        lines.append(f"{name:20}" + "".join(f"{cell:12.1f}" for cell in cells))
    lines.append(f"{CROWD} presses on one card at once")
    names = ("late", "busy", "cards drawn", "last answer, ms", "CPU of a press, ms")
    lines += [f"{name:20}{statistics.median(item[name] for item in measured):12.1f}" for name in names]
    return "\n".join(lines)


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.hammer", description="Everybody else, timed.")
    parts.add_argument("--rounds", type=int, default=1, help="how often all of it is measured (default 1, two minutes)")
    print(report(asyncio.run(measure(parts.parse_args().rounds))))


if __name__ == "__main__":
    main()

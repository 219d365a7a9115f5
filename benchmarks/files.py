"""How long everybody else waits, and how much memory it takes, while two people send the worst files that they can.

``python -m benchmarks.files [--rounds N] [CASE ...]``. One bot on one processor core, the wire on the other. Two people
send a file or a long text, at its limit and made to be slow, again as soon as it is answered. Meanwhile others roll, 20
a second. Shown are the median and the 99th percentile of their answers in milliseconds, and the largest memory that the
bot's process had, and all its workers together beside it, in MiB; all of it the median of the rounds.
"""

import argparse
import asyncio
import json
import os
import statistics
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from typing import Any, Final
from zipfile import ZIP_BZIP2

from benchmarks.hammer import people
from benchmarks.wire import RATE, ROLLCALL_BOT, children, p99
from tests.bombs import cards, packed
from tests.wire.commands import Attached
from tests.wire.process import BotProcess, mebibytes
from tests.wire.wire import Wire
from tests.wire.world import OWNER, Person

TURNS: Final = 100
"""Rolls of everybody else in each case."""
ARMY: Final = 2_000_000
SQUAD: Final = 200_000
RULESET: Final = 16_000


def nested(size: int) -> bytes:
    """Lists in lists, which take the most memory for their length."""
    return b"[" + b",".join([b"[[[[[]]]]]"] * (size // 11 - 1)) + b"]"


def army() -> bytes:
    """One trooper with thousands of weapons, each of which is looked for among thousands."""
    weapon = {"id": 1, "name": "W", "burst": "3", "damage": "7", "saving": "ARM", "savingNum": "1", "ammunition": 1}
    held = [{"id": 1}] * 400
    option = {"id": 1, "name": "A", "weapons": held}
    unit = {"id": 1, "name": "U", "profileGroups": [{"id": 1, "profiles": [{"bs": 12}], "options": [option]}]}
    whole: dict[str, Any] = {"units": [unit], "filters": {}, "weapons": [], "ammunitions": [{"id": 1, "name": "N"}]}
    while len(json.dumps(whole)) < ARMY - 100_000:
        whole["weapons"] += [{**weapon, "name": f"W{at}"} for at in range(500)]
    return json.dumps(whole).encode()


def code() -> str:
    """An army code as long as one may be: the same trooper, as often as it goes."""
    members = b"".join(bytes([0, 1, 1, 1, 0]) for _ in range(120))
    return b64encode(bytes([1, 1, 65, 1, 65, 1, 1, 1, 0, 120]) + members).decode()


@cache
def cases() -> Mapping[str, tuple[str, Mapping[str, Any], bytes | None]]:
    """What is sent: a command, its options, and its file."""
    return {
        "nobody": ("", {}, None),
        "army, 9 MB": ("infinity profile import", {"unit": "U"}, nested(9_000_000)),
        "army, 2 MB nested": ("infinity profile import", {"unit": "U"}, nested(ARMY)),
        "army, 2 MB of weapons": ("infinity profile import", {"unit": "U A"}, army()),
        "army code": ("infinity profile import", {"code": code()}, army()),
        "squad, 200 kB": ("xwing squad", {}, b'{"pilots":' + nested(SQUAD - 20) + b"}"),
        "cards, 2 kB of bzip2": (
            "xwing cards",
            {},
            packed(("a.json", b"[" + b"[]," * 13_000_000 + b"0]"), by=ZIP_BZIP2),
        ),
        "cards, 8 MB of lists": ("xwing cards", {}, b"[" + b"[]," * 2_600_000 + b"0]"),
        "cards, 8 MB of ships": ("xwing cards", {}, dict(cards())["50,000 ships without pilots"]),
        "ruleset, 16 kB": ("ruleset import", {}, nested(RULESET)),
        "order, 1000": ("infinity order", {"text": ("A 12 b2 vs B 11; " * 300)[:1000]}, None),
        "squad text, 4000": ("xwing squad", {"text": nested(4000).decode()}, None),
        "dice, 120": ("roll", {"dice": ("20#100d100!kh50+" * 9)[:118]}, None),
    }


async def send(wire: Wire, person: Person, case: str) -> None:
    """Send it again and again, for ever."""
    command, options, file = cases()[case]
    if file is not None:
        wire.rest.files["file.json"] = file
        options = {**options, "file": Attached("file.json", len(file), wire.file("file.json"))}
    while command:
        await wire.slash(person, wire.channel, command, **options)
        await asyncio.sleep(0.05)
    await asyncio.Event().wait()


async def watch_workers(bot: BotProcess, most: list[float]) -> None:
    """Keep the largest sum of the memory of the bot's workers."""
    while True:
        most[0] = max(most[0], sum(mebibytes(child, "VmRSS") for child in children(bot.pid)))
        await asyncio.sleep(0.05)


async def everybody_else(wire: Wire) -> list[float]:
    (roller,) = people(0, 1)

    async def roll() -> float:
        return (await wire.slash(roller, wire.channel, "xwing roll", **ROLLCALL_BOT.roll_options)).seconds

    begin, tasks = asyncio.get_running_loop().time(), []
    for number in range(TURNS):
        await asyncio.sleep(begin + number / RATE - asyncio.get_running_loop().time())
        tasks.append(asyncio.ensure_future(roll()))
    return await asyncio.gather(*tasks)


async def one_case(case: str, core: int | None) -> tuple[float, ...]:
    """Median and 99th percentile in milliseconds; memory of the bot and of its workers in MiB."""
    async with Wire(record=False, patience=90) as wire:
        bot = await wire.start_bot(core=core)
        await bot.logged("emoji of dice:")
        await everybody_else(wire)
        most = [0.0]
        crowd = [OWNER, *people(100, 1)] if case.startswith(("ruleset", "cards")) else people(100, 2)
        tasks = [asyncio.ensure_future(send(wire, person, case)) for person in crowd]
        tasks.append(asyncio.ensure_future(watch_workers(bot, most)))
        await asyncio.sleep(0.5)
        seconds = await everybody_else(wire)
        assert not [task.result() for task in tasks if task.done()], "they send for ever"
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        result = statistics.median(seconds) * 1000, p99(seconds) * 1000, mebibytes(bot.pid, "VmHWM"), most[0]
        await bot.kill()
        wire.rest.sent.clear()
        wire.rest.refusals.clear()
    return result


async def measure(rounds: int, wanted: list[str]) -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
    print(f"{'two people send':24}{'p50, ms':>10}{'p99, ms':>10}{'bot, MiB':>10}{'workers, MiB':>14}")
    for case in wanted or cases():
        result = [await one_case(case, cores[1] if len(cores) > 1 else None) for _ in range(rounds)]
        cells = [statistics.median(column) for column in zip(*result, strict=True)]
        print(f"{case:24}{cells[0]:10.1f}{cells[1]:10.1f}{cells[2]:10.0f}{cells[3]:14.0f}", flush=True)


def main() -> None:
    parts = argparse.ArgumentParser(prog="python -m benchmarks.files", description="Everybody else, timed.")
    parts.add_argument("--rounds", type=int, default=1, help="how often each case is measured (default 1)")
    parts.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(cases()))
    options = parts.parse_args()
    asyncio.run(measure(options.rounds, options.cases))


if __name__ == "__main__":
    main()

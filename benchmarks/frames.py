"""How soon the frames of a call show a press, and what a frame costs. Run ``python -m benchmarks.frames`` from the top.

Twelve ships; fifty people of one call have the Activity open, in another process, and one person the live page. Two of
them play, so their frames ask after each press for what is their own. A press gives a ship a token; the time runs from
the press, as the bot stores it, to each frame's having the bytes that say which press it was. Beside it the CPU of the
bot's thread a press, without a frame and with 1, 10 and 50, the time of somebody's own with nobody else and while
strangers at the same address, in a process of their own, ask for 200 joins and 3,000 icons, and the bytes of the first
load as a proxy would compress them.
"""

import asyncio
import gzip
import json
import re
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any, Final

import aiohttp
import simcord

from benchmarks.screen import Bench, high
from bot.cli.play import LOOPBACK
from bot.html import documents
from bot.resources.worker_process import step_back
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.settings import Settings
from bot.web.activity import SESSION, Activity, ActivityInstance, DiscordUser
from bot.web.live_pages import serve

FRAMES: Final = (0, 1, 10, 50)
PRESSES: Final = 200
JOINS: Final = 200
ICONS: Final = 3_000
CONNECTIONS: Final = 400
"""Those that the strangers have open at a time."""
READS: Final = 0.05
"""Seconds from one answer to the next question, so that nobody waits for their own limit."""
PRESSED: Final = re.compile(rb"a token, the (\d+)th")
"""Which press an event is about; see ``Bench.press``."""


class Door:
    """Everybody is in the call, and says who they are."""

    def __init__(self, here: Place, people: frozenset[int]) -> None:
        self._instance = ActivityInstance(here.channel_id, here.guild_id, people)

    async def user(self, code: str) -> DiscordUser | None:
        if not code.isdecimal():
            return None
        return DiscordUser(int(code), f"player {code[-2:]}", "en-US")

    async def instance(self, _: str) -> ActivityInstance | None:
        return self._instance


# The other processes. Each prints "here" when it has begun, and what it saw, as JSON, once its input ends.


async def join(http: aiohttp.ClientSession, base: str, person: str) -> dict[str, str]:
    """Open a frame, and return the header that names its session."""
    while True:
        async with http.post(f"{base}/0/call/join", json={"code": person, "instance": "i"}) as answer:
            if answer.status != 429:
                return {SESSION: (await answer.json())["session"]}
        await asyncio.sleep(1)


async def until_input_ends() -> None:
    print("here", flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def watch(base: str, *people: str) -> list[tuple[int, float]]:
    """Frames that are open: which presses came, and when."""
    seen, open_now = list[tuple[int, float]](), asyncio.Semaphore(0)

    async def one(person: str) -> None:
        headers = await join(http, base, person)

        async def own() -> None:
            async with http.get(f"{base}/0/call/own", headers=headers) as answer:
                await answer.read()

        asking = asyncio.create_task(own())
        async with http.get(f"{base}/0/call/events", headers=headers) as events:
            open_now.release()
            async for line in events.content:
                if line.startswith(b"data: ") and (found := PRESSED.search(line)):
                    seen.append((int(found[1]), time.monotonic()))
                if line == b"event: own\n" and asking.done():
                    asking = asyncio.create_task(own())

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, read_bufsize=1 << 20) as http:
        tasks = [asyncio.create_task(one(person)) for person in people]
        for _ in people:
            await open_now.acquire()
        await until_input_ends()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return seen


async def know(base: str, person: str) -> list[float]:
    """A known person's own, again and again: the milliseconds of each answer."""
    took = list[float]()
    async with aiohttp.ClientSession() as http:
        headers = await join(http, base, person)
        print("here", flush=True)
        for _ in range(PRESSES):
            begun = time.monotonic()
            async with http.get(f"{base}/0/call/own", headers=headers) as answer:
                await answer.read()
                assert answer.status == 200, "a known person is answered"
            took.append((time.monotonic() - begun) * 1000)
            await asyncio.sleep(READS)
    return took


async def crowd(base: str) -> Counter[str]:
    """Strangers who join with made-up codes and ask for icons: how they were answered."""
    step_back()
    answers = Counter[str]()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONNECTIONS)) as http:

        async def ask(what: str, method: str, path: str, **words: Any) -> None:
            try:
                async with http.request(method, base + path, **words) as answer:
                    await answer.read()
                    answers[f"{what} {answer.status}"] += 1
            except aiohttp.ClientError as error:
                answers[f"{what} {type(error).__name__}"] += 1

        made_up = {"json": {"code": "x", "instance": "x"}}
        tasks = [asyncio.create_task(ask("join", "POST", "/0/call/join", **made_up)) for _ in range(JOINS)]
        tasks += [asyncio.create_task(ask("icon", "GET", "/favicon.ico")) for _ in range(ICONS)]
        await until_input_ends()
        answers["waiting"] = sum(not task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return answers


ROLES: Final = {act.__name__: act for act in (watch, know, crowd)}


async def begin(role: str, base: str, *people: int) -> Process:
    """One of those processes, once it has begun."""
    command = (sys.executable, "-m", "benchmarks.frames", role, base, *map(str, people))
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    while await process.stdout.readline() != b"here\n":
        assert process.returncode is None, "it has begun"
    return process


async def result_of(process: Process) -> Any:
    """What it saw."""
    told, _ = await process.communicate(b"")  # ends its input
    return json.loads(told)


async def measure(bench: Bench, base: str, people: list[int]) -> None:
    """``people`` have the frame open."""
    seen, page = list[float](), await bench.readers(1)
    process = await begin("watch", base, *people) if people else None
    used, begun = time.thread_time(), dict[int, float]()
    for _ in range(PRESSES):
        now = time.monotonic()
        await bench.press()
        begun[bench.number] = now
        await asyncio.sleep(0.05)
    used = time.thread_time() - used
    if process is not None:
        seen = [(at - begun[number]) * 1000 for number, at in await result_of(process) if number in begun]
    await bench.leave(page)
    far = f", {len(seen)} events, p50 {median(seen):.1f} ms, p99 {high(seen):.1f} ms" if seen else ""
    print(f"{len(people):3} frames: {used / PRESSES * 1000:.2f} ms CPU a press{far}", flush=True)


async def flood(base: str, people: list[int]) -> None:
    """How long somebody's own takes, with nobody else and while strangers ask for joins and icons.

    Two of ``people`` are known, because each may join only so often.
    """
    for strangers, person in enumerate(people):
        others = await begin("crowd", base) if strangers else None
        took = await result_of(await begin("know", base, person))
        answers = await result_of(others) if others is not None else {}
        said = ", ".join(f"{number} {what}" for what, number in sorted(answers.items()))
        beside = f"{JOINS} joins and {ICONS:,} icons ({said})" if strangers else "nobody"
        print(f"own beside {beside}: p50 {median(took):.1f} ms, p99 {high(took):.1f} ms", flush=True)


async def main_async() -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'frames.db'}"
        app = App(Settings.model_construct(database_url=url, welcome=False), fresh=True, faces=())
        async with simcord.run(app, shard_count=1, check_errors=False) as env:
            guild = env.create_guild("The Gaming Club")
            channel = guild.create_text_channel("dice-table")
            members = [guild.add_member(env.create_user(f"player-{number}")) for number in range(max(FRAMES))]
            await env.settle()
            here, people = Place(channel.id, guild.id), [member.id for member in members]
            activity = Activity(app, Door(here, frozenset(people)))
            async with serve(app, LOOPBACK, 0, also=activity.add_to) as base:
                bench = Bench(app, channel, members[0], here)
                await bench.begin()
                for count in FRAMES:
                    await measure(bench, base, people[:count])
                await flood(base, people[-2:])
        await app.close()
    page = documents.activity_page(1, 0).encode()
    font = len(documents.typeface())
    print(f"first load: {len(gzip.compress(page)) / 1000:.1f} kB of page and script, {font / 1000:.1f} kB of typeface")


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(asyncio.run(ROLES[sys.argv[1]](*sys.argv[2:]))))
        return
    asyncio.run(main_async())


if __name__ == "__main__":
    main()

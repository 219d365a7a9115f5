"""How soon the frames of a call show a press, and what a frame costs. Run ``python -m benchmarks.frames`` from the top.

Twelve ships; fifty people of one call have the Activity open, in another process, and one person the live page. Two of
them play, so their frames ask after each press for what is their own. A press gives a ship a token; the time runs from
the press, as the bot stores it, to each frame's having the bytes. Beside it the CPU of the bot's thread
a press, without a frame and with 1, 10 and 50, the time of somebody's own while strangers at the same address ask for
200 joins and 3,000 icons, and the bytes of the first load as a proxy would compress them.
"""

import asyncio
import gzip
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

import aiohttp
import simcord

from benchmarks.screen import Bench, high
from bot.cli.play import LOOPBACK
from bot.html import documents
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.settings import Settings
from bot.web.activity import Activity, ActivityInstance, DiscordUser
from bot.web.live_pages import serve

FRAMES: Final = (0, 1, 10, 50)
PRESSES: Final = 200
JOIN: Final = """
import asyncio, sys, time
import aiohttp
base, people = sys.argv[1], sys.argv[2].split(",")
async def one(http, number):
    while (answer := await http.post(f"{base}/0/call/join", json={"code": number, "instance": "i"})).status == 429:
        await asyncio.sleep(1)
    headers = {"X-Session": (await answer.json())["session"]}
    async def own():
        async with http.get(f"{base}/0/call/own", headers=headers) as answer:
            await answer.read()
    asking = asyncio.create_task(own())
    async with http.get(f"{base}/0/call/events", headers=headers) as events:
        print("here", flush=True)
        async for line in events.content:
            if line.startswith(b"id: "):
                print(line[4:].decode().strip().rpartition("-")[2], time.monotonic(), flush=True)
            if line == b"event: own\\n" and asking.done():
                asking = asyncio.create_task(own())
async def main():
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        await asyncio.gather(*(one(http, number) for number in people))
asyncio.run(main())
"""


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


async def measure(bench: Bench, base: str, people: list[int]) -> None:
    """``people`` have the frame open."""
    process, seen, page = None, list[float](), await bench.readers(1)
    if people:
        named = ",".join(map(str, people))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", JOIN, base, named, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        for _ in people:
            while await process.stdout.readline() != b"here\n":
                pass
    used = time.thread_time()
    begun = dict[int, float]()
    for number in range(PRESSES):
        begun[number] = time.monotonic()
        await bench.press()
        await asyncio.sleep(0.05)
    used = time.thread_time() - used
    if process is not None:
        assert process.stdout is not None
        process.kill()
        came = [line.split() for line in (await process.stdout.read()).decode().splitlines() if " " in line]
        numbers = sorted({int(number) for number, _ in came})[-PRESSES:]
        seen = [(float(at) - begun[numbers.index(int(number))]) * 1000 for number, at in came if int(number) in numbers]
        await process.wait()
    await bench.leave(page)
    far = f", to a frame p50 {median(seen):.1f} ms, p99 {high(seen):.1f} ms" if seen else ""
    print(f"{len(people):3} frames: {used / PRESSES * 1000:.2f} ms CPU a press{far}", flush=True)


async def flood(base: str, person: int) -> None:
    """How long somebody's own takes while strangers at the same address ask for 200 joins and 3,000 icons."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=100)) as http:
        async with http.post(f"{base}/0/call/join", json={"code": str(person), "instance": "i"}) as answer:
            headers = {"X-Session": (await answer.json())["session"]}

        async def asked(method: str, path: str, **words: Any) -> None:
            async with http.request(method, base + path, **words) as answer:
                await answer.read()

        made_up = {"json": {"code": "x", "instance": "x"}}
        strangers = [asyncio.create_task(asked("POST", "/0/call/join", **made_up)) for _ in range(200)]
        strangers += [asyncio.create_task(asked("GET", "/favicon.ico")) for _ in range(3000)]
        took = list[float]()
        async with aiohttp.ClientSession() as own:
            for _ in range(PRESSES):
                begun = time.monotonic()
                async with own.get(f"{base}/0/call/own", headers=headers) as answer:
                    await answer.read()
                took.append((time.monotonic() - begun) * 1000)
                await asyncio.sleep(0.02)
        for stranger in strangers:
            stranger.cancel()
        await asyncio.gather(*strangers, return_exceptions=True)
    print(f"own beside 200 joins and 3,000 icons: p50 {median(took):.1f} ms, p99 {high(took):.1f} ms", flush=True)


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
                await flood(base, people[0])
        await app.close()
    page = documents.activity_page(1, 0).encode()
    font = len(documents.typeface())
    print(f"first load: {len(gzip.compress(page)) / 1000:.1f} kB of page and script, {font / 1000:.1f} kB of typeface")


def main() -> None:
    asyncio.run(main_async())


if __name__ == "__main__":
    main()

"""What a second screen costs, and how soon it shows a press. Run ``python -m benchmarks.screen`` from the top.

Twelve ships; a press gives one of them a token. First the CPU of this process that a press costs more, from the fact
that something was stored to the last byte handed to the kernel, with up to 1,000 pages open in another process that
reads along (a channel has 200 at most otherwise). Then, over 1,000 presses and 20 reconnects, how many frames were
lost. Then, in a real browser, the time from a press, and from a command typed in the simulated Discord, to the changed
page.
"""

import asyncio
import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, Final

import aiohttp
import simcord

from bot.cli.play import LOOPBACK
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table.match import ships_of
from bot.rules.xwing.table.ship import from_card, join_all
from bot.runtime.app import App
from bot.sessions import links, live_tables
from bot.sessions.events import StateStored
from bot.sessions.request import Person, Place, Request
from bot.settings import Settings
from bot.ui.live import live_page
from bot.web.live_pages import serve

WATCHERS: Final = (0, 1, 10, 100, 1000)
PAGES: Final = (1, 10, 100)
PRESSES: Final = 200
SEEN: Final = 200
LATER: Final = 1e6
RECONNECTS: Final = 20
ALL_PRESSES: Final = 1000
PILOTS: Final = ("lukeskywalker", "wedgeantilles", "bluesquadronescort", "darthvader", "howlrunner", "academypilot")

READ_ALONG: Final = """
import asyncio, sys
address, count = sys.argv[1], int(sys.argv[2])
async def one(host, port, path):
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET {path}/live HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n".encode())
    while await reader.read(65536):
        pass
async def main():
    _, _, rest = address.partition("//")
    place, _, path = rest.partition("/")
    host, _, port = place.partition(":")
    await asyncio.gather(*(one(host, int(port), "/" + path) for _ in range(count)))
asyncio.run(main())
"""


def bring(new: list[Any], table: Any) -> Any:
    return join_all(ships_of(table), new)


class Bench:
    """A bot with a table, and the address of its page."""

    def __init__(self, app: App, channel: Any, ana: Any, here: Place) -> None:
        self.app, self.channel, self.ana, self.here = app, channel, ana, here
        self.address, self.number = "", 0

    async def begin(self) -> None:
        by = Request(Person(self.ana.id, "Ana"), self.here, is_gm=True)
        for owner in (1, 2):
            player = await self.app.tables.player(
                self.here, Person(self.ana.id + owner - 1, "Ana" if owner == 1 else "Bo")
            )
            new = [from_card(pilot_ship(pilot), player.id) for pilot in PILOTS]
            await self.app.tables.step(by, "xwing", "adds ships", partial(bring, new))
        told = await self.ana.slash(self.channel, "table link")
        match = re.search(r"http://\S+", told.response.content)
        assert match is not None
        self.address = match[0]

    async def press(self) -> None:
        """One press, as the bot stores it."""
        self.number += 1
        ship = sorted(ships_of(await self.app.tables.pieces(self.here, "xwing")))[self.number % 12]
        by = Request(Person(self.ana.id, "Ana"), self.here, is_gm=True)

        def more(table: Any) -> Any:
            return {ship: replace(ships_of(table)[ship], tokens={"focus": 1 + self.number // 12 % 8})}

        await self.app.tables.step(by, "xwing", f"gives {ship} a token, the {self.number}th", more)

    async def readers(self, count: int) -> asyncio.subprocess.Process | None:
        """So many pages that are open in another process; None for none."""
        if not count:
            return None
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", READ_ALONG, self.address, str(count))
        while self.app.watching.readers < count:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.02)
        return process

    async def leave(self, process: asyncio.subprocess.Process | None) -> None:
        if process is not None:
            process.kill()
            await process.wait()
        while self.app.watching.readers:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.02)


async def cost(bench: Bench, count: int) -> None:
    """The CPU of this thread from ``StateStored`` to the last write."""
    took, process = list[float](), await bench.readers(count)
    if not count:
        bench.app.watching.channels.clear()
    facts = list[float]()
    original = live_page.on_stored

    def timed(client: Any, fact: StateStored) -> None:
        began = time.thread_time()
        original(client, fact)
        facts.append(time.thread_time() - began)

    live_page.on_stored = timed
    for _ in range(PRESSES if count < 1000 else PRESSES // 4):
        await bench.press()
        watched = bench.app.watching.channels.get(bench.here.channel_id)
        began = time.thread_time()
        if watched is not None and watched.task is not None:
            await asyncio.wait({watched.task})
        took.append(time.thread_time() - began + facts[-1])
        await asyncio.sleep(0.002)
    live_page.on_stored = original
    await bench.leave(process)
    print(
        f"{count:5} pages: {median(took) * 1000:7.3f} ms CPU a press, the slowest of 100 {high(took) * 1000:7.3f} ms",
        flush=True,
    )


def high(took: list[float]) -> float:
    return quantiles(took, n=100)[98]


async def seen(bench: Bench, browser: Any, count: int) -> None:
    """From the command or press to the changed page."""
    process = await bench.readers(count - 1)
    page = await browser.new_page()
    await page.goto(bench.address)
    await page.locator("#state", has_text="Live").wait_for()
    await page.evaluate(
        """() => { globalThis.changes = []; new MutationObserver(() => changes.push(
            [performance.timeOrigin + performance.now(), document.querySelector('[data-part=said]').textContent]))
            .observe(document.querySelector('main'), {childList: true, subtree: true}); }"""
    )
    presses, commands = list[float](), list[float]()
    for number in range(SEEN):
        is_command = number % 2
        began = time.time() * 1000
        await (bench.ana.slash(bench.channel, "roll", dice="3d6") if is_command else bench.press())
        changes = await page.evaluate("changes.splice(0)")
        while not changes:
            changes = await page.evaluate("changes.splice(0)")
        (commands if is_command else presses).append(changes[0][0] - began)
        await asyncio.sleep(0.01)
    await page.close()
    await bench.leave(process)
    for name, took in (("press", presses), ("command", commands)):
        print(
            f"{count:5} pages: {name} to changed page p50 {median(took):6.1f} ms, p99 {high(took):6.1f} ms", flush=True
        )


async def lost(bench: Bench) -> None:
    """Read along, and break the connection again and again: every frame comes once."""
    numbers, last = list[int](), ""
    stop = asyncio.Event()

    async def read() -> None:
        nonlocal last
        async with aiohttp.ClientSession() as http:
            while not stop.is_set():
                headers = {"Last-Event-ID": last} if last else {}
                async with http.get(f"{bench.address}/live", headers=headers) as answer:
                    until = len(numbers) + ALL_PRESSES // RECONNECTS
                    async for line in answer.content:
                        if line.startswith(b"id: "):
                            last = line[4:].strip().decode()
                            numbers.append(int(last.rpartition("-")[2]))
                            if len(numbers) >= until:
                                break

    task = asyncio.create_task(read())
    while not numbers:  # noqa: ASYNC110 - there is no event
        await asyncio.sleep(0.01)
    for _ in range(ALL_PRESSES):
        await bench.press()
    newest = bench.app.watching.channels[bench.here.channel_id]
    if newest.task is not None:
        await asyncio.wait({newest.task})
    while numbers[-1] < newest.number:  # noqa: ASYNC110 - there is no event
        await asyncio.sleep(0.01)
    stop.set()
    task.cancel()
    missing = set(range(numbers[0], numbers[-1] + 1)) - set(numbers)
    print(f"{ALL_PRESSES} presses, {RECONNECTS} reconnects: {len(numbers)} frames, {len(missing)} lost", flush=True)


async def main() -> None:
    vars(live_tables).update(READERS_MOST=max(WATCHERS, default=200))
    vars(links).update(WAIT=LATER)  # simcord waits for whatever the bot does by itself
    folder = Path(tempfile.mkdtemp())
    url = f"sqlite+aiosqlite:///{folder}/rolls.db"
    app = App(
        Settings.model_construct(database_url=url, welcome=False, person_limit=0), rng=Random(1).randrange, faces=()
    )
    async with simcord.run(app, shard_count=1, check_errors=False) as env, serve(app, LOOPBACK, 0):
        guild = env.create_guild("The Gaming Club")
        channel = guild.create_text_channel("dice")
        ana = guild.add_member(env.create_user("ana", global_name="Ana"))
        await env.settle()
        bench = Bench(app, channel, ana, Place(channel.id, guild.id))
        await ana.slash(channel, "roll", dice="1d6")
        await bench.begin()
        for count in WATCHERS:
            await cost(bench, count)
        await lost(bench)
        try:
            from playwright.async_api import async_playwright
        except ImportError:
            print("the times of pages want Playwright: pip install 'rollcall[dev]'")
        else:
            path = os.environ.get("CHROMIUM") or shutil.which("chromium")
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
                for count in PAGES:
                    await seen(bench, browser, count)
                await browser.close()
    await app.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main())

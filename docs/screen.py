# ruff: noqa: INP001 - a script beside its pictures, no package
"""The pictures of the second screen: `python -m docs.screen` plays some rolls and looks at the page in a real browser.

Wants what the browser tests want: Playwright's Python package and a chromium of the system.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import discord
import simcord

from bot.runtime.app import App
from bot.settings import Settings
from bot.web.live_pages import serve
from docs.pictures import PatientEnv

if TYPE_CHECKING:
    from playwright.async_api import Browser

DOCS: Final = Path(__file__).parent
SQUADS: Final = {
    "Ana": {
        "faction": "rebelalliance",
        "pilots": [
            {"id": "lukeskywalker", "points": 6},
            {"id": "wedgeantilles", "points": 5},
            {"id": "bluesquadronescort", "points": 4},
        ],
    },
    "Bo": {
        "faction": "galacticempire",
        "pilots": [
            {"id": "darthvader", "points": 7},
            {"id": "howlrunner", "points": 4},
            {"id": "academypilot", "points": 3},
        ],
    },
}
SHOTS: Final[dict[str, dict[str, Any]]] = {
    "screen-390": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    "screen-1280": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "screen-1920": {"viewport": {"width": 1920, "height": 1080}, "color_scheme": "light"},
    "screen-overlay": {"viewport": {"width": 1920, "height": 1080}, "color_scheme": "dark"},
}
LAST_CHOICE: Final = "match.frames.findLastIndex(one => match.chunks[one.chances?.[0]]?.includes('choices'))"
TABLE: Final = "#33658a"
"""What stands behind the overlay in its picture, in place of somebody's stream."""


async def shoot(browser: "Browser", name: str, address: str, **looks: Any) -> None:
    window = await browser.new_context(**looks)
    page = await window.new_page()
    is_overlay = name.endswith("overlay")
    await page.goto(f"{address}{'?overlay' if is_overlay else ''}")
    await page.wait_for_timeout(1500)
    if is_overlay:
        await page.evaluate(f"document.documentElement.style.background = '{TABLE}'")
    await page.screenshot(path=DOCS / f"{name}.png")
    await window.close()


async def main() -> None:
    """Play, and keep a picture of each size."""
    from playwright.async_api import async_playwright

    folder, chance = Path(tempfile.mkdtemp()), Random(18)  # noqa: S311 - dice of a picture
    url = f"sqlite+aiosqlite:///{folder}/rolls.db"
    app = App(Settings.model_construct(database_url=url, welcome=False, person_limit=0), rng=chance.randrange, faces=())
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    patch.object(simcord.env, "Env", PatientEnv).start()  # until the script ends
    async with (
        async_playwright() as playwright,
        simcord.run(app, shard_count=1, check_errors=False) as env,
        serve(app, "127.0.0.1", 0),
    ):
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        guild = env.create_guild("The Gaming Club")
        channel = guild.create_text_channel("dice")
        may = guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))
        ana, bo = (guild.add_member(env.create_user(name.lower(), global_name=name), roles=[may]) for name in SQUADS)
        await env.settle()
        for by, squad in zip((ana, bo), SQUADS.values(), strict=True):
            await by.slash(channel, "xwing squad", text=json.dumps(squad))
        await ana.slash(channel, "xwing score", scenario="assault")
        await ana.slash(channel, "xwing score", clock="start")
        for ship, token in (("Luke Skywalker", "focus"), ("Darth Vader", "focus"), ("Darth Vader", "evade")):
            await ana.slash(channel, "xwing token give", ship=ship, token=token)
        for _ in range(3):
            await ana.slash(channel, "xwing phase")
        await ana.slash(channel, "roll", dice="4d6kh3")
        await ana.slash(channel, "xwing attack", attacker="Wedge Antilles", defender="Howlrunner", range=2)
        await bo.slash(channel, "xwing attack", attacker="Darth Vader", defender="Luke Skywalker", range=1)
        told = await ana.slash(channel, "table link")
        assert told.response is not None  # noqa: S101 - Ana plays here
        match = re.search(r"http://\S+", told.response.content)
        assert match is not None, told.response.content  # noqa: S101 - and so she gets a link
        for name, looks in SHOTS.items():
            await shoot(browser, name, match[0], **looks)
        for by in (bo, ana):
            card = channel.last_message
            with contextlib.suppress(simcord.backend.errors.SetupError):  # the dice may leave them nothing to do
                await by.click(card, label="Done")  # type: ignore[arg-type]  # there is one
        await ana.slash(channel, "xwing score", points=20)
        await ana.slash(channel, "xwing endphase")
        await env.settle()
        recap = channel.last_message
        assert recap is not None  # noqa: S101 - the match is over
        given = await ana.click(recap, label="Replay")
        assert given.response is not None  # noqa: S101 - whoever presses gets it
        replay = folder / "match.html"
        replay.write_bytes(await given.response.attachments[0].read())
        window = await browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="dark", offline=True)
        page = await window.new_page()
        await page.goto(replay.as_uri())
        await page.evaluate(f"show({LAST_CHOICE})")
        await page.wait_for_timeout(1500)
        await page.screenshot(path=DOCS / "screen-replay.png")
        await browser.close()
    await app.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main())

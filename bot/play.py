"""The whole bot in a simulated Discord on this machine: one server, four people, a web page to sit at as each of them.

The Discord is simcord's, the page its preview; the bot, its rules and its SQLite file are the real ones.
"""

import asyncio
import contextlib
import signal
import webbrowser
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import simcord

from bot.app import App
from bot.settings import Settings

PEOPLE: Final = ("Ana", "Bo", "Cleo", "Dev")
FOLLOW: Final = 0.3
"""Seconds between looks at whether somebody else's page is behind."""

WELCOME: Final = """
Rollcall is playing at
    {url}
Type /xwing attack in the box at the bottom, then switch "Viewing as" to another person and answer.
The rolls are kept in {file}. Stop with Ctrl-C.
"""



async def play(port: int, file: str, *, told: Callable[[str], Awaitable[None]] | None = None) -> None:
    """Serve the page until Ctrl-C, SIGTERM, or its own End button. ``told`` hears the address (for tests)."""
    path = Path(file).resolve()
    settings = Settings.model_construct(database_url=f"sqlite+aiosqlite:///{path}")
    async with simcord.run(App(settings, fresh=True), shard_count=1, check_errors=False) as env:
        guild = env.create_guild("The Gaming Club")
        channel = guild.create_text_channel("dice-table")
        guild.create_voice_channel("Game Night")
        people = [guild.add_member(env.create_user(name.lower(), global_name=name)) for name in PEOPLE]
        await env.settle()
        async with env.preview(channel, viewers=people, layout="channel", port=port) as preview:
            if told is None:
                announce(preview.url, path)
            else:
                await told(preview.url)
            following = asyncio.ensure_future(follow(env, preview))
            await until_stopped(preview)
            following.cancel()


def announce(url: str, path: Path) -> None:
    print(WELCOME.format(url=url, file=path), flush=True)  # noqa: T201 - this is what the command is for
    with contextlib.suppress(webbrowser.Error):
        webbrowser.get()  # raises where there is no browser
        webbrowser.open(url)


async def follow(env: simcord.Env, preview: simcord.Preview) -> None:
    """Bring every open page up to date after anybody's move, so that the other person sees it without a click."""
    seen = 0
    while True:
        await asyncio.sleep(FOLLOW)
        now = len(env.http_requests)
        if now == seen:
            continue
        with contextlib.suppress(simcord.SetupError):  # somebody is acting this moment; the next look finds it
            await preview.refresh()
            seen = now


async def until_stopped(preview: simcord.Preview) -> None:
    """Wait for Ctrl-C, SIGTERM, or the page's End button."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    waits = [asyncio.ensure_future(stopping.wait()), asyncio.ensure_future(preview.wait_closed())]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()

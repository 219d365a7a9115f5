"""The whole bot in a simulated Discord on this machine: one server, four people, and a web page to play on.

simcord simulates Discord and serves the page. The bot, its rules and its SQLite file are the real ones.
"""

import asyncio
import contextlib
import signal
import webbrowser
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final

import discord
import simcord
from simcord.backend.cdn import CDN_BASE

from bot import private_doors
from bot.app import App
from bot.render.faces import FACES, painted
from bot.settings import Settings
from bot.ui import emoji

PEOPLE: Final = ("Ana", "Bo", "Cleo", "Dev")

TOPIC: Final = "Type /xwing attack with dice 3 below, then switch “Viewing as” above to another person and answer."
WELCOME: Final = """
Rollcall is running at
    {url}
Open this address. {topic}
Your rolls are kept in {file}. Stop with Ctrl-C.
"""


async def play(port: int, path: Path) -> None:
    """Serve the page until Ctrl-C, SIGTERM, or its own End button."""
    settings = Settings.model_construct(database_url=f"sqlite+aiosqlite:///{path}")
    app = App(settings, fresh=True, faces=())
    async with simcord.run(app, shard_count=1, check_errors=False) as env:
        env.backend.bot_user.global_name = "Rollcall"
        guild = env.create_guild("The Gaming Club")
        channel = guild.create_text_channel("dice-table", topic=TOPIC)
        guild.create_voice_channel("Game Night")
        rights = discord.Permissions(manage_guild=True, manage_channels=True)
        organiser = guild.create_role("Organiser", permissions=rights)
        people = [  # Ana, the first, has an admin's rights
            guild.add_member(env.create_user(name.lower(), global_name=name), roles=() if number else (organiser,))
            for number, name in enumerate(PEOPLE)
        ]
        await env.settle()
        await emoji.keep(app, FACES)  # only now: simcord allows five seconds for a start, and painting may take longer
        pictures = emoji_pictures(app)
        async with env.preview(channel, viewers=people, layout="channel", port=port, assets=pictures) as preview:
            private_doors.show_moves_on_all_pages(preview)
            stop = stop_signal()
            announce(preview.url, path)
            await wait_for_first(stop.wait(), preview.wait_closed())
    await app.close()


def emoji_pictures(app: App) -> dict[str, tuple[str, bytes]]:
    """The application's emoji by address: simcord does not keep their pictures itself."""
    return {
        f"{CDN_BASE}/emojis/{app.faces[face].id}.png": (f"{name}.png", png)
        for name, (face, png) in painted(FACES).items()
        if face in app.faces
    }


def announce(url: str, path: Path) -> None:
    print(WELCOME.format(url=url, topic=TOPIC, file=path), flush=True)  # noqa: T201 - this is what the command is for
    with contextlib.suppress(webbrowser.Error):
        webbrowser.get()  # raises where there is no browser
        webbrowser.open(url)


def stop_signal() -> asyncio.Event:
    """An event that Ctrl-C or SIGTERM sets, from now on."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def wait_for_first(*coroutines: Coroutine[Any, Any, Any]) -> None:
    """Wait until one of them is done, and cancel the others."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()

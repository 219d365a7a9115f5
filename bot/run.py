"""What runs until it is told to stop, and how its failures are said."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord

from bot import logs, settings
from bot.app import App
from bot.settings import Settings, SettingsError
from bot.store.database import migrate
from bot.store.errors import StoreError, Unusable


async def serve(read: Settings) -> None:
    """The bot on Discord until it is told to stop (SIGTERM or Ctrl-C)."""
    token = settings.token(read)
    async with App(read) as app:
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        running = asyncio.ensure_future(app.start(token))
        told = asyncio.ensure_future(stopping.wait())
        await asyncio.wait({running, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        await app.close()
        await running


async def register(read: Settings) -> None:
    """Register the slash commands now, whether they changed or not."""
    async with App(read, fresh=True) as app:
        await app.login(settings.token(read))


def command(name: str, guild: int | None = None) -> int:
    """`run`, `sync` or `migrate`; the exit code: 0 done, 1 failed on the way, 2 wrong settings."""
    try:
        read = settings.read()
        logs.configure(read.log_level, read.log_form)
        if name == "run":
            run(serve(read))
        elif name == "sync":
            run(register(read.model_copy(update={"test_guild": guild or read.test_guild})))
        else:
            run(migrate(read.database_url))
    except SettingsError as error:
        return say(str(error), 2)
    except discord.LoginFailure:
        return say(f"DISCORD_TOKEN was refused by Discord: {settings.WHAT_TO_DO['discord_token']}.", 2)
    except StoreError as error:
        return say(f"{error} ({error.reason})", 2 if isinstance(error, Unusable) else 1)
    except (aiohttp.ClientConnectionError, discord.HTTPException, discord.GatewayNotFound) as error:
        return say(f"Discord cannot be reached ({error}): check the network and DISCORD_API_URL, then start again.", 1)
    return 0


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run to the end, on uvloop where it is installed (extra ``speed``)."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:
        pass
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(coroutine)


def say(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)  # noqa: T201 - the command line speaks on standard error
    return code

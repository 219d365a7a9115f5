"""The command line: `python -m bot` with play, run, sync, migrate, roll or odds."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import aiohttp
import discord

from bot import logs, settings
from bot.settings import Settings, SettingsError
from bot.store.database import migrate
from bot.store.errors import StoreError


class Stop(Exception):
    """The process cannot go on; the text says what to do."""


async def serve(settings_: Settings) -> None:
    """The bot on Discord until it is told to stop (SIGTERM or Ctrl-C)."""
    from bot.app import App

    token = settings.token(settings_)
    async with App(settings_) as app:
        loop = asyncio.get_running_loop()
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stopping.set)
        running = asyncio.ensure_future(app.start(token))
        told = asyncio.ensure_future(stopping.wait())
        await asyncio.wait({running, told}, return_when=asyncio.FIRST_COMPLETED)
        await app.close()
        told.cancel()
        await running


async def register(settings_: Settings) -> None:
    """Register the slash commands now."""
    from bot.app import App

    app = App(settings_, fresh=True)
    async with app:
        await app.login(settings.token(settings_))


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run to the end, on uvloop where it is installed; known failures become a ``Stop`` with a sentence."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:
        pass
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(coroutine)
    except discord.LoginFailure:
        what = settings.WHAT_TO_DO["discord_token"]
        raise Stop(f"DISCORD_TOKEN was refused by Discord: {what}.") from None
    except (aiohttp.ClientConnectionError, discord.HTTPException, discord.GatewayNotFound) as error:
        raise Stop(
            f"Discord cannot be reached ({error}): check the network and DISCORD_API_URL, then start again."
        ) from error


def parser() -> argparse.ArgumentParser:
    parts = argparse.ArgumentParser(prog="python -m bot", description="Rollcall, a referee of dice on Discord.")
    commands = parts.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play = commands.add_parser("play", help="the whole bot in a simulated Discord on this machine; needs no token")
    play.add_argument("--port", type=int, default=8765, help="of the web page (default 8765; 0 takes a free one)")
    play.add_argument("--db", default="data/play.db", metavar="FILE", help="where the rolls are kept")
    commands.add_parser("run", help="the bot on Discord")
    sync = commands.add_parser("sync", help="register the slash commands now")
    sync.add_argument("--guild", type=int, metavar="ID", help="for one server only, where they appear at once")
    commands.add_parser("migrate", help="bring the database to the newest schema")
    return parts


def start(options: argparse.Namespace) -> None:
    """Do what the command line says."""
    if options.command == "play":
        try:
            from bot.play import play
        except ModuleNotFoundError as error:
            raise Stop(f"`play` needs {error.name}: install it with `pip install 'rollcall[play]'`.") from error
        logs.configure("warning", "text")
        run(play(options.port, options.db))
        return
    settings_ = settings.read()
    logs.configure(settings_.log_level, settings_.log_form)
    if options.command == "run":
        run(serve(settings_))
    elif options.command == "sync":
        given = {"test_guild": options.guild} if options.guild else {}
        run(register(settings_.model_copy(update=given)))
    else:
        run(migrate(settings_.database_url))


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 1 failed on the way, 2 wrong settings or words."""
    try:
        start(parser().parse_args(arguments))
    except SettingsError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the command line speaks on standard error
        return 2
    except (Stop, StoreError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - as above
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

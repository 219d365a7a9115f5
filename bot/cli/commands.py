"""Host commands, from `run` to `doctor`, and their error messages."""

import asyncio
import ctypes
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot import logging_setup, settings
from bot.cli.doctor import examine
from bot.discord_api import discordpy_patches, invite_links, rate_limiter
from bot.render import prewarm
from bot.rules.anydice import phrases
from bot.rules.xwing.cards import card_sets, pilots
from bot.runtime.app import App
from bot.settings import Settings, SettingsError
from bot.store import backups, blocks, coordination, copy_database, database, errors

Result = TypeVar("Result")

CLOSED: Final = {
    4004: f"Discord refused DISCORD_TOKEN: {settings.WHAT_TO_DO['discord_token']}",
    4010: "Discord refused the numbers of our shards. Start again; it asks Discord for new ones",
    4011: "The bot is in more servers than its shards can hold. Start again: it asks Discord how many it needs",
    4012: "Discord no longer speaks this version of its gateway. Install the newest version of Rollcall",
    4013: "Discord does not know what the bot wants to hear of. Install the newest version of Rollcall",
    4014: "Discord does not let this bot hear of what it wants to. Install Rollcall as it was published: it needs no "
    "privileged intent",
}
"""Advice by the code with which Discord closes a connection for good."""

log = logging.getLogger(__name__)


async def serve(config: Settings) -> None:
    """Run the bot on Discord until SIGTERM or Ctrl-C."""
    token = settings.token(config)
    async with (
        coordination.claim(config.database_url),
        App(config) as app,
        operations(app, config),
        public_pages(app, config),
    ):
        discordpy_patches.answer_in_one_piece(partial(rate_limiter.record_first_answer, app.arrived))
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        settling = asyncio.ensure_future(settle(app))
        running = asyncio.ensure_future(app.start(token))
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        settling.cancel()
        await app.close()
        running.cancel()  # if the gateway is unreachable, discord.py retries forever, even after close
        with suppress(asyncio.CancelledError):
            await running


async def settle(app: App) -> None:
    """Finish startup in the background.

    Full garbage collections then skip startup's objects: scanning them stops everyone for 0.1 s and finds nothing. An
    answer's objects are freed without collections, so they can be rare. Then everything that a first answer needs is
    prepared, in pieces between answers.
    """
    await app.wait_for("ready")
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)
    await asyncio.sleep(IDLE)
    for pool in card_sets.POOLS:
        if (cards := card_sets.SHELF.find(pool)) is not None:
            pilots.index(cards)  # builds the index for pilot searches
    for piece in chain(phrases.pieces(), prewarm.pieces()):
        for _ in range(TURNS):
            await asyncio.sleep(PIECE)
            if not app.answering:
                break
        piece()
    with suppress(AttributeError):  # only glibc can, and has to be told
        ctypes.CDLL(None).malloc_trim(0)
    log.info("all that answers share is made")


COLLECTIONS: Final = 20_000, 50, 1000
"""GC thresholds: allocations before a young collection; young collections before an older one."""
IDLE: Final = 2.0
"""Seconds of quiet after READY before the work starts."""
PIECE: Final = 0.005
"""Seconds between two pieces of preparation."""
TURNS: Final = 5
"""Maximum yields of a piece to answers; then it runs even if the bot is always busy."""


def operations(app: App, config: Settings) -> AbstractAsyncContextManager[None]:
    """Serve health and metrics, if a port is set; otherwise their web server isn't loaded."""
    if not config.operations_port:
        return nullcontext()
    from bot.web.health import serve

    return serve(app, config.listen_host, config.operations_port)


@asynccontextmanager
async def public_pages(app: App, config: Settings) -> AsyncIterator[None]:
    """Serve the live pages, if they have an address, and the Activity."""
    where = settings.public_pages(config)
    if where is None:
        yield
        return
    from bot.web.live_pages import serve

    url, host, port = where
    async with AsyncExitStack() as stack:
        also = None
        if config.activity_secret is not None:
            from bot.web.activity import Activity, DiscordApi

            client = await stack.enter_async_context(aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)))
            also = Activity(app, DiscordApi(app, client, config.activity_secret.get_secret_value())).add_to
        await stack.enter_async_context(serve(app, host, port, url, also))
        yield


async def register(config: Settings) -> None:
    """Register the slash commands now, changed or not."""
    async with App(config, fresh=True) as app:
        await app.login(settings.token(config))


def command(name: str, **words: Any) -> int:
    """Run a command. Returns the exit code: 0 success, 1 failure, 2 invalid settings."""
    try:
        config = settings.read()
        logging_setup.configure(config.log_level, settings.secrets(config))
        return COMMANDS[name](config, **words) or 0
    except SettingsError as error:
        return say(str(error), 2)
    except discord.LoginFailure:
        return say(f"Discord refused DISCORD_TOKEN: {settings.WHAT_TO_DO['discord_token']}.", 2)
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as error:
        return say(*explain_closed(error))
    except errors.StoreError as error:
        return say(f"{error} ({error.reason})", 2 if isinstance(error, errors.InvalidDatabaseUrlError) else 1)
    except (aiohttp.ClientConnectionError, discord.HTTPException, discord.GatewayNotFound) as error:
        return say(f"Discord cannot be reached ({error}). Check the network and DISCORD_API_URL, then start again.", 1)


def start(config: Settings) -> None:
    settings.shards(config)  # raises: invalid settings get one message
    if number := invite_links.application_of(settings.token(config)):
        print_line("\n".join(invite_links.lines(number)))
    migrate_apart(config.database_url)
    run(serve(config))


def migrate_apart(url: str) -> None:
    """Migrate an old database in a forked process: in ours, Alembic would take 20 MiB until the end. A failure is left
    to the opening of the database, which says why.
    """
    with suppress(errors.DatabaseTooOldError):
        return run(database.check_version(url))
    if child := os.fork():
        os.waitpid(child, 0)
        return None
    try:
        run(migrate_alone(url))
    finally:
        os._exit(0)


async def migrate_alone(url: str) -> None:
    async with coordination.claim(url):
        await database.migrate(url)


def sync(config: Settings, guild: int | None = None) -> None:
    run(register(config.model_copy(update={"test_guild": guild or config.test_guild})))


def bring_up_to_date(config: Settings) -> None:
    is_changed = run(database.migrate(config.database_url))
    print_line(f"The database is of the newest version {'now' if is_changed else 'already'}.")


def move_database(_: Settings, source: str, destination: str) -> None:
    """Move a database; print each table's row count and digest."""
    run(
        copy_database.move(
            source, destination, lambda table: print_line(f"{table.table}: {table.rows} rows, SHA-256 {table.digest}")
        )
    )
    print_line("All rows are the same. Set DATABASE_URL to the new address, and start the bot.")


def save(config: Settings, file: Path) -> None:
    size = run(backups.backup(config.database_url, file))
    print_line(f"{file} holds everything: {size / 1e6:.1f} MB. docs/operations.md says how to restore it.")
    note(config, backups.BACKUP)


def restore(config: Settings, file: Path, *, check: bool) -> None:
    """Rehearse a restore. Replacing a database is manual, with the bot stopped."""
    assert check, "argparse requires it"  # noqa: S101 - states it
    for table in run(backups.rehearse(config.database_url, file)):
        print_line(f"{table.table}: {table.rows} rows, SHA-256 {table.digest}")
    print_line(f"{file} can be restored: all rows are those that were backed up.")
    note(config, backups.REHEARSAL)


def note(config: Settings, scope: str) -> None:
    """Record it for the metrics; a busy database costs an alert, not the backup."""
    try:
        run(database.run_once(config.database_url, coordination.note_registered, scope, "", int(time.time())))
    except errors.StoreError as error:
        log.warning("the time of this %s was not noted, so its metric is too old: %s", scope, error.reason)


def block(
    config: Settings,
    kind: str | None = None,
    number: int | None = None,
    reason: str | None = None,
    until: datetime | None = None,
    *,
    lift: bool = False,
) -> int:
    """Block or unblock a person or a server, or list all blocks. A running bot follows within ten seconds."""
    if kind is None and not (lift or reason or until):
        for item in run(database.run_once(config.database_url, blocks.every)):
            print_line(describe_block(item))
        return 0
    if kind is None or number is None or not 0 < number < 1 << 63:
        return say("Say whom: `person` or `server`, then the id (in Discord: Copy User ID or Copy Server ID).", 2)
    if lift:
        was = run(database.run_once(config.database_url, blocks.lift, kind, number))
        if not was:
            return say(f"This {kind} isn't blocked.", 1)
        print_line("The block was lifted.")
        return 0
    if not reason:
        return say("Say why, with --reason: the blocked people read it.", 2)
    if until is not None and until.timestamp() <= time.time():
        return say("This block would have ended already. Give a later day with --until; days begin at midnight UTC.", 2)
    new = blocks.AccessBlock(kind, number, reason, int(time.time()), int(until.timestamp()) if until else None)
    run(database.run_once(config.database_url, blocks.store_block, new))
    print_line(describe_block(new))
    return 0


def describe_block(item: blocks.AccessBlock) -> str:
    since, until = (datetime.fromtimestamp(at or 0, UTC).strftime("%Y-%m-%d") for at in (item.at, item.until))
    return f"{item.kind} {item.id}: blocked {since} to {until if item.until else 'no end'}. Reason: {item.reason}"


def leave(config: Settings, guild: int) -> int:
    try:
        run(leave_server(config, guild))
    except discord.NotFound:
        return say("Discord knows no such server of this bot. Check the id (in Discord: Copy Server ID).", 1)
    print_line("The bot has left this server. Its data is erased in 30 days, unless the bot is invited again.")
    return 0


async def leave_server(config: Settings, guild: int) -> None:
    """Leave a server; Discord tells the running bot."""
    token = settings.token(config)
    discordpy_patches.use_api(str(config.discord_api_url))
    discordpy_patches.silence_voice_warnings()
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.http.static_login(token)
        await client.http.leave_guild(guild)


def doctor(config: Settings, channel: int | None = None, *, online: bool = False) -> int:
    return 0 if run(examine(config, channel, print_line, online=online)) else 1


COMMANDS: Final[dict[str, Callable[..., int | None]]] = {
    "run": start,
    "sync": sync,
    "migrate": bring_up_to_date,
    "move": move_database,
    "backup": save,
    "restore": restore,
    "block": block,
    "leave": leave,
    "doctor": doctor,
}


def explain_closed(error: discord.ConnectionClosed | discord.PrivilegedIntentsRequired) -> tuple[str, int]:
    """Return the message and exit code for a connection that Discord closed for good.

    Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
    """
    code = 4014 if isinstance(error, discord.PrivilegedIntentsRequired) else error.code
    unknown = "Discord closed the connection. Start again; if that does not help, see its status page"
    return f"{CLOSED.get(code, unknown)} (close code {code}).", 2 if code in CLOSED else 1


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine, on uvloop if installed (extra ``speed``)."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:
        pass
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(coroutine)


def print_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


def say(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)  # noqa: T201 - a command's errors
    return code

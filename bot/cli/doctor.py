"""``python -m bot doctor``: checks everything that the bot needs, and gives advice for each problem."""

import re
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

import aiohttp
import discord

from bot import package_info, settings
from bot.discord_api import discordpy_patches
from bot.discord_api.invite_links import NEEDED, Permission, server_link, user_link
from bot.resources.quotas import LIMITS
from bot.settings import Settings, SettingsError
from bot.store.copy_database import orphans
from bot.store.database import Database, file_of, pool_size
from bot.store.errors import StoreError
from bot.store.kept_files import largest_total

MB: Final = 1_000_000
MIN_ROOM: Final = 1 << 30
"""Bytes that should be free on an SQLite file's disk."""
SHORT_LIVED: Final = 3
"""A process's connections besides its pool: locks of startup, cleanup, and IDENTIFY."""
DAMAGED: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")
"""Prefixes of SQLite's and PostgreSQL's errors for unreadable pages."""
RELEASES: Final = "https://api.github.com/repos"
ONLINE: Final = aiohttp.ClientTimeout(total=10)
MAX_CLOCK: Final = 60.0
"""Maximum clock error in seconds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; ``advice`` says what to do and is empty if nothing is wrong."""

    subject: str
    state: str
    advice: str = ""


async def store(config: Settings) -> list[Finding]:
    """Check that the database opens, and has this version."""
    try:
        async with AsyncExitStack() as stack:
            database = await Database.open(config.database_url, migrates=False)
            stack.push_async_callback(database.close)
            begun = time.perf_counter()
            await database.ping()
            return [
                Finding("database", f"answers in {(time.perf_counter() - begun) * 1000:.1f} ms"),
                check_pages(await database.damage()),
                await rows(database),
                budget(await database.run(largest_total)),
                *connections(config.processes, await database.connections()),
            ]
    except StoreError as error:
        if error.reason in ("there is no such file", "it is empty, or of another version"):
            return [Finding("database", f"{error.reason}; the bot brings it up to date on its next start")]
        if error.reason.startswith(DAMAGED):
            return [check_pages(error.reason)]
        return [Finding("database", error.reason, str(error))]


def check_pages(damage: str) -> Finding:
    """Check the engine's own integrity report."""
    advice = "Stop the bot, keep a copy of the database, and restore the newest backup (docs/operations.md)."
    return Finding("pages", damage or "the database finds nothing wrong in them", advice if damage else "")


async def rows(database: Database) -> Finding:
    """Check for orphaned rows."""
    async with database.transaction() as connection:
        result = await orphans(connection)
    if not result:
        return Finding("rows", "each has what it belongs to")
    cures = "; ".join(item.delete_statement for item in result)
    return Finding("rows", ", ".join(map(str, result)), f"Somebody wrote past the bot. Stop it, then run: {cures}.")


def budget(kept: int) -> Finding:
    """Check how much of its quota the largest server uses."""
    state = (
        f"a server may keep {LIMITS.kept / MB:.0f} MB of files (the most is {kept / MB:.1f}), use "
        f"{LIMITS.seconds:.0f} s of workers and pictures a minute, have {LIMITS.watchers} watchers and "
        f"{LIMITS.requests:.0f} requests of pages a second; rollcall_over_budget_total counts what was refused"
    )
    return Finding("budget", state)


def connections(processes: int, result: tuple[int, int] | None) -> list[Finding]:
    """Check that a server accepts the connections of all processes during an update."""
    if result is None:
        return []
    most, held = result
    needed = 2 * processes * (pool_size(processes) + SHORT_LIVED)
    state = f"the server takes {most} and has {held}; the bot needs up to {needed} while it is updated"
    advice = f"Set max_connections of the server to {needed + 10} or more, or use PgBouncer (docs/operations.md)."
    return [Finding("connections", state, advice if most < needed else "")]


def disk(config: Settings) -> Finding:
    """Check the free space for an SQLite file."""
    try:
        file = file_of(config.database_url)
    except StoreError:
        file = None
    if file is None:
        return Finding("disk", "no file of ours is on it")
    folder = file.resolve().parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    state = f"{free / (1 << 30):.1f} GB are free in {folder}"
    return Finding("disk", state, "" if free >= MIN_ROOM else "Make room: 1 GB should be free.")


async def check_discord(config: Settings, channel_id: int | None) -> AsyncIterator[Finding]:
    """Check the token, the clock, and the channel's permissions."""
    try:
        token = settings.token(config)
    except SettingsError as error:
        yield Finding("token", "cannot be used", str(error))
        return
    discordpy_patches.use_api(str(config.discord_api_url))
    discordpy_patches.silence_voice_warnings()
    dates = [""]

    async def note_date(_: object, __: object, request: aiohttp.TraceRequestEndParams) -> None:
        dates.append(request.response.headers.get("Date", ""))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(note_date)
    async with discord.Client(intents=discord.Intents(guilds=True), http_trace=trace) as client:
        try:
            await client.login(token)
        except discord.LoginFailure:
            advice = settings.WHAT_TO_DO["discord_token"]
            yield Finding("token", "Discord refuses it", f"DISCORD_TOKEN: {advice}.")
            return
        except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
            yield Finding("Discord", str(error), "Check the network and DISCORD_API_URL.")
            return
        yield Finding("token", f"is that of {client.user}")
        yield Finding("server install", server_link(client.application_id or 0))
        yield Finding("user install", user_link(client.application_id or 0))
        yield Finding("intents", "the bot needs no privileged one")
        yield clock(dates[-1])
        if channel_id is not None:
            yield await channel_of(client, channel_id)


def clock(date: str) -> Finding:
    """Compare the clock with Discord's."""
    if not date:
        return Finding("time", "Discord did not say what time it is")
    apart = time.time() - parsedate_to_datetime(date).timestamp()
    advice = "" if abs(apart) <= MAX_CLOCK else "Set this machine's clock, for example with systemd-timesyncd."
    return Finding("time", f"the clock is {abs(apart):.0f} seconds from Discord's", advice)


async def channel_of(client: discord.Client, channel_id: int) -> Finding:
    """Check the bot's permissions in a channel, or in a thread, which has those of its channel."""
    try:
        named = channel = await client.fetch_channel(channel_id)
        if isinstance(named, discord.Thread):
            channel = await client.fetch_channel(named.parent_id)
        if isinstance(named, discord.abc.PrivateChannel) or not isinstance(channel, discord.abc.GuildChannel):
            return Finding("channel", "is no channel of a server; the bot may do there what you may")
        guild = await client.fetch_guild(channel.guild.id)
        me = await guild.fetch_member(client.user.id if client.user is not None else 0)
    except discord.NotFound:
        advice = "Check its number (in Discord: Copy Channel ID)."
        return Finding("channel", f"Discord knows no channel {channel_id}", advice)
    except discord.Forbidden:
        advice = "Give the bot's role the permission View Channel there, or invite the bot to its server."
        return Finding("channel", "the bot may not see it", advice)
    except discord.HTTPException as error:
        return Finding("channel", f"cannot be looked at: {error}", "Try again later.")
    channel.guild = guild  # with roles; a fetched channel has only the server's id
    # Its own method removes permissions that depend on sending messages, which is irrelevant in a thread.
    may = discord.abc.GuildChannel.permissions_for(channel, me)
    other = Permission.send_messages if isinstance(named, discord.Thread) else Permission.send_messages_in_threads
    names = [str(permission.name) for permission in NEEDED & ~other]
    missing = [name.replace("_", " ").title() for name in names if not getattr(may, name)]
    state = f"#{named.name}: " + (f"missing {', '.join(missing)}" if missing else "the bot may do all it needs")
    return Finding("channel", state, "Give the bot's role these permissions there." if missing else "")


async def release() -> Finding:
    """Check for a newer release, through the API of the source code's host."""
    package = package_info.read()
    named = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)/?", package.source)
    if named is None:
        return Finding("release", f"{package.version}; the package doesn't say where its releases are")
    try:
        async with aiohttp.request("GET", f"{RELEASES}/{named[1]}/releases/latest", timeout=ONLINE) as answer:
            newest = str((await answer.json())["tag_name"]).removeprefix("v") if answer.ok else ""
    except (aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError) as error:
        return Finding("release", f"{package.version}; the newest is unknown: {type(error).__name__}")
    if version_of(newest) <= version_of(package.version):
        return Finding("release", f"{package.version} is the newest")
    advice = f"Read what a host has to do in CHANGELOG.md, make a backup, then install {newest}."
    return Finding("release", f"{package.version}; {newest} exists", advice)


def version_of(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", text)))


async def findings(config: Settings, channel_id: int | None, *, online: bool) -> AsyncIterator[Finding]:
    """Yield all findings, cheap checks first. ``channel_id``: where to check permissions, if anywhere."""
    for finding in await store(config):
        yield finding
    yield disk(config)
    if online:
        yield await release()
    async for finding in check_discord(config, channel_id):
        yield finding


async def examine(
    config: Settings, channel_id: int | None, tell: Callable[[str], None], *, online: bool = False
) -> bool:
    """Report each finding as it is made; return whether nothing is wrong."""
    is_well = True
    async for finding in findings(config, channel_id, online=online):
        is_well = is_well and not finding.advice
        tell(f"{'MISSING' if finding.advice else 'ok':8}{finding.subject}: {finding.state}")
        if finding.advice:
            tell(f"{'':8}→ {finding.advice}")
    return is_well

"""The whole bot in a simulated Discord on this machine: one server, four people, and a web page for each of two tables.
simcord simulates Discord and serves the page; the bot, its rules, and its SQLite file are real.
"""

import asyncio
import contextlib
import secrets
import signal
import socket
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import discord
import simcord
from aiohttp import web
from aiohttp.typedefs import Handler
from simcord.backend.cdn import CDN_BASE

from bot import background
from bot.discord_api import discordpy_patches
from bot.html import documents
from bot.render.faces import FACES, png_of
from bot.rules import infinity, xwing
from bot.rules.infinity.troopers import trooper
from bot.rules.text import Name, Text
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.ship import Ship, from_card, give, join_all, lock
from bot.runtime.app import App
from bot.sessions.request import Person, Place, Request
from bot.settings import Settings
from bot.ui.core import emoji
from bot.ui.core.card_messages import card_message
from bot.ui.roll import roll_message
from bot.web import activity, live_pages

PEOPLE: Final = ("Ana", "Bo", "Cleo", "Dev")

LOOPBACK: Final = "127.0.0.1"
"""Host of the live pages, on their own port."""
LOOPBACK_NAMES: Final = frozenset({LOOPBACK, "localhost", "::1"})

TABLE: Final[Mapping[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Texts for the players, and the initial pieces of both tables."""
STEPS: Final[tuple[str, ...]] = tuple(TABLE["steps"])
ALONE: Final[str] = TABLE["alone"]
NUMBERED: Final = [f"{number}. {step}".replace("*", "").replace("`", "") for number, step in enumerate(STEPS, 1)]
PATIENCE: Final = 600.0
"""Seconds that a page waits for a response on a slow machine."""
CARDS: Final = 8
"""Cards reposted to a channel after a restart."""
TOPIC: Final = f"{' '.join(NUMBERED)} {ALONE} {TABLE['full']}"
INFINITY: Final = f"Infinity: press Lieutenant Roll on the board, or type /infinity versus. {ALONE} {TABLE['full']}"
SET: Final = Text("sets the table")
SCRIPT: Final = Path(__file__).parents[1] / "html" / "play.js"


class LocalCall:
    """The local call with everybody in it: a code contains its person, since nobody else is here."""

    def __init__(self, channel: simcord.ChannelHandle, guild: simcord.GuildHandle, people: Mapping[int, str]) -> None:
        self._instance = activity.ActivityInstance(channel.id, guild.id, frozenset(people))
        self.people = people
        self.where = f"instance_id={INSTANCE}&guild_id={guild.id}&channel_id={channel.id}"

    async def user(self, code: str) -> activity.DiscordUser | None:
        number, _, rest = code.partition("-")
        known = self.people.get(int(number)) if rest and number.isascii() and number.isdecimal() else None
        return activity.DiscordUser(int(number), known, "en-US") if known is not None else None

    async def instance(self, number: str) -> activity.ActivityInstance | None:
        return self._instance if number == INSTANCE else None

    def add_to(self, app: App, site: web.Application) -> None:
        if not IS_OPEN:
            site.middlewares.append(loopback_only)
        hosts = "" if IS_OPEN else "'self' http://localhost:3333"
        activity.Activity(app, self, hosts=hosts, is_open=IS_OPEN).add_to(site)

        async def call(_: web.Request) -> web.Response:
            html = documents.call_page(app.application_id or 0, self.people, self.where)
            style, script = documents.style(*documents.CALL_STYLES), documents.asset("call.js")
            policy = documents.policy(style, script, also="font-src 'self'; frame-src 'self'")
            headers = {"Content-Security-Policy": policy}
            return web.Response(text=html, content_type="text/html", headers=headers)

        site.router.add_get("/call", call)


@web.middleware
async def loopback_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Reject requests through a DNS name for this machine (DNS rebinding): there is no login here."""
    asked = [f"//{request.headers.get('Host', '')}", *request.headers.getall("Origin", ())]
    if not all(is_loopback_name(item) for item in asked):
        raise web.HTTPForbidden(text="These pages answer this machine alone. Open the address that `make play` prints.")
    return await handler(request)


def is_loopback_name(address: str) -> bool:
    try:
        return urlsplit(address).hostname in LOOPBACK_NAMES
    except ValueError:
        return False


INSTANCE: Final = "play"
IS_OPEN = False
"""Whether frames with an opaque origin are allowed, as on the internet. No: here a made-up code opens a session."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A running game: the simulated Discord, the bot, and its two channels' pages by name."""

    env: simcord.Env
    app: App
    pages: Mapping[str, simcord.Preview]
    screen: str
    """The address of the live pages."""


async def play(port: int, path: Path, *, alone: bool = False) -> None:
    """Serve the pages until Ctrl-C, SIGTERM, or their own End button. ``alone``: the bot plays the second side."""
    async with run_game(port, path, alone=alone) as running:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        announce(running, path)
        await wait_for_first(stop.wait(), *(item.wait_closed() for item in running.pages.values()))


@contextlib.asynccontextmanager
async def run_game(port: int, path: Path, *, alone: bool = False) -> AsyncIterator[RunningGame]:
    """Run the bot at its tables, as ``play`` serves them."""
    url = f"sqlite+aiosqlite:///{path}"
    settings = Settings.model_construct(database_url=url, welcome=False, person_limit=0)  # one person presses for all
    app = App(settings, fresh=True, faces=())
    async with simulated_discord(app) as env:
        discordpy_patches.clear_refused_command(app.tree)
        env.backend.bot_user.global_name = "Rollcall"
        guild = env.create_guild("The Gaming Club")
        channel = guild.create_text_channel("x-wing", topic=TOPIC)
        other = guild.create_text_channel(infinity.KEY, topic=INFINITY)
        guild.create_voice_channel("Game Night")
        rights = discord.Permissions(manage_guild=True, manage_channels=True)
        organizer = guild.create_role("Organizer", permissions=rights)
        people = [  # Ana, the first, is an admin
            guild.add_member(env.create_user(name.lower(), global_name=name), roles=() if number else (organizer,))
            for number, name in enumerate(PEOPLE)
        ]
        await env.settle()
        discordpy_patches.follow_wall_clock(env)
        discordpy_patches.wait_for_every_answer(env)
        discordpy_patches.tell_sizes_of_pictures()
        await emoji.keep(app, FACES)  # simcord allows five seconds for startup, and rendering may take longer
        seats = {person.user.global_name or "": person.id for person in people}
        if app.user is not None:
            app.user.global_name = "Rollcall"  # its name came with READY, before it was set
            seats["Bo"] = app.user.id if alone else seats["Bo"]
        await set_ships(app, Place(channel.id, guild.id), seats)
        await set_troopers(app, Place(other.id, guild.id), seats)
        for item in (channel, other):
            await people[0].slash(item, "table show")
            await show_again(app, Place(item.id, guild.id))
        screen_port, turn = next_port(port), asyncio.Lock()
        call = LocalCall(channel, guild, {person.id: person.user.global_name or "" for person in people})
        async with (
            live_pages.serve(app, LOOPBACK, screen_port, also=partial(call.add_to, app)) as screen,
            page(env, app, channel, people, port, path, turn) as first,
            page(env, app, other, people, next_port(screen_port), path, turn) as second,
        ):
            yield RunningGame(env, app, {xwing.KEY: first, infinity.KEY: second}, screen)
    await app.close()


@contextlib.asynccontextmanager
async def simulated_discord(app: App) -> AsyncIterator[simcord.Env]:
    """Simulate Discord so that no action waits for the bot's background work."""
    env = simcord.Env(app, shard_count=1, check_errors=False, settle_timeout=PATIENCE)
    outside = copy_context()  # simcord attributes to the bot what starts in a context of its own

    def enter() -> Context:
        with env.time_context():
            return copy_context()

    before = background.CONTEXT.set(lambda: outside.copy().run(enter))
    try:
        await env.start()
        with env.time_context():
            yield env
    finally:
        await env.shutdown()
        background.CONTEXT.reset(before)


async def show_again(app: App, here: Place) -> None:
    """Repost a channel's newest cards after a restart: unlike Discord, simcord stores no messages."""
    channel = app.get_channel(here.channel_id)
    assert isinstance(channel, discord.TextChannel), "it was just created"  # noqa: S101 - states it
    rolls = await app.tables.rolls_shown(here, CARDS)
    for number, played in enumerate(reversed(rolls), 1):
        leads = number == len(rolls) and roll_message.has_next(app, here, played)
        above = await roll_message.next_rows(app, here, played) if leads else ()
        message = await channel.send(
            **card_message(roll_message.roll_card(played)), view=roll_message.view(played, above=above)
        )
        app.links.note(played.session, message.id)
        if leads:
            app.next_cards[here.channel_id] = played
    app.lost.forget(here.channel_id)


@contextlib.asynccontextmanager
async def page(
    env: simcord.Env,
    app: App,
    channel: simcord.ChannelHandle,
    people: Sequence[simcord.MemberActor],
    port: int,
    path: Path,
    turn: asyncio.Lock,
) -> AsyncIterator[simcord.Preview]:
    """Serve a channel's page at a permanent address. ``turn``: held during a press."""
    discordpy_patches.leave_room_for_a_page(env)
    result = env.preview(channel, viewers=people, layout="channel", port=port, assets=emoji_pictures(app))
    kept = path.with_name(f"{path.name}.key")  # a tab finds its page after a restart
    if not kept.is_file():
        kept.touch(mode=0o600)
        kept.write_text(secrets.token_urlsafe(32), encoding="ascii")
    discordpy_patches.keep_page(result, kept.read_text(encoding="ascii"), SCRIPT.read_text(encoding="utf-8"))
    async with result as shown:
        discordpy_patches.take_every_press(shown, turn)
        showing = asyncio.create_task(discordpy_patches.show_every_change(shown, turn))
        try:
            yield shown
        finally:
            showing.cancel()


def emoji_pictures(app: App) -> dict[str, tuple[str, bytes]]:
    """Return pictures by address, because simcord doesn't keep those of application emoji."""
    return {f"{CDN_BASE}/emojis/{item.id}.png": (f"{item.name}.png", png_of(face)) for face, item in app.faces.items()}


async def set_ships(app: App, here: Place, ids: Mapping[str, int]) -> None:
    """Put ships on an empty table, so that play can start at once."""
    if any((await app.tables.snapshot(here)).pieces.values()):
        return
    for name, pilots in TABLE["ships"].items():
        by = Person(ids[name], Name(name if ids[name] != getattr(app.user, "id", 0) else "Rollcall"))
        owner = await app.tables.player(here, by)
        new = [from_card(pilot_ship(pilot), owner.id) for pilot in pilots]
        await app.tables.step(Request(by, here), xwing.KEY, SET, partial(arrive, new))
    by = Person(ids["Ana"], Name("Ana"))
    await app.tables.step(Request(by, here), xwing.KEY, SET, lambda table: lock(ships_of(table), *TABLE["lock"]))


async def set_troopers(app: App, here: Place, ids: Mapping[str, int]) -> None:
    """Put Ana's and Bo's troopers on the table, so that the Lieutenant Roll is the first press."""
    if any((await app.tables.snapshot(here)).pieces.values()):
        return
    for player, lines in TABLE["troopers"].items():
        by = Person(ids[player], Name(player))
        owner = await app.tables.player(here, by)
        for name, line in lines.items():
            result = replace(trooper.parse(name, line), owner=owner.id)
            await app.tables.step(Request(by, here), infinity.KEY, SET, partial(trooper.add_or_replace, trooper=result))


def arrive(new: Sequence[Ship], table: Table) -> Mapping[str, Ship | None]:
    equipped = []
    for ship in new:
        for token in TABLE["tokens"].get(ship.name, ()):
            ship = give(ship, token, 1)
        equipped.append(ship)
    return join_all(ships_of(table), equipped)


def next_port(port: int) -> int:
    """Return the port after the page's, so that links survive a restart; 0 for any if it is taken."""
    if not 0 < port < 65535:
        return 0
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server will set it
        try:
            tried.bind((LOOPBACK, port + 1))
        except OSError:
            return 0
    return port + 1


def announce(running: RunningGame, path: Path) -> None:
    steps, url = "\n".join(f"    {step}" for step in NUMBERED), running.pages[xwing.KEY].url
    words = {"url": url, "steps": steps, "screen": running.screen, "file": path, "alone": ALONE, "full": TABLE["full"]}
    welcome = TABLE["welcome"].format(**words, infinity=running.pages[infinity.KEY].url)
    print(welcome, flush=True)  # noqa: T201 - the command's output
    with contextlib.suppress(webbrowser.Error):
        webbrowser.get()  # raises without a browser
        webbrowser.open(url)


async def wait_for_first(*coroutines: Coroutine[Any, Any, Any]) -> None:
    """Wait until one coroutine is done, and cancel the others."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()

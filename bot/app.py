"""The running bot: builds the client, registers its commands when they changed, stops without dropping an answer."""

import asyncio
import hashlib
import importlib
import json
import logging
import pkgutil
import time
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord import app_commands

import cogs
from bot import languages, metrics, private_doors
from bot import settings as setting
from bot.allowance import Allowances
from bot.bounded import Bounded
from bot.budget import PER_SECOND, URGENCY, Budget, Urgency
from bot.client import HEARD_MOST, Client, Interaction, ResultLog, Tokens
from bot.identify import Turns
from bot.languages.say import speak
from bot.render.faces import FACES, Face
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.ruleset.settings import KEEP_DAYS
from bot.sessions.calls import Calls
from bot.sessions.chance import REAL
from bot.sessions.facts import Bus
from bot.sessions.fairness import Fairness
from bot.sessions.interactions import Interactions
from bot.sessions.kept_files import KeptFiles
from bot.sessions.links import Links, ShownPlies
from bot.sessions.lost import Lost
from bot.sessions.matches import Matches
from bot.sessions.people import FORGOTTEN, People
from bot.sessions.place import Place
from bot.sessions.replays import Replays
from bot.sessions.retention import RESTS, Retention
from bot.sessions.rulesets import Rulesets
from bot.sessions.saved import RecentLines, SavedRolls
from bot.sessions.seals import Seals
from bot.sessions.servers import Servers
from bot.sessions.sessions import Sessions
from bot.sessions.shares import EVERY, LEAST, Shares
from bot.sessions.tables import Tables
from bot.sessions.watch_links import WatchLinks
from bot.sessions.watching import Watching
from bot.settings import Settings
from bot.store import fairness as fairness_rows
from bot.store import registration
from bot.store import sessions as session_rows
from bot.store.database import Database
from bot.store.errors import StoreError, Unreachable
from bot.store.locks import Locks
from bot.store.shown import ShownMessages
from bot.ui import (
    after,
    checks,
    command_form,
    emoji,
    follow,
    live,
    log_channel,
    press,
    seal,
    secret,
    validation,
    voice,
    watch_link,
    welcome,
)
from bot.ui.answer import answer
from bot.ui.errors import report_error
from bot.ui.facts import tell_answered
from bot.ui.translator import Translator
from bot.workers import COUNTERS, READERS, READING, Workers

log = logging.getLogger(__name__)

DRAIN: Final = 8.0
"""Seconds that open interactions get to be answered when the bot is told to stop: it has ended after ten."""

TOO_MANY: Final = 429
"""The status of a request too many."""

TIDY_FIRST: Final = 30.0
"""Seconds from READY to the first step of tidying: a start has other things to do."""

TIDY_AGAIN: Final = 3600.0
"""Seconds after which it is looked again whether something has become old."""

TIDY_LATER: Final = 60.0
"""Seconds after a step that failed."""

CARDS_LOST_ELSEWHERE: Final = 30.0
"""Seconds after which it is looked for cards that another process with the same shards could not show."""


class Tree(app_commands.CommandTree[Client]):
    """Slash commands: the clock starts when one arrives, what it brings is checked, every error goes to the funnel."""

    client: "App"

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        if not await self.client.takes(interaction):
            return False
        if interaction.type is not discord.InteractionType.application_command:
            return await self.suggests(interaction)
        answer(interaction)
        try:
            if secret.is_for_one(interaction):
                answer(interaction).keep_private()
            await voice.begin(interaction, is_private=answer(interaction).is_private)
            await checks.check_command(interaction)
            validation.check_options(interaction)
            return not await command_form.is_asked(interaction)
        except Exception as error:  # noqa: BLE001 - the funnel sorts them; discord.py hears of its own errors only
            await report_error(interaction, error)
            return False

    async def suggests(self, interaction: Interaction) -> bool:
        """Whether there may be something to suggest; where there cannot, that is said at once."""
        speak(voice.of_reader(interaction))
        can = validation.can_suggest(interaction)
        if not can:
            await interaction.response.autocomplete([])
        return can

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        if interaction.type is discord.InteractionType.application_command:
            await report_error(interaction, error)


class App(Client):
    """The whole bot. ``fresh`` registers the commands even if they did not change.

    ``faces`` are those that the application keeps emoji of.
    """

    def __init__(
        self, settings: Settings, *, rng: Rng = REAL, fresh: bool = False, faces: tuple[Face, ...] = FACES
    ) -> None:
        private_doors.use_api(str(settings.discord_api_url))
        private_doors.never_speak()
        private_doors.reconnect_after_nonsense()
        self.arrived = {}
        self.budget = Budget()
        shards = setting.shards(settings)
        which: dict[str, Any] = {"shard_count": shards.total, "shard_ids": list(shards.ids)} if shards else {}
        intents = discord.Intents.none()
        intents.guilds, intents.voice_states = True, settings.voice_calls
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=intents,
            tree_cls=Tree,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            chunk_guilds_at_startup=False,
            member_cache_flags=people_in_calls(known=settings.voice_calls),
            max_messages=None,
            http_trace=measured(self.arrived, self.budget, str(settings.discord_api_url).rstrip("/")),
            shard_connect_timeout=None,  # it may have to wait for other processes; each step has a limit of its own
            **which,
        )
        private_doors.survive_events(self)
        self.settings = settings
        self._rng = rng
        self._fresh = fresh
        self._database: Database | None = None
        self.bus = Bus(expected=(discord.HTTPException, StoreError, PlayerError))
        after.subscribe(self, welcomes=settings.welcome)
        self.live = {}
        self.watching = Watching()
        self.unsure = {}
        self.greeted = set()
        self.heard = Bounded(HEARD_MOST)
        self.faces = {}
        self.shown_plies = ShownPlies()
        self.calls = Calls()
        self.next_cards = {}
        self.tokens = Tokens()
        self.rest = live.REST
        self.side_questions = {}
        self.waiting_squads = {}
        self.recent_lines = RecentLines()
        self.log = ResultLog()
        self.allowances = Allowances()
        self.workers = Workers(COUNTERS, allowances=self.allowances)
        self.readers = Workers(READERS, READING, self.allowances)
        self.rate_limit = checks.rate_limit(settings.person_limit)
        self.started = time.perf_counter()
        self._wanted = faces
        self.finding_emoji: asyncio.Task[None] | None = None
        """In it the emoji of dice are found or created, from the first READY on."""
        self._tidying: asyncio.Task[None] | None = None
        self._sharing: asyncio.Task[None] | None = None
        self._is_called = False
        self._answering: set[asyncio.Task[Any]] = set()
        """The tasks in which interactions are being answered."""
        self._is_stopping = False
        self._looking: asyncio.TimerHandle | None = None
        self.background = set()

    async def setup_hook(self) -> None:
        """Open the store, load the cogs, register their commands if needed: before the gateway connects."""
        self._database = await Database.open(self.settings.database_url, processes=self.settings.processes)
        self.locks = Locks(self.settings.database_url)
        self.identify_turns = Turns(self.locks.alone)
        self.interactions = Interactions(self._database)
        self.rulesets = Rulesets(self._database)
        self.kept_files = KeptFiles(self._database)
        self.armies = self.settings.data_folder / "armies"
        self.saved = SavedRolls(self._database)
        self.seals = Seals(self._database)
        self.sessions = Sessions(self._database, self._rng, self.bus.tell, self.seals)
        self.tables = Tables(self._database, self.bus.tell, self.seals, self._rng)
        self.shown = ShownMessages(self._database)
        self.fairness = Fairness(self._database)
        self.matches = Matches(self._database)
        self.watch_links = WatchLinks(self._database)
        self.replays = Replays(self._database)
        self.links = Links(self._database)
        self.lost = Lost(self._database)
        await self._database.warm_up()
        await self.look_again()
        self.people = People(self._database)
        self.servers = Servers(self._database)
        self.keeper = Retention(self._database, self.servers, self.keep_days, self.is_ours)
        self.shares = Shares(self._database, PER_SECOND)
        if self._database.is_shared:
            self.budget.share(LEAST)
            self._sharing = asyncio.create_task(self.share(), name="share")
        self._tidying = asyncio.create_task(self.tidy(), name="tidy")
        await self.tree.set_translator(Translator())
        for module in pkgutil.iter_modules(cogs.__path__):
            await importlib.import_module(f"cogs.{module.name}").setup(self)
        await self.locks.alone("commands", partial(self.register, force=self._fresh))

    async def register(self, *, force: bool = False) -> bool:
        """Register the slash commands with Discord if their definition changed since the last time, or by force."""
        guild = discord.Object(self.settings.test_guild) if self.settings.test_guild else None
        if guild is not None:
            self.tree.copy_global_to(guild=guild)
        scope = f"{self.application_id}:{guild.id if guild else 'global'}"
        digest = fingerprint(self.tree, guild)
        assert self._database is not None, "setup_hook opens it first"  # noqa: S101 - states the order above
        async with self._database.transaction() as connection:
            known = await registration.digest(connection, scope)
        if known == digest and not force:
            return False
        registered = await self.tree.sync(guild=guild)
        languages.forget()  # whoever is spoken to brings a catalogue back
        async with self._database.transaction() as connection:
            await registration.remember(connection, scope, digest, int(time.time()))
        log.info("registered %d slash commands (%s)", len(registered), scope)
        return True

    async def on_ready(self) -> None:
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        if self._wanted and self.finding_emoji is None:  # Discord says ready again after each lost session
            self.finding_emoji = asyncio.create_task(emoji.keep(self, self._wanted))
        self._is_called = False
        await self.look_again()

    async def look_again(self) -> None:
        """Read what another process may have changed while this one was not listening: boards, turn orders, lost cards.

        Never raises for the store: what is not known is a board that stays as it was, until it is shown again.
        """
        try:
            await live.remember(self)
            await self.links.write()  # else cards that this process has shown would pass for lost
            await self.lost.find(int(time.time()))
            await watch_link.recall(self)
        except StoreError as error:
            log.warning("boards, turn orders and lost cards were not looked for: %s", error.reason)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.servers.joined(guild.id)
        if self.settings.welcome and await self.is_first(guild.id):
            await welcome.on_join(self, guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """After an outage, or after joining during one."""
        self.servers.joined(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Not on an outage, which discord.py tells apart."""
        self.live = {key: one for key, one in self.live.items() if one.kept.guild_id != guild.id}
        await self.servers.left(guild.id, int(time.time()))
        await self.end_links(self.watch_links.leave(guild.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.end_links(self.watch_links.end(channel.id))

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.end_links(self.watch_links.end(thread.thread_id))

    async def end_links(self, ending: Coroutine[Any, Any, object]) -> None:
        """End links to tables, and the pages that are open with them. Never raises for the store: they end in time."""
        try:
            await ending
            await follow.look_at_links(self)
        except StoreError as error:
            log.warning("links to tables were not ended: %s", error.reason)

    async def keep_days(self, place: Place) -> int:
        """How long rolls are kept at a place; for a thread that Discord has put away, what its server says."""
        channel = self.get_channel(place.channel_id)
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        return (await self.rulesets.ruling(replace(place, parent_id=parent), FORGOTTEN))[KEEP_DAYS]

    async def tidy(self) -> None:
        """Take away what is no longer kept, a little at a time, for as long as the bot runs. Never raises.

        Each process does so for the servers of its shards; of several with the same shards, one at a time.
        """
        URGENCY.set(Urgency.TIDYING)
        await self.wait_until_ready()
        shards = ",".join(map(str, sorted(self.shards)))
        pause = TIDY_FIRST
        while True:
            await asyncio.sleep(pause)
            pause = TIDY_LATER
            try:
                if not self._is_called:
                    await self.servers.called([guild.id for guild in self.guilds], self.is_ours, int(time.time()))
                    self._is_called = True
                await self.servers.write()
                await self.locks.alone(f"tidy {shards} of {self.shard_count}", self.tidy_once)
                pause = TIDY_AGAIN
            except StoreError as error:
                log.warning("old rows were not taken away: %s", error.reason)
            except Exception:
                log.exception("old rows were not taken away")

    async def share(self) -> None:
        """Agree with the other processes how many requests this one may send, for as long as the bot runs."""
        before = 0
        while True:
            try:
                wanted = self.budget.taken + self.budget.waiting
                self.budget.share(await self.shares.agree(wanted - before, int(time.time())))
                before = self.budget.taken
            except StoreError as error:  # the others count this one's part for a while, and so does it
                log.warning("processes could not agree how many requests each may send: %s", error.reason)
            await asyncio.sleep(EVERY)

    async def tidy_once(self) -> None:
        """One round of tidying, in small steps. Raises ``StoreError``; the next round goes on from there."""
        assert self._database is not None, "setup_hook opens it first"  # noqa: S101 - states the order
        await seal.reveal_idle(self, self.is_ours)
        await self.watch_links.sweep(int(time.time()))
        now, clock = int(time.time()), asyncio.get_running_loop().time
        began = clock()
        while await self.interactions.step(now) or await self.fairness.step(now):  # what goes was counted before
            await asyncio.sleep(RESTS * (clock() - began))
            began = clock()
        await self.keeper.round(now)
        began = clock()
        while await self._database.give_back():
            await asyncio.sleep(RESTS * (clock() - began))
            began = clock()
        await self._database.empty_log()  # of what was erased just now, or when somebody was forgotten
        if self.keeper.gone:
            log.info("%d old rows were taken away", self.keeper.gone)
            self.keeper.gone = 0

    async def takes(self, interaction: Interaction) -> bool:
        """Whether this process answers an interaction; ``drain`` waits for the current task then.

        It does not while it stops, nor where another process was first. To be called before anything is awaited.
        """
        if self._is_stopping:
            return False
        self.will_answer(interaction)
        if await self.is_first(interaction.id):
            return True
        metrics.TAKEN_ELSEWHERE.inc()
        live.answered_elsewhere(self, interaction.channel_id or 0)
        follow.elsewhere(self, interaction.channel_id or 0)
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(CARDS_LOST_ELSEWHERE, self._look_later)
        return False

    async def is_first(self, number: int) -> bool:
        """Whether this process is the first to deal with something that Discord tells of, by its id.

        Where the store fails, everybody deals with it: then nothing can be done twice, and Discord takes one answer.
        """
        try:
            return await self.interactions.take(number, int(time.time()))
        except StoreError as error:
            log.warning("it is not known whether %d was answered before: %s", number, error.reason)
            return True

    def _look_later(self) -> None:
        self._looking = None
        task = asyncio.ensure_future(self.look_again())
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    def will_answer(self, interaction: Interaction) -> None:
        """Have ``drain`` wait for the current task, which answers an interaction. To be called before it waits."""
        self.arrived[interaction.id] = time.perf_counter()
        task = asyncio.current_task()
        assert task is not None, "discord.py answers each interaction in a task"  # noqa: S101 - states it
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
        task.add_done_callback(lambda _: self.arrived.pop(interaction.id, None))

    @property
    def answering(self) -> int:
        """How many interactions are being answered."""
        return len(self._answering)

    async def identifies_left(self) -> int:
        """How many gateway sessions Discord still lets this bot begin until the limit is reset."""
        gateway = await self.http.request(discord.http.Route("GET", "/gateway/bot"))
        return int(gateway["session_start_limit"]["remaining"])

    def opened(self) -> Database:
        """The store. Raises ``StoreError`` while it is not open yet, nor what is made of it there."""
        if self._database is None:
            raise Unreachable("it is not open yet")
        return self._database

    async def ping_store(self) -> None:
        """Raises ``StoreError`` unless the store answers."""
        await self.opened().ping()

    async def count_store(self, now: int) -> tuple[int, dict[str, int]]:
        """Rolls that were opened in the last hour, and fresh draws by kind."""
        async with self.opened().transaction() as connection:
            rolls = await session_rows.opened_since(connection, now - 3600)
            draws = await fairness_rows.counts(connection)
        return rolls, {kind: sum(sides) for kind, sides in draws.items()}

    async def on_interaction(self, interaction: Interaction) -> None:
        is_press = interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if is_press and await self.takes(interaction):
            await press.on_interaction(interaction)

    async def on_app_command_completion(
        self,
        interaction: Interaction,
        command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu,  # noqa: ARG002 - discord.py's signature
    ) -> None:
        """A command has answered."""
        self.will_answer(interaction)
        await tell_answered(interaction)

    async def drain(self) -> None:
        """Take no more interactions, and let those be answered that are open, and boards be edited; for a bounded time.

        From now on another process with the same shards answers, if there is one.
        """
        self._is_stopping = True
        clock = asyncio.get_running_loop().time
        until = clock() + DRAIN
        await asyncio.sleep(0)  # tasks that were just created say first that they will answer
        if self._answering:
            log.info("answering %d open interactions before stopping", len(self._answering))
        live.rest_no_more(self)
        while (left := until - clock()) > 0 and (open_tasks := self._answering | live.edits(self)):
            await asyncio.wait(open_tasks, timeout=left)
            await asyncio.sleep(0)  # what follows an answer is a task of its own

    async def close(self) -> None:
        """Answer what is open, then leave Discord and the store. May be called twice."""
        self.calls.close()
        if self.finding_emoji is not None:
            self.finding_emoji.cancel()
        if not self.is_closed():
            await self.drain()
            await log_channel.finish(self)
        for task in filter(None, (self._tidying, self._sharing, self.finding_emoji)):
            task.cancel()
            await asyncio.wait([task])
        if self._looking is not None:
            self._looking.cancel()
        await super().close()
        await self.workers.close()
        await self.readers.close()
        if self._database is not None:
            with suppress(StoreError):
                await self.shares.leave()
            await self.identify_turns.close()
            await self.links.close()
            await self.locks.close()
            await self._database.close()
            self._database = None

    async def launch_shards(self) -> None:
        """Ask Discord for the gateway, and how many shards may begin at once: discord.py asks only for how many."""
        recommended, gateway, limits = await self.http.get_bot_gateway()
        private_doors.begin_lost_sessions_at(yarl.URL(gateway))
        self.identify_turns.max_concurrency = limits["max_concurrency"]
        self.shard_count = self.shard_count or recommended
        if self.shard_count < recommended:
            log.warning("Discord recommends %d shards; SHARD_COUNT is %d", recommended, self.shard_count)
        await super().launch_shards()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        await self.identify_turns.take(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002 - discord.py's signature
        """Also of a shard that lost its session."""
        await self.identify_turns.use(shard_id or 0)


NOT_COUNTED: Final = ("/interactions/", "/webhooks/")
"""Requests below the API's address that Discord does not count against the limit of the whole bot."""


def measured(arrived: dict[int, float], budget: Budget, api: str) -> aiohttp.TraceConfig:
    """Has requests to the ``api`` wait for their turn, measures first answers, and counts those that Discord refuses.

    All on the requests themselves, so that discord.py's own ones and those that it tries again count as well.
    """

    async def begins(_: object, __: object, request: aiohttp.TraceRequestStartParams) -> None:
        path = str(request.url).removeprefix(api)
        if path != str(request.url) and not path.startswith(NOT_COUNTED):
            await budget.request()

    async def ended(_: object, __: object, request: aiohttp.TraceRequestEndParams) -> None:
        log.debug("%s %s: %d", request.method, request.url.path, request.response.status)
        note(request.url, request.response.status)

    async def failed(_: object, __: object, request: aiohttp.TraceRequestExceptionParams) -> None:
        log.debug("%s %s: %r", request.method, request.url.path, request.exception)
        note(request.url, 0)

    def note(url: yarl.URL, status: int) -> None:
        if status == TOO_MANY:
            metrics.RATE_LIMITED.inc()
        if not url.path.endswith("/callback"):
            return
        if not 200 <= status < 300:
            metrics.FAILED_ANSWERS.labels(status).inc()
        elif (at := arrived.pop(int(url.parts[-3]), None)) is not None:
            metrics.FIRST_ANSWER.observe(time.perf_counter() - at)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begins)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


def people_in_calls(*, known: bool) -> discord.MemberCacheFlags:
    """Nobody is remembered but who is in a call, by name, where Discord tells us of calls at all."""
    flags = discord.MemberCacheFlags.none()
    flags.voice = known
    return flags


def fingerprint(tree: app_commands.CommandTree[Any], guild: discord.abc.Snowflake | None) -> str:
    """A digest of every command's definition, the same for the same definitions in the same catalogues."""
    payload = sorted(json.dumps(command.to_dict(tree), sort_keys=True) for command in tree.get_commands(guild=guild))
    return hashlib.sha256("\n".join([*payload, languages.fingerprint()]).encode()).hexdigest()

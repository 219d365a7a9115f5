"""The running bot: builds the client, registers changed commands, and stops without dropping an answer."""

import asyncio
import hashlib
import importlib
import json
import logging
import pkgutil
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

import discord
import yarl
from discord import app_commands

import cogs
from bot import access, background, languages, metrics, settings as setting
from bot.client import Client, Interaction
from bot.discord_api import discordpy_patches, rate_limiter
from bot.languages.translate import set_language
from bot.render.faces import FACES, Face
from bot.resources import quotas
from bot.resources.worker_pool import COUNTERS, READERS, READING, WorkerPool
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.runtime import identify_queue, maintenance, watchdog
from bot.sessions import chance, events
from bot.sessions.request import Place
from bot.settings import Settings
from bot.store.coordination import Locks, note_registered, registered_digest
from bot.store.database import Database
from bot.store.errors import StoreError
from bot.ui.commands import options
from bot.ui.core import emoji, request_context
from bot.ui.core.responses import answer
from bot.ui.dispatch import error_messages, router, subscriptions
from bot.ui.live import live_messages, live_page
from bot.ui.notify import log_channel, welcome

log = logging.getLogger(__name__)

DRAIN: Final = 8.0
"""Seconds for open interactions to be answered at shutdown, which Docker ends after ten."""

PRESSES: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)
CARDS_LOST_ELSEWHERE: Final = 30.0
"""Seconds between checks for cards that another process with the same shards failed to show."""


class BotCommandTree(app_commands.CommandTree[Client]):
    """Slash commands: starts the clock, validates the input, and sends every error to the error handler."""

    client: "App"

    async def _call(self, interaction: Interaction) -> None:
        """Answer a command or autocomplete, watched. A private hook of discord.py: if it goes, nothing is reported."""
        await watchdog.watch(super()._call(interaction), partial(options.describe_interaction, interaction))

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        if not await self.client.claims(interaction):
            return False
        if interaction.type is not discord.InteractionType.application_command:
            return await self.suggests(interaction)
        answer(interaction)
        try:
            if options.is_for_one(interaction):
                answer(interaction).keep_private()
            await request_context.begin_to_speak(interaction, is_private=answer(interaction).is_private)
            await request_context.check_command(interaction)
            options.check_options(interaction)
            return not await options.is_asked(interaction)
        except Exception as error:  # noqa: BLE001 - our handler sorts them; discord.py handles only its own errors
            await error_messages.report_error(interaction, error)
            return False

    async def suggests(self, interaction: Interaction) -> bool:
        """Whether there may be suggestions; if not, the empty answer is sent at once."""
        set_language(request_context.language_of_reader(interaction))
        number, by = interaction.channel_id, interaction.user.id
        can = number is not None and options.can_suggest(interaction)
        if can and number is not None and (can := request_context.seconds_to_wait(interaction) is None):
            can = bool(await self.client.access.may_see(by, Place(number, interaction.guild_id)))
        if not can:
            await interaction.response.autocomplete([])
        return can

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        if interaction.type is discord.InteractionType.application_command:
            await error_messages.report_error(interaction, error)


class App(Client):
    """The whole bot. ``fresh``: registers unchanged commands too; ``faces``: dice with application emoji."""

    def __init__(
        self, settings: Settings, *, rng: Rng = chance.REAL, fresh: bool = False, faces: tuple[Face, ...] = FACES
    ) -> None:
        discordpy_patches.use_api(str(settings.discord_api_url))
        discordpy_patches.silence_voice_warnings()
        discordpy_patches.reconnect_after_nonsense()
        self.arrived = {}
        self.budget = rate_limiter.RateLimiter()
        shards = setting.shards(settings)
        which: dict[str, Any] = {"shard_count": shards.total, "shard_ids": list(shards.ids)} if shards else {}
        intents = discord.Intents.none()  # we need only the people in calls
        intents.guilds, intents.voice_states = True, settings.voice_calls
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=intents,
            tree_cls=BotCommandTree,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=rate_limiter.make_trace_config(
                self.arrived, self.budget, str(settings.discord_api_url).rstrip("/")
            ),
            shard_connect_timeout=None,  # it may wait for other processes; each step has its own timeout
            **which,
        )
        discordpy_patches.survive_events(self)
        self.settings, self.has_activity = settings, settings.activity_secret is not None
        discordpy_patches.keep_entry_point(self, make=self.has_activity)
        self._rng = rng
        self._fresh = fresh
        self.bus = events.EventBus(expected=(discord.HTTPException, StoreError, PlayerError))
        subscriptions.subscribe(self, welcomes=settings.welcome)
        self.rest = live_messages.REST
        self.allowances = quotas.Quotas()
        self.workers = WorkerPool(COUNTERS, allowances=self.allowances)
        self.readers = WorkerPool(READERS, READING, self.allowances)
        self.site_url = str(settings.site_url or "")
        self.addresses = setting.addresses(settings)
        self.rate_limit = request_context.rate_limit(settings.person_limit)
        self.started = time.perf_counter()
        self._wanted = faces
        self.finding_emoji: asyncio.Task[None] | None = None
        """Task that finds or creates the dice emoji, started by the first READY."""
        self._answering: dict[asyncio.Task[Any], Interaction] = {}
        self._is_stopping = False
        self._looking: asyncio.TimerHandle | None = None

    async def setup_hook(self) -> None:
        """Before the gateway connects: open the store, load the cogs, register their commands if needed."""
        database = await Database.open(self.settings.database_url, processes=self.settings.processes)
        self.serve(database, self._rng, self.bus.publish)
        self.upkeep = maintenance.Maintenance(self, database)
        self.locks = Locks(self.settings.database_url)
        self.identify_turns = identify_queue.IdentifyQueue(self.locks.run_exclusive)
        self.armies = self.settings.data_folder / "armies"
        await database.warm_up()
        await self.blocks.read()
        await self.look_again()
        self.upkeep.begin(str(self.settings.heartbeat_url or ""))
        await self.tree.set_translator(options.Translator())
        for module in pkgutil.iter_modules(cogs.__path__):
            await importlib.import_module(f"cogs.{module.name}").setup(self)
        await self.locks.run_exclusive("commands", partial(register, self, self.settings.test_guild, force=self._fresh))

    async def on_ready(self) -> None:
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        if self._wanted and self.finding_emoji is None:  # READY comes again after each lost session
            self.finding_emoji = background.start(emoji.keep(self, self._wanted))
        self.upkeep.is_called = False
        await self.look_again()

    async def look_again(self) -> None:
        """Reload what another process may have changed during a disconnect: boards, turn orders, lost cards. Never
        raises ``StoreError``: a board then stays outdated until it is shown again.
        """
        try:
            await live_messages.remember(self)
            await self.links.write()  # else cards of this process would seem lost
            await self.lost.find(int(time.time()))
            await live_page.recall_links(self)
        except StoreError as error:
            log.warning("boards, turn orders and lost cards were not looked for: %s", error.reason)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.servers.note_joined(guild.id)
        if self.settings.welcome and self.blocks.of(0, guild.id) is None and await self.is_first(guild.id):
            await welcome.on_join(self, guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Called after an outage, or after joining during one."""
        self.servers.note_joined(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close codes that are no outage, which discord.py tells apart."""
        self.live = {key: item for key, item in self.live.items() if item.kept.guild_id != guild.id}
        await self.servers.note_left(guild.id, int(time.time()))
        await self.end_links(self.watch_links.leave(guild.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.end_links(self.watch_links.end(channel.id))

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.end_links(self.watch_links.end(thread.thread_id))

    async def end_links(self, ending: Coroutine[Any, Any, object]) -> None:
        """End links to tables and their open pages. Never raises ``StoreError``: links expire anyway."""
        try:
            await ending
            await live_page.look_at_links(self)
        except StoreError as error:
            log.warning("links to tables were not ended: %s", error.reason)

    async def claims(self, interaction: Interaction) -> bool:
        """Claim an interaction for this process, which makes ``drain`` wait for the current task. False during
        shutdown, or if another process was first. Call before any await.
        """
        if self._is_stopping:
            return False
        self.access.note_interaction(interaction)
        self.track_answer(interaction)
        if await self.is_first(interaction.id):
            return True
        metrics.TAKEN_ELSEWHERE.inc()
        live_messages.answered_elsewhere(self, interaction.channel_id or 0)
        live_page.on_stored_elsewhere(self, interaction.channel_id or 0)
        if self._looking is None:
            self._looking = background.call_later(CARDS_LOST_ELSEWHERE, self._look_later)
        return False

    async def is_first(self, number: int) -> bool:
        """Whether this process is the first to handle a Discord event, by its id. If the store fails, every process
        handles it: nothing is stored then, and Discord accepts one answer.
        """
        try:
            return await self.interactions.claim(number, int(time.time()))
        except StoreError as error:
            log.warning("it is not known whether %d was answered before: %s", number, error.reason)
            return True

    def _look_later(self) -> None:
        self._looking = None
        task = background.start(self.look_again())
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    def track_answer(self, interaction: Interaction) -> None:
        """Make ``drain`` wait for the current task, which answers an interaction. Call before it awaits."""
        self.arrived[interaction.id] = time.perf_counter()
        task = asyncio.current_task()
        assert task is not None, "discord.py answers each interaction in a task"  # noqa: S101 - states it
        self._answering[task] = interaction
        task.add_done_callback(self._end_answer)

    def _end_answer(self, task: asyncio.Task[Any]) -> None:
        """Forget a finished answer; the handlers after a command run in their own, already started task."""
        interaction = self._answering.pop(task)
        self.arrived.pop(interaction.id, None)
        if interaction not in self._answering.values():
            request_context.stored_by(interaction).clear()  # the events refer to the request
            discordpy_patches.break_reference_cycle(interaction)

    @property
    def answering(self) -> int:
        return len(self._answering)

    async def identifies_left(self) -> int:
        """Return how many gateway sessions Discord lets this bot begin until the limit is reset."""
        gateway = await self.http.request(discord.http.Route("GET", "/gateway/bot"))
        return int(gateway["session_start_limit"]["remaining"])

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Skip commands and autocomplete, which the tree handles: no second task for them."""
        if event in access.ACCESS_EVENTS:
            self.access.handle_event(event, args[0])
        if event != "interaction" or args[0].type in PRESSES:
            super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: Interaction) -> None:
        if await self.claims(interaction):
            await watchdog.watch(router.on_interaction(interaction), partial(options.describe_interaction, interaction))

    async def on_app_command_completion(
        self, interaction: Interaction, command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu
    ) -> None:
        self.track_answer(interaction)
        await subscriptions.tell_answered(interaction)

    async def drain(self) -> None:
        """Accept no more interactions (another process may answer them), and wait a limited time for open ones."""
        self._is_stopping = True
        clock = asyncio.get_running_loop().time
        until = clock() + DRAIN
        await asyncio.sleep(0)  # lets new tasks register their answers
        if self._answering:
            log.info("answering %d open interactions before stopping", len(self._answering))
        live_messages.flush_pending_edits(self)
        while (left := until - clock()) > 0 and (open_tasks := self._answering.keys() | live_messages.edits(self)):
            await asyncio.wait(open_tasks, timeout=left)
            await asyncio.sleep(0)  # subscribers to an answer run in their own task

    async def close(self) -> None:
        """Answer open interactions, then close Discord and the store. May be called twice."""
        self.calls.close()
        if self.finding_emoji is not None:
            self.finding_emoji.cancel()
        if not self.is_closed():
            await self.drain()
            await log_channel.finish(self)
        if self.finding_emoji is not None:
            await asyncio.wait([self.finding_emoji])
        if self._database is not None:
            await self.upkeep.stop()
        if self._looking is not None:
            self._looking.cancel()
        await super().close()
        await self.workers.close()
        await self.readers.close()
        if self._database is not None:
            await self.identify_turns.close()
            await self.links.close()
            await self.locks.close()
            await self._database.close()
            self._database = None

    async def launch_shards(self) -> None:
        """Ask Discord for the gateway and for how many shards may start at once: discord.py ignores the latter."""
        recommended, gateway, limits = await self.http.get_bot_gateway()
        discordpy_patches.begin_lost_sessions_at(yarl.URL(gateway))
        self.identify_turns.max_concurrency = limits["max_concurrency"]
        self.shard_count = self.shard_count or recommended
        if self.shard_count < recommended:
            log.warning("Discord recommends %d shards; SHARD_COUNT is %d", recommended, self.shard_count)
        await super().launch_shards()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        await self.identify_turns.acquire(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the shard's turn to IDENTIFY, also after a lost session."""
        await self.identify_turns.mark_used(shard_id or 0)


async def register(client: Client, test_guild: int | None, *, force: bool = False) -> bool:
    """Register the slash commands with Discord if their definition changed, or with ``force``; return whether they
    were. ``test_guild``: a server that gets them at once; None for all servers.
    """
    guild = discord.Object(test_guild) if test_guild else None
    if guild is not None:
        client.tree.copy_global_to(guild=guild)
    scope = f"{client.application_id}:{guild.id if guild else 'global'}{'+activity' * client.has_activity}"
    digest = fingerprint(client.tree, guild)
    if await client.open_database().run(registered_digest, scope) == digest and not force:
        return False
    registered = await client.tree.sync(guild=guild)
    languages.forget()  # catalogs are loaded again when needed
    await client.open_database().run(note_registered, scope, digest, int(time.time()))
    log.info("registered %d slash commands (%s)", len(registered), scope)
    return True


def fingerprint(tree: app_commands.CommandTree[Any], guild: discord.abc.Snowflake | None) -> str:
    """Return a digest of every command's definition, translations included."""
    payload = sorted(json.dumps(command.to_dict(tree), sort_keys=True) for command in tree.get_commands(guild=guild))
    return hashlib.sha256("\n".join([*payload, languages.fingerprint()]).encode()).hexdigest()

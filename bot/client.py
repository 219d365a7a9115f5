"""The bot as a type, for cogs and ``bot.ui``. ``bot.runtime.app`` makes and runs it."""

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any, Final, TypeAlias

import discord
from discord.ext import commands

from bot import access, languages, settings
from bot.bounded_dict import BoundedDict
from bot.discord_api.rate_limiter import RateLimiter
from bot.render import card, faces
from bot.resources import quotas
from bot.resources.worker_pool import WorkerPool
from bot.rules.text import Shown
from bot.sessions import events, links, live_tables, roll, services, turn_notices
from bot.sessions.request import Place
from bot.store import coordination, tracked_messages

FAR: Final = 1000


@dataclass(slots=True)
class LiveMessageState:
    """A message that follows what it shows, as far as this process knows it.

    See ``bot.ui.live.live_messages``.

    ``selected`` are the pieces that people have selected on a board, by the number of the player. ``stale``: something
    changed, and the task ``editing`` will show it. ``figure`` and ``digest`` are of what Discord shows now, the picture
    and everything else; None and "" where that is not known. ``shown_at``: when it was shown last, by
    ``time.monotonic``; see ``bot.ui.live.live_messages.postpone_edit``.
    """

    kept: tracked_messages.TrackedMessage
    selected: Mapping[int, str] = field(default_factory=dict)
    stale: bool = False
    editing: asyncio.Task[None] | None = None
    figure: card.Figure | None = None
    digest: str = ""
    on_way: int = 0
    """Changes that are on their way to Discord."""
    begun: int = 0
    """Changes that were ever on their way."""
    below: int = FAR
    """Number of cards posted after it; ``FAR`` plus those this process saw, where that isn't known."""
    shown_at: float = -inf
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it need not rest any longer."""

    @property
    def place(self) -> Place:
        return Place(self.kept.channel_id, self.kept.guild_id)

    def forget_look(self) -> None:
        """Forget the message's look, because it may have changed."""
        self.figure, self.digest = None, ""

    @contextmanager
    def changing(self, figure: card.Figure | None, digest: str) -> Iterator[None]:
        """While a change is on its way, nobody knows what Discord shows; nor of two at once which one came last."""
        is_alone = not self.on_way
        self.forget_look()
        self.on_way, self.begun = self.on_way + 1, self.begun + 1
        begun = self.begun
        try:
            yield
        except BaseException:
            is_alone = False
            raise
        finally:
            self.on_way -= 1
            self.shown_at = time.monotonic()
            if is_alone and begun == self.begun:
                self.figure, self.digest = figure, digest
            else:
                self.forget_look()


@dataclass(frozen=True, slots=True)
class ResultCopy:
    """A result that is to be copied: of which roll, where its card is, and what the copy shows.

    ``target``: the log channel; None where there is none now, but an earlier copy may have to be marked.
    ``embed`` is None for a roll that is open again.
    """

    session: int
    here: Place
    target: int | None
    embed: discord.Embed | None
    is_taken_back: bool


@dataclass(slots=True)
class ResultLog:
    """Results to copy and failing log channels, by id; ``failed``: the reasons, ``told``: channels with a warned GM."""

    waiting: dict[int, deque[ResultCopy]] = field(default_factory=dict)
    sending: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    failed: dict[int, Shown] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)


MAX_HEARD: Final = 2_000
"""Servers whose readers are counted by language."""
MAX_QUESTIONS: Final = 2_000
"""Questions whose messages are remembered, so that repeated questions lead there."""
MAX_RECENT: Final = 5
"""Number of a person's last rolls in a channel that are suggested."""
MAX_PLACES: Final = 10_000
"""Number of people whose last rolls are remembered, each in one channel."""
MAX_TOKENS: Final = 50_000
"""Messages whose token is remembered; an edit of others counts against the limit of the whole bot."""


class InteractionTokens:
    """The interaction token that last showed each message; edits by it skip the bot's rate limit for 15 minutes."""

    def __init__(self) -> None:
        self._tokens: BoundedDict[int, tuple[str, datetime]] = BoundedDict(MAX_TOKENS)

    def note(self, message_id: int, interaction: "Interaction") -> None:
        """A message is the answer to an interaction, follows it, or was pressed and changed by it."""
        self._tokens[message_id] = interaction.token, interaction.expires_at

    def of(self, message_id: int | None) -> str | None:
        """The token by which a message can be edited now; None if there is none."""
        token, expires_at = self._tokens.get(message_id or 0, ("", discord.utils.utcnow()))
        return token if discord.utils.utcnow() < expires_at else None

    def forget(self, message_id: int) -> None:
        """Discord does not take it any more."""
        self._tokens.pop(message_id, None)


class RecentLines:
    """The last lines that people rolled in each channel, as typed, so that they can save them. In memory only."""

    def __init__(self) -> None:
        self._lines: BoundedDict[tuple[int, int], deque[str]] = BoundedDict(MAX_PLACES)

    def note(self, channel_id: int, person_id: int, line: str) -> None:
        """Remember a rolled line."""
        lines = self._lines.setdefault((channel_id, person_id), deque(maxlen=MAX_RECENT))
        if line in lines:
            lines.remove(line)
        lines.appendleft(line)

    def of(self, channel_id: int, person_id: int) -> tuple[str, ...]:
        """Return a person's rolls in a channel, newest first."""
        return tuple(self._lines.get((channel_id, person_id), ()))

    def forget(self, person_id: int) -> None:
        for at in [at for at in self._lines if at[1] == person_id]:
            del self._lines[at]


class Client(commands.AutoShardedBot, services.Services):
    """The parts of the running bot that cogs and ``bot.ui`` use."""

    bus: events.EventBus
    """Publishes events to subscribers: see ``bot.ui.dispatch.subscriptions``."""
    armies: Path
    """The host's folder of Infinity army data, if there is one."""
    allowances: quotas.Quotas
    """The quota of every server."""
    workers: WorkerPool
    readers: WorkerPool
    """Read what people send and may be large: see ``bot.ui.core.uploads``."""
    rate_limit: "commands.CooldownMapping[discord.Interaction[Client]] | None"
    """Counts the commands and presses of each person; None for no limit."""
    site_url: str
    """Address of the odds page, "" for none."""
    addresses: settings.Addresses
    """Addresses of the terms, of help, and of the status page."""
    rest: float
    """Seconds for which a message rests: see ``bot.ui.live.live_messages.postpone_edit``."""
    locks: coordination.Locks
    budget: RateLimiter
    """The turns of requests to Discord that count against the limit of the whole bot."""
    arrived: dict[int, float]
    """Arrival times of unanswered interactions, by ``time.perf_counter``."""
    has_activity: bool = False
    """Whether the host has switched the Activity on."""
    started: float
    """Start of this process, by ``time.perf_counter``: the wall clock may be set back."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.watching = live_tables.LiveTables()
        """The tables that somebody watches on a second screen."""
        self.access = access.Access(self)
        """Access checks for all places."""
        self.frames: dict[str, live_tables.LiveTables] = {}
        """The tables that somebody sees in a frame of the Activity, by the key of the language that they read."""
        self.log = ResultLog()
        """The results that still have to be copied to log channels."""
        self.recent_lines = RecentLines()
        self.shown_plies = links.ShownPlies()
        self.tokens = InteractionTokens()
        self.calls = turn_notices.TurnNotices()
        """People to be notified of their turn."""
        self.live: dict[tuple[tracked_messages.MessageKind, int, int], LiveMessageState] = {}
        """The messages that follow what they show, as far as this process does, by ``TrackedMessage.key``."""
        self.unsure: dict[int, float] = {}
        """Channels in which another process has answered, with the loop's time: see ``bot.ui.live.live_messages``."""
        self.next_cards: dict[int, roll.Played] = {}
        """The roll of each channel on whose card stands what comes next in the game."""
        self.undo_questions: BoundedDict[roll.Address, int] = BoundedDict(MAX_QUESTIONS)
        """The messages that ask whether something may be taken back, by the request."""
        self.labels: BoundedDict[tuple[int, str], Mapping[str, Shown]] = BoundedDict(MAX_QUESTIONS)
        """The labels of the fields of forms that people have open, by person and form; refusals name them."""
        self.side_questions: dict[int, list[int]] = {}
        """The squad cards of each channel that ask which player somebody is, by message."""
        self.waiting_squads: dict[tuple[int, int], Any] = {}
        """Squads of people who have ships here already and are asked what becomes of those, by channel and person."""
        self.background: set[asyncio.Task[None]] = set()
        """Tasks that nobody waits for."""
        self.greeted: set[int] = set()
        """The channels of which it is known that something has happened there."""
        self.heard: BoundedDict[int, BoundedDict[int, str]] = BoundedDict(MAX_HEARD)
        """Languages of people who recently pressed or typed, by server."""
        self.faces: Mapping[faces.Face, discord.PartialEmoji] = {}
        """The faces of dice for which the application has emoji, as far as they are known yet."""

    def board_in(self, channel_id: int) -> LiveMessageState | None:
        """The board of a channel, if this process follows one."""
        return self.live.get((tracked_messages.MessageKind.BOARD, channel_id, tracked_messages.EVERYBODY))

    def is_ours(self, guild_id: int) -> bool:
        """Whether a server (0: direct messages) is in this process's shards; any, before their number is known."""
        return self.shard_count is None or (guild_id >> 22) % self.shard_count in (self.shard_ids or self.shards)

    @property
    def watchings(self) -> tuple[live_tables.LiveTables, ...]:
        """All tables that are being watched, by link or in a frame."""
        return (self.watching, *self.frames.values())

    def is_watched(self, channel_id: int) -> bool:
        """Whether somebody watches the table of a channel."""
        return any(channel_id in item.channels for item in self.watchings)

    def frames_in(self, language: languages.Language) -> live_tables.LiveTables:
        return self.frames.setdefault(language.key, live_tables.LiveTables())

    def is_assigned_here(self, guild_id: int) -> bool:
        """Whether the server is this process's, once all shards have started; until then they wait for their turn."""
        return not self.shard_ids or self.is_ours(guild_id)


Interaction: TypeAlias = discord.Interaction[Client]

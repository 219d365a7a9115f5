"""The bot as a type, for cogs and ``bot.ui``; ``bot.runtime.app`` implements it."""

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
    """A live message as known to this process; see ``bot.ui.live.live_messages``.

    ``selected``: pieces selected on a board, by player number. ``stale``: something changed, and the task ``editing``
    will show it. ``figure`` and ``digest``: of the picture and of everything else on Discord; None and "" if unknown.
    ``shown_at``: its last edit, by ``time.monotonic``; see ``live_messages.postpone_edit``.
    """

    kept: tracked_messages.TrackedMessage
    selected: Mapping[int, str] = field(default_factory=dict)
    stale: bool = False
    editing: asyncio.Task[None] | None = None
    figure: card.Figure | None = None
    digest: str = ""
    on_way: int = 0
    """Edits in flight."""
    begun: int = 0
    """Edits ever started."""
    below: int = FAR
    """Number of cards posted below it; ``FAR`` plus those seen by this process, if unknown."""
    shown_at: float = -inf
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to skip the remaining rest time."""

    @property
    def place(self) -> Place:
        return Place(self.kept.channel_id, self.kept.guild_id)

    def forget_look(self) -> None:
        """Forget the message's digests, because it may have changed."""
        self.figure, self.digest = None, ""

    @contextmanager
    def changing(self, figure: card.Figure | None, digest: str) -> Iterator[None]:
        """Mark an edit in flight: until it ends, Discord's state is unknown, and so is the order of two edits."""
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
    """A result to copy to a log channel: its roll, its card's place, and the copy. ``target``: the log channel; None if
    none is set, but an earlier copy may need a mark. ``embed``: None for a reopened roll.
    """

    session: int
    here: Place
    target: int | None
    embed: discord.Embed | None
    is_taken_back: bool


@dataclass(slots=True)
class ResultLog:
    """Results to copy and failing log channels, by id; ``failed``: reasons, ``told``: channels with a warned GM."""

    waiting: dict[int, deque[ResultCopy]] = field(default_factory=dict)
    sending: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    failed: dict[int, Shown] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)


MAX_HEARD: Final = 2_000
"""Maximum servers whose readers' languages are counted."""
MAX_QUESTIONS: Final = 2_000
"""Maximum undo questions remembered, so that repeats link to them."""
MAX_RECENT: Final = 5
"""Maximum last rolls per person and channel to suggest."""
MAX_PLACES: Final = 10_000
"""Maximum people whose last rolls are remembered, each in one channel."""
MAX_TOKENS: Final = 50_000
"""Maximum messages with a remembered token; edits of others count toward the bot's rate limit."""


class InteractionTokens:
    """The interaction token that last showed each message; edits with it skip the bot's rate limit for 15 minutes."""

    def __init__(self) -> None:
        self._tokens: BoundedDict[int, tuple[str, datetime]] = BoundedDict(MAX_TOKENS)

    def note(self, message_id: int, interaction: "Interaction") -> None:
        """Note that an interaction created, followed up with, or edited a message."""
        self._tokens[message_id] = interaction.token, interaction.expires_at

    def of(self, message_id: int | None) -> str | None:
        """Return a token that can edit a message now, or None."""
        token, expires_at = self._tokens.get(message_id or 0, ("", discord.utils.utcnow()))
        return token if discord.utils.utcnow() < expires_at else None

    def forget(self, message_id: int) -> None:
        self._tokens.pop(message_id, None)


class RecentLines:
    """The last typed lines of each person and channel, to suggest for saving. In memory only."""

    def __init__(self) -> None:
        self._lines: BoundedDict[tuple[int, int], deque[str]] = BoundedDict(MAX_PLACES)

    def note(self, channel_id: int, person_id: int, line: str) -> None:
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
    """Publishes events; subscribers are in ``bot.ui.dispatch.subscriptions``."""
    armies: Path
    """The host's folder of Infinity army data, or None."""
    allowances: quotas.Quotas
    workers: WorkerPool
    readers: WorkerPool
    """Parses large uploads: see ``bot.ui.core.uploads``."""
    rate_limit: "commands.CooldownMapping[discord.Interaction[Client]] | None"
    """Counts each person's commands and presses; None for no limit."""
    site_url: str
    """Address of the odds page, "" for none."""
    addresses: settings.Addresses
    """Addresses of the terms, the help, and the status page."""
    rest: float
    """Seconds between two edits of a message: see ``bot.ui.live.live_messages.postpone_edit``."""
    locks: coordination.Locks
    budget: RateLimiter
    """Rate limiter of requests under the bot's global limit."""
    arrived: dict[int, float]
    """Arrival times of unanswered interactions, by ``time.perf_counter``."""
    has_activity: bool = False
    started: float
    """Start of this process, by ``time.perf_counter``: the wall clock may be adjusted."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.watching = live_tables.LiveTables()
        self.access = access.Access(self)
        """Access checks for all places."""
        self.frames: dict[str, live_tables.LiveTables] = {}
        """Tables in Activity frames, by language key."""
        self.log = ResultLog()
        """Results to copy to log channels."""
        self.recent_lines = RecentLines()
        self.shown_plies = links.ShownPlies()
        self.tokens = InteractionTokens()
        self.calls = turn_notices.TurnNotices()
        self.live: dict[tuple[tracked_messages.MessageKind, int, int], LiveMessageState] = {}
        """Live messages of this process, by ``TrackedMessage.key``."""
        self.unsure: dict[int, float] = {}
        """Channels in which another process has answered, with the loop's time: see ``bot.ui.live.live_messages``."""
        self.next_cards: dict[int, roll.Played] = {}
        """Each channel's roll whose card offers the game's next step."""
        self.undo_questions: BoundedDict[roll.Address, int] = BoundedDict(MAX_QUESTIONS)
        """Messages with undo questions, by request."""
        self.labels: BoundedDict[tuple[int, str], Mapping[str, Shown]] = BoundedDict(MAX_QUESTIONS)
        """Field labels of open forms, by person and form, for error messages."""
        self.side_questions: dict[int, list[int]] = {}
        """Each channel's squad cards that ask for the player's side, by message."""
        self.waiting_squads: dict[tuple[int, int], Any] = {}
        """Squads waiting for an answer about their owner's earlier ships, by channel and person."""
        self.background: set[asyncio.Task[None]] = set()
        self.greeted: set[int] = set()
        """Channels known to have had some activity."""
        self.heard: BoundedDict[int, BoundedDict[int, str]] = BoundedDict(MAX_HEARD)
        """Languages of recently active people, by server."""
        self.faces: Mapping[faces.Face, discord.PartialEmoji] = {}
        """Die faces with application emoji, as far as known."""

    def board_in(self, channel_id: int) -> LiveMessageState | None:
        """Return a channel's board, if this process tracks one."""
        return self.live.get((tracked_messages.MessageKind.BOARD, channel_id, tracked_messages.EVERYBODY))

    def is_ours(self, guild_id: int) -> bool:
        """Whether a server (0: direct messages) is in this process's shards; True until their number is known."""
        return self.shard_count is None or (guild_id >> 22) % self.shard_count in (self.shard_ids or self.shards)

    @property
    def watchings(self) -> tuple[live_tables.LiveTables, ...]:
        """All tables that are being watched, by link or in a frame."""
        return (self.watching, *self.frames.values())

    def is_watched(self, channel_id: int) -> bool:
        return any(channel_id in item.channels for item in self.watchings)

    def frames_in(self, language: languages.Language) -> live_tables.LiveTables:
        return self.frames.setdefault(language.key, live_tables.LiveTables())

    def is_assigned_here(self, guild_id: int) -> bool:
        """Whether the server is this process's, once all shards have started."""
        return not self.shard_ids or self.is_ours(guild_id)


Interaction: TypeAlias = discord.Interaction[Client]

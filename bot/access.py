"""Access control: one function decides who may see a place, at any time while its content is sent to a person.

Gateway events about channels, overwrites, roles, threads, and calls apply at once (``handle_event``). A person's roles
and private thread members come from answers valid for ``ANSWER_TTL`` seconds; choices and secrets need a newer one
(``FRESH_SECONDS``). A command or press is free proof, because Discord lets people act only where they see
(``note_interaction``); it is the only source where the bot is no member: group messages and servers of user installs.

Roles are requested over the gateway, for all people of a server together, outside the HTTP rate limit; private threads
by a request of the lowest priority. discord.py gives a thread its parent's permissions.
https://docs.discord.com/developers/topics/permissions#permissions-for-threads
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import discord

from bot import background
from bot.bounded_dict import BoundedDict
from bot.discord_api.rate_limiter import Priority, RateLimiter
from bot.resources.quotas import Quotas
from bot.sessions.request import Place
from bot.store.blocks import Blocks

ANSWER_TTL: Final = 600.0
"""Seconds until an answer about a person expires."""
REFRESH_AFTER: Final = 570.0
"""Seconds until it is refreshed during a stream: two heartbeats before it expires."""
FRESH_SECONDS: Final = 60.0
"""Seconds for which it allows a choice or a secret."""
ACTION_TTL: Final = 3600.0
"""Seconds for which a press proves access, if nothing else does."""
ANSWER_TIMEOUT: Final = 5.0
"""Seconds to wait for an answer."""
MAX_ASKED: Final = 100
"""Maximum people in one gateway request."""
MAX_ENTRIES: Final = 20_000
DELETION_EVENTS: Final = frozenset({"guild_channel_delete", "thread_delete", "raw_thread_delete"})
ACCESS_EVENTS: Final = DELETION_EVENTS | {
    *("guild_channel_update", "guild_role_update", "guild_role_delete", "guild_update", "guild_remove"),
    *("thread_update", "raw_thread_member_remove", "voice_state_update"),
}
"""Gateway events that may revoke access."""

Key = TypeVar("Key")
Value = TypeVar("Value")
log = logging.getLogger(__name__)


class Host(Protocol):
    """The parts of the bot that this module uses."""

    allowances: Quotas
    blocks: Blocks
    budget: RateLimiter

    def get_guild(self, number: int, /) -> discord.Guild | None: ...


class MemberAnswer(NamedTuple):
    """A member (None for a nonmember), and the time of the answer."""

    at: float
    member: discord.Member | None


class LastAction(NamedTuple):
    """A person's last action in a channel: its time, its server, and a thread's parent channel."""

    at: float
    guild_id: int | None = None
    parent_id: int | None = None


@dataclass(eq=False, slots=True)
class ContentStream:
    """A stream of a place to a person, or of the call ``call_id``; ``end`` gets False, or None if access is unknown."""

    person_id: int
    place: Place
    end: Callable[[bool | None], None]
    call_id: int = 0


class Access:
    def __init__(self, client: Host, clock: Callable[[], float] = time.monotonic) -> None:
        self._client, self.clock = client, clock
        self._members: BoundedDict[tuple[int, int], MemberAnswer] = BoundedDict(MAX_ENTRIES)
        self._in_thread: BoundedDict[tuple[int, int], tuple[float, bool]] = BoundedDict(MAX_ENTRIES)
        self._acted: BoundedDict[tuple[int, int], LastAction] = BoundedDict(MAX_ENTRIES)
        self._flows: dict[int, set[ContentStream]] = {}
        self._asked: dict[tuple[int, int], asyncio.Future[None]] = {}
        """Open requests, by server and person."""
        self._tasks: dict[object, asyncio.Task[None]] = {}
        """Tasks of requests, by server, or by thread and person."""

    async def may_see(self, person_id: int, place: Place, within: float = REFRESH_AFTER) -> bool | None:
        """Whether a person may see a place, by answers of ``within`` seconds or, failing that, ``ANSWER_TTL``."""
        guild = self._client.get_guild(place.guild_id or 0)
        if guild is not None and self._client.blocks.of(person_id, guild.id) is None:
            known = self._members.get((guild.id, person_id))
            if known is None or self.clock() - known.at > within:
                await self._ask_member(guild, person_id)
            await self._ask_thread(guild, person_id, place, within)
        return self.may_see_now(person_id, place)

    def may_see_now(self, person_id: int, place: Place) -> bool | None:
        """Whether a person may see a place, by cached answers; blocked people see nothing."""
        if self._client.blocks.of(person_id, place.guild_id) is not None:
            return False
        guild = self._client.get_guild(place.guild_id or 0)
        acted = self._acted.get((place.channel_id, person_id))
        has_acted = acted is not None and self.clock() - acted.at < ACTION_TTL
        if guild is None:
            return True if has_acted else None
        channel = guild.get_channel_or_thread(place.channel_id)
        parent = channel.parent if isinstance(channel, discord.Thread) else channel
        if channel is None and acted is not None:  # an archived thread, or one hidden from the bot
            parent = guild.get_channel(acted.parent_id or 0)
        known = self._members.get((guild.id, person_id))
        if known is None or self.clock() - known.at > ANSWER_TTL or parent is None:
            return None
        if known.member is None or not may_view(known.member, parent):
            return False
        if channel is None:
            return True if has_acted else None
        if not needs_membership(known.member, channel):  # only private threads restrict who sees their parent
            return True
        at, is_in = self._in_thread.get((channel.id, person_id), (-ANSWER_TTL, False))
        return is_in if self.clock() - at <= ANSWER_TTL else None

    def member_of(self, guild_id: int | None, person_id: int) -> discord.Member | None:
        """Return a person's last known membership of the server."""
        known = self._members.get((guild_id or 0, person_id))
        return known.member if known is not None else None

    def is_in_call(self, guild_id: int | None, channel_id: int, person_id: int) -> bool:
        """Whether a person is in a voice channel's call, as far as Discord tells."""
        guild = self._client.get_guild(guild_id or 0)
        channel = guild.get_channel(channel_id) if guild is not None else None
        return isinstance(channel, discord.VoiceChannel | discord.StageChannel) and person_id in channel.voice_states

    # Gateway events

    def note_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Record that a person acted in a channel, so they see it now."""
        number, user, now = interaction.channel_id, interaction.user, self.clock()
        if number is None or (interaction.guild_id and not interaction.permissions.view_channel):
            return
        channel, is_alone = interaction.channel, interaction.context.dm_channel
        parent_id = channel.parent_id if isinstance(channel, discord.Thread) else None
        self._acted[number, user.id] = LastAction(math.inf if is_alone else now, interaction.guild_id, parent_id)
        if isinstance(user, discord.Member) and self._client.get_guild(user.guild.id) is not None:
            self._members[user.guild.id, user.id] = MemberAnswer(now, user)
            if parent_id is not None:
                self._in_thread[number, user.id] = (now, True)

    def note_presence(self, person_id: int, channel_id: int) -> None:
        """Record that Discord lists a person in a channel's Activity."""
        before = self._acted.get((channel_id, person_id), LastAction(0.0))
        self._acted[channel_id, person_id] = before._replace(at=max(self.clock(), before.at))

    def handle_event(self, event: str, fact: Any) -> None:
        """Apply a gateway event, and end the streams of people who may no longer see their place."""
        if isinstance(fact, discord.RawThreadMembersUpdate):
            for number in fact.data.get("removed_member_ids", ()):
                self._in_thread[fact.thread_id, int(number)] = (self.clock(), False)
        guild = fact if isinstance(fact, discord.Guild) else getattr(fact, "guild", None)
        number = guild.id if guild is not None else getattr(fact, "guild_id", 0)
        if event == "guild_role_delete":  # discord.py still has its overwrites
            drop_entries(self._members, lambda key, _: key[0] == number)
        if event in DELETION_EVENTS:  # otherwise a thread would look archived
            gone = getattr(fact, "thread_id", None) or fact.id
            drop_entries(self._acted, lambda key, _: key[0] == gone)
        if event == "guild_remove":  # otherwise it would look like a server without the bot
            drop_entries(self._acted, lambda _, acted: acted.guild_id == number)
        for flow in tuple(self._flows.get(number, ())):
            self._check_stream(flow)

    def _check_stream(self, flow: ContentStream) -> None:
        sees = self.may_see_now(flow.person_id, flow.place)
        if sees and flow.call_id and not self.is_in_call(flow.place.guild_id, flow.call_id, flow.person_id):
            sees = False
        if not sees:
            flow.end(sees)

    # Streams

    @contextmanager
    def guard_stream(self, flow: ContentStream) -> Iterator[None]:
        """Track a stream, which ends once its person may not see its place."""
        here = self._flows.setdefault(flow.place.guild_id or 0, set())
        here.add(flow)
        try:
            yield
        finally:
            here.discard(flow)
            if not here and self._flows.get(flow.place.guild_id or 0) is here:
                del self._flows[flow.place.guild_id or 0]

    async def recheck(self) -> None:
        """Refresh answers about to expire, and end revoked streams; call this at each heartbeat."""
        flows = [stream for here in self._flows.values() for stream in here]
        whose = {(stream.person_id, stream.place.channel_id): stream for stream in flows}
        await asyncio.gather(*(self.may_see(stream.person_id, stream.place) for stream in whose.values()))
        for flow in flows:
            self._check_stream(flow)

    # Requests

    async def _ask_member(self, guild: discord.Guild, person_id: int) -> None:
        """Request a person's membership in a server, batched with concurrent requests."""
        asked = self._asked.get((guild.id, person_id))
        if asked is None:
            asked = self._asked[guild.id, person_id] = asyncio.get_running_loop().create_future()
            if guild.id not in self._tasks:
                self._start_once(guild.id, self._ask_members(guild))
        await asyncio.wait({asked}, timeout=ANSWER_TIMEOUT)

    async def _ask_members(self, guild: discord.Guild) -> None:
        questions = self._client.allowances.of(guild.id).questions
        while people := [person for server, person in self._asked if server == guild.id][:MAX_ASKED]:
            await asyncio.sleep(questions.delay(1.0))
            questions.consume(1.0)
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    result = await guild.query_members(user_ids=people, limit=MAX_ASKED, cache=False)
            except (TimeoutError, discord.DiscordException, OSError, RuntimeError) as error:
                log.warning("Discord did not say who is in a server: %r", error)
            else:
                members = {member.id: member for member in result}
                for item in people:
                    self._members[guild.id, item] = MemberAnswer(self.clock(), members.get(item))
            finally:
                for item in people:
                    self._asked.pop((guild.id, item)).set_result(None)

    async def _ask_thread(self, guild: discord.Guild, person_id: int, place: Place, within: float) -> None:
        """Request a person's membership in a private thread, if that decides."""
        channel, member = guild.get_channel_or_thread(place.channel_id), self.member_of(guild.id, person_id)
        if not isinstance(channel, discord.Thread) or member is None or not needs_membership(member, channel):
            return
        key = (channel.id, person_id)
        at, _ = self._in_thread.get(key, (-ANSWER_TTL, False))
        if self.clock() - at > within:
            if key not in self._tasks:
                self._start_once(key, self._fetch_membership(channel, person_id))
            await asyncio.wait({self._tasks[key]}, timeout=ANSWER_TIMEOUT)

    async def _fetch_membership(self, thread: discord.Thread, person_id: int) -> None:
        try:
            async with self._client.budget.turn(Priority.TIDYING, thread.guild.id):
                await thread.fetch_member(person_id)
        except discord.NotFound:
            is_in = False
        except (discord.DiscordException, OSError) as error:
            log.warning("Discord did not say who is in a thread: %r", error)
            return
        else:
            is_in = True
        self._in_thread[thread.id, person_id] = (self.clock(), is_in)

    def _start_once(self, key: object, asking: Coroutine[Any, Any, None]) -> None:
        async def ask() -> None:
            try:
                await asking
            finally:
                del self._tasks[key]

        self._tasks[key] = background.start(ask())


def drop_entries(known: dict[Key, Value], is_over: Callable[[Key, Value], bool]) -> None:
    """Drop entries that meet ``is_over``."""
    for key in [key for key, item in known.items() if is_over(key, item)]:
        del known[key]


def may_view(member: discord.Member, channel: discord.abc.GuildChannel) -> bool:
    """Whether a person sees a channel. A voice channel's chat is for those who may join its call, or are in it."""
    rights = channel.permissions_for(member)
    if not rights.view_channel or not isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        return rights.view_channel
    return rights.connect or member.id in channel.voice_states


def needs_membership(member: discord.Member, channel: object) -> bool:
    """Whether only its members, and people who manage threads, see the thread."""
    if not isinstance(channel, discord.Thread) or not channel.is_private() or channel.parent is None:
        return False
    return not channel.parent.permissions_for(member).manage_threads

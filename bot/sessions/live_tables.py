"""Tables watched on a second screen: their current state, the frames sent, and the subscribers.

An unwatched channel costs one dictionary lookup per press. A watched one is read from the store once; then each press
adds its changes, and only other events (an undo, a seat) reload it. Changes apply only to the state that the press
found, so the two cannot drift apart.

A link is a token of 144 random bits, stored as SHA-256 only, so reading the database lets nobody watch. It shows the
channel's public state for some hours, while its maker may see the channel. Every player can have one; players with
pieces have priority when places run out.

Frames hold the HTML of each changed part of the page, shared by all subscribers. The last frames are kept, so that a
broken connection can catch up.
"""

import asyncio
import hashlib
import hmac
import json
import secrets
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from bot import metrics
from bot.bounded_dict import BoundedDict
from bot.games import GAMES
from bot.languages import Language
from bot.resources.quotas import LIMITS
from bot.rules.errors import PlayerError
from bot.rules.text import EMPTY, Shown, Text
from bot.sessions import codec, pieces
from bot.sessions.events import StateStored
from bot.sessions.request import Place, Request
from bot.sessions.roll import ChainMark, Played
from bot.sessions.tables import HistoryEntry, TableSnapshot
from bot.store import watch_links as rows
from bot.store.database import Database
from bot.store.pieces import Player

MAX_READERS: Final = 200
MAX_ALL_READERS: Final = 2000
"""Maximum subscribers of one process."""
FRAMES_KEPT: Final = 64
"""Number of frames kept for subscribers who reconnect; one who missed more gets the whole page."""
BYTES_KEPT: Final = 128 * 1024
"""Maximum bytes of kept frames: limits a table's memory, and a subscriber can receive them all at once."""
AT_A_TIME: Final = 32
"""Subscribers to write to before yielding to the event loop."""
ROLLS_SHOWN: Final = 8
"""The last rolls on the page."""

Parts = Mapping[str, str]
"""The parts of a page by name, each as HTML."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """The latest event: the person and the sentence of a step, or the roll after a ply."""

    by: str = ""
    what: Shown = EMPTY
    roll: Played | None = None


@dataclass(slots=True)
class PublicTable:
    """The public state of a table. ``pieces`` are by game and name, ``players`` by number. ``rolls``: the newest rolls
    by session, last pressed at the end, including all on which somebody may still act.
    """

    pieces: dict[str, dict[str, Any]]
    players: Mapping[int, Player]
    rolls: dict[int, Played] = field(default_factory=dict)
    last: TableEvent | None = None
    mark: ChainMark | None = None
    changed: set[str] = field(default_factory=set)
    """Games whose pieces have changed since the last check."""

    def take_roll(self, roll: Played) -> bool:
        """Apply a ply. False if the table differs from the state that the ply found; then nothing changes."""
        known = self.rolls.get(roll.session)
        if roll.is_hidden or (known is not None and known.ply > roll.ply):
            return False
        if not self.take_changes(codec.read_changes(roll.changes)):
            return False
        self.show_roll(roll)
        self.last = TableEvent(roll=roll)
        self.mark = roll.mark if roll.mark is not None else self.mark
        return True

    def show_roll(self, roll: Played) -> None:
        """Move a roll to the end, keeping it however many wait; an undone one is removed."""
        self.rolls.pop(roll.session, None)
        if not roll.is_closed:
            self.rolls[roll.session] = roll
        over = [key for key, item in self.rolls.items() if not item.is_waiting and key != roll.session]
        for key in over[: max(0, len(self.rolls) - ROLLS_SHOWN)]:
            del self.rolls[key]

    def take_step(self, game: str, by: str, before: Mapping[str, Any], after: Mapping[str, Any], what: Shown) -> bool:
        """Apply a step. False as ``take_roll``, and if a piece's owner is not known yet."""
        if self.pieces[game] != before or not self._knows_owners(after.values()):
            return False
        self.pieces[game] = dict(after)
        self.changed.add(game)
        if what:
            self.last = TableEvent(by, what)
        return True

    def take_changes(self, changes: Iterable[codec.PieceChange]) -> bool:
        """Apply changes to pieces. False if the pieces differ from the record; then nothing changes."""
        result = list[tuple[str, str, Any, Any, Any]]()
        for item in changes:
            was, now = (side and pieces.body(side) for side in (item.before, item.after))
            result.append((item.piece.game, item.piece.name, was, now, item.before))
        if any(self.pieces[game].get(old.name if old else name) != was for game, name, was, _, old in result):
            return False
        if not self._knows_owners(new for *_, new, _ in result):
            return False
        for game, name, _, new, old in result:
            if old is not None:
                self.pieces[game].pop(old.name, None)
            if new is not None:
                self.pieces[game][name] = new
            self.changed.add(game)
        return True

    def _knows_owners(self, bodies: Iterable[Any]) -> bool:
        return {getattr(item, "owner", 0) for item in bodies if item is not None} <= {0, *self.players}


def table_of(now: TableSnapshot, recent: Iterable[HistoryEntry]) -> PublicTable:
    """Build a table from a snapshot; ``recent``: the latest events, newest first."""
    table = PublicTable({game: dict(now.pieces.get(game, {})) for game in GAMES}, now.players, mark=now.mark)
    entries = list(recent)
    newest: dict[int, Played] = {}
    for entry in entries:
        if entry.roll is not None:
            newest.setdefault(entry.roll.session, entry.roll)
    standing = {roll.session: roll for roll in now.rolls}
    order = [*(key for key in reversed(standing) if key not in newest), *reversed(newest)]
    for key in order:
        table.show_roll(standing.get(key) or newest[key])
    if entries:
        first = entries[0]
        table.last = TableEvent(first.by, first.what, None if first.what else first.roll)
    return table


class Subscriber(Protocol):
    """A connection that receives frames."""

    def send(self, chunk: bytes) -> None:
        """Send without blocking; drop a client that does not read. Never raises."""

    def end(self) -> None:
        """Send the end of the stream."""


class CapacityError(Exception):
    """No place is left for another subscriber."""


class LinkExpiredError(Exception):
    """The link has ended since it was looked up."""


@dataclass(slots=True)
class LiveTable:
    """The table of one channel, and its subscribers.

    ``parts``: the page as last sent; ``number`` counts its frames, and ``frames`` are the last ones by number.
    ``begun`` is random, because numbers mean nothing to another process or after a pause. ``facts`` are pending events;
    ``is_stale``: the table must be reloaded.
    """

    place: Place
    payer: int = 0
    """The server of the table, or the maker of the first link."""
    table: PublicTable | None = None
    parts: dict[str, str] = field(default_factory=dict)
    drawn: Any = None
    """The renderer and its cache."""
    begun: str = field(default_factory=partial(secrets.token_hex, 6))
    number: int = 0
    frames: deque[tuple[int, bytes]] = field(default_factory=deque)
    readers: dict[Subscriber, rows.WatchLink | None] = field(default_factory=dict)
    """Subscribers with their link, None in a frame."""
    facts: list[StateStored] = field(default_factory=list)
    is_stale: bool = True
    task: asyncio.Task[None] | None = None
    idle: int = 0
    """Heartbeats without a subscriber."""
    language: Language | None = None
    """Language of the page; None for the channel's."""

    @property
    def newest_id(self) -> str:
        return f"{self.begun}-{self.number}"

    def frames_since(self, last_seen: str) -> list[bytes]:
        """Return the frames after ``last_seen``, or one with the whole page if that id is unknown."""
        begun, _, number = last_seen.partition("-")
        if begun == self.begun and number.isascii() and number.isdecimal() and len(number) < 18:
            seen = int(number)
            kept = [frame for at, frame in self.frames if at > seen]
            if seen <= self.number and len(kept) == self.number - seen:
                return kept
        return [event(json.dumps(self.parts, ensure_ascii=False), number=self.newest_id)]

    async def send(self, parts: Parts) -> None:
        """Send changed parts to all subscribers, yielding to the event loop between batches."""
        changed = {name: html for name, html in parts.items() if self.parts.get(name) != html}
        if not changed:
            return
        self.parts |= changed
        self.number += 1
        frame = event(json.dumps(changed, ensure_ascii=False), number=self.newest_id)
        self.frames.append((self.number, frame))
        while len(self.frames) > FRAMES_KEPT or sum(len(kept) for _, kept in self.frames) > BYTES_KEPT:
            self.frames.popleft()
        for at, reader in enumerate(tuple(self.readers), 1):
            if reader in self.readers:
                reader.send(frame)
            if at % AT_A_TIME == 0:
                await asyncio.sleep(0)

    def disconnect(self, reader: Subscriber, word: str) -> None:
        self.readers.pop(reader, None)
        reader.send(event("", name=word))
        reader.end()


def event(data: str, *, name: str = "", number: str = "") -> bytes:
    """Format a server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html"""
    lines = [f"id: {number}"] if number else []
    lines += [f"event: {name}"] if name else []
    return "\n".join([*lines, f"data: {data}", "", ""]).encode()


MAX_LINKS: Final = 10_000
"""Maximum links remembered: valid ones, and ended ones that a page may still look up."""
HEARTBEAT: Final = event("", name="beat")
OVER: Final = "over"
"""The event for an ended link."""
CROWDED: Final = "crowded"
"""The event for a full table."""


class LiveTables:
    """All watched tables of one process, by channel.

    ``url``: the public address of the pages, or "". ``tokens``: those issued by this process, by channel, with their
    links, for buttons; the store lacks them. ``over``: digests of links that ended here; ``payers``: who is charged for
    valid ones.
    """

    def __init__(self) -> None:
        self.url = ""
        self.tokens: dict[int, dict[str, rows.WatchLink]] = {}
        self.channels: dict[int, LiveTable] = {}
        self.over = BoundedDict[str, bool](MAX_LINKS)
        self.payers = BoundedDict[str, int](MAX_LINKS)

    @property
    def readers(self) -> int:
        return sum(len(channel.readers) for channel in self.channels.values())

    def begin(self, place: Place, payer: int = 0) -> LiveTable:
        """Start watching a channel's table."""
        watched = self.channels.get(place.channel_id)
        if watched is None:
            watched = self.channels[place.channel_id] = LiveTable(place, payer)
        watched.idle = 0
        return watched

    def has(self, watched: LiveTable) -> bool:
        """Whether this same table is still watched."""
        return self.channels.get(watched.place.channel_id) is watched

    def join(self, watched: LiveTable, reader: Subscriber, link: rows.WatchLink | None = None) -> None:
        """Add a subscriber. Raises ``CapacityError`` and ``LinkExpiredError``.

        If the table or server is full, the link of a player with pieces displaces a reader of another person's link. If
        the process is full, the server with most places yields one to a server with fewer.
        """
        if not self.has(watched) or (link is not None and link.digest in self.over):
            raise LinkExpiredError
        mine = self._readers_of(watched.payer)
        if len(watched.readers) >= MAX_READERS or mine >= LIMITS.watchers:
            metrics.OVER_BUDGET.labels("watchers").inc()
            self._make_room(watched, link)
        elif self.readers >= MAX_ALL_READERS:
            read = (channel for channel in self.channels.values() if channel.readers)
            largest = max(read, key=lambda channel: (self._readers_of(channel.payer), len(channel.readers)))
            if self._readers_of(largest.payer) <= mine + 1:
                raise CapacityError
            metrics.OVER_BUDGET.labels("watchers").inc()
            largest.disconnect(next(reversed(largest.readers)), CROWDED)
        watched.readers[reader] = link
        watched.idle = 0

    def _make_room(self, watched: LiveTable, link: rows.WatchLink | None) -> None:
        """Displace a reader of another link for a player's link. Raises ``CapacityError``."""
        is_full = len(watched.readers) >= MAX_READERS
        tables = (
            [watched] if is_full else [channel for channel in self.channels.values() if channel.payer == watched.payer]
        )
        every = ((table, *item) for table in tables for item in table.readers.items())
        result = ((table, reader) for table, reader, by in every if by and not by.is_player)
        at, out = next(result, (None, None))
        if link is None or not link.is_player or at is None or out is None:
            raise CapacityError
        at.disconnect(out, CROWDED)

    def _readers_of(self, payer: int) -> int:
        return sum(len(channel.readers) for channel in self.channels.values() if channel.payer == payer)

    def end_channel(self, channel_id: int, digests: Collection[str]) -> None:
        for digest in digests:
            self.over[digest] = True
            self.payers.pop(digest, None)
        kept = {
            token: watch_link
            for token, watch_link in self.tokens.pop(channel_id, {}).items()
            if watch_link.digest not in digests
        }
        if kept:
            self.tokens[channel_id] = kept
        watched = self.channels.get(channel_id)
        for reader, link in tuple(watched.readers.items()) if watched is not None else ():
            if watched is not None and link is not None and link.digest in digests:
                watched.disconnect(reader, OVER)

    def end_all(self) -> None:
        """Disconnect everyone at shutdown: subscribers reconnect to the next process."""
        for watched in self.channels.values():
            for reader in watched.readers:
                reader.end()
            if watched.task is not None:
                watched.task.cancel()
        self.channels.clear()


# Links

HOURS: Final = 12
"""Hours that a link is valid."""
TOKEN_BYTES: Final = 18
"""Random bytes in a token: 144 bits, 24 characters of an address."""


NOT_YOUR_TABLE: Final = Text("Only a player or a GM can open or close this channel's live page. Ask one of them.")


class WatchLinks:
    """The links of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, request: Request, now: int) -> tuple[str, rows.WatchLink, Collection[str]]:
        """Create a person's link; returns token, link, and the digests it replaces. Raises ``PlayerError``."""
        await self._check(request)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        place = request.place
        link = rows.WatchLink(place.channel_id, place.guild_id, request.by.id, digest_of(token), now + HOURS * 3600)
        return token, *await self._database.run(rows.keep, link)

    async def revoke(self, request: Request) -> Collection[str]:
        """End a person's link, or as a GM all of the channel; return the digests. Raises as ``make`` does."""
        await self._check(request)
        return await self.end(request.place.channel_id, None if request.is_gm else request.by.id)

    async def _check(self, request: Request) -> None:
        if request.is_gm or request.place.is_alone:
            return
        if not await self._database.run(rows.takes_part, request.place.channel_id, request.by.id):
            raise PlayerError(NOT_YOUR_TABLE)

    async def find(self, token: str, now: int) -> rows.WatchLink | None:
        """Return the link of a token; None for an invalid, revoked, replaced, or expired one, all at the same cost."""
        digest = digest_of(token)
        link = await self._database.run(rows.find, digest)
        is_open = link is not None and hmac.compare_digest(link.digest, digest) and now < link.until
        return link if is_open else None

    async def open_of(self, channels: Collection[int], now: int) -> Mapping[str, rows.WatchLink]:
        watch_links = await self._database.run(rows.of_channels, channels)
        return {link.digest: link for link in watch_links if now < link.until}

    async def end(self, channel_id: int, person_id: int | None = None) -> Collection[str]:
        """End the links of a channel or of one person; return their digests."""
        return await self._database.run(rows.drop, channel_id, person_id)

    async def leave(self, server_id: int) -> None:
        await self._database.run(rows.leave, server_id)


def digest_of(token: str) -> str:
    """Return the SHA-256 of a token in hex, which is what we store."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

"""Links to a table on a second screen: who has one sees what everybody in the channel sees, for some hours.

A link is a token of 144 random bits. Only its SHA-256 is kept, so that nobody who reads the database can watch.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection, Mapping
from typing import Final

from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.sessions.request import Request
from bot.store import watch_links as rows
from bot.store.database import Database
from bot.store.watch_links import WatchLink

HOURS: Final = 12
"""So long a link is valid."""
BYTES: Final = 18
"""Of chance in a token: 144 bits, 24 characters of an address."""


NOT_YOUR_TABLE: Final = Text(
    "Only somebody who plays here, or a GM, can open or close the live page of this channel. Ask them."
)
NOT_YOUR_LINK: Final = Text(
    "Another player has opened the live page of this channel. Ask them for its address; only they and a GM can end it "
    "or make a new one."
)


class WatchLinks:
    """The links of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, request: Request, now: int) -> str:
        """A new token for a channel; the one before ends.

        Raises ``PlayerError`` for who neither plays nor is a GM, and for who would end somebody else's.
        """
        await self._check(request, now)
        token = secrets.token_urlsafe(BYTES)
        place = request.place
        link = WatchLink(place.channel_id, place.guild_id, request.by.id, digest_of(token), now + HOURS * 3600)
        await self._database.run(rows.keep, link)
        return token

    async def revoke(self, request: Request, now: int) -> bool:
        """End the link of a channel; whether it had one. Raises as ``make`` does."""
        await self._check(request, now)
        return await self.end(request.place.channel_id)

    async def _check(self, request: Request, now: int) -> None:
        if request.is_gm or request.place.is_alone:
            return
        channel, by = request.place.channel_id, request.by.id
        if not await self._database.run(rows.takes_part, channel, by):
            raise PlayerError(NOT_YOUR_TABLE)
        link = (await self.open_of((channel,), now)).get(channel)
        if link is not None and link.person_id != by:
            raise PlayerError(NOT_YOUR_LINK)

    async def find(self, token: str, now: int) -> WatchLink | None:
        """The link that a token opens; None for one that is made up, revoked, replaced or over: all cost the same."""
        digest = digest_of(token)
        link = await self._database.run(rows.find, digest)
        is_open = link is not None and hmac.compare_digest(link.digest, digest) and now < link.until
        return link if is_open else None

    async def open_of(self, channels: Collection[int], now: int) -> Mapping[int, WatchLink]:
        """The links that are open, of some channels."""
        found = await self._database.run(rows.of_channels, channels)
        return {one.channel_id: one for one in found if now < one.until}

    async def end(self, channel_id: int) -> bool:
        """End the link of a channel; whether it had one."""
        return await self._database.run(rows.drop, channel_id)

    async def leave(self, server_id: int) -> None:
        """End the links of a server that the bot has left."""
        await self._database.run(rows.leave, server_id)

    async def sweep(self, now: int) -> None:
        """Forget the links that are over."""
        await self._database.run(rows.sweep, now)


def digest_of(token: str) -> str:
    """What is kept of a token: its SHA-256 in hex."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

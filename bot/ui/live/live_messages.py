"""Messages that follow their subject: the board, the turn order, saved-roll panels, the words for a seal, recaps.

A channel has one of each kind (panels: one per person). A new one replaces the previous, which links to it. Changes are
batched into one edit. The store knows each message, so a restart loses none; a deleted one is forgotten. A press on an
unknown or newer message makes it the current one: it was just posted, or by another process.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from bot import background
from bot.client import FAR, Client, Interaction, LiveMessageState
from bot.discord_api.rate_limiter import Priority
from bot.languages.translate import translate, using_language
from bot.render.card import Card, Figure
from bot.rules.errors import PlayerError
from bot.rules.text import Code, Message, Text
from bot.ruleset import settings
from bot.store.errors import StoreError
from bot.store.tracked_messages import EVERYBODY, MessageKind, RenderMode, TrackedMessage
from bot.ui.core.card_messages import ANIMATED, PICTURE, may_attach, may_embed, picture, without_embed
from bot.ui.core.components import InvalidCustomIdError
from bot.ui.core.request_context import in_channel_language, language_at, link, place, ruling_for
from bot.ui.core.responses import answer, as_edit, edit, try_edit

PAUSE: Final = 0.25
"""Seconds from a change to the edit; further changes until then share it."""
REST: Final = 120.0
"""Minimum seconds between edits that are rate-limited while cards are below the message."""
UNSURE: Final = 10.0
"""Seconds for which another process may still be working on its response."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RenderedMessage:
    """A message's content: its text, embed, and buttons, and the card whose picture is attached to it."""

    parts: Mapping[str, Any]
    card: Card | None = None

    @property
    def figure(self) -> Figure | None:
        return self.card.figure if self.card is not None else None

    @property
    def digest(self) -> str:
        embed, view = self.parts.get("embed"), self.parts.get("view")
        return repr((self.parts.get("content"), embed and embed.to_dict(), view and view.to_components()))

    def message_parts(self) -> dict[str, Any]:
        file = picture(self.card) if self.card is not None else None
        parts = {name: part for name, part in self.parts.items() if part is not None}
        return {**parts, **({"file": file} if file else {})}

    def edit(self, live: LiveMessageState) -> dict[str, Any]:
        """Return the edit of a message, without an unchanged picture."""
        if self.figure is not None and live.figure == self.figure:
            changes = {"view": None, **self.parts, "attachments": discord.utils.MISSING}
        else:
            changes = {"view": None, **self.message_parts()}
        return without_embed(changes) if live.kept.look is RenderMode.TEXT and "embed" in changes else changes


Draw = Callable[[Client, TrackedMessage, Mapping[int, str]], Awaitable[RenderedMessage]]
"""Function that draws a message's current content; its last argument is ``LiveMessageState.selected``."""


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """A kind of live message. ``kind``: its name in the store; every process remembers those in ``FOLLOWED``, others
    are looked up on demand. ``replaced``: a replaced message's text, with ``{where}``; without it, only its buttons go.
    Without ``draw``, the caller renders it.
    """

    kind: MessageKind
    replaced: Message | None = None
    draw: Draw | None = None

    # Finding and posting

    async def find(self, client: Client, channel_id: int, of_id: int = EVERYBODY) -> LiveMessageState | None:
        """Find a channel's message, in the store if another process may have changed it. May raise ``StoreError``."""
        key = (self.kind, channel_id, of_id)
        if self.kind not in FOLLOWED:
            sync_from_store(client, key, await client.shown.find(*key))
        elif channel_id in client.unsure:
            await look_here(client, channel_id)
        return client.live.get(key)

    async def post(
        self,
        interaction: Interaction,
        drawn: RenderedMessage | None = None,
        of_id: int = EVERYBODY,
        *,
        after_answer: bool = False,
        **more: Any,
    ) -> None:
        """Post it as the current message, with a link from the previous one; ``after_answer``: as a further message."""
        with in_channel_language(interaction):
            here, client = place(interaction), interaction.client
            new = TrackedMessage(self.kind, here.channel_id, of_id, here.guild_id, look=await look_for(interaction))
            drawn = drawn or await self.render(client, LiveMessageState(new))
            before = await self.find(client, here.channel_id, of_id)  # a press on it may then make it the current one
            old = before.kept.message_id if before is not None else None
            message = drawn.message_parts()
            if after_answer and new.look is RenderMode.TEXT and "embed" in message:
                message = without_embed(message)
            send = answer(interaction).post_new if after_answer else answer(interaction).post
            posted = await send(**message, **more)
            if posted is None:
                return
            kept, now = replace(new, message_id=posted), time.monotonic()
            live = LiveMessageState(kept, figure=drawn.figure, digest=drawn.digest, below=0, shown_at=now)
            newest = await self.keep(client, live)
            for other in {old, posted} - {None, newest}:
                await try_edit(client, here, other or 0, **as_edit(self.note(link(here, newest))))

    async def keep(self, client: Client, live: LiveMessageState) -> int:
        """Make this the current message, unless a newer one is; return the current one's id."""
        kept = live.kept
        try:
            kept = await client.shown.keep(live.kept)
        finally:
            known = client.live.get(kept.key)
            if known is None or known.kept.message_id < kept.message_id:
                client.live[kept.key] = live if kept.message_id == live.kept.message_id else LiveMessageState(kept)
            elif known.kept.message_id == kept.message_id:
                known.forget_look()  # a press made it the current one, and may have changed it
        return kept.message_id

    def note(self, where: str) -> dict[str, Any]:
        """Return a replaced message's remainder."""
        if self.replaced:
            return {"content": translate(Text(self.replaced, where=Code(where))), "view": None}
        return {"view": None, "embed": discord.utils.MISSING, "attachments": discord.utils.MISSING}

    async def close(self, client: Client, channel_id: int, view: discord.ui.View | None = None) -> None:
        """End the message: it keeps only the buttons of ``view``, and is no longer updated."""
        live = await self.find(client, channel_id)
        if live is not None:
            await self.forget(client, live)
            await try_edit(client, live.place, live.kept.message_id, view=view)

    async def forget(self, client: Client, live: LiveMessageState) -> None:
        if client.live.get(live.kept.key) is live:
            del client.live[live.kept.key]
        await client.shown.drop(live.kept)

    # Presses on it

    async def find_pressed(self, interaction: Interaction) -> LiveMessageState | None:
        """Find the pressed message; None for a replaced one, which then says so as the answer."""
        message, here, client = interaction.message, place(interaction), interaction.client
        if message is None:
            raise InvalidCustomIdError
        live = await self.find(client, here.channel_id)
        if live is None or message.id > live.kept.message_id:
            new = TrackedMessage(self.kind, here.channel_id, EVERYBODY, here.guild_id, message.id, look_of(message))
            await self.keep(client, live := LiveMessageState(new))
            live = client.live.get(live.kept.key, live)
        if live.kept.message_id == message.id:
            return live
        await answer(interaction).update(**self.note(link(here, live.kept.message_id)))
        return None

    async def was_replaced(self, interaction: Interaction) -> bool:
        """Whether the pressed message was replaced, and says so now."""
        return not answer(interaction).is_on_private and await self.find_pressed(interaction) is None

    async def update(self, interaction: Interaction, selected: Mapping[int, str] | None = None) -> bool:
        """Update the pressed message; False if it was private."""
        if answer(interaction).is_on_private:
            return False
        with in_channel_language(interaction):
            live = await self.find_pressed(interaction)
            if live is not None:
                live.selected = live.selected if selected is None else selected
                # Later changes are announced; this rendering has earlier ones.
                live.stale, is_shown = self.kind not in FOLLOWED, False
                try:
                    drawn = await self.render(interaction.client, live)
                    changes = drawn.edit(live)
                    with live.changing(drawn.figure, drawn.digest):
                        await answer(interaction).update(**changes)
                    is_shown = bool(live.digest)  # otherwise another response may still arrive
                finally:
                    if live.stale or not is_shown:
                        self.mark_changed(interaction.client, live.kept.channel_id)
            return True

    # Changes

    def mark_changed(self, client: Client, channel_id: int) -> None:
        """Schedule an edit of a channel's message, if known and drawable."""
        if self.kind in FOLLOWED and channel_id in client.unsure:
            looking = background.start(self.change_once_found(client, channel_id))
            client.background.add(looking)
            looking.add_done_callback(client.background.discard)
        elif self.draw is not None:
            self.change(client, channel_id)

    async def change_once_found(self, client: Client, channel_id: int) -> None:
        try:
            await look_here(client, channel_id)
        except StoreError as error:
            log.warning("the %s of channel %s was not looked for: %s", self.kind, channel_id, error.reason)
        self.change(client, channel_id)

    def change(self, client: Client, channel_id: int) -> None:
        live = client.live.get((self.kind, channel_id, EVERYBODY))
        if live is not None:
            live.stale = True
            live.woken.set()
            if live.editing is None or live.editing.done():
                live.editing = background.start(self.refresh(client, live))

    async def refresh(self, client: Client, live: LiveMessageState) -> None:
        """Edit a message until it is up to date, or replaced. Never raises."""
        try:
            while live.stale:
                await asyncio.sleep(PAUSE)
                await postpone_edit(client, live)
                if client.live.get(live.kept.key) is not live:
                    return
                if live.stale and not live.on_way:  # otherwise a response changes it
                    # Take a turn before rendering: the longer the queue, the more changes per edit.
                    turn = client.budget.turn(URGENCIES[self.kind], live.place.guild_id or live.place.channel_id)
                    async with nullcontext() if is_free(client, live) else turn:
                        live.stale = False
                        with using_language(await language_at(client, live.place)):
                            drawn = await self.render(client, live)
                            if client.live.get(live.kept.key) is live:  # otherwise it links to the new one
                                await self.edit(client, live, drawn)
        except (discord.DiscordException, StoreError, PlayerError) as error:
            log.warning("the %s of channel %s could not be edited: %s", self.kind, live.kept.channel_id, error)

    async def edit(self, client: Client, live: LiveMessageState, drawn: RenderedMessage | None = None) -> bool:
        """Update a message if needed; whether it is up to date. An unreachable one is forgotten."""
        drawn = drawn or await self.render(client, live)
        if (drawn.digest, drawn.figure) == (live.digest, live.figure):
            return True
        with client.allowances.of(live.place.guild_id or live.place.channel_id).painting():
            changes = as_edit(drawn.edit(live))
        try:
            with live.changing(drawn.figure, drawn.digest):
                await edit(client, live.place, live.kept.message_id, **changes)
        except discord.HTTPException as error:
            # The bot has left, or the message is gone.
            is_gone = isinstance(error, discord.Forbidden | discord.NotFound)
            level = logging.INFO if is_gone else logging.WARNING
            log.log(level, "the %s of channel %s could not be edited: %s", self.kind, live.kept.channel_id, error)
            if isinstance(error, discord.NotFound):
                await self.forget(client, live)
            elif is_gone and client.live.get(live.kept.key) is live:
                del client.live[live.kept.key]
            return False
        return True

    async def render(self, client: Client, live: LiveMessageState) -> RenderedMessage:
        assert self.draw is not None, "whoever changes one that follows no table says what it shows"  # noqa: S101 - states it
        return await self.draw(client, live.kept, live.selected)


FOLLOWED: Final = (MessageKind.BOARD, MessageKind.TURNS)
"""Kinds that change with their channel's table."""
URGENCIES: Final = defaultdict(
    lambda: Priority.AWAITED, {MessageKind.BOARD: Priority.BOARD, MessageKind.TURNS: Priority.TURN_ORDER}
)


def is_free(client: Client, live: LiveMessageState) -> bool:
    return client.tokens.of(live.kept.message_id) is not None


async def postpone_edit(client: Client, live: LiveMessageState) -> None:
    """Delay a rate-limited edit while cards are below the message: play continues below. A press on the message updates
    it at once, as does an edit that becomes free.
    """
    while live.stale and live.below not in (0, FAR) and not is_free(client, live):
        left = live.shown_at + client.rest - time.monotonic()
        if left <= 0:
            return
        live.woken.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(live.woken.wait(), left)


def flush_pending_edits(client: Client) -> None:
    """Run postponed edits at shutdown."""
    client.rest = 0.0
    for live in client.live.values():
        live.woken.set()


def sync_from_store(client: Client, key: tuple[MessageKind, int, int], kept: TrackedMessage | None) -> None:
    """Take a message's record from the store; its current display is unknown."""
    known = client.live.get(key)
    if kept is None:
        client.live.pop(key, None)
    elif known is None or known.kept.message_id != kept.message_id:
        client.live[key] = LiveMessageState(kept)
    else:
        known.forget_look()


async def remember(client: Client) -> None:
    """Reload messages from the store, at startup or after another process may have played."""
    kept = {
        tracked.key: tracked
        for tracked in await client.shown.of_kinds(FOLLOWED)
        if client.is_ours(tracked.guild_id or 0)
    }
    for key in {key for key in client.live if key[0] in FOLLOWED} | kept.keys():
        sync_from_store(client, key, kept.get(key))


def answered_elsewhere(client: Client, channel_id: int) -> None:
    """Note that another process has answered in a channel: its messages are uncertain."""
    client.unsure[channel_id] = asyncio.get_running_loop().time()


async def look_here(client: Client, channel_id: int) -> None:
    """Reload a channel from the store after another process's work. Raises ``StoreError``. It stays uncertain for
    ``UNSURE`` seconds: the other process may not have stored its message yet.
    """
    since = client.unsure.get(channel_id)
    kept = {tracked.key: tracked for tracked in await client.shown.in_channel(channel_id, FOLLOWED)}
    for kind in FOLLOWED:
        sync_from_store(client, (kind, channel_id, EVERYBODY), kept.get((kind, channel_id, EVERYBODY)))
    is_over = since is not None and asyncio.get_running_loop().time() - since > UNSURE
    if is_over and client.unsure.get(channel_id) == since:  # still unanswered
        del client.unsure[channel_id]


def edits(client: Client) -> set[asyncio.Task[None]]:
    return {live.editing for live in client.live.values() if live.editing is not None and not live.editing.done()}


async def look_for(interaction: Interaction) -> RenderMode:
    """Return the look of a new message: the asker's, as far as the bot's permissions allow."""
    if not may_embed(interaction):
        return RenderMode.TEXT
    look = (await ruling_for(interaction, interaction.user.id))[settings.LOOK]
    return RenderMode.PICTURE if look in (PICTURE, ANIMATED) and may_attach(interaction) else RenderMode.WORDS


def look_of(message: discord.Message) -> RenderMode:
    if not message.embeds:
        return RenderMode.TEXT
    return RenderMode.PICTURE if message.attachments else RenderMode.WORDS

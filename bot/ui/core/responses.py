"""Messages to Discord: one response per interaction, in time, background edits, and events.

Discord waits three seconds. A slower response is deferred after ``DEFER_AFTER`` seconds: Discord shows "thinking" until
the real one replaces it. So a slow disk never causes "This interaction failed". A private response is deferred
privately. Subscribers to events are in ``bot.ui.dispatch.subscriptions``.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypedDict, TypeVar, Unpack

import discord

from bot import background
from bot.client import Client, Interaction
from bot.languages.translate import set_language, translate
from bot.rules.game import Field
from bot.rules.text import EMPTY, Said, Shown, Text
from bot.ruleset.ruling import Ruling
from bot.sessions import events, roll
from bot.sessions.request import Place
from bot.store.tracked_messages import EVERYBODY, MessageKind
from bot.ui.core import card_messages, components, request_context

DEFER_AFTER: Final = 1.8
MISSING_PERMISSIONS: Final = 50013
"""Discord's error code for missing permissions."""
TOO_LARGE: Final = 413
"""Status for too large files, from Discord or a proxy."""
ALREADY_ACKNOWLEDGED: Final = 40060
"""Discord's error code for an interaction that already has a response."""
UNKNOWN_MESSAGE: Final = 10008
"""Discord's error code for a deleted message."""
Sent = TypeVar("Sent")
ShownId = TypeVar("ShownId", int, int | None)
log = logging.getLogger(__name__)


class MessageParts(TypedDict, total=False):
    """A message's parts; ``content`` is translated when sent."""

    content: Shown | Said | None
    embed: discord.Embed | None
    file: discord.File
    files: Sequence[discord.File]
    view: discord.ui.View | None
    attachments: Any
    allowed_mentions: discord.AllowedMentions
    tts: bool


class Answer:
    """The response to one interaction. The clock starts on arrival: create it at once."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        now = time.perf_counter()
        waited = now - interaction.client.arrived.get(interaction.id, now)
        self._timer = background.call_later(max(0.0, DEFER_AFTER - waited), self._defer_later)
        self._deferring: asyncio.Task[None] | None = None
        self.is_private = False
        self._thinks_for: Literal["nobody", "one", "all"] = "nobody"
        """People who see "thinking" before the response; nobody if a message was pressed."""
        self.refilled: dict[str, str] | None = None
        """Contents of a form that reopens for a fix, or None."""
        self.sent_again: tuple[str, dict[str, str]] | None = None
        """A resubmitted form, as in ``EditForm``, with its texts, or None."""

    def keep_private(self) -> None:
        """Make the answer private. For a command, call it before any ``await``: a deferral decides who sees it."""
        self.is_private = True
        set_language(request_context.language_of_reader(self._interaction))

    def _defer_later(self) -> None:
        self._deferring = asyncio.ensure_future(self._defer_now())

    async def _defer_now(self) -> None:
        try:
            if not self._interaction.response.is_done():
                is_new = self._interaction.message is None
                if is_new:
                    self._thinks_for = "one" if self.is_private else "all"
                await self._interaction.response.defer(ephemeral=self.is_private, thinking=is_new)
        except discord.HTTPException as error:
            log.warning("an interaction could not be deferred: %s", error)

    def leave(self) -> None:
        """Leave the answer to another process: the interaction was delivered twice."""
        self._timer.cancel()

    async def _in_time(self) -> bool:
        """Stop the clock. True if nothing was sent yet, not even a deferral."""
        self._timer.cancel()
        if self._deferring is not None:
            await self._deferring
        return not self._interaction.response.is_done()

    async def post(self, **message: Unpack[MessageParts]) -> int | None:
        """Send a new message that all can see. Returns its id if Discord says it."""
        if await self._in_time():
            sent = await self._send_fitting(self._interaction.response.send_message, message)
            return self._remember_token(sent.message_id)
        if self._interaction.message is not None:  # the deferral is about the pressed message
            return await self.add(**message)
        return self._remember_token((await self._send_fitting(self._edit_original, message)).id)

    def _remember_token(self, message_id: ShownId) -> ShownId:
        """Use this interaction's token for edits of the message from now on."""
        if message_id is not None:
            self._interaction.client.tokens.note(message_id, self._interaction)
        return message_id

    async def post_new(self, **message: Unpack[MessageParts]) -> int:
        """Send a new message whose id Discord chooses only now, when its content is fixed. Returns the id."""
        if await self._in_time():
            sent = await self._interaction.response.send_message(**translate_message(message))
            return self._remember_token(sent.message_id or (await self._interaction.original_response()).id)
        return await self.add(**message)

    async def add(self, **message: Unpack[MessageParts]) -> int:
        """Send one more message that all can see, after the answer. Returns its id."""
        followed = await self._send_fitting(partial(self._interaction.followup.send, wait=True), message)
        return self._remember_token(followed.id)

    async def update(self, **message: Unpack[MessageParts]) -> None:
        """Change the message whose button was pressed."""
        old = self._interaction.message
        with request_context.in_user_language(self._interaction) if self.is_on_private else nullcontext():
            whole = translate_message(message)
        if old is not None and (not old.embeds or (old.content and "embed" in whole)):
            whole = {"content": None, **whole}  # otherwise old text would stay above the new embed
        self._forget_look(old)
        await self._send_fitting(self._edit_pressed if await self._in_time() else self._edit_original, whole)
        if old is not None and not self.is_on_private:
            self._forget_look(old)
            self._remember_token(old.id)

    def _forget_look(self, pressed: discord.Message | None) -> None:
        """Forget a live message's digests if it may be pressed with another message's button."""
        for kind in (MessageKind.BOARD, MessageKind.TURNS):
            live = self._interaction.client.live.get((kind, self._interaction.channel_id or 0, EVERYBODY))
            if live is not None and pressed is not None and live.kept.message_id == pressed.id:
                live.forget_look()

    async def _edit_pressed(self, **message: Any) -> None:
        await self._interaction.response.edit_message(**as_edit(message))

    async def _edit_original(self, **message: Any) -> discord.InteractionMessage:
        self._thinks_for = "nobody"
        return await self._interaction.edit_original_response(**as_edit(message))

    async def _send_fitting(self, send: Callable[..., Awaitable[Sent]], message: Mapping[str, Any]) -> Sent:
        """Send a message as permissions allow. If Discord rejects it as forbidden or too large, resend it as text."""
        first, whole = card_messages.is_first(self._interaction), translate_message(message)
        if "embed" in whole and not card_messages.may_embed(self._interaction):
            whole = card_messages.without_embed(whole, hint=card_messages.EMBEDS_HINT if first else EMPTY)
        try:
            return await send(**whole)
        except discord.HTTPException as error:
            is_forbidden = isinstance(error, discord.Forbidden) and error.code == MISSING_PERMISSIONS
            if not is_forbidden and error.status != TOO_LARGE:
                raise
            log.info("Discord refused a card (%s): sending text", error)
            hint = card_messages.REFUSED_HINT if first and is_forbidden else EMPTY
            return await send(**card_messages.without_embed(whole, files=False, hint=hint))

    async def ask(self, title: Shown, at: components.At, fields: Iterable[Field]) -> None:
        """Open a form in the person's language; if it is too late, ask them to press again."""
        if await self._in_time():
            with request_context.in_user_language(self._interaction):
                shown = components.modal(title, at, fields := tuple(fields), self.refilled or {})
            known = {field.key: field.label for field in fields}
            self._interaction.client.labels[self._interaction.user.id, components.write(at)] = known
            shown.stop()  # handled by custom_id, even after a restart
            await self._interaction.response.send_modal(shown)
        else:
            await self.whisper(Text("I was too slow to open the form. Please press the button again."))

    async def launch(self) -> None:
        """Launch the Activity for this person; if it is too late, ask them to press again."""
        if await self._in_time():
            await self._interaction.response.launch_activity()
        else:
            await self.whisper(Text("I was too slow to open the Activity. Please press the button again."))

    async def whisper(self, text: Shown | Said, **more: discord.ui.View | discord.Embed | None) -> None:
        """Send text to this person alone, in place of a pressed private message, unless deferred in public."""
        with request_context.in_user_language(self._interaction):
            message: dict[str, Any] = {"content": translate(text)}
        message |= {name: part for name, part in more.items() if part is not None}
        kind = self._interaction.type
        is_form = kind is discord.InteractionType.modal_submit or self.sent_again is not None
        if not await self._in_time() and kind is discord.InteractionType.application_command:
            await self._interaction.edit_original_response(**message)
        elif self.is_on_private and is_form:
            await self.update(**{"view": None, **message})
        else:
            await self.post_private(**message)

    @property
    def is_on_private(self) -> bool:
        """Whether a private message, or a form opened there, was used."""
        return self._interaction.message is not None and self._interaction.message.flags.ephemeral

    async def show(self, **message: Unpack[MessageParts]) -> None:
        """Show a private message, in place of the pressed private one, if any, without None parts."""
        if self.is_on_private:
            await self.update(**message)
        else:
            parts: dict[str, Any] = {name: part for name, part in message.items() if part is not None}
            await self.post_private(**parts)

    async def post_private(self, **message: Unpack[MessageParts]) -> None:
        """Send a new private message. A deferred command's first message replaces "thinking" and has its visibility, so
        something else is sent first.
        """
        with request_context.in_user_language(self._interaction):
            whole = translate_message(message)
        alone = {**whole, "ephemeral": True}
        if await self._in_time():
            await self._send_fitting(self._interaction.response.send_message, alone)
        elif self._thinks_for == "one":
            await self._send_fitting(self._edit_original, whole)
        else:
            if self._thinks_for == "all":
                with request_context.in_channel_language(self._interaction):
                    await self._edit_original(content=translate(Text("The answer is private.")))
            await self._send_fitting(self._interaction.followup.send, alone)


def answer(interaction: Interaction) -> Answer:
    """Return the interaction's only response, created on first call."""
    kept = interaction.extras.get("answer")
    if not isinstance(kept, Answer):
        kept = interaction.extras["answer"] = Answer(interaction)
    return kept


def translate_message(message: Mapping[str, Any]) -> dict[str, Any]:
    return {**message, "content": translate(message["content"])} if message.get("content") else dict(message)


def as_edit(message: dict[str, Any]) -> dict[str, Any]:
    """Return the message as an edit that removes what it lacks; ``attachments`` ``MISSING`` keeps the files."""
    rest = {key: value for key, value in message.items() if key not in ("file", "files")}
    files = [message["file"]] if "file" in message else list(message.get("files", ()))
    return {"embed": None, "attachments": files, **rest}


def message_at(client: Client, here: Place, message_id: int) -> discord.PartialMessage:
    return client.get_partial_messageable(here.channel_id, guild_id=here.guild_id).get_partial_message(message_id)


async def edit(client: Client, here: Place, message_id: int, **changes: Any) -> None:
    token = client.tokens.of(message_id)
    if token is not None and client.application_id is not None:
        try:
            webhook = discord.Webhook.partial(client.application_id, token, client=client)
            await webhook.edit_message(message_id, **changes)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                raise
            log.info("a message is edited by the bot: Discord no longer takes its token (%s)", error)
            client.tokens.forget(message_id)
        else:
            return
    await message_at(client, here, message_id).edit(**changes)


async def try_edit(client: Client, here: Place, message_id: int, **changes: Any) -> bool:
    """Edit a message that is still useful unedited; whether it worked."""
    try:
        await edit(client, here, message_id, **changes)
    except discord.HTTPException as error:
        log.info("a message stays as it was: %s", error)
        return False
    return True


# Events for subscribers


@dataclass(frozen=True, slots=True)
class CardShown:
    """Event: a roll is on a public card. ``counts``: the place's settings; ``is_taken_back``: after an undo."""

    interaction: Interaction
    played: roll.Played
    counts: Ruling
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A command, press, or form was answered, maybe by a refusal."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class StepAnswered:
    """Event: a step on pieces was answered. ``winner``: decided by it, 0 for nobody, None during a match."""

    interaction: Interaction
    game: str
    stepped: events.PiecesChanged
    winner: int | None

"""Interactions under way: what is sent to the bot, and what the bot's answers do to the messages of the world."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.wire.forms import Form, form
from tests.wire.messages import LOADING, Message, blank, written
from tests.wire.process import PATIENCE
from tests.wire.world import (
    APPLICATION_ID,
    CHANNELS,
    EVERY_PERMISSION,
    HIDEOUT,
    OWNER,
    Channel,
    Json,
    Person,
    snowflake,
)

MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5


class RefusedError(Exception):
    """A request that Discord would refuse, with its status and its error code."""

    def __init__(self, status: int, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.code = status, code


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person got to see. ``type`` is the callback's (4 message, 7 update, 8 choices, 9 form, 5 and 6 deferred).

    ``seconds`` run from the event leaving the gateway to the first thing that can be seen.
    """

    type: int
    seconds: float
    token: str
    message: Message | None = None
    form: Form | None = None
    choices: tuple[Json, ...] = ()

    @property
    def shown(self) -> Message:
        """The message; AssertionError if the answer was a form."""
        assert self.message is not None, f"the answer shows no message: {self}"
        return self.message

    @property
    def modal(self) -> Form:
        """The form; AssertionError if the answer was a message."""
        assert self.form is not None, f"the answer opens no form: {self}"
        return self.form

    @property
    def is_update(self) -> bool:
        """Whether the message that was pressed was changed in place, at once or after an excuse."""
        return self.type in (UPDATE, DEFERRED_UPDATE)

    @property
    def ephemeral(self) -> bool:
        return self.message is not None and self.message.ephemeral

    @property
    def text(self) -> str:
        return self.message.text if self.message else ""


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction from the moment it is sent."""

    id: int
    token: str
    kind: int
    person: Person
    channel: Channel
    source: int | None
    sent: float = 0.0
    acknowledged: int | None = None
    acknowledged_after: float = 0.0
    original: int | None = None
    answer: asyncio.Future[Answer] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    later: asyncio.Queue[Message] = field(default_factory=asyncio.Queue)
    followed: set[int] = field(default_factory=set)
    """The messages that follow the first answer."""


class Interactions:
    """The interactions of one wire and the messages they made."""

    def __init__(self) -> None:
        self.messages: dict[int, Message] = {}
        self.channels = {channel.id: channel for channel in (*CHANNELS, HIDEOUT)}
        """Those in which the bot may post."""
        self.seconds_to_answer = PATIENCE  # Discord's 3 seconds may pass on a busy machine without any fault of ours
        self._open: dict[str, Interaction] = {}

    def open(self, kind: int, person: Person, channel: Channel, message: Message | None = None) -> Interaction:
        number = snowflake()
        token = f"{number}.{secrets.token_urlsafe(16)}"
        source = message.id if message else None
        interaction = Interaction(number, token, kind, person, channel, source, original=source)
        self._open[token] = interaction
        return interaction

    def event(self, interaction: Interaction, data: Json) -> Json:
        """The INTERACTION_CREATE event."""
        person, channel = interaction.person, interaction.channel
        event: Json = {
            "id": str(interaction.id),
            "application_id": str(APPLICATION_ID),
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "channel_id": str(channel.id),
            "channel": {**channel.dump(), "permissions": person.permissions},
            "locale": "en-GB",
            "app_permissions": EVERY_PERMISSION,
            "entitlements": [],
            "attachment_size_limit": 10485760,
            "data": data,
        }
        if channel.is_private:
            event |= {
                "user": person.user(),
                "authorizing_integration_owners": {"1": str(person.id)},
                "context": 1 if channel.type == 1 else 2,
            }
        else:
            event |= {
                "guild_id": str(channel.guild_id),
                "guild": {"id": str(channel.guild_id), "locale": "en-GB", "features": []},
                "member": {**person.member(), "user": person.user()},
                "guild_locale": "en-GB",
                "authorizing_integration_owners": {"0": str(channel.guild_id)},
                "context": 0,
            }
        if interaction.source is not None:
            event["message"] = self.messages[interaction.source].dump()
        return event

    def find(self, token: str) -> Interaction:
        if token not in self._open:
            raise RefusedError(404, 10015, "Unknown Webhook")
        return self._open[token]

    def acknowledge(self, token: str, body: Json, files: Mapping[int, bytes], now: float) -> Json:
        """The first answer. Returns Discord's interaction callback response; Refused as Discord would."""
        interaction = self._open.get(token)
        if interaction is None or now - interaction.sent > self.seconds_to_answer:
            raise RefusedError(404, 10062, "Unknown interaction")
        if interaction.acknowledged is not None:
            raise RefusedError(400, 40060, "Interaction has already been acknowledged.")
        kind, data = body["type"], body.get("data") or {}
        message: Message | None = None
        if kind in (MESSAGE, DEFERRED):
            message = blank(interaction.channel, interaction.person, interaction.id)
            if kind == MESSAGE:
                message = _write(message, data, files)
            else:
                message = replace(message, flags=LOADING | int(data.get("flags") or 0))
            interaction.original = message.id
        elif kind in (UPDATE, DEFERRED_UPDATE):
            if interaction.source is None:
                raise RefusedError(400, 50035, "An update needs a component on a message")
            if kind == UPDATE:
                message = _edit(self.messages[interaction.source], data, files)
        opened = form(data, interaction.channel, interaction.source) if kind == MODAL else None
        interaction.acknowledged, interaction.acknowledged_after = kind, now - interaction.sent
        if message is not None:
            self.messages[message.id] = message
        if kind not in (DEFERRED, DEFERRED_UPDATE):
            self._show(interaction, now, message, opened, tuple(data.get("choices") or ()))
        return _response(interaction, kind, message)

    def edit(self, token: str, number: int | None, body: Json, files: Mapping[int, bytes], now: float) -> Message:
        """Edit the original answer (``number`` None) or one message of this interaction."""
        message = _edit(self.message(token, number), body, files)
        self.messages[message.id] = message
        self._show(self.find(token), now, message, None)
        return message

    def follow_up(self, token: str, body: Json, files: Mapping[int, bytes], now: float) -> Message:
        """A further message; after a deferred answer the first one takes the place of "is thinking"."""
        interaction = self.find(token)
        if interaction.acknowledged is None:
            raise RefusedError(404, 10015, "Unknown Webhook")
        original = self.messages.get(interaction.original or 0)
        if original is not None and original.flags & LOADING:
            return self.edit(token, None, body, files, now)
        message = _write(blank(interaction.channel, interaction.person, interaction.id), body, files)
        self.messages[message.id] = message
        interaction.followed.add(message.id)
        self._show(interaction, now, message, None)
        return message

    def message(self, token: str, number: int | None) -> Message:
        interaction = self.find(token)
        wanted = interaction.original if number is None else number
        its_own = {interaction.original, interaction.source, *interaction.followed}
        if interaction.acknowledged is None or wanted not in self.messages or wanted not in its_own:
            raise RefusedError(404, 10008, "Unknown Message")
        return self.messages[wanted]

    def post(self, channel_id: int, body: Json, files: Mapping[int, bytes]) -> Message:
        """A message of the bot in a channel, in answer to nobody."""
        channel = self.channels.get(channel_id)
        if channel is None:
            raise RefusedError(404, 10003, "Unknown Channel")
        message = _write(blank(channel, OWNER, 0), body, files)
        self.messages[message.id] = message
        return message

    def posted(self, number: int) -> Message:
        """A message that the bot finds as itself and not in answer to anybody."""
        if number not in self.messages or self.messages[number].ephemeral:
            raise RefusedError(404, 10008, "Unknown Message")
        return self.messages[number]

    def edit_posted(self, number: int, body: Json, files: Mapping[int, bytes]) -> Message:
        """Edit a message that the bot posted, as the bot itself and not in answer to anybody."""
        self.messages[number] = _edit(self.posted(number), body, files)
        return self.messages[number]

    def delete(self, token: str, number: int | None) -> None:
        del self.messages[self.message(token, number).id]

    def _show(
        self,
        interaction: Interaction,
        now: float,
        message: Message | None,
        opened: Form | None,
        choices: tuple[Json, ...] = (),
    ) -> None:
        if not interaction.answer.done():
            kind = interaction.acknowledged or 0
            seconds = now - interaction.sent
            interaction.answer.set_result(Answer(kind, seconds, interaction.token, message, opened, choices))
        elif message is not None:
            interaction.later.put_nowait(message)


def _write(message: Message, body: Json, files: Mapping[int, bytes]) -> Message:
    try:
        return written(message, body, files)
    except ValueError as error:
        raise RefusedError(400, 50035, f"Invalid Form Body: {error}") from error


def _edit(message: Message, body: Json, files: Mapping[int, bytes]) -> Message:
    return replace(_write(message, body, files), edited=True)


def _response(interaction: Interaction, kind: int, message: Message | None) -> Json:
    about: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "response_message_loading": kind == DEFERRED,
        "response_message_ephemeral": bool(message and message.ephemeral),
    }
    if interaction.original is not None:
        about["response_message_id"] = str(interaction.original)
    if kind == MODAL:
        return {"interaction": about}
    resource: Json = {"type": kind}
    if message is not None:
        resource["message"] = message.dump()
    return {"interaction": about, "resource": resource}

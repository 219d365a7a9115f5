"""Messages as the people in a channel see them, and how Discord makes and edits them from a bot's payload."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from tests.wire.world import APPLICATION_ID, Channel, Json, Person, bot_user, snowflake

EPHEMERAL = 1 << 6
LOADING = 1 << 7
BUTTON, SELECT = 2, 3
BESIDE = (
    "another",
    "advice-damage",
    "undo",
    "how",
    "camera",
    "again",
    "again-but",
    "both",
    "no-bonus",
)
"""Offers on a card that are no choice of the roll itself."""
BONUS = "bonus-"
"""Begins those of bonus attacks, which follow it."""


NEXT = "rc1:next:"
"""Begins those that the board has as well: who is next."""


def is_beside(offer: str) -> bool:
    return offer in BESIDE or offer.startswith(BONUS)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file on a message, with its bytes and its alt text."""

    id: int
    filename: str
    description: str | None
    data: bytes = field(repr=False)

    @property
    def url(self) -> str:
        return f"https://cdn.discordapp.com/attachments/1/{self.id}/{self.filename}"

    def dump(self) -> Json:
        return {
            "id": str(self.id),
            "filename": self.filename,
            "description": self.description,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": "image/png" if self.filename.endswith(".png") else "application/octet-stream",
        }


@dataclass(frozen=True, slots=True)
class Control:
    """A button or a select menu. ``label`` is what is read on it (a select's placeholder)."""

    type: int
    custom_id: str
    label: str
    disabled: bool
    options: tuple[tuple[str, str], ...] = ()
    least: int = 1
    most: int = 1

    @property
    def is_beside(self) -> bool:
        """Whether it is no choice of the roll itself, or a list of nothing but such."""
        if self.custom_id.startswith(NEXT):
            return True
        offered = [value for _, value in self.options]
        return is_beside(self.custom_id.split(":")[-1]) or (bool(offered) and all(map(is_beside, offered)))


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it looked at one moment; an edit makes a new one, so an old one is what a stale screen shows."""

    id: int
    channel: Channel
    asked_by: Person
    asked_with: int
    content: str = ""
    embeds: tuple[Json, ...] = ()
    components: tuple[Json, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    flags: int = 0
    edited: bool = False

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def controls(self) -> tuple[Control, ...]:
        return tuple(_controls(self.components))

    @property
    def choices(self) -> tuple[Control, ...]:
        """What belongs to the roll while it lasts: no advice, undo, How? or camera, and nothing that follows it."""
        return tuple(control for control in self.controls if not control.is_beside)

    @property
    def buttons(self) -> tuple[str, ...]:
        """The labels of the buttons that can be pressed."""
        return tuple(c.label for c in self.controls if c.type == BUTTON and not c.disabled)

    @property
    def text(self) -> str:
        """Every word on the message, in the order it is read."""
        parts: list[str | None] = [self.content]
        for embed in self.embeds:
            parts += [embed.get("author", {}).get("name"), embed.get("title"), embed.get("description")]
            for block in embed.get("fields", ()):
                parts += [block["name"], block["value"]]
            parts.append(embed.get("footer", {}).get("text"))
        return "\n".join(part for part in parts if part)

    def control(self, name: str) -> Control:
        """The one control whose custom id or label is ``name``; LookupError says what there is instead."""
        result = [c for c in self.controls if name in (c.custom_id, c.label)]
        if len(result) != 1:
            there = ", ".join(f"{c.label!r} ({c.custom_id})" for c in self.controls) or "nothing"
            raise LookupError(f"{len(result)} controls are called {name!r}; on the message there is {there}")
        return result[0]

    def dump(self) -> Json:
        stamp = datetime.now(UTC).isoformat()
        return {
            "id": str(self.id),
            "type": 20,
            "channel_id": str(self.channel.id),
            "author": bot_user(),
            "application_id": str(APPLICATION_ID),
            "webhook_id": str(APPLICATION_ID),
            "content": self.content,
            "timestamp": stamp,
            "edited_timestamp": stamp if self.edited else None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "pinned": False,
            "flags": self.flags,
            "embeds": list(self.embeds),
            "components": list(self.components),
            "attachments": [attachment.dump() for attachment in self.attachments],
            "interaction_metadata": {
                "id": str(self.asked_with),
                "type": 2,
                "user": self.asked_by.user(),
                "authorizing_integration_owners": {},
            },
        }


def written(message: Message, payload: Json, files: Mapping[int, bytes]) -> Message:
    """``message`` after a bot's payload: what the payload leaves out stays, as with Discord's PATCH.

    ``files`` are the parts ``files[n]`` of a multipart body. ValueError if the payload contradicts itself.
    """
    attachments = tuple(_attachments(message, payload.get("attachments"), files))
    named = {attachment.filename: attachment for attachment in attachments}
    embeds = message.embeds
    if "embeds" in payload:
        embeds = tuple(_placed(embed, named) for embed in payload["embeds"] or ())
    components = message.components
    if "components" in payload:
        components = tuple(payload["components"] or ())
        ids = [control.custom_id for control in _controls(components)]
        if len(ids) != len(set(ids)):
            raise ValueError(f"two components share a custom_id: {ids}")
    changed = replace(
        message,
        content=payload["content"] or "" if "content" in payload else message.content,
        embeds=embeds,
        components=components,
        attachments=attachments,
        flags=(message.flags | int(payload.get("flags") or 0)) & ~LOADING,
    )
    if not (changed.content or changed.embeds or changed.components or changed.attachments):
        raise ValueError("Cannot send an empty message")
    return changed


def blank(channel: Channel, asked_by: Person, asked_with: int) -> Message:
    """A message that has nothing on it yet, in answer to the interaction ``asked_with``."""
    return Message(snowflake(), channel, asked_by, asked_with)


def _attachments(message: Message, listed: list[Json] | None, files: Mapping[int, bytes]) -> Iterator[Attachment]:
    if listed is None:
        yield from message.attachments
        if files:
            raise ValueError("files were sent that the payload's attachments do not name")
        return
    kept = {attachment.id: attachment for attachment in message.attachments}
    for entry in listed:
        number = int(entry["id"])
        if number in kept:
            yield kept[number]
        elif number in files:
            yield Attachment(snowflake(), entry["filename"], entry.get("description"), files[number])
        else:
            raise ValueError(f"attachment {number} is neither on the message nor among the files sent")


def _placed(embed: Json, named: Mapping[str, Attachment]) -> Json:
    """The embed with its pictures' ``attachment://name`` turned into addresses; a picture nobody sent is an error."""
    placed: dict[str, Any] = {**embed, "type": "rich"}
    for place in ("image", "thumbnail"):
        url = str((embed.get(place) or {}).get("url", ""))
        if url.startswith("attachment://"):
            name = url.removeprefix("attachment://")
            if name not in named:
                raise ValueError(f"the embed's {place} is {url}, which is not attached (there is: {', '.join(named)})")
            placed[place] = {**embed[place], "url": named[name].url}
    return placed


def _controls(components: Iterable[Json]) -> Iterator[Control]:
    for component in components:
        yield from _controls(component.get("components", ()))
        if "accessory" in component:
            yield from _controls([component["accessory"]])
        if "custom_id" in component:
            yield Control(
                component["type"],
                component["custom_id"],
                component.get("label") or component.get("placeholder") or "",
                bool(component.get("disabled")),
                tuple((option["label"], option["value"]) for option in component.get("options", ())),
                component.get("min_values", 1),
                component.get("max_values", 1),
            )

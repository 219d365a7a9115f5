"""What random people type into an option: what it takes, what it does not, and what looks for the edge of it."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.wire import hostile
from tests.wire.seen import STRING, Seen
from tests.wire.world import EVERY_PERMISSION, GUILD_ID, Channel, Json, Person

INTEGER, BOOLEAN, USER, CHANNEL, ROLE, ANYBODY, NUMBER, FILE = range(4, 12)
NAMES = ("Luke", "Angus", "Żółw")
SHORT = 40
"""A text that may be no longer is a name."""


class Values:
    """Values for options, from what their descriptions say and from what was ``seen``.

    ``files`` are addresses at which something hostile can be downloaded.
    """

    def __init__(
        self,
        chance: Random,
        seen: Seen,
        commands: list[Json],
        people: tuple[Person, ...],
        channels: tuple[Channel, ...],
        files: tuple[str, ...],
    ) -> None:
        self.chance, self.seen, self.people, self.channels, self.files = chance, seen, people, channels, files
        self.phrases = tuple(dict.fromkeys(_phrases(commands)))

    def likely(self, own: tuple[str, ...], command: str) -> str:
        """A text as this command or option gives for an example, or as another one does."""
        hints = self.seen.hints.get(command)
        if len(own) > 1 and self.chance.random() < 0.7:
            return hostile.phrase(self.chance, own, 2000)
        if hints and self.chance.random() < 0.8:
            return self.chance.choice(hints)
        return hostile.phrase(self.chance, self.phrases, 2000)

    def valid(self, option: Json, resolved: Json, channel: Channel, command: str = "") -> Any:
        """A value that Discord would let a person send; often the least or the most that it may be."""
        kind = option["type"]
        if option.get("choices"):
            return self.chance.choice(option["choices"])["value"]
        if kind in (INTEGER, NUMBER):
            least, most = option.get("min_value", 0), option.get("max_value", 20)
            return self.chance.choice((least, most, *(self.chance.randint(least, most) for _ in range(4))))
        if kind == BOOLEAN:
            return self.chance.random() < 0.5
        if kind == STRING:
            longest = option.get("max_length", 6000)
            named = longest <= SHORT or option["name"] in self.seen.naming
            own = tuple(_phrases([option]))
            text = self.name(channel, command) if named and self.chance.random() < 0.7 else self.likely(own, command)
            return text[:longest] or "x"
        return self.found(kind, resolved)

    def wrong(self, option: Json) -> tuple[Any, str]:
        """A value that nobody could send with Discord's own app, or only to see what happens; and why it must fail."""
        kind = option["type"]
        if self.chance.random() < 0.12:
            odd: tuple[Any, ...] = (None, True, 3, 2.5, "3", [], [1], {}, {"a": 1})
            fits = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: int | float}
            value = self.chance.choice(odd)
            right = isinstance(value, fits.get(kind, type(self))) and isinstance(value, bool) == (kind == BOOLEAN)
            return value, "" if right else "is of another type"
        if option.get("choices") and kind == STRING:
            return hostile.text(self.chance, self.phrases) + "?", "is no choice"
        if kind in (INTEGER, NUMBER):
            least, most = option.get("min_value"), option.get("max_value")
            edge = [number for number in (least is not None and least - 1, most is not None and most + 1) if number]
            value = self.chance.choice((*edge, *hostile.NUMBERS))
            outside = (least is not None and value < least) or (most is not None and value > most)
            return value, "is outside its limits" if outside or (kind == INTEGER and value != int(value)) else ""
        if kind == STRING:
            value = hostile.text(self.chance, self.phrases)
            if self.chance.random() < 0.7:
                value = value[: option.get("max_length", 6000)]
            fits = option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000)
            return value, "" if fits else "is of the wrong length"
        if kind == BOOLEAN:
            return self.chance.choice(("yes", 2, None)), "is of another type"
        return self.chance.choice(("1", "0", str(2**63), str(GUILD_ID))), "is known to nobody"

    def found(self, kind: int, resolved: Json) -> str:
        """Somebody, some place, some role or some file, with what Discord tells about it."""
        if kind in (USER, ANYBODY):
            person = self.chance.choice(self.people)
            resolved.setdefault("users", {})[str(person.id)] = person.user()
            if self.chance.random() < 0.8:  # one who is not in this server is told of without
                resolved.setdefault("members", {})[str(person.id)] = person.member()
            return str(person.id)
        if kind == CHANNEL:
            place = self.chance.choice([channel for channel in self.channels if not channel.is_private])
            resolved.setdefault("channels", {})[str(place.id)] = {**place.dump(), "permissions": EVERY_PERMISSION}
            return str(place.id)
        if kind == ROLE:
            number = str(self.chance.choice((GUILD_ID, GUILD_ID + 1)))
            resolved.setdefault("roles", {})[number] = _role(number)
            return number
        url = self.chance.choice(self.files)
        about = {"id": "7", "filename": "rules.json", "size": 1000, "url": url, "proxy_url": url}
        resolved.setdefault("attachments", {})["7"] = {**about, "content_type": "application/json"}
        return "7"

    def name(self, channel: Channel, command: str) -> str:
        """A name that a command knows in a channel, most of the time."""
        known = self.seen.names.get((channel.id, command))
        return self.chance.choice(known if known and self.chance.random() < 0.8 else NAMES)


def _phrases(parts: list[Json]) -> Iterator[str]:
    """What the descriptions give as examples: whatever follows a colon, whole and in its parts."""
    for part in parts:
        _, _, example = str(part.get("description", "")).partition(":")
        for text in (example, example.partition(";")[0], *re.split("[,;]", example), str(part.get("name", ""))):
            if text.strip():
                yield text.strip()
        yield from _phrases(part.get("options") or [])
        for choice in part.get("choices") or []:
            yield str(choice["value"])


def _role(number: str) -> Json:
    named = {"id": number, "name": "@everyone", "permissions": "0", "position": 0, "color": 0, "hoist": False}
    colors = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    return {**named, "colors": colors, "managed": False, "mentionable": False, "flags": 0}

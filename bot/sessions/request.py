"""People, places, and requests: who asks for what where, with its ruling; one per command, press, or form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from bot.rules.errors import PlayerError
from bot.rules.name import clean
from bot.rules.text import Name, with_plain
from bot.ruleset.ruling import BUILT_IN, Ruling

MENTION: Final = re.compile(r"<@!?(\d{1,20})>")
"""A mention in a text, as Discord writes it."""
NUMBERED: Final = re.compile(r"@(\d{1,2})\b")
"""A mention in a declaration, so that a state holds no user id."""
Error = TypeVar("Error", bound=PlayerError)


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user: id and display name."""

    id: int
    name: Name


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, and its server unless it is a direct message.

    ``call``: the people in a voice channel's call, who are the opponents in its chat. ``parent_id``: the channel of a
    thread. ``is_alone``: nobody else can come there, as in a direct message with the bot, so one person plays both
    sides.
    """

    channel_id: int
    guild_id: int | None = None
    call: tuple[Person, ...] = ()
    parent_id: int | None = None
    is_alone: bool = False

    def others(self, than: Person) -> tuple[Person, ...]:
        """Return the others in someone's call; () if that person isn't in it themselves."""
        others = tuple(person for person in self.call if person.id != than.id)
        return others if len(others) < len(self.call) else ()


@dataclass(frozen=True, slots=True)
class Request:
    """The immutable context of a command or press.

    ``ruling`` applies at the place to ``by``; ``is_gm``: whether they are a GM there. ``interaction_id``: Discord's, so
    that a duplicate delivery counts once; None for the bot's own actions. ``bot_id``: the bot's own, whose pieces
    anyone may play. ``token``: lets Discord return a command's answer again. ``stored``: events it has stored so far
    (``bot.sessions.events.StateStored``).
    """

    by: Person
    place: Place
    ruling: Ruling = BUILT_IN
    is_gm: bool = False
    interaction_id: int | None = None
    bot_id: int = 0
    token: str = field(default="", repr=False, compare=False)
    stored: list[Any] = field(default_factory=list, compare=False)


def with_names(error: Error, named: Mapping[int, Person]) -> Error:
    """Replace ``@1`` in the rules' errors with people's names; the rules know only numbers."""

    def name(match: re.Match[str]) -> str:
        person = named.get(int(match[1]))
        return match[0] if person is None else f"@{clean(person.name)}"

    error.text = with_plain(error.text, lambda typed: NUMBERED.sub(name, typed))
    return error

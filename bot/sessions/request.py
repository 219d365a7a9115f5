"""People, places, and the request: who asks for something where, with the ruling that applies.

A request is made once for each command, press, or form.
"""

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
"""The form of a mention in a declaration, so that a state holds nobody's id."""
Error = TypeVar("Error", bound=PlayerError)


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user: their id, and the name they go by here."""

    id: int
    name: Name


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, and its server unless it is a direct message.

    ``call`` are the people in the call of a voice channel: an open roll in its chat belongs to the others of them.
    ``parent_id`` is the channel that a thread is in. ``is_alone``: nobody else can come there, as in a direct message
    with the bot, so one person plays both sides.
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
    """The context of a command or press, fixed whatever changes meanwhile.

    ``ruling`` applies at the place to ``by``, and ``is_gm`` is whether they are a GM there. ``interaction_id`` is
    Discord's id of what they typed or pressed, so that one delivered twice counts once; None for what the bot does by
    itself. ``bot_id``: the bot's own, whose pieces anyone may play. ``token``: with which Discord shows the answer to a
    command again. ``stored`` is what was stored because of it so far, as events (``bot.sessions.events.StateStored``).
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
    """The error with people's names where the rules, which know only numbers, quote ``@1``."""

    def name(match: re.Match[str]) -> str:
        person = named.get(int(match[1]))
        return match[0] if person is None else f"@{clean(person.name)}"

    error.text = with_plain(error.text, lambda typed: NUMBERED.sub(name, typed))
    return error

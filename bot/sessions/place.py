"""Who plays, and where."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.rules.errors import PlayerError
from bot.rules.name import clean
from bot.rules.text import Name, with_plain

MENTION: Final = re.compile(r"<@!?(\d{1,20})>")
"""How Discord writes a person whom somebody mentions in a text."""
NUMBERED: Final = re.compile(r"@(\d{1,2})\b")
"""How a declaration names that person, so that a state holds nobody's id."""
Error = TypeVar("Error", bound=PlayerError)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: their number, and the name they go by here."""

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
        """Who is in the call with somebody; nobody, if that person is not in it themselves."""
        others = tuple(person for person in self.call if person.id != than.id)
        return others if len(others) < len(self.call) else ()


def with_names(error: Error, named: Mapping[int, Person]) -> Error:
    """The error with people's names where the rules, which know only numbers, quote ``@1``."""

    def name(found: re.Match[str]) -> str:
        person = named.get(int(found[1]))
        return found[0] if person is None else f"@{clean(person.name)}"

    error.args = (with_plain(error.text, lambda typed: NUMBERED.sub(name, typed)),)
    return error

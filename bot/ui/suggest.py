"""What Discord suggests while somebody types an option."""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from discord.app_commands import Choice

from bot.client import Interaction
from bot.languages.say import say
from bot.rules.errors import PlayerError
from bot.rules.text import Name, Said, Words
from bot.store.errors import StoreError
from bot.ui.place import place

MOST: Final = 25
LONGEST: Final = 100
"""Discord's limits: suggestions, and characters of one."""
Value = TypeVar("Value", str, int)


def holds(label: str, typed: object) -> bool:
    """Whether a label contains what is typed so far; for a number option Discord may send a number."""
    return str(typed).strip().casefold() in label.casefold()


def fitting(typed: object, choices: Iterable[tuple[Words, Value]]) -> list[Choice[Value]]:
    """Those values whose labels contain what is typed so far; ``choices`` are (label, value)."""
    said = ((say(label), value) for label, value in choices)
    return [Choice(name=Said(label[:LONGEST]), value=value) for label, value in said if holds(label, typed)][:MOST]


def names(typed: object, found: Iterable[str]) -> list[Choice[str]]:
    """The same for names, each once. One that is too long to be picked whole is left out."""
    return fitting(typed, ((Name(name), name) for name in dict.fromkeys(found) if len(name) <= LONGEST))


def other(interaction: Interaction, option: str) -> str:
    """What another option of the same command holds so far, as names are compared."""
    return str(dict(iter(interaction.namespace)).get(option) or "").strip().casefold()


async def held(interaction: Interaction, game: str) -> dict[str, Any]:
    """The pieces of a game in this channel; none if they cannot be read: people can type without suggestions."""
    try:
        return await interaction.client.tables.pieces(place(interaction), game)
    except (PlayerError, StoreError):
        return {}

"""Checks before a command or press counts: the rate limit of each person, and games that are switched off."""

import math
import time
from collections.abc import Mapping
from typing import Any, Final

from discord.ext.commands import CooldownMapping

from bot.client import Interaction
from bot.games import by_command
from bot.rules.errors import PlayerError
from bot.rules.text import Count, Text
from bot.ruleset.check import check_game
from bot.ui.place import ruling

WINDOW: Final = 10.0
"""Seconds in which one person's commands and presses are limit."""

RateLimit = CooldownMapping[Interaction]


def rate_limit(most: int) -> RateLimit | None:
    """Counts the commands and presses of each person; None for no limit."""
    return CooldownMapping.from_cooldown(most, WINDOW, lambda interaction: interaction.user.id) if most else None


def check_rate_limit(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for a person who types and presses faster than anybody plays."""
    limit = interaction.client.rate_limit
    # The time of day may be set back; then somebody would have to wait for an hour.
    wait = limit.update_rate_limit(interaction, time.perf_counter()) if limit is not None else None
    if wait is not None:
        seconds = Count(math.ceil(wait), "second", "seconds")
        raise PlayerError(
            Text("That was faster than I can follow. Please wait {seconds}, then try again.", seconds=seconds)
        )


async def check_command(interaction: Interaction) -> None:
    """Raises ``PlayerError`` for a command that comes too fast, or whose game is switched off here."""
    check_rate_limit(interaction)
    data: Mapping[str, Any] = interaction.data or {}
    await check_switched_on(interaction, str(data.get("name", "")))


async def check_switched_on(interaction: Interaction, command: str) -> None:
    """Raises ``PlayerError`` for the command of a game that is switched off here; ``command`` is its first word."""
    if (game := by_command().get(command)) is not None:
        check_game(await ruling(interaction), game)

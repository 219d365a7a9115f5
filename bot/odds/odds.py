"""The odds: one line per game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.odds import albion, warsurge

ODDS: Final[Mapping[str, Callable[[Any], Mapping[str, object]]]] = {
    "warsurge": warsurge.odds,
    "albion": albion.odds,
}

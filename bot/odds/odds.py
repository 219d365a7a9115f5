"""The odds: one line per game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.odds import albion, infinity, warsurge, xwing

ODDS: Final[Mapping[str, Callable[[Any], Mapping[str, object]]]] = {
    "xwing": xwing.odds,
    "infinity": infinity.odds,
    "warsurge": warsurge.odds,
    "albion": albion.odds,
}

"""The games' odds, luck and advice, a line per game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.odds import albion, infinity, warsurge, xwing
from bot.odds.advice import Adviser
from bot.odds.luck import Luck, luck_of_state
from bot.odds.xwing import advice as xwing_advice

ODDS: Final[Mapping[str, Callable[[Any], Mapping[str, object]]]] = {
    "xwing": xwing.odds,
    "infinity": infinity.odds,
    "warsurge": warsurge.odds,
    "albion": albion.odds,
}

LUCK: Final[Mapping[str, Callable[[Any], Luck | None]]] = {
    "xwing": xwing.luck,
    "infinity": infinity.luck,
    "warsurge": warsurge.luck,
    "albion": albion.luck,
}
"""How lucky a state is; None while the roll is open, or where nothing is at stake."""

SLOW: Final = frozenset({"xwing"})
"""Games in which counting the luck of a roll may take more than two milliseconds."""

ADVICE: Final[Mapping[str, Adviser]] = {
    "xwing": xwing_advice,
}


def luck(game: str, state: object) -> Luck | None:
    """How lucky a roll was, by its game's line in ``LUCK``; None where people rolled any of the dice by hand."""
    return luck_of_state(LUCK[game], state)

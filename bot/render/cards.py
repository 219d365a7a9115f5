"""The cards: one line per game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.render import albion, infinity, warsurge, xwing
from bot.render.card import Card
from bot.rules.game import Side

CARDS: Final[Mapping[str, Callable[[Any, Mapping[Side, str]], Card]]] = {
    "xwing": xwing.card,
    "infinity": infinity.card,
    "warsurge": warsurge.card,
    "albion": albion.card,
}

"""The games: one line each."""

from collections.abc import Mapping
from typing import Final

from bot.rules import albion, infinity, warsurge, xwing
from bot.rules.game import Game

GAMES: Final[Mapping[str, Game]] = {
    "xwing": xwing,
    "infinity": infinity,
    "warsurge": warsurge,
    "albion": albion,
}

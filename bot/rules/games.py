"""The games: one line each."""

from collections.abc import Mapping
from typing import Final

from bot.rules import albion, warsurge, xwing
from bot.rules.game import Game

GAMES: Final[Mapping[str, Game]] = {
    "xwing": xwing,
    "warsurge": warsurge,
    "albion": albion,
}

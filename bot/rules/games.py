"""The games: one line each."""

from collections.abc import Mapping
from typing import Final

from bot.rules import xwing
from bot.rules.game import Game

GAMES: Final[Mapping[str, Game]] = {game.KEY: game for game in (xwing,)}

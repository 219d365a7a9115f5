"""The games, listed only here; everything else reads ``GAMES``. To add one, see ADDING_A_GAME.md in bot/."""

import copyreg
from functools import cache
from typing import Final

from bot.games import albion, anydice, contest, duels, infinity, warsurge, xwing
from bot.games.game import Game
from bot.rules.text import Shown, Text

__all__ = ("GAMES", "IN_A_SENTENCE", "Game", "by_command", "by_terminal", "dice_commands", "game_of", "roll_commands")

EVERY: Final = (xwing.GAME, infinity.GAME, warsurge.GAME, albion.GAME, anydice.GAME, contest.GAME, duels.GAME)
GAMES: Final[dict[str, Game]] = {game.key: game for game in EVERY}
"""The games by key, in display order."""
IN_A_SENTENCE: Final[list[Shown]] = [*(game.title for game in GAMES.values() if not game.is_general), Text("any dice")]
"""The games' names inside a sentence."""


@cache  # every answer asks
def by_command() -> dict[str, Game]:
    return {game.slash: game for game in GAMES.values()}


@cache
def roll_commands() -> tuple[str, ...]:
    """The slash commands that declare a roll: ``xwing attack``, ``roll``."""
    return tuple(f"{game.slash} {part}".strip() for game in GAMES.values() for part in game.commands.rolls)


def dice_commands() -> tuple[str, ...]:
    """Return the slash commands that a button can hold: those that declare a roll, and others that take dice."""
    return roll_commands() + tuple(name for game in GAMES.values() for name in game.commands.dice)


def by_terminal() -> dict[str, Game]:
    return {game.commands.terminal or game.key: game for game in GAMES.values()}


def game_of(key: str) -> Game:
    return GAMES[key]


# Other processes have the same games: a roll is pickled with its game's key only.
copyreg.pickle(Game, lambda game: (game_of, (game.key,)))

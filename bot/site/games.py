"""The games of the page, by their names in the terminal."""

from collections.abc import Mapping
from typing import Final

from bot.games import by_terminal
from bot.site import albion, anydice, infinity, warsurge, xwing
from bot.site.forms import Form

HERE: Final = (xwing, infinity, warsurge, albion, anydice)
NAMES: Final = {game.key: name for name, game in by_terminal().items()}
FORMS: Final[Mapping[str, Form]] = {NAMES[one.__name__.rpartition(".")[2]]: one.FORM for one in HERE}

"""Advice: one line per game that has it."""

from collections.abc import Mapping
from typing import Final

from bot.odds.worth import Adviser
from bot.odds.xwing import advice as xwing

ADVICE: Final[Mapping[str, Adviser]] = {
    "xwing": xwing,
}

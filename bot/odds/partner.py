"""How the bot plays a side: the shape in which a game says what it would press."""

from dataclasses import dataclass

from bot.odds.advice import Number
from bot.rules.game import Choice
from bot.rules.text import EMPTY, Shown


@dataclass(frozen=True, slots=True)
class Move:
    """A choice that is open, what it is called, and what it is worth; or in ``why`` a reason that is no number.

    It is worked out from the state alone, which every player sees; no die to come is known.
    """

    choice: Choice
    label: Shown
    numbers: tuple[Number, ...] = ()
    why: Shown = EMPTY

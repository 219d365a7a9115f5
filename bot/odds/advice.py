"""The shapes in which every game says what a choice leads to, and what it would press where the bot plays a side."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from bot.rules.game import Choice
from bot.rules.text import EMPTY, Shown


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A named number: a probability, or an expected value. ``is_main``: people choose by it.

    ``kept``: the token of which it is what would be left, empty for another number.
    """

    name: Shown
    value: Fraction
    is_probability: bool = True
    is_main: bool = False
    kept: Shown = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """An open choice, and its numbers if both sides play well after it.

    ``offer`` and ``picked`` are the choice as the rules take it, ``label`` is what it does in words. ``offer`` is empty
    where the line says what it would mean to keep a token for later. ``is_best``: no other choice is worth more; of
    several that are, it does not matter which one is taken. ``saves``: nothing happens to the one who asks.
    """

    offer: str = ""
    label: Shown
    picked: tuple[str, ...] = ()
    numbers: tuple[NamedNumber, ...]
    is_best: bool = False
    saves: bool = False


class Adviser(Protocol):
    """Interface of a game's advice. ``Any`` stands for the game's own state."""

    def aims(self, state: Any) -> Mapping[str, Shown]:
        """The aims to choose from, by key, with their words; empty where there is no advice. The usual one is first."""

    def advise(self, state: Any, aim: str) -> tuple[Advice, ...]:
        """Every open choice, the best first, then what keeping a token would mean; the state is not touched.

        Raises ``NotOfferedError`` for an aim that ``aims`` does not hold, ``BadInputError`` where there is too much to
        count.
        """


@dataclass(frozen=True, slots=True)
class Move:
    """A choice that is open, what it is called, and what it is worth; or in ``why`` a reason that is no number.

    It is worked out from the state alone, which every player sees; no die to come is known.
    """

    choice: Choice
    label: Shown
    numbers: tuple[NamedNumber, ...] = ()
    why: Shown = EMPTY

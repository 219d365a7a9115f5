"""The data types of every game's advice, and of the bot's moves as a player."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from bot.rules.game import Choice
from bot.rules.text import EMPTY, Shown


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A named probability or expected value. ``is_main``: people choose by it. ``kept``: the token whose remaining
    number it is, or "".
    """

    name: Shown
    value: Fraction
    is_probability: bool = True
    is_main: bool = False
    kept: Shown = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """An open choice, and its numbers if both sides play well afterwards.

    ``offer`` and ``picked``: the choice as in the rules, ``label``: its effect in words. ``offer``: "" for the value of
    keeping a token. ``is_best``: no other choice is worth more; there may be several. ``saves``: nothing happens to the
    asker.
    """

    offer: str = ""
    label: Shown
    picked: tuple[str, ...] = ()
    numbers: tuple[NamedNumber, ...]
    is_best: bool = False
    saves: bool = False


class Adviser(Protocol):
    """Interface of a game's advice. ``Any``: its state."""

    def aims(self, state: Any) -> Mapping[str, Shown]:
        """Return the aims by key, with labels, the usual one first; empty without advice."""

    def advise(self, state: Any, aim: str) -> tuple[Advice, ...]:
        """Return every open choice, best first, then the value of keeping each token. Raises ``NotOfferedError`` for an
        unknown aim, ``BadInputError`` if the question is too large.
        """


@dataclass(frozen=True, slots=True)
class Move:
    """An open choice, its label, and its value; or in ``why`` a reason without a number. Computed from the public state
    only, without knowledge of future dice.
    """

    choice: Choice
    label: Shown
    numbers: tuple[NamedNumber, ...] = ()
    why: Shown = EMPTY

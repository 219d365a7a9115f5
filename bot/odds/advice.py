"""The data types of every game's advice, and of the bot's moves as a player."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from bot.rules.game import Choice
from bot.rules.text import EMPTY, Shown


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A named probability or expected value. ``is_main``: people choose by it. ``kept``: its unspent token, or ""."""

    name: Shown
    value: Fraction
    is_probability: bool = True
    is_main: bool = False
    kept: Shown = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """An open choice (``offer``, ``picked``; "" for keeping a token), its effect as ``label``, and numbers if both
    sides play well. ``is_best``: none is worth more. ``saves``: nothing happens to the asker.
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
        """Return every open choice, best first, then tokens' values. Raises ``NotOfferedError``, ``BadInputError``."""


@dataclass(frozen=True, slots=True)
class Move:
    """An open choice, its label, and its value, or ``why`` there is none; computed from the public state only."""

    choice: Choice
    label: Shown
    numbers: tuple[NamedNumber, ...] = ()
    why: Shown = EMPTY

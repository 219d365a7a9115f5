"""Any dice: rolls outside the other games, in the notation that dice bots share (``4d6kh3``, ``6d10>=7``, ``4dF``).

Somebody rolls (``play``), or asks several people for a roll (``asked``).
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from bot.rules.anydice import asked, play
from bot.rules.anydice.asked import Ask, Asking
from bot.rules.anydice.play import Declared, DiceRoll
from bot.rules.dice import Rng, Rolled
from bot.rules.game import Choice, Offer
from bot.rules.text import EMPTY, Text, Words

__all__ = [
    "KEY",
    "SCHEMA",
    "TITLE",
    "State",
    "choose",
    "declare",
    "dice_count",
    "not_secret",
    "offers",
    "outcome",
    "rolled",
    "start",
]

KEY = "anydice"
TITLE = Text("Any dice")
SCHEMA = 1
State: TypeAlias = DiceRoll | Asking
ASKED: Final = (Ask, Asking)


def rules_of(given: Declared | Ask | State) -> Any:
    """The module that plays a declaration or a state."""
    return asked if isinstance(given, ASKED) else play


def declare(raw: Mapping[str, object]) -> Declared | Ask:
    """As ``asked.declare`` where somebody is asked (``request``), else as ``play.declare``. Raises ``PlayerError``."""
    return asked.declare(raw) if raw.get(asked.REQUEST) else play.declare(raw)


def dice_count(declared: Declared | Ask) -> int:
    count: int = rules_of(declared).dice_count(declared)
    return count


def not_secret(declared: Declared | Ask) -> Words:
    """Why it cannot be rolled in secret; "" where it can."""
    return asked.not_secret(declared) if isinstance(declared, Ask) else EMPTY


def start(declared: Declared | Ask, rng: Rng) -> Any:
    """The whole roll, or the request. Raises ``PlayerError`` for faces, rolled by hand, that do not fit the dice."""
    return rules_of(declared).start(declared, rng)


def rolled(state: State) -> tuple[Rolled, ...]:
    dice: tuple[Rolled, ...] = rules_of(state).rolled(state)
    return dice


def offers(state: State) -> tuple[Offer, ...]:
    found: tuple[Offer, ...] = rules_of(state).offers(state)
    return found


def choose(state: State, choice: Choice, rng: Rng) -> Any:
    return rules_of(state).choose(state, choice, rng)


def outcome(state: State) -> Mapping[str, object]:
    words: Mapping[str, object] = rules_of(state).outcome(state)
    return words

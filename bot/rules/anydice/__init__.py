"""Any dice: rolls outside the other games, in the notation that dice bots share (``4d6kh3``, ``6d10>=7``, ``4dF``).

Somebody rolls (``play``), or asks several people for a roll (``asked``).
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from bot.rules.anydice import asked, play
from bot.rules.anydice.asked import Ask, Asking
from bot.rules.anydice.play import Declared, DiceRoll
from bot.rules.dice import Rng, Rolled
from bot.rules.game import Choice, Offer
from bot.rules.text import EMPTY, Shown, Text

KEY = "anydice"
TITLE = Text("Any dice")
SCHEMA = 1
State: TypeAlias = DiceRoll | Asking


def declare(raw: Mapping[str, object]) -> Declared | Ask:
    """As ``asked.declare`` where somebody is asked (``request``), else as ``play.declare``. Raises ``PlayerError``."""
    return asked.declare(raw) if raw.get(asked.REQUEST) else play.declare(raw)


def dice_count(declared: Declared | Ask) -> int:
    """The dice that fall at once, of all people where they fall for all; those that explode come on top."""
    times = len(declared.people) if isinstance(declared, Ask) and declared.at_once else 1
    return times * declared.expression.dice


def not_secret(declared: Declared | Ask) -> Shown:
    """Why it cannot be rolled in secret; "" where it can."""
    return Text("This request waits for people.") if isinstance(declared, Ask) and not declared.at_once else EMPTY


def start(declared: Declared | Ask, rng: Rng) -> Any:
    """The whole roll, or the request. Raises ``PlayerError`` for faces, rolled by hand, that do not fit the dice."""
    return asked.start(declared, rng) if isinstance(declared, Ask) else play.start(declared, rng)


def rolled(state: State) -> tuple[Rolled, ...]:
    dice = [one.dice for one in state.given] if isinstance(state, Asking) else [state.dice]
    return tuple(die for pools in dice for pool in pools for die in pool)


def offers(state: State) -> tuple[Offer, ...]:
    return asked.offers(state) if isinstance(state, Asking) else play.offers(state)


def choose(state: State, choice: Choice, rng: Rng) -> Any:
    return asked.choose(state, choice, rng) if isinstance(state, Asking) else play.choose(state, choice, rng)


def outcome(state: State) -> Mapping[str, object]:
    return asked.outcome(state) if isinstance(state, Asking) else play.outcome(state)

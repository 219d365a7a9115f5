"""X-Wing 2nd edition: an attack between two people, window by window, and loose dice on the table."""

from collections.abc import Mapping

from bot.rules.dice import Rng, Rolled
from bot.rules.game import Choice, Offer
from bot.rules.xwing import attack, table
from bot.rules.xwing.attack import Attack
from bot.rules.xwing.declared import Declared, declare
from bot.rules.xwing.notes import NOTES
from bot.rules.xwing.pools import attack_pool, defense_pool
from bot.rules.xwing.table import Dice, Table

__all__ = [
    "KEY",
    "NOTES",
    "SCHEMA",
    "TITLE",
    "State",
    "choose",
    "declare",
    "dice_count",
    "offers",
    "outcome",
    "rolled",
    "start",
]

KEY = "xwing"
TITLE = "X-Wing"
SCHEMA = 1
State = Attack | Table


def dice_count(declared: Declared | Dice) -> int:
    """The larger pool of an attack, since the two fall one after the other; all loose dice."""
    if isinstance(declared, Dice):
        return declared.red + declared.green
    return max(attack_pool(declared), defense_pool(declared))


def start(declared: Declared | Dice, rng: Rng) -> Attack | Table:
    """An attack, or dice outside one."""
    return table.start(declared, rng) if isinstance(declared, Dice) else attack.start(declared, rng)


def rolled(state: Attack | Table) -> tuple[Rolled, ...]:
    """The attack dice, then the defense dice."""
    return (*state.red, *state.green)


def offers(state: Attack | Table) -> tuple[Offer, ...]:
    return table.offers(state) if isinstance(state, Table) else attack.offers(state)


def choose(state: Attack | Table, choice: Choice, rng: Rng) -> Attack | Table:
    return table.choose(state, choice, rng) if isinstance(state, Table) else attack.choose(state, choice, rng)


def outcome(state: Attack | Table) -> Mapping[str, object]:
    return table.outcome(state) if isinstance(state, Table) else attack.outcome(state)

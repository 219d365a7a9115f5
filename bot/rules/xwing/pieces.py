"""X-Wing's pieces for the table: ships, and what an attack does to them."""

from collections.abc import Mapping

from bot.rules.xwing import fight
from bot.rules.xwing.attack import Attack
from bot.rules.xwing.ship import Ship
from bot.rules.xwing.table import Table

__all__ = ["SCHEMA", "Body", "names", "settle"]

SCHEMA = 1
Body = Ship


def names(state: Attack | Table) -> tuple[str, ...]:
    """The ships that an attack uses; loose dice use none."""
    return tuple(fight.ships_of(state).values()) if isinstance(state, Attack) else ()


def settle(
    before: Attack | None, after: Attack, pieces: Mapping[str, Ship]
) -> tuple[Attack, Mapping[str, Ship]]:
    """The attack against the ships as they stand, and the ships that a ply changes; raises ``PlayerError`` when it would spend what a ship no longer has."""
    return fight.settle(before, after, pieces)

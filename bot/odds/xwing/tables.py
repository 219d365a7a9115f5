"""How dice fall, counted: tables that every question shares."""

from functools import lru_cache
from math import factorial, prod
from typing import Final

from bot.rules.xwing.declared import FACES, Face, Pool

BLANK, FOCUS, RESULT, CRIT = range(4)
"""Places in a count of results, from the least to the best; ``RESULT`` is a hit or an evade."""

RANK: Final = {Face.BLANK: BLANK, Face.FOCUS: FOCUS, Face.HIT: RESULT, Face.EVADE: RESULT, Face.CRIT: CRIT}

Counts = tuple[int, ...]
"""How many dice show (blank, focus, hit, crit), or (blank, focus, evade)."""

Die = tuple[int, ...]
"""How many of the eight faces show each of them."""


def die_of(pool: Pool) -> Die:
    ranks = [RANK[face] for face in FACES[pool]]
    return tuple(ranks.count(rank) for rank in range(max(ranks) + 1))


RED: Final = die_of(Pool.RED)
GREEN: Final = die_of(Pool.GREEN)


@lru_cache(maxsize=256)
def rolled(die: Die, dice: int) -> tuple[tuple[Counts, int], ...]:
    """Every count that so many dice can show, with the number of its ways among 8**dice."""
    found = []
    for counts in shared_out(dice, len(die)):
        ways = factorial(dice) * prod(faces**count for faces, count in zip(die, counts, strict=True))
        if ways:
            found.append((counts, ways // prod(map(factorial, counts))))
    return tuple(found)


def shared_out(dice: int, places: int) -> list[Counts]:
    """All ways to share so many dice out over the places."""
    if places == 1:
        return [(dice,)]
    return [(first, *rest) for first in range(dice + 1) for rest in shared_out(dice - first, places - 1)]


@lru_cache(maxsize=256)
def thrown(die: Die, dice: int) -> tuple[tuple[int, int, int, int], ...]:
    """As ``rolled``, but a crit is a result like a hit: (blanks, focus results, results, ways)."""
    blank, focus, *results = die
    return tuple((*counts, ways) for counts, ways in rolled((blank, focus, sum(results)), dice))  # type: ignore[misc]  # three places and the ways

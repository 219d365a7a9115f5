"""How dice fall, counted: tables that every question shares."""

from functools import lru_cache
from math import comb
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


@lru_cache(maxsize=1024)
def rolled(die: Die, dice: int) -> tuple[tuple[Counts, int], ...]:
    """Every count that so many dice can show, with the number of its ways among 8**dice."""
    faces, others = die[0], die[1:]
    if not others:
        return (((dice,), faces**dice),) if faces or not dice else ()
    return tuple(
        ((first, *rest), comb(dice, first) * faces**first * ways)
        for first in range(dice + 1 if faces else 1)
        for rest, ways in rolled(others, dice - first)
    )


@lru_cache(maxsize=256)
def thrown(die: Die, dice: int) -> tuple[tuple[int, int, int, int], ...]:
    """As ``rolled``, but a crit is a result like a hit: (blanks, focus results, results, ways)."""
    blank, focus, *results = die
    return tuple((*counts, ways) for counts, ways in rolled((blank, focus, sum(results)), dice))  # type: ignore[misc]  # three places and the ways

"""The exact counts of 216 for an Albion roll."""

from collections.abc import Mapping
from enum import StrEnum

from bot.odds.law import Law, exact
from bot.rules.albion import FOCUS, VALUES, Declared, named, working


class Fall(StrEnum):
    """What one of the 216 values comes to; a focus point is always a hit."""

    MISS = "miss"
    HIT_ONLY = "hit_only"
    FOCUS = "focus"


def law(declared: Declared) -> Law[Fall]:
    """The law of a roll over its 216 equal values; faces that lie already are ignored."""
    worked = working(declared)
    misses = VALUES if worked.lowest_hit is None else worked.lowest_hit
    focuses = 0 if worked.lowest_focus is None else VALUES - worked.lowest_focus
    counts = {Fall.MISS: misses, Fall.HIT_ONLY: VALUES - misses - focuses, Fall.FOCUS: focuses}
    return Law({fall: count for fall, count in counts.items() if count}, VALUES)


def odds(declared: Declared) -> Mapping[str, object]:
    """The named numbers, the lowest values, and the exact counts and chances, in JSON words."""
    worked, of = working(declared), law(declared)
    counts = {fall: of.weights.get(fall, 0) for fall in Fall}
    multiplier = (counts[Fall.HIT_ONLY] + FOCUS * counts[Fall.FOCUS]) / of.total
    return {
        **named(worked),
        "hit": "guaranteed" if worked.total_miss_chance <= 0 else how(worked.lowest_hit),
        "lowest_hit": worked.lowest_hit,
        "focus": "every value" if worked.lowest_focus == 0 else how(worked.lowest_focus),
        "lowest_focus": worked.lowest_focus,
        **{f"n_{fall}": count for fall, count in counts.items()},
        "of": of.total,
        "p_hit": exact(of.chance(lambda fall: fall is not Fall.MISS)),
        "p_focus": exact(of.chance(lambda fall: fall is Fall.FOCUS)),
        "mean_power_multiplier": exact(multiplier),
    }


def how(lowest: int | None) -> str:
    return "impossible" if lowest is None else "roll"

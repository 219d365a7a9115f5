"""The exact odds of Albion: one roll of 216 equal values (rules page, points 1 to 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.odds.distribution import Distribution, exact
from bot.odds.luck import Luck, RollResult, Unit, luck_of
from bot.rules.albion import FOCUS, VALUES, AttackRoll, Declared, named, result, working
from bot.rules.game import Side
from bot.rules.text import Text


class Outcome(StrEnum):
    """What one of the 216 values comes to; a focus point is always a hit."""

    MISS = "miss"
    HIT_ONLY = "hit_only"
    FOCUS = "focus"


@dataclass(frozen=True, slots=True)
class ActionOdds:
    """The answer that the odds card draws."""

    declared: Declared
    distribution: Distribution[Outcome]


def distribution(declared: Declared) -> Distribution[Outcome]:
    """The outcomes of a roll, counted of its 216 equal values; faces that lie already are ignored."""
    worked = working(declared)
    counts = {
        Outcome.MISS: VALUES - worked.hits,
        Outcome.HIT_ONLY: worked.hits - worked.focus_points,
        Outcome.FOCUS: worked.focus_points,
    }
    return Distribution({outcome: count for outcome, count in counts.items() if count}, VALUES)


def count(declared: Declared) -> ActionOdds:
    """The answer to ``/albion odds``."""
    return ActionOdds(declared, distribution(declared))


def odds(declared: Declared) -> Mapping[str, object]:
    """The named numbers, the lowest values, and the exact counts and probabilities, in JSON words."""
    worked, outcomes = working(declared), distribution(declared)
    counts = {outcome: outcomes.weights.get(outcome, 0) for outcome in Outcome}
    multiplier = (counts[Outcome.HIT_ONLY] + FOCUS * counts[Outcome.FOCUS]) / outcomes.total
    return {
        **named(worked),
        "hit": "guaranteed" if worked.total_miss_chance <= 0 else possible(worked.lowest_hit),
        "lowest_hit": worked.lowest_hit,
        "focus": Text("every value") if worked.lowest_focus == 0 else possible(worked.lowest_focus),
        "lowest_focus": worked.lowest_focus,
        **{f"n_{outcome}": number for outcome, number in counts.items()},
        "of": outcomes.total,
        "p_hit": exact(outcomes.probability(lambda outcome: outcome is not Outcome.MISS)),
        "p_focus": exact(outcomes.probability(lambda outcome: outcome is Outcome.FOCUS)),
        "mean_power_multiplier": exact(multiplier),
    }


def possible(lowest: int | None) -> str:
    """Whether a value can bring it."""
    return "impossible" if lowest is None else "roll"


def luck(state: AttackRoll) -> Luck | None:
    """By the value of the three dice; None where every value comes to the same."""
    if len(distribution(state.declared).weights) < 2:
        return None
    values = Distribution(dict.fromkeys(range(VALUES), 1), VALUES)
    return luck_of(sum(int(die.face) for die in state.dice), values, Text("rolls"), Text("Luck of the attacker"))


HALVES: Final = {Outcome.MISS: 0, Outcome.HIT_ONLY: 2, Outcome.FOCUS: int(2 * FOCUS)}
"""By what a roll multiplies the power, in halves."""


def roll_results(state: AttackRoll) -> tuple[RollResult, ...]:
    """By what the roll multiplies the power, for whoever attacks."""
    return (
        RollResult(
            distribution=distribution(state.declared).map(HALVES.__getitem__),
            value=int(2 * result(state).multiplier),
            side=Side.ATTACKER,
            unit=Unit(Text("times the power")),
            parts=2,
        ),
    )

"""The luck of a finished roll or match: the result's place in its exact distribution. Each game's ``luck(state)`` ranks
results by one integer; more is better for the side in ``RollLuck.side`` and ``RollLuck.of``. See Luck in
docs/fairness.md.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Final

from bot.odds.distribution import Distribution
from bot.rules.game import Side
from bot.rules.text import Noun, Shown

CACHED: Final = 256
"""Cached distributions per kind of roll."""


@dataclass(frozen=True, slots=True)
class RollLuck:
    """The probabilities that the same declaration goes better, and worse, for a side. ``rolls``: the plural noun
    ("attacks"); ``side``: whose luck, in words ("the attacker"); ``of``: the same, given who plays which side.
    """

    better: Fraction
    worse: Fraction
    rolls: Shown
    side: Shown
    of: Side | None = None


class UncountableLuckError(Exception):
    """A roll whose exact distribution takes too long, whatever the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollResult:
    """A finished roll's result for one side: damage, HP, Wounds.

    ``value``: the result in the exact ``distribution``; both count ``parts`` per ``unit`` (2 for halves). ``is_loss``:
    fewer is luckier, as for Wounds taken. ``player``: number of the person named for it, 0 for the side's player.
    """

    distribution: Distribution[int]
    value: int
    side: Side
    unit: Noun
    parts: int = 1
    is_loss: bool = False
    player: int = 0


def luck_of(
    result: int, distribution: Distribution[int], rolls: Shown, side: Shown, of: Side | None = Side.ATTACKER
) -> RollLuck | None:
    """Return the place of a result in its distribution; None if only one result is possible."""
    if len(distribution.weights) < 2:
        return None
    better = distribution.probability(lambda other: other > result)
    worse = distribution.probability(lambda other: other < result)
    return RollLuck(better=better, worse=worse, rolls=rolls, side=side, of=of)


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """The sum of the results, its exact mean, and the chances of a better and worse match."""

    rolls: int
    result: int
    mean: Fraction
    better: Fraction
    worse: Fraction


def match_luck(rolls: Sequence[tuple[Distribution[int], int]]) -> MatchLuck:
    """Return a person's luck over a match, from each finished roll's distribution and result. More is luckier; the
    caller negates losses. A result may be outside its distribution: X-Wing's assumes a policy that people need not
    follow. Such results count too; otherwise bad play would look like no play.
    """
    result = sum(came for _, came in rolls)
    weights = distribution_of_sum(distribution.weights for distribution, _ in rolls)
    every = Distribution(weights, sum(weights.values()))
    mean = sum((distribution.mean(int) for distribution, _ in rolls), Fraction(0))
    better = every.probability(lambda value: value > result)
    worse = every.probability(lambda value: value < result)
    return MatchLuck(rolls=len(rolls), result=result, mean=mean, better=better, worse=worse)


def distribution_of_sum(distributions: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """Return the weight of each sum of one value per distribution; weights are unscaled integers. Roll by roll, so that
    one factor of every product is small. Pairwise multiplication of packed polynomials took eight times as long for 200
    rolls.
    """
    sums = {0: 1}
    for weights in distributions:
        common = gcd(*weights.values())
        longer: defaultdict[int, int] = defaultdict(int)
        for value, weight in weights.items():
            for so_far, ways in sums.items():
                longer[so_far + value] += weight // common * ways
        sums = dict(longer)
    return sums

"""How lucky somebody was over a whole match: their results against the exact distribution of the sum of them all.

It knows no game. Each roll comes with the distribution of its result (damage, wounds, HP), more being luckier for the
person; a caller turns the sign where less is. Luck of docs/fairness.md.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import NamedTuple


class RatedRoll(NamedTuple):
    """A finished roll: ``weights[value] / total`` is the chance of each value; ``result`` is the value that came."""

    weights: Mapping[int, int]
    total: int
    result: int


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """The sum of the results, its exact mean, and the chances that such a match does better, and worse."""

    rolls: int
    result: int
    mean: Fraction
    better: Fraction
    worse: Fraction


def match_luck(rolls: Sequence[RatedRoll]) -> MatchLuck:
    """The luck of a match. Raises ``ValueError`` for a roll whose weights do not fit its total.

    A result may lie outside its distribution: that of X-Wing has both players play by a stated policy, and people need
    not. Such results count like all others; to leave them out would make bad play look like no play.
    """
    for roll in rolls:
        check(roll)
    result = sum(roll.result for roll in rolls)
    weights = distribution_of_sum(roll.weights for roll in rolls)
    total = sum(weights.values())
    return MatchLuck(
        rolls=len(rolls),
        result=result,
        mean=sum((mean(roll) for roll in rolls), Fraction(0)),
        better=Fraction(sum(weight for value, weight in weights.items() if value > result), total),
        worse=Fraction(sum(weight for value, weight in weights.items() if value < result), total),
    )


def check(roll: RatedRoll) -> None:
    if min(roll.weights.values(), default=-1) < 0 or sum(roll.weights.values()) != roll.total:
        raise ValueError("the weights of a roll are not negative and sum to its total")


def mean(roll: RatedRoll) -> Fraction:
    return Fraction(sum(value * weight for value, weight in roll.weights.items()), roll.total)


def distribution_of_sum(distributions: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """The weight of each possible sum of one value from each distribution; the weights are integers without a unit.

    Roll by roll, so that one factor of every product stays small. Multiplication in pairs, with a whole polynomial
    packed into one integer, took eight times as long for 200 rolls.
    """
    sums = {0: 1}
    for weights in distributions:
        common = gcd(*weights.values())
        longer: defaultdict[int, int] = defaultdict(int)
        for value, weight in weights.items():
            if factor := weight // common:
                for so_far, ways in sums.items():
                    longer[so_far + value] += factor * ways
        sums = dict(longer)
    return sums

"""The luck of a finished roll or of a whole match: the result's place in its exact distribution.

Each game's ``luck(state)`` stands beside its odds. It puts results in order by one whole number; more is better for
one side, which ``RollLuck.side`` and ``RollLuck.of`` name. Luck of docs/fairness.md.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Final

from bot.odds.distribution import Distribution
from bot.rules.game import Side
from bot.rules.text import EMPTY, Shown

CACHED: Final = 256
"""Distributions that are kept of each kind of roll, so that the same declaration is not counted twice."""


@dataclass(frozen=True, slots=True)
class RollLuck:
    """The probabilities that a roll of the same declaration goes better for a side, and worse.

    ``rolls`` is what such rolls are called ("attacks"); ``side`` is whose luck it is, in words ("the attacker"), and
    ``of`` is the same for who knows who plays which side.
    """

    better: Fraction
    worse: Fraction
    rolls: Shown
    side: Shown
    of: Side | None = None


class UncountableLuckError(Exception):
    """A roll whose distribution takes too long to be counted exactly, however much time there is."""


@dataclass(frozen=True, slots=True)
class ResultUnit:
    """A unit of results: its name for one, and for any other number where that differs."""

    one: Shown
    many: Shown = EMPTY

    def name(self, count: Fraction) -> Shown:
        """Return the unit's name for a count."""
        return self.many if self.many and count != 1 else self.one


@dataclass(frozen=True, slots=True, kw_only=True)
class RollResult:
    """A finished roll's result for one side: damage, HP, Wounds.

    ``value`` was rolled, of the exact ``distribution``; both count ``parts`` to one ``unit`` (2 for halves).
    ``is_loss``: fewer is luckier, as for Wounds that someone takes. ``player`` is the number of the person whom the
    declaration named for it, 0 for the person who plays the side.
    """

    distribution: Distribution[int]
    value: int
    side: Side
    unit: ResultUnit
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
    """The sum of the results, its exact mean, and the chances that such a match does better, and worse."""

    rolls: int
    result: int
    mean: Fraction
    better: Fraction
    worse: Fraction


def match_luck(rolls: Sequence[tuple[Distribution[int], int]]) -> MatchLuck:
    """The luck of somebody over a match: of each finished roll the distribution of its result, and what came.

    More is luckier; a caller turns the sign where less is. A result may lie outside its distribution: that of X-Wing
    has both players play by a stated policy, and people need not. Such results count like all others; to leave them out
    would make bad play look like no play.
    """
    result = sum(came for _, came in rolls)
    weights = distribution_of_sum(distribution.weights for distribution, _ in rolls)
    every = Distribution(weights, sum(weights.values()))
    mean = sum((distribution.mean(int) for distribution, _ in rolls), Fraction(0))
    better = every.probability(lambda value: value > result)
    worse = every.probability(lambda value: value < result)
    return MatchLuck(rolls=len(rolls), result=result, mean=mean, better=better, worse=worse)


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
            for so_far, ways in sums.items():
                longer[so_far + value] += weight // common * ways
        sums = dict(longer)
    return sums

"""A probability distribution held exactly: integer weights over one integer total."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Distribution(Generic[K]):
    """``outcome`` has the probability ``weights[outcome] / total``; weights are positive and sum to ``total``."""

    weights: Mapping[K, int]
    total: int

    def probability(self, event: Callable[[K], bool]) -> Fraction:
        """The probability of all outcomes for which ``event`` holds."""
        return Fraction(sum(weight for outcome, weight in self.weights.items() if event(outcome)), self.total)

    def mean(self, value: Callable[[K], int]) -> Fraction:
        """The expected value of ``value``."""
        return Fraction(sum(value(outcome) * weight for outcome, weight in self.weights.items()), self.total)

    def map(self, value: Callable[[K], V]) -> "Distribution[V]":
        """The distribution of ``value``: outcomes of the same value are added up."""
        weights: defaultdict[V, int] = defaultdict(int)
        for outcome, weight in self.weights.items():
            weights[value(outcome)] += weight
        return Distribution(dict(weights), self.total)


def exact(value: Fraction | int) -> str:
    """A number as the string that golden files and ``--json`` use: ``"15/8"``, ``"2/1"``."""
    fraction = Fraction(value)
    return f"{fraction.numerator}/{fraction.denominator}"

"""A distribution held exactly: integer weights over one integer total."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Law(Generic[K]):
    """The chance of each outcome is ``weights[outcome] / total``; weights are positive and sum to ``total``."""

    weights: Mapping[K, int]
    total: int

    def chance(self, when: Callable[[K], bool]) -> Fraction:
        """The chance of all outcomes for which ``when`` holds."""
        return Fraction(sum(weight for outcome, weight in self.weights.items() if when(outcome)), self.total)

    def mean(self, value: Callable[[K], int]) -> Fraction:
        """The mean of ``value`` over the outcomes."""
        return Fraction(sum(value(outcome) * weight for outcome, weight in self.weights.items()), self.total)


def exact(value: Fraction | int) -> str:
    """A number as the string that golden files and ``--json`` use: ``"15/8"``, ``"2/1"``."""
    fraction = Fraction(value)
    return f"{fraction.numerator}/{fraction.denominator}"

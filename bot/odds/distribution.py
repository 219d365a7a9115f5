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


def convolve(left: Distribution[int], right: Distribution[int]) -> Distribution[int]:
    """The distribution of the sum of two independent numbers, by Kronecker substitution.

    Write a distribution as the polynomial sum(weight_v x^v) and put x = 2^(8 b), with b bytes enough for every weight
    of the result. The polynomial becomes one integer, and Python's own multiplication of integers does all additions
    and carries at once: no weight reaches 2^(8 b), so no two of them mix, and the weights are the digits of the product
    in base 2^(8 b). It is about four times as fast as all pairs of outcomes for two numbers of 400.
    """
    first = min(left.weights) + min(right.weights)
    length = max(left.weights) + max(right.weights) - first + 1
    total = left.total * right.total
    size = digit_size(total)
    return unpack(pack(left, size) * pack(right, size), size, first, length, total)


def digit_size(total: int) -> int:
    """Bytes of a digit that holds any weight below ``total``."""
    return (total.bit_length() + 7) // 8


def pack(distribution: Distribution[int], size: int) -> int:
    """The weights as digits of ``size`` bytes, the least outcome first."""
    outcomes = range(min(distribution.weights), max(distribution.weights) + 1)
    digits = (distribution.weights.get(value, 0).to_bytes(size, "little") for value in outcomes)
    return int.from_bytes(b"".join(digits), "little")


def unpack(number: int, size: int, first: int, length: int, total: int) -> Distribution[int]:
    """The distribution whose weights are the ``length`` digits of a number, that of the outcome ``first`` at first."""
    digits = number.to_bytes(size * length, "little")
    weights = (int.from_bytes(digits[at * size : (at + 1) * size], "little") for at in range(length))
    return Distribution({value: weight for value, weight in enumerate(weights, first) if weight}, total)


def exact(value: Fraction | int) -> str:
    """A number as the string that golden files and ``--json`` use: ``"15/8"``, ``"2/1"``."""
    fraction = Fraction(value)
    return f"{fraction.numerator}/{fraction.denominator}"

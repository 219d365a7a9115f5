"""Distributions of counts as bar charts, and in words for people who do not see the chart."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from bot.odds.distribution import Distribution
from bot.render.card import Bar, Bars
from bot.render.text import percent
from bot.rules.text import Noun, Numeral, Sentences, Shown, Text, Words, beside, labelled

K = TypeVar("K", bound=Hashable)

BARS_MOST: Final = 24
"""Bars of one chart; larger counts go into the last one."""

Shares = Mapping[int, Fraction]
"""The probability of each count."""


def shares(distribution: Distribution[K], value: Callable[[K], int]) -> dict[int, Fraction]:
    """The probability of each count, from none to the most that is possible."""
    counts = distribution.map(value)
    return {count: Fraction(counts.weights.get(count, 0), counts.total) for count in range(max(counts.weights) + 1)}


def at_least(share: Shares, least: int) -> Fraction:
    return sum((chance for count, chance in share.items() if count >= least), Fraction(0))


def chart(names: Sequence[Shown], shares: Sequence[Shares], means: Sequence[Fraction]) -> Bars:
    """The distributions as bars. Counts beyond the last bar are included in it, as ``24+``."""
    values = sorted({count for share in shares for count in share})
    shown, rest = values[:BARS_MOST], values[BARS_MOST - 1 :]
    bars = [Bar(Numeral(str(value)), tuple(share.get(value, Fraction(0)) for share in shares)) for value in shown]
    if len(rest) > 1:
        tail = tuple(sum((share.get(value, Fraction(0)) for value in rest), Fraction(0)) for share in shares)
        bars[-1] = Bar(Numeral(f"{rest[0]}+"), tail)
    return Bars(tuple(names), tuple(bars), tuple(means))


def in_words(name: Words, share: Shares, noun: Noun) -> Text:
    """A distribution in words, for people who do not see the chart."""
    parts = (beside(noun.of(count), percent(chance, 1)) for count, chance in share.items() if chance)
    return labelled(name, Sentences(parts, ", "))

"""Exact odds from ``bot.odds`` (``count``) on a card: charts of distributions, the same as text, key numbers."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from bot.odds.distribution import Distribution
from bot.render.card import Bar, Bars, Card
from bot.render.plain_text import decimal, percent
from bot.rules.text import Code, Noun, Numeral, Sentences, Shown, Text, bracketed, ended, joined, labeled, lines_of

K = TypeVar("K", bound=Hashable)

MAX_BARS: Final = 24
"""Maximum bars of a chart; larger counts are in the last one."""

Shares = Mapping[int, Fraction]


def shares(distribution: Distribution[K], value: Callable[[K], int]) -> dict[int, Fraction]:
    counts = distribution.map(value)
    return {count: Fraction(counts.weights.get(count, 0), counts.total) for count in range(max(counts.weights) + 1)}


def at_least(share: Shares, least: int) -> Fraction:
    return sum((chance for count, chance in share.items() if count >= least), Fraction(0))


def chart(names: Sequence[Shown], shares: Sequence[Shares]) -> Bars:
    """The distributions as bars. Counts beyond the last bar are included in it, as ``24+``."""
    values = sorted({count for share in shares for count in share})
    shown, rest = values[:MAX_BARS], values[MAX_BARS - 1 :]
    chances = ((value, tuple(share.get(value, Fraction(0)) for share in shares)) for value in shown)
    bars = [Bar(Numeral(str(value)), chance, value) for value, chance in chances]
    if len(rest) > 1:
        tail = tuple(sum((share.get(value, Fraction(0)) for value in rest), Fraction(0)) for share in shares)
        bars[-1] = Bar(Numeral(f"{rest[0]}+"), tail, rest[0])
    return Bars(tuple(names), tuple(bars))


def in_words(name: Shown, share: Shares, noun: Noun) -> Text:
    parts = (joined(noun.of(count), percent(chance)) for count, chance in share.items() if chance)
    return labeled(name, Sentences(parts, ", "))


def averages(what: Shown, means: Sequence[Fraction], names: Sequence[Shown]) -> Shown:
    """Return ``Average damage: 1.36.``, or each average with its name."""
    if len(means) == 1:
        return ended(labeled(what, decimal(means[0])))
    listed = (bracketed(decimal(mean), name) for mean, name in zip(means, names, strict=True))
    return ended(labeled(what, Sentences(listed, ", ")))


def number_list(title: Shown, numbers: Mapping[str, object]) -> Card:
    """Return any game's numbers as a list, fractions as percentages; a distribution has a line per result."""
    facts = tuple((Code(name.replace("_", " ")), listed_number(value)) for name, value in numbers.items())
    alt = Sentences((labeled(name, Sentences(lines_of(text), ", ")) for name, text in facts), ". ")
    head, outcome = Text("{title} odds", title=title), Text("{title}: the exact odds.", title=title)
    return Card(head, outcome, facts=facts, alt=alt)


def listed_number(value: object) -> Shown:
    """Return ``3/4 (75%)`` for a probability, ``2.08`` for a number above one, a line each for a distribution."""
    if isinstance(value, Mapping):
        lines = (labeled(label, listed_number(part)) for label, part in value.items())
        return Sentences(lines, "\n")
    try:
        exact = Fraction(str(value))
    except ValueError:
        return Code(value)
    is_share = isinstance(value, str) and 0 <= exact <= 1
    return bracketed(exact, percent(exact)) if is_share else decimal(exact)

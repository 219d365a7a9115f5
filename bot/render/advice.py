"""Advice on a card: every open choice with a bar for its average and its numbers, the best first."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.odds.advice import Advice, Number
from bot.render.card import Card
from bot.render.text import bar, decimal, percent
from bot.rules.text import Sentences, Text

BEST: Final = "★"
BAR: Final = 16
"""Characters of the longest bar; a phone has room for so many."""
SMALL: Final = Text(
    "Exact, if you play on for this aim and your opponent plays as /xwing odds assumes. Only you see this."
)


def card(advice: Sequence[Advice], aim: str) -> Card:
    """The card for an aim in words; ``advice`` is in order, the best choice first."""
    best = advice[0]
    longest = max(averages(advice), default=Fraction(0))
    return Card(
        title=Text("Advice: {aim}", aim=aim),
        outcome=Text("Best for this aim: {best}", best=best.label),
        facts=tuple((f"{BEST} {one.label}" if one is best else one.label, lines(one, longest)) for one in advice),
        small=SMALL,
    )


def averages(advice: Sequence[Advice]) -> list[Fraction]:
    """The first number of each choice: what its bar shows."""
    return [one.numbers[0].value for one in advice]


def lines(one: Advice, longest: Fraction) -> str:
    """A bar as long as the average, if there is any to show, and all numbers below it."""
    average = one.numbers[0].value
    drawn = bar(average / longest, BAR) if longest else ""
    return Sentences(filter(None, (drawn, in_words(one.numbers))), "\n")


def in_words(numbers: Sequence[Number]) -> str:
    """``average damage 1.94 · at least 1 damage 87.5 %``."""
    return Sentences(
        (
            Text(
                "{name} {value}",
                name=one.name,
                value=percent(one.value, 1) if one.is_probability else decimal(one.value),
            )
            for one in numbers
        ),
        " · ",
    )

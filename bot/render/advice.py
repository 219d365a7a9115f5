"""Advice on a card: the best choices and what people choose by; behind More every choice with all its numbers."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.odds.advice import Advice, Number
from bot.render.card import Card
from bot.render.text import bar, decimal, percent
from bot.rules.text import Names, Opening, Sentences, Shown, Text

BEST: Final = "★"
LINES_MOST: Final = 3
"""So many choices are shown at first."""
BAR: Final = 16
"""Characters of the longest bar; a phone has room for so many."""
SMALL: Final = Text(
    "Exact, if you play on for this aim and your opponent plays as /xwing odds assumes. Only you see this."
)


def card(advice: Sequence[Advice], aim: str) -> Card:
    """The card for an aim in words: a line for each of the best choices, with what people choose by.

    ``advice`` is in order, the best choice first.
    """
    return Card(
        title=Text("Advice: {aim}", aim=aim),
        outcome=verdict(advice),
        facts=((heading(advice[0]), Sentences(map(line, shortest(advice)), "\n")),),
        small=SMALL,
    )


def full_card(advice: Sequence[Advice], aim: str) -> Card:
    """The same with every choice, what it would mean to keep a token, a bar for each average, and all numbers."""
    longest = max(averages(advice), default=Fraction(0))
    return Card(
        title=Text("Advice: {aim}", aim=aim),
        outcome=verdict(advice),
        facts=tuple((named(one), lines(one, longest)) for one in advice),
        small=SMALL,
    )


def heading(one: Advice) -> Text:
    """What the numbers of each line are: ``Average damage, destroyed``."""
    names = [number.name for number in one.numbers if number.is_main]
    return Opening(Sentences(names, ", "))


def line(one: Advice) -> Text:
    """``★ Focus: 1 to hit: 1.94, 45 %``."""
    numbers = [
        percent(number.value, 0) if number.is_probability else decimal(number.value)
        for number in one.numbers
        if number.is_main
    ]
    return Text("{choice}: {numbers}", choice=named(one), numbers=Sentences(numbers, ", "))


def shortest(advice: Sequence[Advice]) -> list[Advice]:
    """The choices that are shown at first: the best ones."""
    return [one for one in advice if one.offer][:LINES_MOST]


def named(one: Advice) -> Shown:
    """A choice, with a star where none is better."""
    return Text("{star} {choice}", star=BEST, choice=one.label) if one.is_best else one.label


def verdict(advice: Sequence[Advice]) -> Text:
    """Which choice is the best for the aim, or that several are."""
    best = list(dict.fromkeys(one.label for one in advice if one.is_best))
    if len(best) > 1:
        return Text("Equally good for this aim: {choices}", choices=Names(best, "or"))
    return Text("Best for this aim: {best}", best=advice[0].label)


def averages(advice: Sequence[Advice]) -> list[Fraction]:
    """The first number of each choice: what its bar shows."""
    return [one.numbers[0].value for one in advice]


def lines(one: Advice, longest: Fraction) -> Shown:
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

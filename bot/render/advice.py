"""Advice on a card: the best choices and what people choose by; behind More every choice with all its numbers."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

from bot.odds.advice import Advice, NamedNumber
from bot.render.card import Card, Meter, Meters
from bot.render.plain_text import decimal, percent
from bot.render.plain_text import figure as figure_text
from bot.rules.text import EMPTY, N_, Capitalized, Code, Names, Sentences, Shown, Text, joined

BEST: Final = "★"
MAX_LINES: Final = 3
"""Number of choices shown at first."""
SMALL: Final = Text("Exact, assuming both sides play well from here. Only you can see this.")


def card(advice: Sequence[Advice], aim: Shown, *, is_full: bool = False) -> Card:
    """The card for an aim in words: a bar for each of the best choices, with what people choose by.

    ``is_full``: every choice, what it would mean to keep a token, and all numbers. ``advice`` is in order, the best
    choice first. Numbers that are 0 for every choice are left out.
    """
    shown = advice if is_full else shortest(advice)
    longest = max((one.numbers[0].value for one in shown), default=Fraction(0))
    counted = {number.name for one in shown for number in one.numbers if number.value}
    meters = []
    for item in shown:
        name = joined(Code(BEST), item.label) if item.is_best else item.label
        main, rest = numbers(item, counted, is_main=True), numbers(item, counted, is_main=False)
        values, detail = (
            Sentences((format_number(each) for each in main), ", "),
            format_numbers(rest) if is_full else EMPTY,
        )
        part = item.numbers[0].value / longest if longest else Fraction(1)
        meters.append(Meter(name, values, part, detail=detail, leads=item.is_best))
    main = numbers(shown[0], counted, is_main=True) if shown else []
    # what the numbers of each bar are: ``Average damage, destroyed``
    bars = Meters(Capitalized(Sentences((each.name for each in main), ", ")), tuple(meters))
    figure = bars if main or is_full else None  # where all save, bars without a number say nothing
    title, alt = Text("Advice: {aim}", aim=aim), figure_text(bars) if figure else EMPTY
    return Card(title, verdict(advice), figure=figure, alt=alt, small=SMALL, ahead="open")


def numbers(advice: Advice, counted: Collection[Shown], *, is_main: bool) -> list[NamedNumber]:
    """The numbers of a choice by which people choose, or the others, of those that are ``counted``."""
    return [each for each in advice.numbers if each.is_main is is_main and each.name in counted]


def format_number(number: NamedNumber) -> Shown:
    """``1.94``, ``45%``."""
    return percent(number.value) if number.is_probability else decimal(number.value)


def shortest(advice: Sequence[Advice]) -> list[Advice]:
    """The choices that are shown at first: the best ones."""
    return [item for item in advice if item.offer][:MAX_LINES]


def verdict(advice: Sequence[Advice]) -> Text:
    """Return which choice is best for the aim, or that several are; and where all shown save the one who asks."""
    best = list(dict.fromkeys(item.label for item in advice if item.is_best))
    if (choices := shortest(advice)) and all(item.saves for item in choices):
        tokens = kept_by_best(choices)
        message = N_("All of these save you; {best} keeps {tokens}.") if tokens else N_("All of these save you.")
        return Text(message, best=choices[0].label, tokens=Names(tokens))
    if len(best) > 1:
        return Text("Equally good choices: {choices}", choices=Names(best, "or"))
    return Text("Best choice: {best}", best=advice[0].label)


def kept_by_best(choices: Sequence[Advice]) -> list[Shown]:
    """The tokens of which the best choice leaves more than another one."""
    best, *others = ({number.kept: number.value for number in item.numbers if number.kept} for item in choices)
    return [token for token, left in best.items() if any(other.get(token, 0) < left for other in others)]


def format_numbers(numbers: Sequence[NamedNumber]) -> Shown:
    """``average damage 1.94 · at least 1 damage 88%``."""
    return Sentences((joined(number.name, format_number(number)) for number in numbers), " · ")

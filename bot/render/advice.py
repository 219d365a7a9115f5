"""Advice on a card: the best choices with their main numbers; behind More, all choices and numbers."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

from bot.odds.advice import Advice, NamedNumber
from bot.render.card import Card, Meter, Meters
from bot.render.plain_text import decimal, figure as figure_text, percent
from bot.rules.text import EMPTY, N_, Capitalized, Code, Names, Sentences, Shown, Text, joined

BEST: Final = "★"
MAX_LINES: Final = 3
"""Number of choices shown at first."""
SMALL: Final = Text("Exact, assuming both sides play well from here. Only you can see this.")


def card(advice: Sequence[Advice], aim: Shown, *, is_full: bool = False) -> Card:
    """Return an aim's card: a bar for each of the best choices, with the numbers to choose by. ``is_full``: every
    choice, the value of keeping tokens, and all numbers. ``advice``: best choice first. Numbers that are 0 for every
    choice are left out.
    """
    shown = advice if is_full else shortest(advice)
    longest = max((one.numbers[0].value for one in shown), default=Fraction(0))
    counted = {number.name for one in shown for number in one.numbers if number.value}
    meters = []
    for item in shown:
        name = joined(Code(BEST), item.label) if item.is_best else item.label
        values = Sentences(map(format_number, numbers(item, counted, is_main=True)), ", ")
        detail = format_numbers(numbers(item, counted, is_main=False)) if is_full else EMPTY
        part = item.numbers[0].value / longest if longest else Fraction(1)
        meters.append(Meter(name, values, part, detail=detail, leads=item.is_best))
    main = numbers(shown[0], counted, is_main=True) if shown else []
    # the bars' numbers: ``Average damage, destroyed``
    bars = Meters(Capitalized(Sentences((each.name for each in main), ", ")), tuple(meters))
    figure = bars if main or is_full else None  # if all save, bars have nothing to compare
    title, alt = Text("Advice: {aim}", aim=aim), figure_text(bars) if figure else EMPTY
    return Card(title, verdict(advice), figure=figure, alt=alt, small=SMALL, ahead="open")


def numbers(advice: Advice, counted: Collection[Shown], *, is_main: bool) -> list[NamedNumber]:
    """Return a choice's main numbers, or the others, among those ``counted``."""
    return [each for each in advice.numbers if each.is_main is is_main and each.name in counted]


def format_number(number: NamedNumber) -> Shown:
    """Return ``1.94``, ``45%``."""
    return percent(number.value) if number.is_probability else decimal(number.value)


def shortest(advice: Sequence[Advice]) -> list[Advice]:
    """Return the best choices, shown at first."""
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
    """Return the tokens that the best choice keeps and another one doesn't."""
    best, *others = ({number.kept: number.value for number in item.numbers if number.kept} for item in choices)
    return [token for token, left in best.items() if any(other.get(token, 0) < left for other in others)]


def format_numbers(numbers: Sequence[NamedNumber]) -> Shown:
    """Return ``average damage 1.94 · at least 1 damage 88%``."""
    return Sentences((joined(number.name, format_number(number)) for number in numbers), " · ")

"""Advice on a card: every open choice with its numbers, the best first."""

from collections.abc import Sequence

from bot.odds.advice import Advice, Number
from bot.render.card import Card
from bot.render.text import decimal, percent

BEST = "★"


def card(advice: Sequence[Advice], aim: str) -> Card:
    """The card of what choices are worth to an aim in words; ``advice`` is in order, the best choice first."""
    best = advice[0]
    return Card(
        title=f"Advice: {aim}",
        outcome=f"Best for this aim: {best.label}",
        facts=tuple((f"{BEST} {one.label}" if one is best else one.label, told(one.numbers)) for one in advice),
        small="Exact, if you go on for this aim and the other side keeps to the policy of the odds · only you see this",
    )


def told(numbers: Sequence[Number]) -> str:
    return " · ".join(
        f"{one.name} {percent(one.value, 1) if one.is_probability else decimal(one.value)}" for one in numbers
    )

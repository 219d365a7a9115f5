"""Advice on a card: every open choice with its numbers, the best first."""

from collections.abc import Sequence
from typing import Final

from bot.odds.advice import Advice, Number
from bot.render.card import Card
from bot.render.text import decimal, percent

BEST: Final = "★"
SMALL: Final = "Exact, if you play on for this aim and your opponent plays as /xwing odds assumes. Only you see this."


def card(advice: Sequence[Advice], aim: str) -> Card:
    """The card for an aim in words; ``advice`` is in order, the best choice first."""
    best = advice[0]
    return Card(
        title=f"Advice: {aim}",
        outcome=f"Best for this aim: {best.label}",
        facts=tuple((f"{BEST} {one.label}" if one is best else one.label, in_words(one.numbers)) for one in advice),
        small=SMALL,
    )


def in_words(numbers: Sequence[Number]) -> str:
    """``average damage 1.94 · at least 1 damage 87.5 %``."""
    return " · ".join(
        f"{one.name} {percent(one.value, 1) if one.is_probability else decimal(one.value)}" for one in numbers
    )

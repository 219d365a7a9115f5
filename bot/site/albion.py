"""Albion on the page: whether an action hits, and whether it hits a focus point."""

from collections.abc import Sequence
from typing import Final

from bot.games.albion import of_fields
from bot.render.albion import odds_card
from bot.render.card import Card
from bot.rules.albion import working
from bot.rules.text import Text
from bot.site.forms import Form, Words, number, tick


def cards(_: Words, asks: Sequence[Words]) -> list[Card]:
    """A card for each choice."""
    return [odds_card(working(of_fields(one))) for one in asks]


FORM: Final = Form(
    title=Text("Albion"),
    asked=(
        number("awareness", Text("Your Awareness"), 12),
        number("strength", Text("Your Strength"), 12),
        number("agility", Text("The target's Agility"), 12),
        number("stealth", Text("The target's Stealth"), 12),
        tick("dodging", Text("The target dodges")),
    ),
    cards=cards,
    most=3,
    example={"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"},
)

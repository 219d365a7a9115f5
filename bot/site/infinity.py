"""Infinity on the page: an order in the words of ``/infinity order``, with profiles to the Wound."""

from collections.abc import Sequence
from typing import Any, Final

from bot.games.infinity import GAME
from bot.odds.infinity import count, count_orders
from bot.render.card import Card
from bot.render.infinity.odds import card as rolls_card
from bot.render.infinity.odds import orders_card
from bot.rules.errors import BadInput
from bot.rules.game import Field
from bot.rules.text import Text
from bot.site.forms import Form, Words


def cards(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """Whole orders to the Wound where armour is known, else who wins the rolls."""
    profiles = dict(profile(line) for line in shared.get("profiles", "").splitlines() if line.strip())
    orders = []
    for values in asks:
        text = values.get("order", "")
        raw: dict[str, Any] = {"order": text} | ({"troopers": profiles} if profiles else {})
        orders.append((text, GAME.rules.declare(raw)))
    try:
        return [orders_card(count_orders(orders))]
    except BadInput:
        rolls = [(one, [each.name for each in one.rolls][:2]) for _, one in orders]
        return [rolls_card(count(one, (names[0], names[-1]))) for one, names in rolls]


def profile(line: str) -> tuple[str, str]:
    """A name and its profile, as the JSON of a declaration has them."""
    name, _, stats = line.partition(":")
    if not stats.strip():
        raise BadInput("profiles", line, Text("Write a name, a colon and the profile on each line."))
    return name.strip(), stats.strip()


FORM: Final = Form(
    title=Text("Infinity"),
    shared=(
        Field(
            "profiles",
            Text("Profiles, a line each"),
            "Fennec: BS 12, PH 13, ARM 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48",
            required=False,
            longest=4000,
            lines=True,
        ),
    ),
    asked=(Field("order", Text("The order"), "Angus 12 b3 vs Ortega 11", lines=True, longest=1000),),
    cards=cards,
    most=2,
    example={"order": "Angus 12 b3 vs Ortega 11"},
)

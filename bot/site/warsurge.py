"""WARSURGE on the page: one attack by any of the three methods."""

from collections.abc import Sequence
from typing import Final

from bot.games.warsurge import of_fields
from bot.odds.warsurge import count
from bot.render.card import Card
from bot.render.warsurge import odds_card
from bot.rules.game import Field, Option
from bot.rules.text import Text
from bot.rules.warsurge.methods import Method
from bot.site.forms import Form, Words, number


def cards(_: Words, asks: Sequence[Words]) -> list[Card]:
    """All choices side by side."""
    return [odds_card(count([of_fields(one)])) for one in asks]


FORM: Final = Form(
    title=Text("WARSURGE"),
    asked=(
        number("power", Text("Power"), 20),
        number("defence", Text("Defence"), 20),
        number("attack_dice", Text("Attack dice"), 20, 1),
        Field("method", Text("Method"), options=tuple(Option(one, one.label) for one in Method)),
        number("save", Text("Armour save, or better"), 6, 2),
        number("ap", Text("AP"), 6),
    ),
    cards=cards,
    most=3,
    example={"power": "7", "defence": "4", "attack_dice": "3", "method": Method.CASUAL},
)

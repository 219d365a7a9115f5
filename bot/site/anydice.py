"""Any dice on the page, by the notation of ``/roll``."""

from collections.abc import Sequence
from typing import Final

from bot.games.anydice import GAME
from bot.odds.anydice import count
from bot.render.anydice import odds_card
from bot.render.card import Card
from bot.rules.game import Field
from bot.rules.text import Code, Text
from bot.site.forms import Form, Words


def cards(_: Words, asks: Sequence[Words]) -> list[Card]:
    """A card for each choice."""
    return [odds_card(count(GAME.rules.declare({"dice": one.get("dice", "")}))) for one in asks]


FORM: Final = Form(
    title=Text("Any dice"),
    asked=(Field("dice", Text("Dice"), Code("4d6kh3"), longest=200),),
    cards=cards,
    most=3,
    example={"dice": "4d6kh3"},
)

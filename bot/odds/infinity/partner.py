"""The bot's answer to a Face to Face Roll in a practice: the reaction with the best chance."""

from collections.abc import Mapping
from typing import Final

from bot.odds.advice import Move, NamedNumber
from bot.odds.infinity.sides import count
from bot.rules.game import Choice, Offer, Side
from bot.rules.infinity.orders import forms, order, play
from bot.rules.text import Text, english

FOLLOWS: Final = Text("the rules require it after a hit")
REACTIONS: Final = ((Text("Dodge"), {"sv": "13", "kind": "dodge"}), (Text("Return fire"), {"sv": "8", "kind": "shoot"}))
"""The reactions of the practice's trooper, in the words of the form: PH 13, and BS 11 with −3 for the distance."""


SAVED: Final = {"weapon": "N PS 7", "armour": "ARM 1"}
"""The form of a save in the practice: a combi rifle hit a trooper with ARM 1."""


def fill_form(offer: Offer) -> Mapping[str, str] | None:
    """The form of a roll that follows, as the two troopers of the practice fill it in."""
    return {
        field.key: SAVED.get(field.key) or field.value or (english(field.example) if field.required else "")
        for field in offer.fields
    } or None


def moves(state: play.State) -> tuple[Move, ...]:
    """The reactions to a challenge, the one that wins most often first; then the rolls that follow from what hit."""
    waiting = state.declared
    if not isinstance(waiting, order.Challenge) or not waiting.awaits:
        rolls = (offer for offer in play.offers(state) if offer.is_awaited)
        return tuple(
            Move(Choice(roll.key, filled=fill_form(roll), by=roll.side), roll.label, why=FOLLOWS) for roll in rolls
        )
    result = []
    for label, words in REACTIONS:
        whole = order.with_answer(waiting, forms.answer(words, waiting.meetings[0].target, {}))
        result.append((count(whole, ("", ""))[1].wins, label, words))
    result.sort(key=lambda item: item[0], reverse=True)
    return tuple(
        Move(Choice("react", filled=words, by=Side.DEFENDER), label, (NamedNumber(Text("chance to win"), wins),))
        for wins, label, words in result
    )

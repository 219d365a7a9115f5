"""The bot's answer to a Face to Face Roll in a practice: the reaction with the best chance."""

from collections.abc import Mapping
from typing import Final

from bot.odds.advice import Move, Number
from bot.odds.infinity.sides import count
from bot.rules.game import Choice, Offer, Side
from bot.rules.infinity import forms, order, play
from bot.rules.text import Text, english

FOLLOWS: Final = Text("the rules ask for it after a hit")
REACTIONS: Final = (
    (Text("Dodge"), {"sv": "13", "kind": "dodge"}),
    (Text("Shoot back"), {"sv": "8", "kind": "shoot"}),
)
"""The reactions of the practice's trooper, in the words of the form: PH 13, and BS 11 with −3 for the distance."""


SAVED: Final = {"weapon": "N PS 7", "armour": "ARM 1"}
"""The form of a save in the practice: a combi rifle hit a trooper with ARM 1."""


def filled(offer: Offer) -> Mapping[str, str] | None:
    """The form of a roll that follows, as the two troopers of the practice fill it in."""
    return {
        one.key: SAVED.get(one.key) or one.value or (english(one.example) if one.required else "")
        for one in offer.fields
    } or None


def moves(state: play.State) -> tuple[Move, ...]:
    """The reactions to a challenge, the one that wins most often first; then the rolls that follow from what hit."""
    waiting = state.declared
    if not isinstance(waiting, order.Challenge) or not waiting.awaits:
        rolls = (one for one in play.offers(state) if one.is_awaited)
        return tuple(Move(Choice(one.key, filled=filled(one), by=one.side), one.label, why=FOLLOWS) for one in rolls)
    found = []
    for label, words in REACTIONS:
        whole = order.with_answer(waiting, forms.answer(words, waiting.meetings[0].target, {}))
        found.append((count(whole, ("", ""))[1].wins, label, words))
    found.sort(key=lambda one: one[0], reverse=True)
    return tuple(
        Move(Choice("react", filled=words, by=Side.DEFENDER), label, (Number(Text("chance to win"), wins),))
        for wins, label, words in found
    )

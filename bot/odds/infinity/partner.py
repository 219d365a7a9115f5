"""The bot's answer to a Face to Face Roll in a practice: the best reaction."""

from collections.abc import Mapping
from typing import Final

from bot.odds.advice import Move, NamedNumber
from bot.odds.infinity.sides import count
from bot.rules.game import Choice, Offer, Side
from bot.rules.infinity.orders import forms, order, play
from bot.rules.text import Text, english

FOLLOWS: Final = Text("the rules require it after a hit")
REACTIONS: Final = ((Text("Dodge"), {"sv": "13", "kind": "dodge"}), (Text("Return fire"), {"sv": "8", "kind": "shoot"}))
"""Reactions of the practice's trooper, in the form's words: PH 13, and BS 11 with −3 for range."""


SAVED: Final = {"weapon": "N PS 7", "armour": "ARM 1"}
"""The practice's save: a combi rifle hit a trooper with ARM 1."""


def fill_form(offer: Offer) -> Mapping[str, str] | None:
    """Return a follow-up roll's form for the practice's two troopers."""
    return {
        field.key: SAVED.get(field.key) or field.value or (english(field.example) if field.required else "")
        for field in offer.fields
    } or None


def moves(state: play.State) -> tuple[Move, ...]:
    """Return the reactions to a challenge, best first; then the follow-up rolls."""
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
    chances = ((Choice("react", filled=words, by=Side.DEFENDER), label, wins) for wins, label, words in result)
    return tuple(Move(choice, label, (NamedNumber(Text("chance to win"), wins),)) for choice, label, wins in chances)

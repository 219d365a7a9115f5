"""A roll on its card, with the names that people have here."""

from dataclasses import fields, replace
from typing import Any

from bot.languages.say import say
from bot.render.card import Card
from bot.rules.game import Side
from bot.rules.text import Shown, Words, as_text, with_plain
from bot.sessions.place import NUMBERED
from bot.sessions.roll import Played
from bot.ui.names import clean

TEXTS = ("title", "outcome", "turn", "small", "below", "alt")


def names_of(played: Played) -> dict[Side, Words]:
    return {side: clean(who.name) for side, who in played.seats.items()}


def card_of(played: Played) -> Card:
    """The card of a roll as it stands; made once."""
    if Card not in played.kept:
        played.kept[Card] = card_in(played, played.state)
    card: Card = played.kept[Card]
    return card


def card_in(played: Played, state: Any) -> Card:
    """The card of a roll in a state of it."""
    card = played.game.card(state, names_of(played))
    if not played.named:
        return card
    changed: dict[str, Any] = {one.name: getattr(card, one.name) for one in fields(card) if one.name in TEXTS}
    changed = {name: with_people(text, played) for name, text in changed.items()}
    strips = tuple(replace(one, label=with_people(one.label, played)) for one in card.strips)
    return replace(card, **changed, strips=strips, trail=tuple(with_people(line, played) for line in card.trail))


def with_people(text: Shown, played: Played) -> Shown:
    """A text with people's names where the rules, which know only numbers, say ``@1``."""
    if not played.named:
        return text

    def names(plain: str) -> str:
        return NUMBERED.sub(
            lambda found: say(clean(who.name)) if (who := played.named.get(int(found[1]))) is not None else found[0],
            plain,
        )

    return as_text(with_plain(text, names))

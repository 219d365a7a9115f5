"""A roll on its card, with the names that people have here, and what stands there beside the roll itself.

That is its luck, advice, undo and How?. A ruleset can switch the first two off.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.client import Interaction
from bot.languages.say import say
from bot.odds.luck import Luck
from bot.render.card import Card
from bot.render.luck import line
from bot.rules.dice import typed_by
from bot.rules.game import Side
from bot.rules.text import Code, Names, Shown, Text, as_text, with_plain
from bot.ruleset import settings
from bot.ruleset.ruling import Ruling
from bot.sessions.people import SOMEBODY
from bot.sessions.place import NUMBERED
from bot.sessions.roll import Address, Played
from bot.ui.components import Component, button
from bot.ui.names import clean
from bot.ui.place import asker
from bot.workers import NotCounted

TEXTS = ("title", "outcome", "turn", "small", "below", "alt")


def names_of(played: Played) -> dict[Side, Shown]:
    return {side: clean(who.name) for side, who in played.seats.items()}


def control(
    played: Played,
    label: Shown,
    offer: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
) -> Component:
    """A button of a roll as it stands; ``offer``: what its rules offer, or what ``bot.ui.press`` knows besides."""
    return button(label, Address(played.session, played.ply, offer), style, emoji)


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
    changed: dict[str, Any] = {name: with_people(getattr(card, name), played) for name in TEXTS}
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


def has_luck(played: Played, ruling: Ruling, *, apart: bool = False) -> bool:
    """Whether the card of a finished roll says how lucky it was; ``apart``: whether How? does."""
    chances = played.game.chances
    return chances.luck is not None and chances.is_luck_apart == apart and ruling[settings.LUCK]


async def count_luck(interaction: Interaction, played: Played) -> Luck | None:
    """How lucky a roll was; None where that cannot be counted just now: the card matters more."""
    if played.game.knows_luck(played.state):
        return played.game.luck_of(played.state)
    try:
        by = asker(interaction)._replace(person=None)
        return await interaction.client.workers.count(partial(played.game.luck_of, played.state), asked_by=by)
    except NotCounted:
        return None


def notes(played: Played, luck: Luck | None) -> list[Shown]:
    """What only this roll has, in a line each: who entered dice, its luck if that is known, and its place in a seal."""
    names, entered_by = names_of(played), set(typed_by(played.game.rules.rolled(played.state)))
    found = list[Shown]()
    if typed := [names.get(side, SOMEBODY) for side in Side if side in entered_by]:  # or they left the seat since
        found.append(Text("Dice entered by {people}", people=Names(list(dict.fromkeys(typed)))))
    found += played.told
    if luck is not None:
        found.append(line(luck, names))
    if played.mark is not None:
        found.append(
            Text("Sealed table: ply {place}, {digits}", place=played.mark.place, digits=Code(played.mark.digits))
        )
    return found


def has_advice(played: Played, ruling: Ruling) -> bool:
    """Whether the player whose window is open may ask for advice."""
    adviser = played.game.chances.advice
    is_on = played.waits and ruling[settings.ADVICE] and not played.is_closed
    return is_on and adviser is not None and bool(adviser.aims(played.state))


def has_how(played: Played) -> bool:
    """Whether dice have fallen, so that there is something to explain."""
    return not played.is_closed and bool(played.game.rules.rolled(played.state))


def has_undo(played: Played) -> bool:
    """Whether a card has a button that takes its last press back."""
    return played.game.has_undo and not played.is_closed

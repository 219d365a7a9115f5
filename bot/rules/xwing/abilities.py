"""A ship's abilities: card effects in short words; the dice that each one changes say on which side it helps."""

from typing import Final

from bot.rules.errors import BadInput, PlayerError
from bot.rules.game import Side
from bot.rules.xwing.declared import OWN_POOL, Effect
from bot.rules.xwing.phrase import Phrase
from bot.rules.xwing.words import Brought, add, check, phrases

ABILITIES_MOST: Final = 200
"""Characters."""


def parse(text: str, side: Side) -> tuple[Effect, ...]:
    """Those effects that change the ship's own dice on this side: red when it attacks, green when it defends.

    One without a colour that fits both dice, as ``reroll 1 blank``, helps on both sides. Raises ``PlayerError`` for
    words that fit neither side, and for tokens, hull, shields and costs, which are no effects on dice.
    """
    if len(text) > ABILITIES_MOST:
        raise BadInput("abilities", text, f"at most {ABILITIES_MOST} characters")
    fitting = [effects(part) for part in phrases(text)]
    kept = tuple(found[side] for found in fitting if side in found)
    check(kept, "abilities")
    return kept


def effects(part: str) -> dict[Side, Effect]:
    """What one phrase means on each side on which it changes the ship's own dice; raises if on none."""
    found: dict[Side, Effect] = {}
    refusals: list[PlayerError] = []
    for side in Side:
        try:
            effect = only_effect(part, side)
        except PlayerError as refusal:
            refusals.append(refusal)
        else:
            if effect.pool is OWN_POOL[side]:
                found[side] = effect
    if not found:
        raise refusals[0]
    return found


def only_effect(part: str, side: Side) -> Effect:
    phrase = Phrase(part, side, "abilities")
    brought = add(Brought(), phrase)
    phrase.end()
    if not brought.line.effects:
        what = "effects on dice, as `reroll 1 blank, change 1 focus to hit`; give tokens with `/xwing token give`"
        raise BadInput("abilities", part.strip(), what)
    return brought.line.effects[0]

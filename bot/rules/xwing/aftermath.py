"""Step 8, the Aftermath: the attacks that follow from a finished one, declared with the ships as they stand then."""

from collections.abc import Mapping
from typing import Any

from bot.rules.errors import PlayerError
from bot.rules.game import Field, Side
from bot.rules.text import Text
from bot.rules.xwing import controls, words
from bot.rules.xwing.attack import AGAIN, BONUS, NO_BONUS, Attack
from bot.rules.xwing.declared import LineUp
from bot.rules.xwing.match import Table, match_of, ships_of
from bot.rules.xwing.pieces import is_engagement
from bot.rules.xwing.words import Brought

__all__ = ["decision", "declare_words", "fields"]

SIDES = (("with", "attacker", Side.ATTACKER), ("against", "defender", Side.DEFENDER))
"""The words that a side typed, and the word that names its ship."""
DECISIONS = {NO_BONUS: "makes no bonus attack", BONUS: "makes a bonus attack", AGAIN: "makes a bonus attack"}


def fields(state: Attack, offer: str, table: Table) -> tuple[Field, ...]:
    """The form of a bonus attack; () for the same attack again, and for a ship that cannot attack any more.

    Raises ``PlayerError`` for a ship that has left, and once the round of the attack is over.
    """
    match, ships, name = match_of(table), ships_of(table), ship_of(state)
    needed = (state.declared.attacker, state.declared.defender) if offer == AGAIN else (name,)
    if gone := next((one for one in needed if one and one not in ships), ""):
        raise PlayerError(Text("{gone} has left the table, so this bonus attack cannot be made.", gone=gone))
    if not is_engagement(match):
        raise PlayerError(
            Text("The Engagement Phase is over, so this bonus attack cannot be made. The board says what is next.")
        )
    if match is not None and state.declared.round not in (0, match.round):
        raise PlayerError(
            Text(
                "This bonus attack belonged to round {round}; it is round {round2} now. The board says what is next.",
                round=state.declared.round,
                round2=match.round,
            )
        )
    if offer == AGAIN:
        return ()
    return next((one.fields for one in controls.offers(table, name) if one.key == controls.ATTACK), ())


def declare_words(state: Attack, offer: str, filled: Mapping[str, str]) -> dict[str, Any]:
    """The words of the attack that follows; of what a side typed for its ship the effects stay, not the tokens."""
    if offer != AGAIN:
        return {**controls.attack_words(ship_of(state), filled), "bonus": True}
    typed: dict[str, Any] = {**dict(state.declared.typed), "bonus": bool(state.declared.attacker)}
    for option, ship, side in SIDES:
        if ship in typed and option in typed:
            effects = words.parse(str(typed[option]), side, option).line_up.effects
            typed[option] = words.write(Brought(line_up=LineUp(effects=effects)), side) or None
    return typed


def decision(offer: str) -> str:
    """For the history: what somebody decided after the attack."""
    return DECISIONS.get(offer, "")


def ship_of(state: Attack) -> str:
    """The ship whose bonus attack it is."""
    side = state.bonus_attacks[0] if state.bonus_attacks else Side.ATTACKER
    return state.declared.attacker if side is Side.ATTACKER else state.declared.defender

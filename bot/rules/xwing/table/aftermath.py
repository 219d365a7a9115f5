"""Step 8, the Aftermath: attacks that follow a finished one, declared with the current ships."""

from collections.abc import Mapping
from typing import Any

from bot.rules.errors import PlayerError
from bot.rules.game import Act, Field, Side
from bot.rules.text import EMPTY, N_, Name, Names, Shown, Text
from bot.rules.xwing.attack.attack import AFTERWARDS, NO_BONUS, Attack, BonusAttack
from bot.rules.xwing.cards.rows import right_row
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.declared import BonusRight, LineUp
from bot.rules.xwing.table import card_effects, controls, pieces, ship_weapons
from bot.rules.xwing.table.match import Table, is_engagement, match_of, ships_of
from bot.rules.xwing.table.ship import Ship

SIDES = (("with", "attacker", Side.ATTACKER), ("against", "defender", Side.DEFENDER))
"""A side's typed words, and the word that names its ship."""


def fields(state: Attack, act: Act, table: Table) -> tuple[Field, ...]:
    """Return the form of a bonus attack; () for the same attack again, and for a ship that can't attack anymore. Raises
    ``PlayerError`` for a ship that is gone, and after the attack's round.
    """
    match, ships = match_of(table), ships_of(table)
    name = act.ship(state) if isinstance(act, BonusAttack) else ""
    needed = (name,) if name else (state.declared.attacker, state.declared.defender)
    if gone := next((item for item in needed if item and item not in ships), ""):
        raise PlayerError("{gone} has left the table, so this bonus attack can't be made.", gone=Name(gone))
    if not is_engagement(match):
        over = N_("The Engagement Phase is over, so this bonus attack can't be made. The board shows what's next.")
        raise PlayerError(Text(over))
    if match is not None and state.declared.round not in (0, match.round):
        message = N_("This bonus attack was for round {round}; it's now round {now}. The board shows what's next.")
        raise PlayerError(Text(message, round=state.declared.round, now=match.round))
    if not isinstance(act, BonusAttack):
        return ()
    ship, right = ships[name], act.right(state)
    if right is not None:
        return right_fields(state, right, table, ship)
    foes = controls.foes(table, ship)
    return controls.attack_fields(table, ship, foes) if foes and ship_weapons.usable_weapons(ship) else ()


def right_fields(state: Attack, right: BonusRight, table: Table, ship: Ship) -> tuple[Field, ...]:
    """Return the form of a bonus attack by a card's right: its weapons and targets."""
    declared, row = state.declared, right_row(right.row)
    if row is None or (limits := row.bonus) is None:
        raise PlayerError("{card} no longer grants a bonus attack.", card=right.name)
    fought = declared.attacker, declared.defender
    foes = [foe for foe in controls.foes(table, ship) if limits.allows_target(foe.name, *fought)]
    arms = card_effects.weapons(row, ship, declared.weapon if right.ship == declared.attacker else "")
    stands = limits.target_of(*fought) and right.ship in fought and declared.range is not None
    return controls.attack_fields(table, ship, foes, arms, str(declared.range) if stands else "")


def declare_words(state: Attack, act: Act, filled: Mapping[str, str]) -> dict[str, Any]:
    """Return the next attack's words; a side's typed effects are kept, not its tokens."""
    if isinstance(act, BonusAttack):
        words_of = controls.attack_words(act.ship(state), filled, controls.BONUS)
        right = act.right(state)
        if right is None:
            return words_of
        target = filled.get("defender", "")
        row, declared = right_row(right.row), state.declared
        if row is None or not row.bonus or not row.bonus.allows_target(target, declared.attacker, declared.defender):
            message = N_("{card} doesn't allow an attack on {ship}. Choose another target.")
            raise PlayerError(Text(message, card=right.name, ship=Name(target)))
        return {**words_of, "right": right.row}
    typed: dict[str, Any] = {**dict(state.declared.typed), "bonus": bool(state.declared.attacker)}
    for option, ship, side in SIDES:
        if ship in typed and option in typed:
            effects = typed_sides.parse(str(typed[option]), side, option).line_up.effects
            typed[option] = typed_sides.write(typed_sides.SideInput(line_up=LineUp(effects=effects)), side) or None
    return typed


def open_follow_ups(state: Attack, table: Table) -> Text:
    """Return the ships with rights to a bonus attack; "" for none."""
    still = pieces.rights_after(state, table) if state.rights and is_engagement(match_of(table)) else ()
    rights = [right for right in state.rights if right in still]
    if not rights:
        return EMPTY
    ships = Names(dict.fromkeys(right.ship for right in rights))
    cards = Names(dict.fromkeys(right.name for right in rights))
    return Text("{ships} may still make a bonus attack, thanks to {cards}.", ships=ships, cards=cards)


def decision(offer: str) -> Shown:
    """Return the history's words for a decision after an attack."""
    act = AFTERWARDS(offer)
    if act == NO_BONUS:
        return Text("makes no bonus attack")
    return EMPTY if act is None else Text("makes a bonus attack")

"""How many dice each side rolls: steps 1, 2 and 4 of the attack (rules page, The attack, step by step)."""

from dataclasses import replace
from typing import Final

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.text import Text
from bot.rules.xwing.declared import POOL_MOST, Declared, LineUp
from bot.rules.xwing.faces import Pool
from bot.rules.xwing.tokens import more_dice

NO_DEFENSE: Final = LineUp()
"""What stands for a defender who has not said what they bring."""


def at_range(declared: Declared) -> Declared:
    """Step 1: who may fire at range 0, and what the attacker's effects do there.

    At range 0 the attacker's side does nothing to the defense dice: it may not cancel, modify or remove them, nor make
    the defender roll fewer. Raises ``BadInput`` under ruleset 2.0, and for typed ordnance, which is no primary weapon.
    """
    if declared.range != 0:
        return declared
    if declared.ruleset == "2.0":
        raise BadInput("range", 0, Text("Use 1 to 3 under ruleset 2.0."))
    if declared.ordnance and not declared.weapon:
        raise BadInput("range", 0, Text("Use 1 to 3 for ordnance; at range 0 only a primary weapon may attack."))
    on_red = tuple(effect for effect in declared.attack.effects if effect.pool is Pool.RED)
    return replace(declared, attack=replace(declared.attack, effects=on_red))


def may_modify(declared: Declared, side: Side) -> bool:
    """Step 1: with a primary weapon at range 0 the attacker may modify no dice (to cancel is not to modify)."""
    return declared.range != 0 or declared.special or side is Side.DEFENDER


Parts = tuple[tuple[int, str], ...]
"""Why a pool has so many dice: numbers to be added, each with its reason; the value of the weapon or ship first."""


def attack_pool(declared: Declared) -> int:
    """Step 2: attack dice to roll, 0..6."""
    return limited(attack_parts(declared))


def defense_pool(declared: Declared) -> int:
    """Step 4: defense dice to roll, 0..6."""
    return limited(defense_parts(declared))


def attack_parts(declared: Declared) -> Parts:
    """Step 2 before the limit. At range 0 the attack gains no dice, whatever the effects say."""
    is_close = declared.range == 1 and not declared.ordnance
    return (
        (declared.attack.dice, "weapon value"),
        *(((1, "range 1"),) if is_close else ()),
        *more_dice(declared.attack, Side.ATTACKER),
        *card_parts(declared, Pool.RED),
    )


def defense_parts(declared: Declared) -> Parts:
    """Step 4 before the limit. An obstruction counts against ordnance, the range does not."""
    defense = declared.defense or NO_DEFENSE
    is_far = declared.range == 3 and not declared.ordnance
    return (
        (defense.dice, "agility"),
        *(((1, "range 3"),) if is_far else ()),
        *(((1, "obstructed"),) if declared.obstructed else ()),
        *more_dice(defense, Side.DEFENDER),
        *card_parts(declared, Pool.GREEN),
    )


def card_parts(declared: Declared, pool: Pool) -> Parts:
    """What the card effects of both sides add to a pool, or take from it."""
    effects = (*declared.attack.effects, *(declared.defense or NO_DEFENSE).effects)
    extra = [effect.most for effect in effects if effect.verb == "dice" and effect.pool is pool]
    if pool is Pool.RED and declared.range == 0 and not declared.special:
        extra = [most for most in extra if most < 0]
    return tuple((most, "card") for most in extra)


def limited(parts: Parts) -> int:
    """The sum of the parts, 0..6."""
    return max(0, min(sum(count for count, _ in parts), POOL_MOST))

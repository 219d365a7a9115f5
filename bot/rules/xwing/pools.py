"""How many dice each side rolls: steps 1, 2 and 4 of the attack (rules page, The attack, step by step)."""

from typing import Final

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.xwing.declared import POOL_MOST, Declared, LineUp
from bot.rules.xwing.faces import Pool
from bot.rules.xwing.tokens import dice_less

NO_DEFENSE: Final = LineUp()
"""What stands for a defender who has not said what they bring."""


def check_range(declared: Declared) -> None:
    """Step 1: who may fire at range 0.

    Raises ``BadInput`` under ruleset 2.0, and for ordnance, which is no primary weapon.
    """
    if declared.range != 0:
        return
    if declared.ruleset == "2.0":
        raise BadInput("range", 0, "1 to 3 under ruleset 2.0")
    if declared.ordnance:
        raise BadInput("range", 0, "1 to 3 for ordnance; at range 0 only a primary weapon may attack")


def may_modify(declared: Declared, side: Side) -> bool:
    """Step 1: at range 0 the attacker may modify no dice (to cancel is not to modify)."""
    return declared.range != 0 or side is Side.DEFENDER


def attack_pool(declared: Declared) -> int:
    """Step 2: attack dice to roll, 0..6. At range 0 the attack gains none, whatever the effects say."""
    attack = declared.attack
    value = attack.dice + extra_dice(declared, Pool.RED)
    if declared.range == 1 and not declared.ordnance:
        value += 1
    return limited(value - dice_less(attack, Side.ATTACKER))


def defense_pool(declared: Declared) -> int:
    """Step 4: defense dice to roll, 0..6. An obstruction counts against ordnance, the range does not."""
    defense = declared.defense or NO_DEFENSE
    value = defense.dice + extra_dice(declared, Pool.GREEN) + declared.obstructed
    if declared.range == 3 and not declared.ordnance:
        value += 1
    return limited(value - dice_less(defense, Side.DEFENDER))


def extra_dice(declared: Declared, pool: Pool) -> int:
    """What the card effects of both sides add to a pool, or take from it."""
    effects = (*declared.attack.effects, *(declared.defense or NO_DEFENSE).effects)
    extra = [effect.most for effect in effects if effect.verb == "dice" and effect.pool is pool]
    if pool is Pool.RED and declared.range == 0:
        extra = [most for most in extra if most < 0]
    return sum(extra)


def limited(value: int) -> int:
    return max(0, min(value, POOL_MOST))

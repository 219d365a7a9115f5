"""How many dice each side rolls: steps 1, 2 and 4 of the attack (rules page, The attack, step by step)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.text import EMPTY, Text
from bot.rules.xwing.dice.conditions import FewDice, Scene, all_hold
from bot.rules.xwing.dice.declared import POOL_MOST, Declared, Effect
from bot.rules.xwing.dice.deeds import RangeDie, Reach, What
from bot.rules.xwing.dice.faces import Pool


def standing_effects(declared: Declared) -> Iterator[Effect]:
    """The effects of both sides that act without a choice, as far as what they ask for is there.

    What is still to be claimed or paid is not.
    """
    for effect in declared.effects:
        asks = all(given.is_early for given in effect.given) and all_hold(effect.given, Scene(declared.attack))
        if asks and not effect.is_open:
            yield effect


def at_range(declared: Declared) -> Declared:
    """Step 1: who may fire at range 0, and what the attacker's effects do there.

    At range 0 the attacker's side does nothing to the defense dice: it may not cancel, modify or remove them, nor make
    the defender roll fewer. Raises ``BadInput`` under ruleset 2.0, and for typed ordnance, which is no primary weapon.
    A card may count the attack as one at range 1, or let its ship attack at range 0 as at any other (2.0).
    """
    if declared.range != 0:
        return declared
    standing = tuple(standing_effects(declared))
    if any(effect.what is RangeDie.CLOSE for effect in standing):
        return replace(declared, range=1)
    if declared.ruleset == "2.0":
        if any(isinstance(effect.what, Reach) for effect in standing):
            return declared
        raise BadInput("range", 0, Text("Use 1 to 3 under ruleset 2.0."))
    if declared.ordnance and not declared.weapon:
        raise BadInput("range", 0, Text("Use 1 to 3 for ordnance; at range 0 only a primary weapon may attack."))
    on_red = tuple(effect for effect in declared.attack.effects if effect.pool is Pool.RED)
    return replace(declared, attack=replace(declared.attack, effects=on_red))


def is_restricted(declared: Declared) -> bool:
    """Whether the attack is one at range 0 with a primary weapon, where the attacker gains and modifies no dice."""
    return declared.range == 0 and not declared.special and declared.ruleset == "2.5"


def may_modify(declared: Declared, side: Side) -> bool:
    """Step 1: with a primary weapon at range 0 the attacker may modify no dice (to cancel is not to modify)."""
    return not is_restricted(declared) or side is Side.DEFENDER


KEPT_MOST: Final = 256
"""So many declarations have their pools kept: one attack asks for them at each window, and again for its card."""

Parts = tuple[tuple[int, str], ...]
"""Why a pool has so many dice: numbers to be added, each with its reason; the value of the weapon or ship first."""


@lru_cache(maxsize=KEPT_MOST)
def attack_pool(declared: Declared) -> int:
    """Step 2: attack dice to roll, 0..6; of dice alone as many as were asked."""
    return limited(attack_parts(declared), limit(declared, Pool.RED))


@lru_cache(maxsize=KEPT_MOST)
def defense_pool(declared: Declared) -> int:
    """Step 4: defense dice to roll, 0..6."""
    return limited(defense_parts(declared), limit(declared, Pool.GREEN))


WEAPON_VALUE: Final = Text("weapon value")
CLOSE: Final = Text("range 1")
FAR_FROM: Final = 3
AGILITY: Final = Text("agility")
OBSTRUCTED: Final = Text("obstructed")
"""Why a pool has dice."""


@lru_cache(maxsize=KEPT_MOST)
def attack_parts(declared: Declared) -> Parts:
    """Step 2 before the limit. At range 0 the attack gains no dice, whatever the effects say."""
    bonus = range_bonus(declared, Pool.RED)
    is_close = (declared.range == 1 or RangeDie.ON in bonus) and not declared.ordnance and RangeDie.OFF not in bonus
    return (
        (declared.attack.dice, WEAPON_VALUE),
        *(((1, CLOSE),) if is_close else ()),
        *declared.attack.more_dice(Side.ATTACKER),
        *card_parts(declared, Pool.RED),
    )


@lru_cache(maxsize=KEPT_MOST)
def defense_parts(declared: Declared) -> Parts:
    """Step 4 before the limit. An obstruction counts against ordnance, the range does not.

    Range 4 and 5 are two dice (rules of huge ships).
    """
    defense, range_ = declared.line(Side.DEFENDER), declared.range or 0
    is_far = range_ >= FAR_FROM and not declared.ordnance and RangeDie.OFF not in range_bonus(declared, Pool.GREEN)
    far = Text("range {range}", range=range_)
    return (
        (defense.dice, AGILITY),
        *(((1 + (range_ > FAR_FROM), far),) if is_far else ()),
        *(((1, OBSTRUCTED),) if declared.obstructed else ()),
        *defense.more_dice(Side.DEFENDER),
        *card_parts(declared, Pool.GREEN),
    )


def range_bonus(declared: Declared, pool: Pool) -> set[What | None]:
    """What cards do to the die for range."""
    found = standing_effects(declared)
    return {effect.what for effect in found if effect.verb == "bonus" and effect.pool is pool}


def card_parts(declared: Declared, pool: Pool) -> Parts:
    """What the card effects of both sides add to a pool, or take from it."""
    found = [one for one in standing_effects(declared) if one.verb == "dice" and one.pool is pool]
    if pool is Pool.RED and is_restricted(declared):
        found = [one for one in found if one.most < 0]
    asking = [one for one in found if any(isinstance(given.test, FewDice) for given in one.given)]
    if asking:  # they ask how many dice there are without them
        parts_of = attack_parts if pool is Pool.RED else defense_parts
        scene = Scene(declared.attack, sum(count for count, _ in parts_of(without(declared, asking))))
        few = [one for one in asking if all_hold(one.given, scene)]
        found = [*(one for one in found if one not in asking), *few]
    return tuple((one.most, one.name or "card") for one in found)


def without(declared: Declared, effects: list[Effect]) -> Declared:
    """The declaration without these effects."""
    for side in Side:
        line = declared.line(side)
        left = tuple(one for one in line.effects if one not in effects)
        declared = declared.with_line(side, replace(line, effects=left))
    return declared


def limit(declared: Declared, pool: Pool) -> int:
    """The most dice that cards allow, before it is known which results lie there."""
    found = standing_effects(declared)
    limits = [one.most for one in found if one.verb == "limit" and one.pool is pool and not one.faces]
    return min((*limits, declared.most))


def limited(parts: Parts, most: int) -> int:
    """The sum of the parts, 0..most; a card's own maximum comes last."""
    return max(0, min(sum(count for count, _ in parts), most))


def said_of_many(declared: Declared) -> Text:
    """What odds say where more dice were asked for than a pool has at the table; "" where there are no more."""
    pools = ((attack_parts(declared), attack_pool(declared)), (defense_parts(declared), defense_pool(declared)))
    if declared.most > POOL_MOST:
        return Text("At the table a pool has at most {most} dice.", most=POOL_MOST)
    if any(sum(count for count, _ in parts) > POOL_MOST == dice for parts, dice in pools):
        return Text("A pool has at most {most} dice, so {most} are counted.", most=POOL_MOST)
    return EMPTY

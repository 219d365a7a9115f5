"""Exact odds of X-Wing attacks: integers throughout, under the policy of the rules page (Exact odds)."""

from dataclasses import fields, replace
from math import gcd
from typing import Final, cast

from bot.odds.law import Law, exact
from bot.odds.xwing.attack import Results
from bot.odds.xwing.damage import Damage
from bot.odds.xwing.row import row
from bot.rules.errors import BadInput
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.loose import LooseDice
from bot.rules.xwing.pools import check_range

__all__ = ["POLICY", "Damage", "damage", "law", "odds"]

POLICY: Final = (
    "Attacker: as many hits and crits as possible in the mean; never rerolls one, spends nothing without gain. "
    "Defender: knows the attack dice; as few uncancelled results of this attack as possible, then the fewest tokens, "
    "focus results first. Of equal choices: free rerolls, then stopping, then the lock; more dice before fewer."
)
"""What both sides are taken to do, for people to read."""


def law(declared: Declared) -> Law[Results]:
    """The law of uncancelled (hits, crits), of all attacks of a row together. Faces that lie already are ignored.

    Raises ``BadInput`` for a range that the ruleset refuses, or for more than can be counted at once; ``Unpayable`` for
    a weapon's cost.
    """
    check_range(declared)
    return row(declared).law


def damage(declared: Declared, hull: int, shields: int = 0) -> Damage:
    """What the same does to a ship of 1 or more hull; raises as ``law``."""
    check_range(declared)
    return cast("Damage", row(replace(declared, hull=hull, shields=shields)).damage)


def odds(declared: Declared | LooseDice) -> dict[str, object]:
    """The law and what follows from it in JSON words, fractions as ``"15/8"``; raises as ``law``."""
    if isinstance(declared, LooseDice):
        raise BadInput("dice", None, "a weapon value; odds are those of an attack, not of loose dice")
    check_range(declared)
    attacks = row(declared)
    joint = attacks.law
    told: dict[str, object] = {
        "joint": {f"{hits},{crits}": ratio(weight, joint.total) for (hits, crits), weight in joint.weights.items()},
        "mean_damage": exact(joint.mean(sum)),
        "p_any": exact(joint.chance(any)),
        "p_crit": exact(joint.chance(lambda results: results[1] > 0)),
    }
    if attacks.damage:
        told |= {field.name: exact(getattr(attacks.damage, field.name)) for field in fields(Damage)}
    return told


def ratio(weight: int, total: int) -> str:
    """What ``exact`` says, without a fraction in between."""
    part = gcd(weight, total)
    return f"{weight // part}/{total // part}"

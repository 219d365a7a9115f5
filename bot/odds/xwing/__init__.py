"""Exact odds of X-Wing attacks, under the policy of the rules page (Exact odds); see ``POLICY``."""

from math import gcd

from bot.odds.law import Law, exact
from bot.odds.xwing.attack import Results
from bot.odds.xwing.damage import Damage, dealt
from bot.odds.xwing.row import row
from bot.odds.xwing.work import Work
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.pools import check_range

__all__ = ["POLICY", "Damage", "damage", "law", "odds"]

POLICY = (
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
    return row(declared, Work(declared)).law


def damage(declared: Declared, hull: int, shields: int = 0) -> Damage:
    """What the same does to a ship; raises as ``law``."""
    check_range(declared)
    work = Work(declared)
    return dealt(row(declared, work), hull, shields, work)


def odds(declared: Declared) -> dict[str, object]:
    """The law and what follows from it in JSON words, fractions as ``"15/8"``; raises as ``law``."""
    check_range(declared)
    work = Work(declared)
    attacks = row(declared, work)
    joint = attacks.law
    told: dict[str, object] = {
        "joint": {f"{hits},{crits}": ratio(weight, joint.total) for (hits, crits), weight in joint.weights.items()},
        "mean_damage": exact(joint.mean(sum)),
        "p_any": exact(joint.chance(any)),
        "p_crit": exact(joint.chance(lambda results: results[1] > 0)),
    }
    if declared.hull is not None:
        ship = dealt(attacks, declared.hull, declared.shields, work)
        told |= {name: exact(getattr(ship, name)) for name in Damage.__slots__}
    return told


def ratio(weight: int, total: int) -> str:
    """The same as ``exact``, without a fraction in between."""
    part = gcd(weight, total)
    return f"{weight // part}/{total // part}"

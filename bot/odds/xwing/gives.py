"""What an attack deals in place of damage, or beside it: tokens, as a law each, and the damage that is left.

Source: rules page, X-Wing cards, sections 3 (``deal``) and 5.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from bot.odds.distribution import Distribution
from bot.odds.xwing.after_dice import Results
from bot.rules.xwing.damage import dealt
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.pools import standing_effects

Law = Mapping[int, Fraction]


def deals(declared: Declared) -> tuple[str, ...]:
    """What the attack deals if it hits, in the words of the rows; () for plain damage."""
    found = (one for one in standing_effects(declared) if one in declared.attack.effects)
    return tuple(one.what for one in found if one.verb == "deed" and one.must and re.match("deal |they gain", one.what))


def damage(declared: Declared, joint: Distribution[Results]) -> Distribution[Results]:
    """The (hits, crits) that are suffered."""
    what = deals(declared)
    return joint.map(lambda results: dealt(results, what).results) if what else joint


def gives(declared: Declared, joint: Distribution[Results]) -> Mapping[str, Law]:
    """The law of each kind of token that the defender gains."""
    what, laws = deals(declared), defaultdict[str, defaultdict[int, Fraction]](lambda: defaultdict(Fraction))
    if not what:
        return {}
    each = {results: dict(dealt(results, what).tokens) for results in joint.weights}
    for token in dict.fromkeys(token for tokens in each.values() for token in tokens):
        for results, weight in joint.weights.items():
            laws[token][each[results].get(token, 0)] += Fraction(weight, joint.total)
    return laws

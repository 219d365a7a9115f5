"""What an attack deals in place of damage, or beside it: damage that is left, and tokens.

Source: rules page, X-Wing cards, sections 3 (``deal``, ``prevent``) and 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.odds.xwing.after_dice import Results
from bot.rules.game import Side
from bot.rules.xwing.attack.damage import dealt
from bot.rules.xwing.dice import costs
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.deeds import Deal, DealCrits, Deed, Gain, Lose, Prevent, Suffer, Who
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.pools import standing_effects


@dataclass(frozen=True, slots=True)
class Dealing:
    """What becomes of the uncancelled (hits, crits) of one attack.

    ``deeds``: what the weapon deals in another form. ``prevented``: so many results are not suffered, crits first.
    ``besides``: (hits, crits) that the defender suffers in any case. ``shield``: an attack that hits takes a shield
    before its damage.
    """

    deeds: tuple[Deed, ...] = ()
    prevented: int = 0
    besides: Results = (0, 0)
    shield: bool = False

    def suffered(self, results: Results) -> Results:
        """The (hits, crits) that are suffered."""
        hits, crits = dealt(results, self.deeds).results
        stopped = min(crits, self.prevented)
        hits = max(0, hits - (self.prevented - stopped))
        return hits + self.besides[0], crits - stopped + self.besides[1]

    def on_ship(self, results: Results) -> Results:
        """The same for a ship with shields: one that it loses is lost as by one hit more."""
        hits, crits = self.suffered(results)
        return hits + (self.shield and any(results)), crits

    def tokens(self, results: Results) -> Mapping[str, int]:
        """The tokens that the defender gains."""
        return dict(dealt(results, self.deeds).tokens)


def dealing(declared: Declared) -> Dealing:
    """What the effects of both sides make of the results of each attack.

    What is paid for by charges, and the shield that is lost, count in a single attack only (``changing_ships``).
    """
    found, alone, standing = Dealing(), declared.attacks == 1, tuple(standing_effects(declared))
    for side in Side:
        for one in standing:  # once nothing has still to be claimed or paid
            is_done = one in declared.line(side).effects and (one.must or side is Side.DEFENDER)
            if isinstance(one.what, Deed) and is_done:
                found = counted(found, one.what, side, alone=alone, shields=declared.shields)
    return found


def counted(found: Dealing, deed: Deed, side: Side, *, alone: bool, shields: int) -> Dealing:
    """What is dealt with one deed more. What is spent after the attack, or given to another ship, is nothing here."""
    is_ours = side is Side.ATTACKER
    match deed:
        case Gain(who=Who.THEY) | Deal() | DealCrits() if is_ours:
            return replace(found, deeds=(*found.deeds, deed))
        case Lose(Who.THEY, 1, (costs.SHIELD,)) if is_ours:
            return replace(found, shield=alone and shields > 0)
        case Prevent(count) if not is_ours and alone:
            return replace(found, prevented=found.prevented + (count or EVERYTHING))
        case Suffer(Who.ME, count, face) if not is_ours:
            hits, crits = found.besides
            more = (hits + count, crits) if face is Face.HIT else (hits, crits + count)
            return replace(found, besides=more)
        case _:
            return found


EVERYTHING: Final = 99
"""More results than an attack has."""

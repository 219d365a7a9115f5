"""What an attack deals in place of damage, or beside it: damage that is left, and tokens.

Source: rules page, X-Wing cards, sections 3 (``deal``, ``prevent``) and 5.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.odds.xwing.after_dice import Results
from bot.rules.game import Side
from bot.rules.xwing.damage import dealt
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.pools import NO_DEFENSE, standing_effects

DEALS: Final = re.compile(r"deal .*|they gain .*")
PREVENTS: Final = re.compile(r"prevent (all|[1-9])")
SUFFERS: Final = re.compile(r"I suffer ([1-9]) (hit|crit)s?")
LOSES: Final = "they lose 1 shield"


@dataclass(frozen=True, slots=True)
class Dealing:
    """What becomes of the uncancelled (hits, crits) of one attack.

    ``words``: what the weapon deals in another form. ``prevented``: so many results are not suffered, crits first.
    ``besides``: (hits, crits) that the defender suffers in any case. ``shield``: an attack that hits takes a shield
    before its damage.
    """

    words: tuple[str, ...] = ()
    prevented: int = 0
    besides: Results = (0, 0)
    shield: bool = False

    def suffered(self, results: Results) -> Results:
        """The (hits, crits) that are suffered."""
        hits, crits = dealt(results, self.words).results
        stopped = min(crits, self.prevented)
        hits = max(0, hits - (self.prevented - stopped))
        return hits + self.besides[0], crits - stopped + self.besides[1]

    def on_ship(self, results: Results) -> Results:
        """The same for a ship with shields: one that it loses is lost as by one hit more."""
        hits, crits = self.suffered(results)
        return hits + (self.shield and any(results)), crits

    def tokens(self, results: Results) -> Mapping[str, int]:
        """The tokens that the defender gains."""
        return dict(dealt(results, self.words).tokens)


def dealing(declared: Declared) -> Dealing:
    """What the effects of both sides make of the results of each attack.

    What is paid for by charges, and the shield that is lost, count in a single attack only (``changing_ships``).
    """
    alone = declared.attacks == 1
    ours, theirs = tuple(deeds(declared, Side.ATTACKER)), tuple(deeds(declared, Side.DEFENDER))
    stops = [match[1] for what in theirs if alone and (match := PREVENTS.fullmatch(what))]
    pains = [match for what in theirs if (match := SUFFERS.fullmatch(what))]
    hits, crits = (sum(int(one[1]) for one in pains if one[2] == face) for face in ("hit", "crit"))
    return Dealing(
        words=tuple(what for what in ours if DEALS.fullmatch(what)),
        prevented=sum(EVERYTHING if many == "all" else int(many) for many in stops),
        besides=(hits, crits),
        shield=alone and declared.shields > 0 and LOSES in ours,
    )


EVERYTHING: Final = 99
"""More results than an attack has."""


def deeds(declared: Declared, side: Side) -> Iterator[str]:
    """What the effects of a side do besides dice, as far as nothing has still to be claimed or paid."""
    line = declared.attack if side is Side.ATTACKER else declared.defense or NO_DEFENSE
    for one in standing_effects(declared):
        if one in line.effects and one.verb == "deed" and (one.must or side is Side.DEFENDER):
            yield one.what

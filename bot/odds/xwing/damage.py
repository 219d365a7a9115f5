"""What the uncancelled results do to a ship (rules page, step 7)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from bot.odds.distribution import Distribution
from bot.odds.xwing.attack import Results
from bot.odds.xwing.defense import Outcomes
from bot.odds.xwing.green import Tokens
from bot.odds.xwing.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Chances and means after all attacks; a ship that is destroyed early still takes the cards of the others."""

    p_destroyed: Fraction
    mean_shields_lost: Fraction
    mean_facedown: Fraction
    mean_faceup: Fraction
    p_faceup: Fraction


class Faceup:
    """Faceup cards, attack by attack.

    In each attack the shields take the hits before the crits, so it counts in which attack they fall.
    """

    def __init__(self, held: Tokens, shields: int) -> None:
        self._ways: Mapping[tuple[Tokens, int, bool], int] = {(held, shields, False): 1}
        self._cards, self._total = 0, 1

    def take(self, outcomes: Mapping[Tokens, Outcomes], total: int, work: Work) -> None:
        """One more attack: what comes of it for each tokens that the defender may hold, ``total`` ways each."""
        self._cards, self._total = self._cards * total, self._total * total
        after: defaultdict[tuple[Tokens, int, bool], int] = defaultdict(int)
        for (held, up, shown), before in self._ways.items():
            for left, results in outcomes[held].items():
                work.look(len(results), 3)
                for (hits, crits), weight in results.items():
                    cards = min(crits, max(0, hits + crits - up))
                    self._cards += before * weight * cards
                    after[left, max(0, up - hits - crits), shown or cards > 0] += before * weight
        self._ways = after

    @property
    def mean(self) -> Fraction:
        return Fraction(self._cards, self._total)

    @property
    def chance(self) -> Fraction:
        """The chance of at least one."""
        return Fraction(sum(ways for (*_, shown), ways in self._ways.items() if shown), self._total)


def dealt(law: Distribution[Results], faceup: Faceup, hull: int, shields: int) -> Damage:
    """What all uncancelled results together do to a ship."""
    mean_cards = law.mean(lambda results: max(0, sum(results) - shields))
    return Damage(
        p_destroyed=law.probability(lambda results: sum(results) >= hull + shields),
        mean_shields_lost=law.mean(lambda results: min(sum(results), shields)),
        mean_facedown=mean_cards - faceup.mean,
        mean_faceup=faceup.mean,
        p_faceup=faceup.chance,
    )

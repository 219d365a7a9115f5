"""What the uncancelled results do to a ship (rules page, step 7)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.odds.xwing.green import Tokens
from bot.odds.xwing.row import Row, Step
from bot.odds.xwing.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Chances and means after all attacks; a ship that is destroyed early still takes the cards of the others."""

    p_destroyed: Fraction
    mean_shields_lost: Fraction
    mean_facedown: Fraction
    mean_faceup: Fraction
    p_faceup: Fraction


def dealt(row: Row, hull: int, shields: int, work: Work) -> Damage:
    """What the attacks of a row do to a ship."""
    law = row.law
    mean_cards = law.mean(lambda results: max(0, sum(results) - shields))
    mean_faceup, p_faceup = faceup(row.steps, shields, work)
    return Damage(
        p_destroyed=law.chance(lambda results: sum(results) >= hull + shields),
        mean_shields_lost=law.mean(lambda results: min(sum(results), shields)),
        mean_facedown=mean_cards - mean_faceup,
        mean_faceup=mean_faceup,
        p_faceup=p_faceup,
    )


def faceup(steps: Sequence[Step], shields: int, work: Work) -> tuple[Fraction, Fraction]:
    """The mean of faceup cards and the chance of any.

    Shields take the hits of an attack before its crits, so it counts in which attack they fall.
    """
    ways = {(held, shields, False): 1 for held in steps[0].outcomes}
    cards, total = 0, 1
    for step in steps:
        cards, total = cards * step.total, total * step.total
        after: defaultdict[tuple[Tokens, int, bool], int] = defaultdict(int)
        for (held, up, shown), before in ways.items():
            for left, outcomes in step.outcomes[held].items():
                work.look(len(outcomes))
                for (hits, crits), weight in outcomes.items():
                    count = min(crits, max(0, hits + crits - up))
                    cards += before * weight * count
                    after[left, max(0, up - hits - crits), shown or count > 0] += before * weight
        ways = dict(after)
    return Fraction(cards, total), Fraction(sum(count for (*_, shown), count in ways.items() if shown), total)

"""The exact distribution of a Normal Roll and of a Face to Face Roll, in closed form. For each best score of the enemy,
its ways times a multinomial over (plain above it, Critical, the rest). Editions differ in the faces' meaning only.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import product
from math import comb, prod
from typing import Final

from bot.odds.distribution import Distribution
from bot.rules.errors import BadInputError
from bot.rules.infinity.dice.resolve import FAILURE, Winner, score
from bot.rules.infinity.troopers.declared import CRITICAL, SIDES, Action, Meeting, Order, TrooperRoll
from bot.rules.text import Text

Outcome = tuple[Winner, int, int]
"""(winner, plain hits, Criticals)."""
Ways = dict[int, int]

FACES: Final = range(1, SIDES + 1)
SUCCESS_VALUES: Final = 64
"""Above any game's maximum."""


@dataclass(frozen=True, slots=True)
class DiceScores:
    """The scores of one roll's dice.

    ``up_to[s]`` of the 20 faces score ``s`` or less; of ``thrown`` dice the best ``kept`` count. ``unrolled``: a Direct
    Template's hits, which affect anyone without a success; a ``deployed`` one's also anyone whose best score is above
    ``evades_to``. ``plain``: the score of its Criticals if they are plain successes.
    """

    up_to: tuple[int, ...]
    kept: int
    thrown: int
    unrolled: int = 0
    deployed: bool = False
    evades_to: int = CRITICAL
    plain: int = 0

    def seen(self, height: int) -> int:
        """Return a score as this comparison counts it."""
        return self.plain if self.plain and height == CRITICAL else height

    def as_plain(self) -> "DiceScores":
        """Turn Criticals into plain successes. Raises ``BadInputError`` above Success Value 20, where a Critical may be
        lower than a plain success, so that the best score is not enough.
        """
        top = SIDES - self.up_to[FAILURE]
        if self.crits > 1:
            allowed = Text("Use at most {most}: a template with several targets is not counted above that.", most=SIDES)
            raise BadInputError("Success Value", SIDES + self.crits - 1, allowed)
        return replace(self, up_to=tuple(SIDES if at >= top else item for at, item in enumerate(self.up_to)), plain=top)

    @property
    def crits(self) -> int:
        return SIDES - self.up_to[CRITICAL - 1]

    @property
    def total(self) -> int:
        return power(SIDES, self.thrown)

    def best_at_most(self, height: int) -> int:
        """Return the ways in which no die scores above ``height``; discarding the lowest keeps the best."""
        return power(self.up_to[height], self.thrown) if height >= FAILURE else 0

    def best_scores(self) -> Iterator[tuple[int, int]]:
        before = 0
        for height in range(CRITICAL + 1):
            ways = self.best_at_most(height)
            if ways > before:
                yield height, ways - before
            before = ways


def scores(roll: TrooperRoll) -> DiceScores:
    """Return a roll's scores. At a Success Value below 1 its unrolled dice count as failures."""
    if roll.action is Action.DIRECT:
        return DiceScores((SIDES,) * (CRITICAL + 1), roll.burst, 0, roll.burst, roll.is_deployed)
    return DiceScores(heights_up_to(roll.sv), roll.burst, roll.burst + roll.special, evades_to=roll.evades_to)


def scores_in(order: Order, meeting: Meeting, place: int) -> DiceScores:
    """Return a roll's scores in one of its comparisons. Raises ``BadInputError`` for unsupported cases."""
    dice_scores = scores(order.rolls[place])
    return dice_scores.as_plain() if place == meeting.plain else dice_scores


def evades(height: int, evader: DiceScores, template: DiceScores) -> bool:
    return FAILURE < height <= (evader.evades_to if template.deployed else CRITICAL)


@lru_cache(maxsize=SUCCESS_VALUES)
def heights_up_to(sv: int) -> tuple[int, ...]:
    """Return the number of faces that score each height or less at a Success Value."""
    scored = sorted(score(face, sv, "n5") for face in FACES)
    return tuple(bisect_right(scored, height) for height in range(CRITICAL + 1))


def count_uncanceled(mine: DiceScores, heights: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Count the ways of each (hits, crits) against an enemy's best scores; rolls without a success are left out."""
    if mine.unrolled:
        return {(mine.unrolled, 0): sum(ways for height, ways in heights if height == FAILURE)}
    against: dict[int, int] = {}
    for height, ways in heights:
        plain = mine.up_to[CRITICAL - 1] - mine.up_to[min(height, CRITICAL - 1)]
        against[plain] = against.get(plain, 0) + (ways if height < CRITICAL else 0)
    result: dict[tuple[int, int], int] = {}
    for crits in range(mine.thrown + 1 if mine.crits else 1):
        kept = min(crits, mine.kept)
        left = mine.thrown - crits
        chosen = comb(mine.thrown, crits) * power(mine.crits, crits)
        for hits in range(left + 1):
            ways = chosen * comb(left, hits) * ways_above(mine, against, hits, left - hits)
            if ways and hits + crits:
                key = min(hits, mine.kept - kept), kept
                result[key] = result.get(key, 0) + ways
    return result


def count_uncanceled_against(mine: DiceScores, height: int, other: DiceScores | None) -> dict[tuple[int, int], int]:
    """Count uncanceled rolls against a best score of ``other``; a Direct Template beats anyone who doesn't evade it."""
    if mine.unrolled and other is not None and not evades(height, other, mine):
        height = FAILURE
    return count_uncanceled(mine, [(height, 1)])


def ways_above(mine: DiceScores, against: Mapping[int, int], hits: int, rest: int) -> int:
    """Return the ways for ``hits`` plain successes and ``rest`` others, summed over the enemy's scores."""
    misses = SIDES - mine.crits
    return sum(power(plain, hits) * power(misses - plain, rest) * ways for plain, ways in against.items())


def power(number: int, times: int) -> int:
    """Return ``number ** times`` for nonnegative integers, typed as an integer."""
    result: int = number**times
    return result


def outcomes(mine: DiceScores, theirs: DiceScores | None = None) -> Distribution[Outcome]:
    """Return both sides' hits and Criticals, or a Normal Roll's; the remainder is ``("nobody", 0, 0)``."""
    weights: dict[Outcome, int] = {("a", *key): ways for key, ways in count_uncanceled_between(mine, theirs).items()}
    if theirs is not None:
        weights |= {("b", *key): ways for key, ways in count_uncanceled_between(theirs, mine).items()}
    total = mine.total * (theirs.total if theirs else 1)
    nothing = total - sum(weights.values())
    return Distribution(weights | ({("nobody", 0, 0): nothing} if nothing else {}), total)


def count_uncanceled_between(mine: DiceScores, other: DiceScores | None) -> Mapping[tuple[int, int], int]:
    """Return the ways of each (hits, crits) of ``mine`` that beat all possible scores of ``other``, if any. A Dodge
    with a best score too high for a deployable's template evades it with no die: all must score at most ``evades_to``.
    """
    if other is None:
        return count_uncanceled(mine, [(FAILURE, 1)])
    if mine.unrolled:
        struck = sum(ways for height, ways in other.best_scores() if not evades(height, other, mine))
        return {(mine.unrolled, 0): struck}
    if not other.deployed or mine.evades_to >= CRITICAL:
        return count_uncanceled(mine, other.best_scores())
    fails, counts = mine.up_to[FAILURE], Counter[tuple[int, int]]()
    evading = mine.up_to[mine.evades_to] - fails
    for hits in range(1, mine.thrown + 1 if evading else 1):
        ways = comb(mine.thrown, hits) * power(evading, hits) * power(fails, mine.thrown - hits)
        counts[min(hits, mine.kept), 0] += ways
    return counts


def distribution(order: Order, meeting: Meeting) -> Distribution[Outcome]:
    """Return the law of one comparison or Normal Roll by itself."""
    mine, *theirs = (scores_in(order, meeting, place) for place in meeting.places)
    result, roll = outcomes(mine, *theirs), order.rolls[meeting.a]
    if roll.reroll is None or theirs:
        return result
    again = outcomes(scores(replace(roll, mods=(*roll.mods, roll.reroll))))  # a failure is rerolled once
    weights = Counter({item: ways * again.total for item, ways in result.weights.items() if item[0] != "nobody"})
    weights.update({item: ways * result.weights.get(("nobody", 0, 0), 0) for item, ways in again.weights.items()})
    return Distribution(dict(weights), result.total * again.total)


# One roll against several enemies: its dice are shared. Given its best score the enemies are independent, so the joint
# weights are a sum over that score.

Pattern = tuple[Winner, ...]
"""Winner of each comparison: ``a`` is the shared roll, ``b`` the enemy."""


def facing(order: Order, place: int) -> list[tuple[DiceScores, DiceScores, bool]]:
    """Return a roll's comparisons: its scores there, the enemy's, and whether the enemy attacks."""
    met = [(meeting, foe) for meeting in order.meetings if place in meeting.places for foe in meeting.places]
    return [
        (scores_in(order, meeting, place), scores_in(order, meeting, foe), order.rolls[foe].action.is_attack)
        for meeting, foe in met
        if foe != place
    ]


def winners(order: Order, place: int) -> Distribution[Pattern]:
    mine, met = scores(order.rolls[place]), facing(order, place)
    weights: dict[Pattern, int] = {}
    for height, ways in mine.best_scores():
        chances = [who_wins(own.seen(height), enemy, own) for own, enemy, _ in met]
        for pattern in product(*chances):
            weight = ways * prod(chance[who] for chance, who in zip(chances, pattern, strict=True))
            if weight:
                weights[pattern] = weights.get(pattern, 0) + weight
    return Distribution(weights, mine.total * prod(enemy.total for _, enemy, _ in met))


def who_wins(height: int, enemy: DiceScores, shared: DiceScores) -> dict[Winner, int]:
    """Return an enemy's ways against a ``shared`` roll's best score ``height``: beaten, winning, or neither."""
    if enemy.unrolled:
        evaded = evades(height, shared, enemy)
        return {"a": int(evaded), "b": int(not evaded), "nobody": 0}
    beaten = enemy.best_at_most(height - 1)
    wins = enemy.total - enemy.best_at_most(height)
    return {"a": beaten, "b": wins, "nobody": enemy.total - beaten - wins}


def hits_on_shared(order: Order, place: int) -> Distribution[int]:
    """Return the distribution of all hits, Criticals included, that enemies land on the shared roll's trooper."""
    mine, met = scores(order.rolls[place]), facing(order, place)

    def landed(height: int) -> Iterator[Ways]:
        return (dice_above(own.seen(height), foe, own) if lands else {0: foe.total} for own, foe, lands in met)

    return Distribution(sum_over_best_scores(mine, landed), mine.total * prod(dice.total for _, dice, _ in met))


def sum_over_best_scores(mine: DiceScores | None, landed: Callable[[int], Iterable[Ways]]) -> Ways:
    """Return the ways of each sum of hits by enemies, independent given ``mine``'s best score."""
    counts: Counter[int] = Counter()
    for height, ways in mine.best_scores() if mine else [(FAILURE, 1)]:
        here: Ways = reduce(add_ways, landed(height), {0: ways})
        counts.update(here)
    return dict(counts)


def dice_above(height: int, enemy: DiceScores, shared: DiceScores) -> Ways:
    counts: Counter[int] = Counter()
    for (hits, crits), ways in count_uncanceled_against(enemy, height, shared).items():
        counts[hits + crits] += ways
    counts[0] += enemy.total - counts.total()
    return counts


def add_ways(item: Ways, other: Ways) -> Ways:
    result: dict[int, int] = {}
    for first, ways in item.items():
        for second, more in other.items():
            if ways and more:
                result[first + second] = result.get(first + second, 0) + ways * more
    return result

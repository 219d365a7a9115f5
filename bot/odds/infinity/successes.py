"""The exact distribution of the net successes of a whole order.

Net: the active side's uncanceled successes minus the reactive side's, over all comparisons and Normal Rolls.

Comparisons that share a roll are dependent. But once enough dice have known scores, so that each comparison has one
known end, every other roll meets only known dice and is independent. So we enumerate these dice as multisets (only how
many dice have which score matters). For each, the other rolls are counted, in closed form against one enemy, and added
up. Disconnected parts of the order are added up directly.

Example: a Dodge of one die against two attacks of one die each, all at Success Value 10. The Dodge has 11 multisets: a
failure in 10 of 20 ways, a 1 to 9 and a Critical in one way each. If it fails, each attack succeeds in 10 of 20 ways.
If it scores 9, an attack succeeds in one way, its Critical; in one it ties; in 18 it is beaten and the Dodge succeeds.
The two attacks are added up, weighted by the ways of the Dodge.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Final, NamedTuple

from bot.odds import luck, size_limit
from bot.odds.distribution import Distribution
from bot.odds.infinity.rolls import DiceScores, add_ways, evades, outcomes, power, scores
from bot.rules.game import Side
from bot.rules.infinity.dice import resolve
from bot.rules.infinity.troopers import declared

MAX_STEPS: Final = 200_000
"""Maximum of ``steps``: about 300 ms on one core."""
STEPS_AT_ONCE: Final = 1000
"""Within ``size_limit.refuse_large_questions``: about 2 ms."""

Dice = tuple[int, ...]
"""The scores of one roll's dice, sorted ascending."""


class Link(NamedTuple):
    """Two compared rolls of an order, or one Normal Roll; ``plain``: the roll whose Criticals are plain successes."""

    a: int
    b: int | None
    plain: int | None = None

    @property
    def ends(self) -> tuple[int, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)


def net_successes(order: declared.Order) -> Distribution[int]:
    """Count an order's net successes, without rerolls by skills. Raises ``UncountableLuckError`` if too large."""
    if any(roll.reroll for roll in order.rolls):
        raise luck.UncountableLuckError
    links = tuple(Link(meeting.a, meeting.b, meeting.plain) for meeting in order.meetings)
    return count_order(tuple(ScoredRoll.of(roll) for roll in order.rolls), links)


@lru_cache(maxsize=luck.CACHED)
def count_order(rolls: "tuple[ScoredRoll, ...]", links: tuple[Link, ...]) -> Distribution[int]:
    if any(link.plain is not None and rolls[link.plain].scores.crits > 1 for link in links):
        raise luck.UncountableLuckError
    groups = list(groups_of(rolls, links))
    size = sum(steps(rolls, *group) for group in groups)
    if size > MAX_STEPS:
        raise luck.UncountableLuckError
    size_limit.check(size, STEPS_AT_ONCE)
    weights = {0: 1}
    for known, inside in groups:
        weights = add_ways(weights, count_together(rolls, known, inside))
    return Distribution(weights, prod(rolls[place].scores.total for place in {*places(links)}))


@dataclass(frozen=True, slots=True)
class ScoredRoll:
    """A counted roll: its scores, and +1 for the active or -1 for the reactive side."""

    scores: DiceScores
    sign: int

    @classmethod
    def of(cls, roll: declared.TrooperRoll) -> "ScoredRoll":
        return cls(scores(roll), 1 if roll.side is Side.ATTACKER else -1)

    def met_in(self, link: Link, place: int) -> "ScoredRoll":
        return replace(self, scores=self.scores.as_plain()) if place == link.plain else self

    def seen(self, dice: Dice) -> Dice:
        return tuple(map(self.scores.seen, dice)) if self.scores.plain else dice

    def faces(self, height: int) -> int:
        return self.scores.up_to[height] - (self.scores.up_to[height - 1] if height else 0)

    @property
    def heights(self) -> list[int]:
        return [height for height in range(declared.CRITICAL + 1) if self.faces(height)] if self.scores.thrown else []

    def ways(self) -> Iterator[tuple[Dice, int]]:
        """Yield every multiset of scores of its dice, with ways."""
        thrown = self.scores.thrown
        for dice in combinations_with_replacement(self.heights, thrown):
            counts = Counter(dice)
            orders = factorial(thrown) // prod(factorial(count) for count in counts.values())
            yield dice, orders * prod(power(self.faces(height), count) for height, count in counts.items())

    def multisets(self) -> int:
        return comb(len(self.heights) + self.scores.thrown - 1, self.scores.thrown) if self.scores.thrown else 1

    def signed_successes(self, dice: Dice, height: int) -> int:
        """Return the signed successes above an enemy's best score."""
        return self.sign * min(sum(score > height for score in dice), self.scores.kept)

    def ways_against(self, other: "ScoredRoll", dice: Dice) -> dict[int, int]:
        """Return the ways of each net result against the known scores of ``other``."""
        best, counts = best_of(dice), Counter[int]()
        if self.scores.unrolled:
            counts[template_result(self, other, dice)] = 1
            return dict(counts)
        if other.scores.unrolled:
            for scored, ways in self.ways():
                counts[template_result(other, self, scored)] += ways
            return dict(counts)
        # Split by its best score: up to that of ``other`` none of its own dice count, and the other side's successes
        # depend
        # on that best score alone, which has F(h) - F(h-1) ways. Above it, ``count`` of its dice beat the other side's
        # best,
        # in C(n, count) above^count (20 - above)^(n - count) ways.
        for height in range(best + 1):
            ways = self.scores.best_at_most(height) - (self.scores.best_at_most(height - 1) if height else 0)
            counts[other.signed_successes(dice, height)] += ways
        above, thrown = declared.SIDES - self.scores.up_to[best], self.scores.thrown
        for count in range(1, thrown + 1):
            ways = comb(thrown, count) * power(above, count) * power(declared.SIDES - above, thrown - count)
            counts[self.sign * min(count, self.scores.kept)] += ways
        return {value: ways for value, ways in counts.items() if ways}


def template_result(template: ScoredRoll, other: ScoredRoll | None, dice: Dice) -> int:
    """Return a Direct Template's net result against known scores."""
    if other is not None and evades(best_of(dice), other.scores, template.scores):
        return other.signed_successes(dice, resolve.FAILURE)
    return template.sign * template.scores.unrolled


def best_of(dice: Dice) -> int:
    return dice[-1] if dice else resolve.FAILURE


def places(links: Iterable[Link]) -> Iterator[int]:
    return (place for link in links for place in link.ends)


def groups_of(rolls: Sequence[ScoredRoll], links: Sequence[Link]) -> Iterator[tuple[tuple[int, ...], tuple[Link, ...]]]:
    """Yield the disconnected parts of an order: the rolls to enumerate, and the links. Those rolls are in several
    links, few and small, with one known end per comparison. A single comparison or Normal Roll needs none.
    """
    degrees = Counter(places(links))
    left = set(degrees)
    while left:
        group, reached = {min(left)}, 0
        while len(group) > reached:
            reached = len(group)
            group |= {*places(link for link in links if group & {*link.ends})}
        inside = tuple(link for link in links if link.a in group)
        known = {place for place in group if degrees[place] > 1}
        for place in sorted(known, key=lambda place: -rolls[place].multisets()):
            met = {*places(link for link in inside if place in link.ends)} - {place}
            if met and met <= known:
                known.remove(place)
        yield tuple(sorted(known)), inside
        left -= group


def steps(rolls: Sequence[ScoredRoll], known: Sequence[int], links: Sequence[Link]) -> int:
    """Estimate the steps for a part of an order; a single link has a closed form."""
    if len(links) == 1:
        return 0
    degrees = Counter(places(links))
    others = [
        declared.CRITICAL if degrees[place] == 1 else degrees[place] * rolls[place].multisets()
        for place in degrees
        if place not in known
    ]
    return prod(rolls[place].multisets() for place in known) * (len(links) + sum(others))


def count_together(rolls: Sequence[ScoredRoll], known: Sequence[int], links: Sequence[Link]) -> dict[int, int]:
    if len(links) == 1:
        return comparison_ways(*(rolls[place].met_in(links[0], place) for place in links[0].ends))
    # Each link is counted from its unknown end, if any, whose enemies are then all known.
    met: dict[int, list[Link]] = {}
    for link in links:
        met.setdefault(max(link.ends, key=lambda place: place not in known), []).append(link)
    parts = {(link, place): rolls[place].met_in(link, place) for link in links for place in link.ends}
    counts = Counter[int]()
    for case in product(*(list(rolls[place].ways()) for place in known)):
        dice = {place: scored for place, (scored, _) in zip(known, case, strict=True)}
        # In this case the known rolls give one number, ``start``. All others are independent, so their sums convolve,
        # weighted by the ways of the case.
        start, sums = 0, {0: prod(ways for _, ways in case)}
        for place, inside in met.items():
            if place in dice:
                start += sum(comparison_result(parts, dice, link) for link in inside)
            else:
                sums = add_ways(sums, ways_of_unknown(rolls[place], place, inside, parts, dice))
        counts.update({start + value: ways for value, ways in sums.items()})
    return dict(counts)


def ways_of_unknown(
    roll: ScoredRoll,
    place: int,
    links: Sequence[Link],
    parts: Mapping[tuple[Link, int], ScoredRoll],
    dice: Mapping[int, Dice],
) -> dict[int, int]:
    """Return the ways of each net result of a roll that meets known ``dice`` only."""
    first = links[0]
    if len(links) == 1 and first.b is not None:
        enemy = next(end for end in first.ends if end != place)
        return parts[first, place].ways_against(parts[first, enemy], parts[first, enemy].seen(dice[enemy]))
    counts = Counter[int]()  # several meetings: one multiset of its dice decides all
    for scored, ways in roll.ways():
        counts[sum(comparison_result(parts, {**dice, place: scored}, link) for link in links)] += ways
    return dict(counts)


def comparison_result(parts: Mapping[tuple[Link, int], ScoredRoll], dice: Mapping[int, Dice], link: Link) -> int:
    """Return the net result of a comparison or Normal Roll with known dice."""
    (roll, mine), *others = ((part, part.seen(dice[place])) for place in link.ends for part in [parts[link, place]])
    if not others:
        return template_result(roll, None, ()) if roll.scores.unrolled else roll.signed_successes(mine, resolve.FAILURE)
    ((other, theirs),) = others
    if roll.scores.unrolled or other.scores.unrolled:
        return template_result(roll, other, theirs) if roll.scores.unrolled else template_result(other, roll, mine)
    return roll.signed_successes(mine, best_of(theirs)) + other.signed_successes(theirs, best_of(mine))


def comparison_ways(roll: ScoredRoll, other: ScoredRoll | None = None) -> dict[int, int]:
    """Return the ways of a comparison or Normal Roll without shared dice."""
    signs, counts = {"a": roll.sign, "b": other.sign if other else 0, "nobody": 0}, Counter[int]()
    for (who, hits, crits), ways in outcomes(roll.scores, other.scores if other else None).weights.items():
        counts[signs[who] * (hits + crits)] += ways
    return dict(counts)

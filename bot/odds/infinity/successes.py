"""The exact distribution of the net successes of a whole order.

Net: those of the active side that stand, less the reactive side's, over all its comparisons and Normal Rolls.

Comparisons that share a roll are not independent. But once the scores of enough dice are known, so that each comparison
has one known end, every other roll meets known dice only, and is independent of the rest. So all ways are gone through
in which those dice can score, as multisets (what matters is how many dice score what, not which). For each of them the
other rolls are counted, in closed form where they meet one enemy, and added up. Parts of the order that share nothing
are added up as they are.

A worked example: a Dodge of one die against two attacks of one die each, all at Success Value 10. The Dodge has 11
multisets: a failure in 10 of 20 ways, a 1 to 9 and a Critical in one way each. If it failed, each attack stands in 10
of 20 ways by itself. If it scored 9, an attack stands in one way, its Critical; in one it is level; in 18 it is beaten
and the Dodge stands against it. The two attacks are added up and weighed with the ways of the Dodge.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
"""Steps of counting, as ``steps`` estimates them: some 300 ms on one core. Beyond it nothing is counted."""
STEPS_AT_ONCE: Final = 1000
"""Within ``size_limit.refuse_large_questions``: some 2 ms."""

Dice = tuple[int, ...]
"""The scores of the dice of one roll, the best last."""


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
    """One roll as it counts: its scores, and +1 for the active side or -1 for the reactive one."""

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
        """Every multiset of scores that its dice can have, each with its ways."""
        thrown = self.scores.thrown
        for dice in combinations_with_replacement(self.heights, thrown):
            counts = Counter(dice)
            orders = factorial(thrown) // prod(factorial(count) for count in counts.values())
            yield dice, orders * prod(power(self.faces(height), count) for height, count in counts.items())

    def multisets(self) -> int:
        return comb(len(self.heights) + self.scores.thrown - 1, self.scores.thrown) if self.scores.thrown else 1

    def signed_successes(self, dice: Dice, height: int) -> int:
        """The signed successes that stand against an enemy's best score."""
        return self.sign * min(sum(score > height for score in dice), self.scores.kept)

    def ways_against(self, other: "ScoredRoll", dice: Dice) -> dict[int, int]:
        """Ways for each net result of its dice with those of ``other``, whose scores are known."""
        best, counts = best_of(dice), Counter[int]()
        if self.scores.unrolled:
            counts[template_result(self, other, dice)] = 1
            return dict(counts)
        if other.scores.unrolled:
            for scored, ways in self.ways():
                counts[template_result(other, self, scored)] += ways
            return dict(counts)
        # Split by its best score: up to that of ``other`` nothing of its own stands, and what stands of the other side
        # depends on that best score alone, which has F(h) - F(h-1) ways. Above it, ``count`` of its dice beat the other
        # side's best, in C(n, count) above^count (20 - above)^(n - count) ways, and so many of them stand.
        for height in range(best + 1):
            ways = self.scores.best_at_most(height) - (self.scores.best_at_most(height - 1) if height else 0)
            counts[other.signed_successes(dice, height)] += ways
        above, thrown = declared.SIDES - self.scores.up_to[best], self.scores.thrown
        for count in range(1, thrown + 1):
            ways = comb(thrown, count) * power(above, count) * power(declared.SIDES - above, thrown - count)
            counts[self.sign * min(count, self.scores.kept)] += ways
        return {value: ways for value, ways in counts.items() if ways}


def template_result(template: ScoredRoll, other: ScoredRoll | None, dice: Dice) -> int:
    """The net result of a Direct Template against somebody whose scores are known."""
    if other is not None and evades(best_of(dice), other.scores, template.scores):
        return other.signed_successes(dice, resolve.FAILURE)
    return template.sign * template.scores.unrolled


def best_of(dice: Dice) -> int:
    return dice[-1] if dice else resolve.FAILURE


def places(links: Sequence[Link]) -> Iterator[int]:
    return (place for link in links for place in link.ends)


def groups_of(rolls: Sequence[ScoredRoll], links: Sequence[Link]) -> Iterator[tuple[tuple[int, ...], tuple[Link, ...]]]:
    """The parts of an order that share no roll: of each the rolls to be gone through, and its links.

    Those are rolls that stand in several links, as few and as small as make one end of each comparison known. A part
    that is one comparison or one Normal Roll has none.
    """
    degrees = Counter(places(links))
    left = set(degrees)
    while left:
        group, reached = {min(left)}, 0
        while len(group) > reached:
            reached = len(group)
            group |= {place for link in links if group & {*link.ends} for place in link.ends}
        inside = tuple(link for link in links if link.a in group)
        known = {place for place in group if degrees[place] > 1}
        for place in sorted(known, key=lambda place: -rolls[place].multisets()):
            met = {other for link in inside if place in link.ends for other in link.ends} - {place}
            if met and met <= known:
                known.remove(place)
        yield tuple(sorted(known)), inside
        left -= group


def steps(rolls: Sequence[ScoredRoll], known: Sequence[int], links: Sequence[Link]) -> int:
    """About how many steps counting a part of an order takes; a part of one link is counted in closed form."""
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
    # Each link is told from the roll whose dice are not gone through, if it has one: its enemies are then all known.
    met: dict[int, list[Link]] = {}
    for link in links:
        met.setdefault(link.a if link.b is None or link.a not in known else link.b, []).append(link)
    parts = {(link, place): rolls[place].met_in(link, place) for link in links for place in link.ends}
    counts = Counter[int]()
    for case in product(*(list(rolls[place].ways()) for place in known)):
        dice = {place: scored for place, (scored, _) in zip(known, case, strict=True)}
        # In this case the rolls that are known are points: what they do to each other is one number, ``start``. All
        # others are independent of each other, so their sums convolve, from the ways in which the case comes about.
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
    """Ways for each net result of a roll that meets known ``dice`` only."""
    first = links[0]
    if len(links) == 1 and first.b is not None:
        enemy = next(end for end in first.ends if end != place)
        return parts[first, place].ways_against(parts[first, enemy], parts[first, enemy].seen(dice[enemy]))
    counts = Counter[int]()  # it meets several: one multiset of its dice decides all of them at once
    for scored, ways in roll.ways():
        counts[sum(comparison_result(parts, {**dice, place: scored}, link) for link in links)] += ways
    return dict(counts)


def comparison_result(parts: Mapping[tuple[Link, int], ScoredRoll], dice: Mapping[int, Dice], link: Link) -> int:
    """The net result of a comparison, or a Normal Roll, whose dice are all known."""
    (roll, mine), *others = ((part, part.seen(dice[place])) for place in link.ends for part in [parts[link, place]])
    if not others:
        return template_result(roll, None, ()) if roll.scores.unrolled else roll.signed_successes(mine, resolve.FAILURE)
    ((other, theirs),) = others
    if roll.scores.unrolled or other.scores.unrolled:
        return template_result(roll, other, theirs) if roll.scores.unrolled else template_result(other, roll, mine)
    return roll.signed_successes(mine, best_of(theirs)) + other.signed_successes(theirs, best_of(mine))


def comparison_ways(roll: ScoredRoll, other: ScoredRoll | None = None) -> dict[int, int]:
    """Count the ways of a comparison, or of a Normal Roll, whose dice are compared with nothing else."""
    signs, counts = {"a": roll.sign, "b": other.sign if other else 0, "nobody": 0}, Counter[int]()
    for (who, hits, crits), ways in outcomes(roll.scores, other.scores if other else None).weights.items():
        counts[signs[who] * (hits + crits)] += ways
    return dict(counts)

"""The other side's window: what it makes of dice that are not its own, before their owner acts."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from operator import sub

from bot.odds.xwing.changes import Dice, changed, total
from bot.odds.xwing.tables import Counts, Die, rolled
from bot.odds.xwing.window import Reroll, Window
from bot.odds.xwing.work import Work

Value = Callable[[Dice, int], int]
"""What dice are worth to the side that acts while their owner plays best: a mean times 8**power."""

Settled = Mapping[tuple[Dice, int], int]
"""The ways to each outcome, which are the dice, and the power of 8 by which these ways have still to be multiplied."""

Left = tuple[Reroll, ...]
"""The rerolls that are not used yet, sorted."""

Choice = tuple[int, Dice, Counts, Left]
"""A value, the dice that stay as they are, those that are rerolled, and the rerolls left after that."""


class Other:
    """The choices of one window on the other side's dice, so that the mean of ``value`` is as large as possible.

    Rerolls come before changes. Of equal values more dice are rerolled and more results changed, for these effects
    cost nothing; then the best results first. ``worse_is_worse`` says that a lower result, or none, is never worth more
    to the owner, so that a single kind of change is always used as often as it can be. ``any_set``: every set of dice
    is tried, also where rerolling the best of them is the policy.
    """

    def __init__(
        self, die: Die, window: Window, value: Value, worse_is_worse: bool, work: Work, *, any_set: bool = False
    ) -> None:
        self._die, self._window, self._value, self._work = die, window, value, work
        # With nothing else to do to single results the best ones are the ones to reroll.
        self._best_first = not (any_set or window.moves) and len({reroll.ranks for reroll in window.rerolls}) < 2
        self._use_all = worse_is_worse and len(window.moves) == 1
        self._choices: dict[tuple[Dice, int, Left], Choice] = {}
        self._settleds: dict[tuple[Dice, int, Left], Settled] = {}
        self._takes: dict[tuple[Counts, Left], list[tuple[Counts, Left]]] = {}

    def settled(self, dice: Dice, power: int) -> Settled:
        """How the dice may lie when the window closes; all ways together are 8**power."""
        if self._use_all and not self._window.rerolls:
            return {(next(self._changed(dice)), power): 1}
        return self._settled(dice, power, fit(self._window.rerolls, dice[0]))

    def _settled(self, dice: Dice, power: int, left: Left) -> Settled:
        key = dice, power, left
        if key not in self._settleds:
            _, kept, thrown, then = self._choice(dice, power, left)
            self._settleds[key] = self._thrown(kept, power, thrown, then) if any(thrown) else {(kept, power): 1}
        return self._settleds[key]

    def _thrown(self, kept: Dice, power: int, thrown: Counts, then: Left) -> Settled:
        """How the dice may lie when some have been rerolled and the window goes on."""
        ways: defaultdict[tuple[Dice, int], int] = defaultdict(int)
        for counts, count in rolled(self._die, sum(thrown)):
            outcomes = self._settled((kept[0], total(kept[1], counts)), power - sum(thrown), then)
            self._work.look(len(outcomes), 5)
            for outcome, some in outcomes.items():
                ways[outcome] += count * some
        return ways

    def _choice(self, dice: Dice, power: int, left: Left) -> Choice:
        key = dice, power, left
        if key not in self._choices:
            if (dice[0], left) not in self._takes:
                self._takes[dice[0], left] = takes(dice[0], left, self._best_first)
            tries = [self._reroll(dice, power, thrown, then) for thrown, then in self._takes[dice[0], left]]
            tries += [self._stop(after, power) for after in self._changed(dice)]
            self._choices[key] = max(tries, key=lambda choice: choice[0])
        return self._choices[key]

    def _changed(self, dice: Dice) -> Iterator[Dice]:
        """What may be worth trying when the rerolls are over."""
        ends = changed(dice, self._window.moves)
        return islice(ends, 1) if self._use_all else ends

    def _stop(self, dice: Dice, power: int) -> Choice:
        self._work.look(1, 12)
        return self._value(dice, power), dice, (), ()

    def _reroll(self, dice: Dice, power: int, thrown: Counts, then: Left) -> Choice:
        kept = tuple(map(sub, dice[0], thrown)), dice[1]
        power -= sum(thrown)
        outcomes = rolled(self._die, sum(thrown))
        self._work.look(len(outcomes), 3)
        value = sum(ways * self._choice((kept[0], total(kept[1], counts)), power, then)[0] for counts, ways in outcomes)
        return value, kept, thrown, then


def takes(fresh: Counts, left: Left, best_first: bool) -> list[tuple[Counts, Left]]:
    """The ways to use one of the rerolls: what is rerolled, and the rerolls left; the preferred ones first."""
    found = []
    for reroll in sorted(set(left), key=lambda one: (len(one.ranks), one)):
        others = list(left)
        others.remove(reroll)
        there = tuple(count if rank in reroll.ranks else 0 for rank, count in enumerate(fresh))
        for dice in range(1, reroll.most + 1):
            sets = subsets(there, dice)
            found += [
                (thrown, fit(tuple(others), tuple(map(sub, fresh, thrown))))
                for thrown in (sets[:1] if best_first else sets)
            ]
    return sorted(found, key=lambda take: (sum(take[0]), take[0][::-1]), reverse=True)


def fit(left: Left, fresh: Counts) -> Left:
    """The rerolls that may still matter: each cut to the dice that it can reroll, and no more of a kind than those."""
    kept: list[Reroll] = []
    for reroll in reversed(left):
        dice = sum(fresh[rank] for rank in reroll.ranks)
        if sum(other.ranks == reroll.ranks for other in kept) < dice:
            kept.append(Reroll(reroll.ranks, min(reroll.most, dice)))
    return tuple(sorted(kept))


def subsets(there: Counts, dice: int) -> list[Counts]:
    """All ways to take so many of the dice that are there, the best results first."""
    if not there:
        return [] if dice else [()]
    return [
        (*others, some) for some in range(min(dice, there[-1]), -1, -1) for others in subsets(there[:-1], dice - some)
    ]

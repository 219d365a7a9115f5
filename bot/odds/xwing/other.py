"""The other side's window: what it makes of dice that are not its own, before their owner acts."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from bot.odds.xwing.changes import Dice, changed, total
from bot.odds.xwing.search import Left
from bot.odds.xwing.tables import Counts, Die, rolled
from bot.odds.xwing.window import Window

Value = Callable[[Dice, int], int]
"""What dice are worth to the side that acts while their owner plays best: a mean times 8**power."""

Settled = Mapping[tuple[Dice, int], int]
"""The ways to each outcome, which are the dice, and the power of 8 by which these ways have still to be multiplied."""

Choice = tuple[int, Dice, Counts, Left]
"""A value, the dice that stay as they are, those that are rerolled, and the rerolls left after that."""


class Other:
    """The choices of one window on the other side's dice, so that the mean of ``value`` is as large as possible.

    The best dice are taken first, and rerolls come before changes. Of equal values more dice are rerolled and more
    results changed, for these effects cost nothing.
    """

    def __init__(self, die: Die, window: Window, value: Value) -> None:
        self._die, self._window, self._value = die, window, value
        self._choices: dict[tuple[Dice, int, Left], Choice] = {}

    def settled(self, dice: Dice, power: int) -> Settled:
        """How the dice may lie when the window closes; all ways together are 8**power."""
        return self._settled(dice, power, self._window.rerolls)

    def _settled(self, dice: Dice, power: int, left: Left) -> Settled:
        _, kept, thrown, then = self._choice(dice, power, left)
        if not any(thrown):
            return {(kept, power): 1}
        ways: defaultdict[tuple[Dice, int], int] = defaultdict(int)
        for counts, count in rolled(self._die, sum(thrown)):
            for outcome, some in self._settled((kept[0], total(kept[1], counts)), power - sum(thrown), then).items():
                ways[outcome] += count * some
        return ways

    def _choice(self, dice: Dice, power: int, left: Left) -> Choice:
        key = dice, power, left
        if key not in self._choices:
            tries = [self._reroll(dice, power, thrown, then) for thrown, then in takes(dice[0], left)]
            tries += [self._stop(after, power) for after in changed(dice, self._window.moves)]
            self._choices[key] = max(tries, key=lambda choice: choice[0])
        return self._choices[key]

    def _stop(self, dice: Dice, power: int) -> Choice:
        return self._value(dice, power), dice, (), ()

    def _reroll(self, dice: Dice, power: int, thrown: Counts, then: Left) -> Choice:
        kept = tuple(map(int.__sub__, dice[0], thrown)), dice[1]
        power -= sum(thrown)
        value = sum(
            ways * self._choice((kept[0], total(kept[1], counts)), power, then)[0]
            for counts, ways in rolled(self._die, sum(thrown))
        )
        return value, kept, thrown, then


def takes(fresh: Counts, left: Left) -> list[tuple[Counts, Left]]:
    """The ways to use one of the rerolls: what is rerolled, and the rerolls left; more dice before fewer."""
    found = []
    for index, reroll in enumerate(left):
        if reroll in left[:index]:
            continue
        for dice in range(1, min(reroll.most, sum(fresh[rank] for rank in reroll.ranks)) + 1):
            thrown, wanted = [0] * len(fresh), dice
            for rank in reroll.ranks:
                thrown[rank] = min(wanted, fresh[rank])
                wanted -= thrown[rank]
            found.append((tuple(thrown), left[:index] + left[index + 1 :]))
    return sorted(found, key=lambda take: -sum(take[0]))

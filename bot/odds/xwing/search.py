"""The search for the best rerolls of one's own dice (policy of the rules page; its trap is why there is a search).

It goes over how many blanks and focus results are fresh (may still be rerolled) or done, never over single dice.
Values are integers: a mean times 8 for each fresh die, so that all choices at one place share a scale.
"""

from collections.abc import Callable

from bot.odds.xwing.tables import BLANK, FOCUS, Die, thrown
from bot.odds.xwing.window import Reroll
from bot.odds.xwing.work import Work

Means = tuple[tuple[Reroll, ...], bool]
"""The free rerolls that are not used yet, sorted, and whether the lock is not."""

NOTHING: Means = ((), False)

Place = tuple[int, int, int, int, int, int]
"""Fresh blanks and focus results, done blanks and focus results, need, the number of the means left."""

Option = tuple[int, int, int]
"""Reroll so many fresh blanks and focus results, and the number of the means that are left then."""

Alike = Callable[[int, int], tuple[int, int]]
"""Fewer (blanks, focus results) that are as good as these when they are done, whatever the other dice show."""

Worth = Callable[[int, int, int], int]
"""What (blanks, focus results, need) are worth when the rerolls are over: tokens and changes used."""


class Search:
    """The choices of one window, so that the mean of ``worth`` is as large as possible.

    ``need`` falls by one with each new hit or evade, down to 0, where nothing is left to gain. With ``adds_up`` each
    new result is worth one instead, and ``need`` stays as it is. ``blanks_first`` says that a focus result is never
    worth less than a blank.
    """

    def __init__(
        self, die: Die, worth: Worth, alike: Alike, means: Means, work: Work, *, adds_up: bool, blanks_first: bool
    ) -> None:
        self._die, self._worth, self._alike, self._work = die, worth, alike, work
        self._adds_up, self._blanks_first = adds_up, blanks_first
        self._all_means = [NOTHING]
        self._numbers = {NOTHING: 0}
        self._first = self._number(means)
        self._choices: dict[Place, tuple[int, Option | None]] = {}
        self._options: dict[tuple[int, int, int], tuple[list[Option], list[Option]]] = {}
        self._worths: dict[tuple[int, int, int], int] = {}
        self._fitted: dict[tuple[int, int, int], int] = {}
        self._dones: dict[tuple[int, int], tuple[int, int]] = {}

    def place(self, blanks: int, focus: int, done_blanks: int, done_focus: int, need: int) -> Place:
        """Where a window begins; without any means all dice are done."""
        if not self._first:
            return 0, 0, *self.done(done_blanks + blanks, done_focus + focus), need, 0
        return blanks, focus, *self.done(done_blanks, done_focus), need, self._fit(self._first, blanks, focus)

    def done(self, blanks: int, focus: int) -> tuple[int, int]:
        """Done dice as a place counts them."""
        key = blanks, focus
        found = self._dones.get(key)
        if found is None:
            found = self._dones[key] = self._alike(*key)
        return found

    def choice(self, place: Place) -> tuple[int, Option | None]:
        """The value of a place and what to do there; None is to stop.

        Of equal values a free reroll goes before stopping, stopping before the lock, more dice before fewer; where the
        policy is silent, more blanks before fewer, then the effect that can do less.
        """
        found = self._choices.get(place)
        if found is None:
            found = self._choices[place] = self._choose(place)
        return found

    def _choose(self, place: Place) -> tuple[int, Option | None]:
        blanks, focus, _, _, need, left = place
        if not (need or self._adds_up):
            return 0, None
        free, locked = self._open(blanks, focus, left)
        tries: list[Option | None] = [*free, None, *locked]
        best, taken = self._value(place, tries[0]), tries[0]
        for option in tries[1:]:
            if not (best or self._adds_up):
                break  # nothing is left uncancelled
            value = self._value(place, option)
            if value > best:
                best, taken = value, option
        return best, taken

    def _value(self, place: Place, option: Option | None) -> int:
        """The value of a place if this is done there and the best after it."""
        blanks, focus, done_blanks, done_focus, need, _ = place
        if option is None:
            return self._worth_of(blanks + done_blanks, focus + done_focus, need) << 3 * (blanks + focus)
        blanks, focus, left = blanks - option[0], focus - option[1], option[2]
        scale, total = 3 * (blanks + focus), 0
        outcomes = thrown(self._die, option[0] + option[1])
        self._work.look(len(outcomes))
        for new_blanks, new_focus, results, ways in outcomes:
            then_need = need - results if need > results else 0
            if left:
                done = self.done(done_blanks + new_blanks, done_focus + new_focus)
                value = self.choice((blanks, focus, *done, then_need, left))[0]
            else:
                then_focus = focus + done_focus + new_focus
                value = self._worth_of(blanks + done_blanks + new_blanks, then_focus, then_need) << scale
            total += ways * (value + (results << scale) if self._adds_up else value)
        return total

    def _worth_of(self, blanks: int, focus: int, need: int) -> int:
        key = blanks, focus, need
        found = self._worths.get(key)
        if found is None:
            found = self._worths[key] = self._worth(*key)
        return found

    def _open(self, blanks: int, focus: int, left: int) -> tuple[list[Option], list[Option]]:
        """The free options, the preferred ones first, and those of the lock."""
        key = blanks, focus, left
        if key not in self._options:
            rerolls, lock = self._all_means[left]
            free: dict[tuple[tuple[int, ...], int, int], Option] = {}
            for reroll in sorted(set(rerolls), key=lambda one: (len(one.ranks), one)):
                others = list(rerolls)
                others.remove(reroll)
                then = self._number((tuple(others), lock))
                for taken in self._takes(reroll, blanks, focus):
                    free.setdefault((reroll.ranks, *taken), self._option(taken, blanks, focus, then))
            locked = []
            if lock:
                then = self._number((rerolls, False))
                everything = Reroll((BLANK, FOCUS), blanks + focus)
                locked = [self._option(taken, blanks, focus, then) for taken in self._takes(everything, blanks, focus)]
            self._options[key] = sorted(free.values(), key=preferred), sorted(locked, key=preferred)
        return self._options[key]

    def _takes(self, reroll: Reroll, blanks: int, focus: int) -> list[tuple[int, int]]:
        """The ways to choose at least one die for a reroll: (blanks, focus results)."""
        blanks = blanks if BLANK in reroll.ranks else 0
        focus = focus if FOCUS in reroll.ranks else 0
        most = min(reroll.most, blanks + focus)
        if self._blanks_first:  # and then a blank that may go along never stays
            least = min(blanks, most)
            return [(min(dice, blanks), dice - min(dice, blanks)) for dice in range(max(1, least), most + 1)]
        return [
            (some, dice - some)
            for dice in range(1, most + 1)
            for some in range(max(0, dice - focus), min(dice, blanks) + 1)
        ]

    def _option(self, taken: tuple[int, int], blanks: int, focus: int, left: int) -> Option:
        return *taken, self._fit(left, blanks - taken[0], focus - taken[1])

    def _fit(self, left: int, blanks: int, focus: int) -> int:
        """The means that may still matter: each cut to the fresh dice, and no more of a kind than there are dice.

        Whoever would use a smaller reroll can use a larger one, so only the largest are kept.
        """
        key = left, blanks, focus
        if key not in self._fitted:
            self._fitted[key] = self._number(self._cut(*key))
        return self._fitted[key]

    def _cut(self, left: int, blanks: int, focus: int) -> Means:
        rerolls, lock = self._all_means[left]
        kept: list[Reroll] = []
        for reroll in reversed(rerolls):
            dice = (blanks if BLANK in reroll.ranks else 0) + (focus if FOCUS in reroll.ranks else 0)
            if sum(other.ranks == reroll.ranks for other in kept) < dice:
                kept.append(Reroll(reroll.ranks, min(reroll.most, dice)))
        return tuple(sorted(kept)), lock and blanks + focus > 0

    def _number(self, means: Means) -> int:
        """A short name for means, so that a place is six numbers."""
        if means not in self._numbers:
            self._numbers[means] = len(self._all_means)
            self._all_means.append(means)
        return self._numbers[means]


def preferred(option: Option) -> tuple[int, int]:
    """More dice first, then more blanks; what is equal stays in its order."""
    return -option[0] - option[1], -option[0]

"""The search for the best rerolls of one's own dice (policy of the rules page; its trap is why there is a search).

It goes over how many blanks and focus results are fresh (may still be rerolled) or done, never over single dice.
Values are integers: a mean times 8 for each fresh die, so that all choices at one place share a scale.
"""

from collections.abc import Callable

from bot.odds.xwing.tables import BLANK, FOCUS, Die, thrown
from bot.odds.xwing.window import Reroll

Left = tuple[Reroll, ...]
"""The free rerolls that are not used yet, sorted."""

Place = tuple[int, int, int, int, int, Left, bool]
"""Fresh blanks and focus results, done blanks and focus results, need, free rerolls left, lock left."""

Option = tuple[int, int, Left, bool]
"""Reroll so many fresh blanks and focus results, and the rerolls and the lock that are left then."""

Worth = Callable[[int, int, int], int]
"""What (blanks, focus results, need) are worth when the rerolls are over: tokens and changes used."""


class Search:
    """The choices of one window, so that the mean of ``worth`` is as large as possible.

    ``need`` falls by one with each new hit or evade, down to 0, where nothing is left to gain. With ``adds_up`` each
    new result is worth one instead, and ``need`` stays as it is. ``blanks_count`` says that ``worth`` depends on
    blanks, ``blanks_first`` that a focus result is never worth less than a blank.
    """

    def __init__(self, die: Die, worth: Worth, *, adds_up: bool, blanks_count: bool, blanks_first: bool) -> None:
        self._die, self._worth = die, worth
        self._adds_up, self._blanks_count, self._blanks_first = adds_up, blanks_count, blanks_first
        self._choices: dict[Place, tuple[int, Option | None]] = {}
        self._options: dict[tuple[int, int, Left, bool], tuple[list[Option], list[Option]]] = {}

    def choice(self, place: Place) -> tuple[int, Option | None]:
        """The value of a place and what to do there; None is to stop.

        Of equal values a free reroll goes before stopping, stopping before the lock, more dice before fewer (and
        where the policy is silent more blanks before fewer, the smaller effect before the larger).
        """
        found = self._choices.get(place)
        if found is None:
            found = self._choices[place] = self._choose(place)
        return found

    def _choose(self, place: Place) -> tuple[int, Option | None]:
        blanks, focus, done_blanks, done_focus, need, left, lock = place
        if not (need or self._adds_up):
            return 0, None
        free, locked = self._open(blanks, focus, left, lock)
        tries: list[Option | None] = [*free, None, *locked]
        best, taken = self.value(place, tries[0]), tries[0]
        for option in tries[1:]:
            value = self.value(place, option)
            if value > best:
                best, taken = value, option
        return best, taken

    def value(self, place: Place, option: Option | None) -> int:
        """The value of a place if this is done there and the best after it."""
        blanks, focus, done_blanks, done_focus, need, _, _ = place
        if option is None:
            return self._worth(blanks + done_blanks, focus + done_focus, need) << 3 * (blanks + focus)
        reroll_blanks, reroll_focus, left, lock = option
        blanks, focus = blanks - reroll_blanks, focus - reroll_focus
        scale, total = 3 * (blanks + focus), 0
        for new_blanks, new_focus, results, ways in thrown(self._die, reroll_blanks + reroll_focus):
            then_blanks = done_blanks + new_blanks if self._blanks_count else 0
            then_need = need - results if need > results else 0
            if left or lock:
                value = self.choice((blanks, focus, then_blanks, done_focus + new_focus, then_need, left, lock))[0]
            else:
                value = self._worth(blanks + then_blanks, focus + done_focus + new_focus, then_need) << scale
            total += ways * (value + (results << scale) if self._adds_up else value)
        return total

    def _open(self, blanks: int, focus: int, left: Left, lock: bool) -> tuple[list[Option], list[Option]]:
        """The free options, the preferred ones first, and those of the lock."""
        key = blanks, focus, left, lock
        if key not in self._options:
            free: dict[tuple[tuple[int, ...], int, int], Option] = {}
            for index, reroll in enumerate(left):
                others = left[:index] + left[index + 1 :]
                for taken in self._takes(reroll, blanks, focus):
                    free.setdefault((reroll.ranks, *taken), rest(*taken, blanks, focus, others, lock))
            locked = [
                rest(*taken, blanks, focus, left, False)
                for taken in (self._takes(Reroll((BLANK, FOCUS), blanks + focus), blanks, focus) if lock else ())
            ]
            by_dice = lambda option: (-option[0] - option[1], -option[0])
            self._options[key] = sorted(free.values(), key=by_dice), sorted(locked, key=by_dice)
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


def rest(taken_blanks: int, taken_focus: int, blanks: int, focus: int, left: Left, lock: bool) -> Option:
    """An option with what is left after it."""
    blanks, focus = blanks - taken_blanks, focus - taken_focus
    return taken_blanks, taken_focus, fit(left, blanks, focus), lock and blanks + focus > 0


def fit(left: Left, blanks: int, focus: int) -> Left:
    """The rerolls that may still matter: each cut to the fresh dice, and no more of a kind than there are dice.

    Whoever would use a smaller one can use a larger one, so only the largest are kept.
    """
    kept: list[Reroll] = []
    for reroll in reversed(left):
        dice = (blanks if BLANK in reroll.ranks else 0) + (focus if FOCUS in reroll.ranks else 0)
        if sum(other.ranks == reroll.ranks for other in kept) < dice:
            kept.append(Reroll(reroll.ranks, min(reroll.most, dice)))
    return tuple(sorted(kept))

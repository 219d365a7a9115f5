"""One's own dice, played for an aim: the search from any place in the window, whatever the ends are worth.

Free rerolls and the lock come first, then free changes, then tokens, then changes of results: nothing is spent before
it is known what fell. Dice are told apart by what they show and whether they may still be rerolled.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import sub

from bot.odds.xwing.changes import Dice, changed, total
from bot.odds.xwing.other import Left, fit, takes
from bot.odds.xwing.score import Kept
from bot.odds.xwing.tables import BLANK, FOCUS, GREEN, RED, RESULT, Counts, rolled
from bot.odds.xwing.window import Reroll, own_window, ranks_of
from bot.odds.xwing.work import Work
from bot.rules.xwing.declared import LineUp, Pool

End = Callable[[Counts, Kept], int]
"""What final dice are worth, with the tokens left."""


class OwnWindow:
    """The best that a side with such a line-up can make of its dice; results up to ``top`` may be rerolled."""

    def __init__(self, pool: Pool, line: LineUp, end: End, work: Work, top: int = FOCUS) -> None:
        window = own_window(line.effects, pool)
        self._die, self._end, self._work = (RED if pool is Pool.RED else GREEN), end, work
        self._adds, self._ranks = window.adds, range(top + 1)
        self._rerolls = rerolls(line, pool, self._ranks)
        self._lock = line.lock if pool is Pool.RED else 0
        self._tokens = line.focus, line.calculate, line.force, line.evade if pool is Pool.GREEN else 0
        self._early = tuple(move for move in window.moves if move.ranks[0] < RESULT)
        self._late = tuple(move for move in window.moves if move.ranks[0] >= RESULT)
        self._bests: dict[tuple[Dice, Left, int], int] = {}
        self._stops: dict[tuple[Counts, int], int] = {}

    def value(self, dice: Dice, power: int) -> int:
        """What the dice are worth while the window is open, times 8**power; that is at least 8 for each fresh die."""
        fresh = total(dice[0], self._adds)
        best = self._best((fresh, dice[1]), fit(self._rerolls, fresh), self._lock)
        return best << 3 * (power - sum(fresh))

    def closed(self, dice: Dice, power: int) -> int:
        """What they are worth if the window closes now."""
        focus, calculate, force, evade = self._tokens
        return self._end(total(*dice), (focus, calculate, force, evade or self._lock)) << 3 * power

    def _best(self, dice: Dice, left: Left, lock: int) -> int:
        """The best of stopping and of each reroll, times 8 for each fresh die."""
        key = dice, left, lock
        if key not in self._bests:
            tries = [self._thrown(dice, thrown, then, lock) for thrown, then in takes(dice[0], left, False)]
            if lock:
                everything = Reroll(tuple(self._ranks), sum(dice[0]))
                tries += [
                    self._thrown(dice, thrown, fit(left, tuple(map(sub, dice[0], thrown))), 0)
                    for thrown, _ in takes(dice[0], (everything,), False)
                ]
            self._bests[key] = max([self._stop(total(*dice), lock) << 3 * sum(dice[0]), *tries])
        return self._bests[key]

    def _thrown(self, dice: Dice, thrown: Counts, left: Left, lock: int) -> int:
        kept, outcomes = tuple(map(sub, dice[0], thrown)), rolled(self._die, sum(thrown))
        self._work.look(len(outcomes))
        return sum(ways * self._best((kept, total(dice[1], counts)), left, lock) for counts, ways in outcomes)

    def _stop(self, counts: Counts, lock: int) -> int:
        """The best that changes and tokens can make of the dice."""
        key = counts, lock
        if key not in self._stops:
            ends = [self._end(after, (*kept[:3], kept[3] or lock)) for after, kept in self._ends(counts)]
            self._work.look(len(ends))
            self._stops[key] = max(ends)
        return self._stops[key]

    def _ends(self, counts: Counts) -> Iterator[tuple[Counts, Kept]]:
        nothing = (0,) * len(counts)
        for _, early in changed((nothing, counts), self._early):
            for paid, kept in self._paid(early):
                for _, late in changed((nothing, paid), self._late):
                    yield late, kept

    def _paid(self, counts: Counts) -> Iterator[tuple[Counts, Kept]]:
        """Every use of tokens that may be worth it: calculate goes before force, evades change blanks first."""
        focus, calculate, force, evade = self._tokens
        there = counts[FOCUS]
        charged = [
            (used, (focus, calculate - min(used, calculate), force - max(0, used - calculate)))
            for used in range(min(there, calculate + force) + 1)
        ]
        uses = [*charged, *([(there, (focus - 1, calculate, force))] if focus and there else [])]
        for used, kept in uses:
            for evades in range(min(evade, counts[BLANK] + there - used) + 1):
                blanks = min(evades, counts[BLANK])
                after = list(counts)
                after[BLANK] -= blanks
                after[FOCUS] -= used + evades - blanks
                after[RESULT] += used + evades
                yield tuple(after), (*kept, evade - evades)


def rerolls(line: LineUp, pool: Pool, of: Sequence[int]) -> Left:
    """The rerolls that cards of a side allow on a pool, as far as they are of the results ``of``."""
    found = [
        Reroll(tuple(rank for rank in ranks_of(effect) if rank in of), effect.most)
        for effect in line.effects
        if effect.pool is pool and effect.verb == "reroll"
    ]
    return tuple(sorted(reroll for reroll in found if reroll.ranks))

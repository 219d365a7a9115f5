"""The search for the best rerolls of one's own and the opponent's dice: states, actions, values (``SEARCH.md``). States
count fresh and done dice by result. Values are integers: an expected value times 8 per fresh die, so that all actions
in a state have the same scale (section 2).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, product
from operator import sub
from typing import Protocol

from bot.odds.xwing import dice as counted
from bot.odds.xwing.dice import BLANK, FOCUS, RESULT, Change, Counts, Dice, Die, Reroll, Stock, add_counts, rolls

RerollsLeft = tuple[tuple[Reroll, ...], bool]
"""Unused free rerolls, sorted, and whether the lock is unused."""

NO_REROLLS: RerollsLeft = ((), False)

SearchState = tuple[int, int, int, int, int, int]
"""Fresh blanks and focus results, done blanks and focus results, need, number of rerolls left."""

Action = tuple[int, int, int]
"""Fresh blanks and focus results to reroll, and the rerolls left then."""

Reduction = Callable[[int, int], tuple[int, int]]
"""Fewer (blanks, focus results) equivalent to these when done, whatever the other dice."""

End = Callable[[int, int, int], Counts]
"""Returns the dice from (blanks, focus results, need) after the rerolls."""


class RerollSearch:
    """The policy of a window on one's own dice: rerolls that maximize the mean of ``final_value``.

    Each new hit or evade lowers ``need`` by one, down to 0, where nothing can be gained. With ``adds_up`` each new
    result adds one instead, and ``need`` stays. ``blanks_first``: a focus result is never worse than a blank and every
    reroll takes both (section 5.3).
    """

    def __init__(
        self,
        die: Die,
        end: End,
        final_value: Callable[[int, int, int], int],
        reduction: Reduction,
        left: RerollsLeft,
        budget: counted.SearchBudget,
        *,
        adds_up: bool,
        blanks_first: bool,
    ) -> None:
        self._die, self._budget = die, budget
        self._end, self._final, self.reduced = end, cache(final_value), cache(reduction)
        self.best, self.ends = cache(self._choose), cache(self._endings)  # faster than ``remembered``
        self._adds_up, self._blanks_first = adds_up, blanks_first
        self._all_left = [NO_REROLLS]
        self._numbers = {NO_REROLLS: 0}
        self._first = self._number(left)

    def state(self, blanks: int, focus: int, done_blanks: int, done_focus: int, need: int) -> SearchState:
        """Return a window's initial state; without any reroll all dice are done."""
        if not self._first:
            return 0, 0, *self.reduced(done_blanks + blanks, done_focus + focus), need, 0
        useful = self._count_useful(self._first, blanks, focus)
        return blanks, focus, *self.reduced(done_blanks, done_focus), need, useful

    def _choose(self, state: SearchState) -> tuple[int, Action | None]:
        """Return a state's value and action; None is to stop. Ties: free reroll, stopping, the lock; more dice before
        fewer; where the policy is silent, more blanks, then the weaker effect.
        """
        blanks, focus, _, _, need, left = state
        if not (need or self._adds_up):
            return 0, None
        free, locked = self._actions(blanks, focus, left)
        # In the policy's order: the first of equal values wins.
        tries: list[Action | None] = [*free, None, *locked]
        best, taken = self._value(state, tries[0]), tries[0]
        for action in tries[1:]:
            if not (best or self._adds_up):
                break  # values are minus the uncanceled results: at most 0
            value = self._value(state, action)
            if value > best:
                best, taken = value, action
        return best, taken

    def _value(self, state: SearchState, action: Action | None) -> int:
        """Return a state's value after this action and optimal play, times 8**fresh (section 2)."""
        blanks, focus, done_blanks, done_focus, need, _ = state
        if action is None:
            return self._final(blanks + done_blanks, focus + done_focus, need) << 3 * (blanks + focus)
        blanks, focus, left = blanks - action[0], focus - action[1], action[2]
        scale, total = 3 * (blanks + focus), 0
        outcomes = counted.rolls_without_crits(self._die, action[0] + action[1])
        self._budget.spend(len(outcomes))
        for new_blanks, new_focus, results, ways in outcomes:
            then_need = need - results if need > results else 0
            if left:
                done = self.reduced(done_blanks + new_blanks, done_focus + new_focus)
                value = self.best((blanks, focus, *done, then_need, left))[0]
            else:
                # After the last reroll only stopping follows: these states, the most of all, need no cache entry.
                then_focus = focus + done_focus + new_focus
                value = self._final(blanks + done_blanks + new_blanks, then_focus, then_need) << scale
            total += ways * (value + (results << scale) if self._adds_up else value)
        return total

    def _endings(self, state: SearchState) -> Mapping[Counts, int]:
        """Return the window's ends from a state with their ways: 8 to the number of fresh dice in all. The search
        stores values, not the many ends: these are found along the best actions only. With ``adds_up`` new hits and
        crits are added to each.
        """
        blanks, focus, done_blanks, done_focus, need, _ = state
        action = self.best(state)[1]
        if action is None:
            return {self._end(blanks + done_blanks, focus + done_focus, need): 1 << 3 * (blanks + focus)}
        ways: defaultdict[Counts, int] = defaultdict(int)
        blanks, focus, left = blanks - action[0], focus - action[1], action[2]
        for counts, count in rolls(self._die, action[0] + action[1]):
            done = self.reduced(done_blanks + counts[BLANK], done_focus + counts[FOCUS])
            then_need = need - counts[RESULT] if need > counts[RESULT] else 0
            ends = self.ends((blanks, focus, *done, then_need, left))
            self._budget.spend(len(ends), 2 if self._adds_up else 1)
            if self._adds_up:
                hits, crits = counts[RESULT], counts[counted.CRIT]
                for end, some in ends.items():
                    ways[end[0], end[1], end[2] + hits, end[3] + crits] += count * some
            else:
                for end, some in ends.items():
                    ways[end] += count * some
        return ways

    @counted.memoized_method
    def _actions(self, blanks: int, focus: int, left: int) -> tuple[list[Action], list[Action]]:
        """Return the free actions, preferred ones first, and the lock's."""
        rerolls, lock = self._all_left[left]
        free: dict[tuple[tuple[int, ...], int, int], Action] = {}
        # Of two rerolls that may take the same dice, use the smaller one: keeping the larger one allows everything the
        # other
        # would.
        for reroll, others in distinct_rerolls(rerolls):
            then = self._number((others, lock))
            for taken in self._selections(reroll, blanks, focus):
                free.setdefault((reroll.ranks, *taken), self._action(taken, blanks, focus, then))
        everything, then = Reroll((BLANK, FOCUS), blanks + focus if lock else 0), self._number((rerolls, False))
        locked = [self._action(taken, blanks, focus, then) for taken in self._selections(everything, blanks, focus)]
        return sorted(free.values(), key=preference), sorted(locked, key=preference)

    def _selections(self, reroll: Reroll, blanks: int, focus: int) -> list[tuple[int, int]]:
        """Return the nonempty selections for a reroll: (blanks, focus results)."""
        blanks = blanks if BLANK in reroll.ranks else 0
        focus = focus if FOCUS in reroll.ranks else 0
        most = min(reroll.most, blanks + focus)
        if self._blanks_first:  # then a rerollable blank never stays
            least = min(blanks, most)
            return [(min(dice, blanks), dice - min(dice, blanks)) for dice in range(max(1, least), most + 1)]
        return [
            (some, dice - some)
            for dice in range(1, most + 1)
            for some in range(max(0, dice - focus), min(dice, blanks) + 1)
        ]

    def _action(self, taken: tuple[int, int], blanks: int, focus: int, left: int) -> Action:
        return *taken, self._count_useful(left, blanks - taken[0], focus - taken[1])

    @counted.memoized_method
    def _count_useful(self, left: int, blanks: int, focus: int) -> int:
        """Return the number of rerolls that may still matter (section 5.4)."""
        rerolls, lock = self._all_left[left]
        return self._number((useful_rerolls(rerolls, (blanks, focus)), lock and blanks + focus > 0))

    def _number(self, left: RerollsLeft) -> int:
        """Return an id of the remaining rerolls, so that a state is six small integers."""
        if left not in self._numbers:
            self._numbers[left] = len(self._all_left)
            self._all_left.append(left)
        return self._numbers[left]


def preference(action: Action) -> tuple[int, int]:
    """More dice first, then more blanks; what is equal stays in its order."""
    return -action[0] - action[1], -action[0]


Value = Callable[[Dice, int, Stock], int]
"""The value of dice and stock to the acting side under the owner's best play: a mean times 8**exponent."""

DiceOutcomes = Mapping[tuple[Dice, int, Stock], int]
"""Ways of each (dice, exponent, stock left), still to be multiplied by 8**exponent."""

Rerolls = tuple[Reroll, ...]
"""The unused rerolls, sorted."""

Choice = tuple[int, Dice, Counts, Rerolls, Stock]
"""A value, the kept and the rerolled dice, and the remaining rerolls and stock."""


class DiceOwner(Protocol):
    """The dice owner's following window, as the search of the other side's window needs it.

    ``is_monotone``: a lower result, or none, is never better for the owner. ``has_rerolls``: the owner may reroll,
    so fresh dice matter.
    """

    @property
    def is_monotone(self) -> bool: ...

    @property
    def has_rerolls(self) -> bool: ...


class OpponentWindow:
    """The policy of a window on the opponent's dice: choices that maximize the mean of ``value``.

    Rerolls precede changes. Ties: more rerolls and changes, which are free; then the best results first. For a monotone
    owner, a single kind of change is always used as often as possible, on done dice first (section 5.5). ``any_set``:
    every set of dice is tried, even if the policy rerolls the best. Without ``effects`` the window closes at once.
    """

    def __init__(
        self,
        die: Die,
        effects: counted.FreeEffects,
        value: Value,
        owner: DiceOwner,
        budget: counted.SearchBudget,
        *,
        any_set: bool = False,
    ) -> None:
        self._die, self._effects, self._value, self._budget = die, effects, value, budget
        # With no other effects on single results, reroll the best ones (section 5.5).
        kinds = {reroll.ranks for reroll in effects.rerolls}
        exact = any(reroll.exactly for reroll in effects.rerolls)
        self._best_first = not (any_set or effects.changes or exact or effects.names) and len(kinds) < 2
        single = len(effects.changes) == 1 and len(effects.changes[0].olds) == 1
        self._priced = bool(effects.names)
        self._use_all = owner.is_monotone and single and not self._priced
        self._any_die = owner.has_rerolls and (any_set or not owner.is_monotone)

    def distribution(self, dice: Dice, exponent: int) -> DiceOutcomes:
        """Return the window's final dice; all ways add up to 8**exponent."""
        if not self._effects:
            return {(dice, exponent, ()): 1}
        if self._use_all and not self._effects.rerolls:
            return {(next(self._after_changes(dice, ()))[0], exponent, ()): 1}
        return self._outcomes(dice, exponent, self._useful_rerolls(self._effects.rerolls, dice[0]), self._effects.stock)

    def after_fall(
        self, starts: Iterable[tuple[Counts, int]], exponent: int
    ) -> Iterator[tuple[tuple[Dice, int, Stock], int]]:
        """Yield the dice after freshly rolled ones, with the number of ways of each."""
        nothing = (0,) * len(self._die)
        if not self._effects:
            yield from ((((counts, nothing), exponent, ()), ways) for counts, ways in starts)
            return
        for counts, ways in starts:
            for outcome, more in self.distribution((counts, nothing), exponent).items():
                yield outcome, ways * more

    def _useful_rerolls(self, left: Rerolls, fresh: Counts) -> Rerolls:
        return left if self._priced else useful_rerolls(left, fresh)

    @counted.memoized_method
    def _outcomes(self, dice: Dice, exponent: int, left: Rerolls, stock: Stock) -> DiceOutcomes:
        _, kept, rerolled, then, rest = self._choice(dice, exponent, left, stock)
        if not any(rerolled):
            return {(kept, exponent, rest): 1}
        ways: defaultdict[tuple[Dice, int, Stock], int] = defaultdict(int)
        for counts, count in rolls(self._die, sum(rerolled)):
            outcomes = self._outcomes((kept[0], add_counts(kept[1], counts)), exponent - sum(rerolled), then, rest)
            self._budget.spend(len(outcomes), 5)
            for outcome, some in outcomes.items():
                ways[outcome] += count * some
        return ways

    @counted.memoized_method
    def _choice(self, dice: Dice, exponent: int, left: Rerolls, stock: Stock) -> Choice:
        # Tries are in the policy's order: free rerolls of more dice, then to stop, with more changes first, then priced
        # ones,
        # the cheaper first. ``max`` keeps the first of equal values.
        rerolls = [
            (self._reroll(dice, exponent, rerolled, then, rest), bool(used.cost))
            for used, rerolled, then, rest in self._rerolls(dice[0], left, stock)
        ]
        tries = [choice for choice, is_priced in rerolls if not is_priced]
        tries += [self._stop(after, exponent, rest) for after, rest in self._after_changes(dice, stock)]
        tries += [choice for choice, is_priced in rerolls if is_priced]
        return max(tries, key=lambda choice: choice[0])

    def _after_changes(self, dice: Dice, stock: Stock) -> Iterator[tuple[Dice, Stock]]:
        """Yield the changes to try after the rerolls, and the remaining stock."""
        for changes, rest in self._payable(stock):
            ends = counted.after_changes(dice, changes, any_die=self._any_die)
            yield from ((end, rest) for end in (islice(ends, 1) if self._use_all else ends))

    @counted.memoized_method
    def _payable(self, stock: Stock) -> list[tuple[tuple[Change, ...], Stock]]:
        """Return the jointly affordable changes, cheapest first, and the remaining stock."""
        every = self._effects.changes
        if not self._priced:
            return [(every, stock)]
        result = dict[tuple[Change, ...], Stock]()
        for wanted in product(*((False, True) if change.cost else (True,) for change in every)):
            chosen = tuple(change for change, is_wanted in zip(every, wanted, strict=True) if is_wanted)
            rest = subtract_cost(stock, [part for change in chosen for part in change.cost])
            if min(rest, default=0) >= 0:
                result[chosen] = rest
        return sorted(result.items(), key=lambda item: -sum(item[1]))

    def _stop(self, dice: Dice, exponent: int, stock: Stock) -> Choice:
        self._budget.spend(1, 12)  # the search of the owner's whole window
        return self._value(dice, exponent, stock), dice, (), (), stock

    def _reroll(self, dice: Dice, exponent: int, rerolled: Counts, then: Rerolls, stock: Stock) -> Choice:
        fresh, done = kept = tuple(map(sub, dice[0], rerolled)), dice[1]
        # A rerolled die is done: its factor of 8 moves from the exponent to the ways of its outcomes.
        exponent -= sum(rerolled)
        outcomes = rolls(self._die, sum(rerolled))
        self._budget.spend(len(outcomes), 3)
        fallen = (((fresh, add_counts(done, counts)), ways) for counts, ways in outcomes)
        value = sum(ways * self._choice(after, exponent, then, stock)[0] for after, ways in fallen)
        return value, kept, rerolled, then, stock

    @counted.memoized_method
    def _rerolls(self, fresh: Counts, left: Rerolls, stock: Stock) -> list[tuple[Reroll, Counts, Rerolls, Stock]]:
        """Return the uses of one reroll, preferred first: which, dice, and remaining rerolls and stock."""
        result = []
        for reroll, others in distinct_rerolls(left):
            rest = subtract_cost(stock, reroll.cost)
            if min(rest, default=0) < 0:
                continue
            there = tuple(count if rank in reroll.ranks else 0 for rank, count in enumerate(fresh))
            for dice in range(min(reroll.least, sum(there)) or 1, reroll.most + 1):
                sets = selections(there, dice)[: 1 if self._best_first else None]
                for taken in sets:
                    then = self._useful_rerolls(others, tuple(map(sub, fresh, taken)))
                    result.append((reroll, taken, then, rest))
        return sorted(result, key=lambda take: (sum(take[1]), take[1][::-1]), reverse=True)


def subtract_cost(stock: Stock, cost: Iterable[tuple[int, int]]) -> Stock:
    """Subtract a cost; negative if it cannot be paid."""
    after = list(stock)
    for slot, count in cost:
        after[slot] -= count
    return tuple(after)


def distinct_rerolls(rerolls: Rerolls) -> Iterator[tuple[Reroll, Rerolls]]:
    """Yield each distinct reroll, weaker ones first, and the others."""
    for reroll in sorted(set(rerolls), key=lambda item: (len(item.ranks), item)):
        at = rerolls.index(reroll)
        yield reroll, rerolls[:at] + rerolls[at + 1 :]


def useful_rerolls(left: Rerolls, fresh: Counts) -> Rerolls:
    """Return the rerolls that may still matter (section 5.4): each limited to its dice, no more of a kind than dice."""
    kept: list[Reroll] = []
    for reroll in reversed(left):
        dice = sum(fresh[rank] for rank in reroll.ranks)
        if sum(other.ranks == reroll.ranks for other in kept) < dice:
            kept.append(Reroll(reroll.ranks, min(reroll.most, dice), reroll.exactly))
    return tuple(sorted(kept))


@lru_cache(maxsize=1024)
def selections(there: Counts, dice: int) -> tuple[Counts, ...]:
    """Return all ways to take this many of the available dice, best results first."""
    if not there:
        return () if dice else ((),)
    return tuple(
        (*others, some)
        for some in range(min(dice, there[-1]), -1, -1)
        for others in selections(there[:-1], dice - some)
    )

"""The window on one's own dice, with any tokens and cards (``SEARCH.md``, section 9). Tokens come from the rules'
table, cards as effects. Costs are in one tuple, so that options competing for a token are searched together.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from operator import sub
from typing import Final, NamedTuple

from bot.odds.xwing import dice as counted
from bot.odds.xwing.dice import BLANK, FOCUS, RANK, RESULT, Counts, Dice, add_counts, new_rank, ranks_of, rolls
from bot.odds.xwing.search import selections
from bot.rules.game import Side
from bot.rules.xwing.dice.conditions import INSTEAD_OF_LOCK, LOCKED, EffectCondition, InWindow, all_hold
from bot.rules.xwing.dice.costs import Spendable, SpentResult
from bot.rules.xwing.dice.declared import EACH, NO_DEFENSE, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.dice.modify import FREE, PoolLimits
from bot.rules.xwing.dice.tokens import KEPT_FIRST, SPENT, TOKENS

Left = tuple[int, ...]
"""A side's resources by slot: tokens as in ``SPENT``, stock, and dice it may still reroll or focus results modify."""
Cost = tuple[tuple[int, int], ...]
"""(slot, count) of each payment."""

UNLIMITED: Final = EACH


class RerollStep(NamedTuple):
    """A reroll of up to ``most`` dice of ``ranks``. Of equal choices: free ones, stopping, then those with ``cost``."""

    ranks: tuple[int, ...]
    most: int
    exactly: bool
    cost: Cost
    given: tuple[EffectCondition, ...]
    lock: bool
    each: bool = False
    """The cost is per die."""

    def price(self, dice: int) -> Cost:
        return tuple((slot, count * dice) for slot, count in self.cost) if self.each else self.cost


class ChangeStep(NamedTuple):
    """Up to ``most`` results of ``olds`` become ``new`` per use; there are ``uses``. Without ``olds``, ``most`` results
    ``new`` are added. ``more``: extra ``new`` results per use.
    """

    olds: tuple[int, ...]
    new: int
    most: int
    uses: int
    cost: Cost
    given: tuple[EffectCondition, ...]
    more: int = 0


State = tuple[Dice, Left, tuple[RerollStep, ...]]
Action = tuple[Counts, RerollStep]
End = Callable[[Counts, Left], int]
"""The value of final dice, with the resources left."""
Ends = Mapping[tuple[Counts, Left], int]
"""Ways to each end."""


class OwnWindow:
    """A side's optimal play with its own dice.

    Rerolls come first, then changes and tokens: nothing is spent before the dice are known. ``end``: an end's value;
    ties go to the largest ``prefer``. Results up to ``top`` may be rerolled.

    The mean of ``end`` is maximized. A state contains all that matters: rerolls, changes, and prices read counts of
    results, resource slots, and unused rerolls, never the history.
    """

    is_monotone = False
    """False: a side may have a use for a lower result."""

    def __init__(
        self,
        side: Side,
        line: LineUp,
        end: End,
        budget: counted.SearchBudget,
        *,
        enemy: LineUp = NO_DEFENSE,
        limits: PoolLimits = FREE,
        top: int = FOCUS,
        prefer: Callable[[Counts, Left], tuple[int, ...]] | None = None,
    ) -> None:
        pool = OWN_POOL[side]
        self._die, self._end, self._budget, self._prefer = DICE[pool], end, budget, prefer
        self._names = slots(side, line)
        allowed = (UNLIMITED if item is None else item for item in (limits.rerolls, limits.focus))
        self.left: Left = (*map(line.has, self._names), *allowed)
        self._side, self._lines = side, {item: line if item is side else enemy for item in Side}
        means = DiceMeans(side, line, limits, self._names, top)
        self.adds, self._throws, self._turns = means.adds, means.throws, means.turns
        self.has_rerolls = bool(self._throws)
        # Tokens only decrease: without conditions on them, uses go in the order of results.
        asked = (given for turn in self._turns for given in turn.given if given != LOCKED)
        self._any_order = any(given.asks_tokens(side) for given in asked)

    def value(self, dice: Dice, exponent: int) -> int:
        """Return the value of dice in the open window, times 8**exponent; the maximum of fresh dice."""
        state = self._begin(dice)
        return self._best_action(state)[0] << 3 * (exponent - sum(state[0][0]))

    def value_if_closed(self, dice: Dice, exponent: int) -> int:
        return self._end(add_counts(*dice), self.left) << 3 * exponent

    def distribution(self, dice: Dice, exponent: int) -> Iterator[tuple[tuple[Counts, Left], int]]:
        """Yield the window's final dice and resources with their ways: 8**exponent in all."""
        state = self._begin(dice)
        scale = 3 * (exponent - sum(state[0][0]))
        return ((end, ways << scale) for end, ways in self._endings(state).items())

    def _begin(self, dice: Dice) -> State:
        fresh = add_counts(dice[0], self.adds)
        if not self._throws:  # then fresh and done are equivalent (section 5.5)
            return ((0,) * len(fresh), add_counts(fresh, dice[1])), self.left, ()
        return (fresh, dice[1]), self.left, self._useful_rerolls((fresh, dice[1]), self.left, self._throws)

    @counted.memoized_method
    def _endings(self, state: State) -> Ends:
        """Return the window's ends from a state; the ways add up to 8 to the number of fresh dice."""
        action = self._best_action(state)[1]
        if action is None:
            _, counts, left = self._stop(add_counts(*state[0]), state[1])
            return {(counts, left): 1 << 3 * sum(state[0][0])}  # whatever unrolled fresh dice would have shown
        result: defaultdict[tuple[Counts, Left], int] = defaultdict(int)
        for after, ways in self._states_after(state, *action):
            law = self._endings(after)
            self._budget.spend(len(law), 8)
            for end, more in law.items():
                result[end] += ways * more
        return result

    @counted.memoized_method
    def _best_action(self, state: State) -> tuple[int, Action | None]:
        """Return a state's value times 8 per fresh die, and the action; None is to stop."""
        (fresh, done), left, _ = state
        best: tuple[int, Action | None] = self._stop(add_counts(fresh, done), left)[0] << 3 * sum(fresh), None
        for action in self._actions(state):
            value = sum(ways * self._best_action(after)[0] for after, ways in self._states_after(state, *action))
            # Actions are in the policy's order, so an equal value only replaces stopping, and only if free.
            if value > best[0] or (value == best[0] and best[1] is None and not action[1].cost):
                best = value, action
        return best

    def _actions(self, state: State) -> list[Action]:
        """Return every reroll: free ones first, more dice before fewer, then more blanks."""
        (fresh, done), left, throws = state
        every, result = add_counts(fresh, done), list[Action]()
        # Equal rerolls are tried once. "Blanks first" and "the largest first" (sections 5.3 and 5.4) would fail here:
        # prices
        # differ, and a blank may be worth more than a focus result if something changes blanks.
        for throw in (reroll for reroll in dict.fromkeys(throws) if self._is_usable(reroll.given, every, left)):
            there = tuple(count if rank in throw.ranks else 0 for rank, count in enumerate(fresh))
            most = min(throw.most, sum(there), left[REROLLED])
            most = min([most, *(left[slot] // count for slot, count in throw.cost)]) if throw.each else most
            for dice in range(most if throw.exactly else 1, most + 1):
                result += [(taken, throw) for taken in selections(there, dice) if taken[FOCUS] <= left[MODIFIED]]
        return sorted(result, key=lambda item: (bool(item[1].cost), -sum(item[0]), [-count for count in item[0]]))

    def _states_after(self, state: State, taken: Counts, throw: RerollStep) -> Iterator[tuple[State, int]]:
        (fresh, done), left, throws = state
        if throw.lock:
            fresh = self._change_while_locked(fresh, taken)
        kept, count = tuple(map(sub, fresh, taken)), sum(taken)
        then = subtract_cost(left, (*throw.price(count), (REROLLED, count), (MODIFIED, taken[FOCUS])))
        others = list(throws)
        others.remove(throw)
        others = [other for other in others if not excludes(throw, other)]
        outcomes = rolls(self._die, count)
        self._budget.spend(len(outcomes), 8)
        for fallen, ways in outcomes:
            dice = kept, add_counts(done, fallen)
            yield (dice, then, self._useful_rerolls(dice, then, others)), ways

    def _change_while_locked(self, fresh: Counts, taken: Counts) -> Counts:
        """Apply changes that require the lock before it is spent, to dice that aren't rerolled."""
        for turn in self._turns:
            if LOCKED in turn.given and not turn.cost:
                for old in turn.olds:
                    moved = min(turn.most, fresh[old] - taken[old])
                    fresh = tuple(
                        count - moved * (rank == old) + moved * (rank == turn.new) for rank, count in enumerate(fresh)
                    )
        return fresh

    def _useful_rerolls(
        self, dice: Dice, left: Left, throws: "tuple[RerollStep, ...] | list[RerollStep]"
    ) -> tuple[RerollStep, ...]:
        """Return the rerolls that may still happen: affordable, with dice to reroll. States that differ only in others
        are merged. That is safe: during rerolls, fresh dice, tokens, and locks only decrease. Conditions on dice may
        become true later, so they are checked there.
        """
        return tuple(
            throw
            for throw in throws
            if left[REROLLED] > 0
            and any(dice[0][rank] for rank in throw.ranks)
            and all(left[slot] >= count for slot, count in throw.cost)
        )

    def _is_usable(self, givens: tuple[EffectCondition, ...], counts: Counts, left: Left) -> bool:
        """Whether a use's conditions are met now."""
        if not givens:
            return True
        held = self._lines[self._side].with_tokens(dict(zip(self._names, left, strict=False)))
        lines = {**self._lines, self._side: held}
        dice = sum(counts)
        return all_hold(givens, InWindow(lines[Side.ATTACKER], lines[Side.DEFENDER], dice, counts[BLANK]))

    @counted.memoized_method
    def _stop(self, counts: Counts, left: Left) -> tuple[int, Counts, Left]:
        """Return the best use of changes and tokens: value, dice, resources."""
        # Changes are deterministic: their best use is a maximum, not a mean, and computed once per dice and resources,
        # however
        # many rerolls lead there.
        ends = self._ends(counts, left)
        self._budget.spend(len(ends), 4)
        values = ((self._end(*end), self._prefer(*end) if self._prefer else (), end) for end in ends)
        value, _, end = max(values, key=lambda item: item[:2])
        return value, *end

    def _ends(self, counts: Counts, left: Left) -> list[tuple[Counts, Left]]:
        """Return all possible results of changes on the dice."""
        # A change turns a lower result into a higher one. If one feeds another, its new result is an old one of the
        # other and
        # lower than the other's new one; otherwise they commute, for prices only add up. So one pass in the order of
        # new
        # results finds all. Equal intermediate ends are merged.
        if self._any_order:
            return self._orders_with_tokens(counts, left)
        result = {(counts, left): None}
        for turn in self._turns:
            result = {end: None for before in result for end, _ in self._after_changes(turn, turn.uses, *before)}
        return list(result)

    def _orders_with_tokens(self, counts: Counts, left: Left) -> list[tuple[Counts, Left]]:
        """Order the uses if one requires tokens that another spends."""
        result = {(counts, left, tuple(turn.uses for turn in self._turns)): None}
        waiting = list(result)
        while waiting:
            before, held, uses = waiting.pop()
            for at, turn in enumerate(self._turns):
                for (after, then), used in self._after_changes(turn, uses[at], before, held):
                    end = after, then, (*uses[:at], uses[at] - used, *uses[at + 1 :])
                    if end not in result:
                        result[end] = None
                        waiting.append(end)
                        self._budget.spend(1)
        return list(dict.fromkeys((after, then) for after, then, _ in result))

    def _after_changes(
        self, turn: ChangeStep, uses: int, counts: Counts, left: Left
    ) -> Iterator[tuple[tuple[Counts, Left], int]]:
        """Yield the dice after each number of uses of one option, including none."""
        yield (counts, left), 0
        if not self._is_usable(turn.given, counts, left):
            return
        uses = min([uses, *(left[slot] // count for slot, count in turn.cost)])
        if not turn.olds and uses:
            added = tuple(count + turn.most * (rank == turn.new) for rank, count in enumerate(counts))
            yield (added, subtract_cost(left, turn.cost)), 1
        there = tuple(counts[old] for old in turn.olds)
        most = min(turn.most * uses, sum(there))
        for taken in (selection for count in range(1, most + 1) for selection in selections(there, count)):
            used = -(-sum(taken) // turn.most)  # the fewest uses for that many changes
            modified = sum(count for old, count in zip(turn.olds, taken, strict=True) if old == FOCUS)
            if modified > left[MODIFIED]:
                continue
            after = list(counts)
            for old, count in zip(turn.olds, taken, strict=True):
                after[old] -= count
            after[turn.new] += sum(taken) + turn.more * used
            spent = tuple((slot, count * used) for slot, count in turn.cost)
            yield (tuple(after), subtract_cost(left, (*spent, (MODIFIED, modified)))), used


REROLLED, MODIFIED = -2, -1
"""The last two slots: rerollable dice, and modifiable focus results."""
DICE: Final = {Pool.RED: counted.RED_DIE, Pool.GREEN: counted.GREEN_DIE}


def slots(side: Side, line: LineUp) -> tuple[Spendable, ...]:
    """Return the slots' contents, without the last two."""
    named: list[Spendable] = [*SPENT[side], *(what for what, _ in line.stock)]
    named += [what for effect in line.effects for what, _ in effect.cost if not isinstance(what, SpentResult)]
    return tuple(dict.fromkeys(named))


SPENT_LAST: Final = {side: tuple(SPENT[side].index(name) for name in KEPT_FIRST[side]) for side in Side}
"""The slots of tokens that the policy keeps longest, in that order."""


def kept_order(side: Side, left: Left) -> tuple[int, ...]:
    """Return a sort key of resources: tokens, then those that the policy spends last, then all."""
    tokens = left[: len(SPENT[side])]
    return (sum(tokens), *[tokens[at] for at in SPENT_LAST[side]], sum(left[len(tokens) : REROLLED]))


def subtract_cost(left: Left, cost: Cost) -> Left:
    """Return what is left after a cost; unlimited resources stay unlimited."""
    after = list(left)
    for slot, count in cost:
        if slot >= 0 or after[slot] < UNLIMITED:
            after[slot] -= count
    return tuple(after)


def excludes(used: RerollStep, other: RerollStep) -> bool:
    """Whether a reroll can't follow another: a substitute for the lock, and the lock."""
    return (used.lock and INSTEAD_OF_LOCK in other.given) or (INSTEAD_OF_LOCK in used.given and other.lock)


class DiceMeans:
    """A side's options for its own dice: added results, rerolls, and changes in order of use."""

    def __init__(self, side: Side, line: LineUp, limits: PoolLimits, names: tuple[Spendable, ...], top: int) -> None:
        self._pool, self._names, self._top = OWN_POOL[side], names, top
        self._adds = [0] * len(self._pool.results)
        mine = (effect for effect in line.effects if effect.pool is self._pool and not (effect.when or effect.ask))
        of_cards = (self._of_effect(effect) for effect in mine if limits.lets_act(effect))
        result = (*(item for item in of_cards if item is not None), *self._of_tokens(side, line, limits))
        turns = [item for item in result if isinstance(item, ChangeStep)]
        self.adds: Counts = tuple(self._adds)
        self.throws = () if limits.rerolls == 0 else tuple(item for item in result if isinstance(item, RerollStep))
        # Blank-to-focus changes precede focus changes, and crits come last.
        self.turns = tuple(sorted(turns, key=lambda turn: (turn.new, bool(turn.cost), turn.olds)))

    def _of_effect(self, effect: DiceEffect) -> RerollStep | ChangeStep | None:
        """Return the option from one effect; results added for free are counted in ``adds`` at once."""
        spent = tuple(RANK[what.face] for what, _ in effect.cost if isinstance(what, SpentResult))
        cost = tuple((self._names.index(what), count) for what, count in effect.cost if what in self._names)
        new, most, given, ranks = new_rank(effect), effect.most, effect.given, ranks_of(effect)
        match effect.verb:
            case "add" if spent:  # a spent one becomes the first, the others are added
                return ChangeStep(spent, new, 1, 1, cost, given, most - 1)
            case "add" if cost:
                return ChangeStep((), new, most, 1, cost, given)
            case "add":
                self._adds[new] += most
            case "reroll" if not spent and (taken := ranks_up_to(ranks, UNLIMITED if effect.exactly else self._top)):
                return RerollStep(taken, min(most, UNLIMITED), effect.exactly, cost, given, False, effect.each)
            case "change" if not spent and (taken := ranks_up_to(ranks, new - 1)):
                return ChangeStep(taken, new, most, 1, cost, given)
        return None

    def _of_tokens(self, side: Side, line: LineUp, limits: PoolLimits) -> Iterator[RerollStep | ChangeStep]:
        for name in (item for item in SPENT[side] if line.has(item) and limits.modify and item not in limits.barred):
            cost: Cost = ((self._names.index(name), 1),)
            if TOKENS[name].rerolls:
                yield from [RerollStep(tuple(range(self._top + 1)), UNLIMITED, False, cost, (), True)] * line.has(name)
            else:
                olds = tuple(RANK[face] for face in TOKENS[name].turns)
                yield ChangeStep(olds, RESULT, UNLIMITED if TOKENS[name].turns_all else 1, line.has(name), cost, ())


def ranks_up_to(ranks: tuple[int, ...], top: int) -> tuple[int, ...]:
    """Return the ranks that are no better than ``top``."""
    return tuple(rank for rank in ranks if rank <= top)


def is_simple(side: Side, line: LineUp, limits: PoolLimits) -> bool:
    """Whether section 3's search covers a side's options for its own dice."""
    verbs = ("reroll", "change", "add")
    mine = [effect for effect in line.effects if effect.pool is OWN_POOL[side] and effect.verb in verbs]
    if limits not in ((FREE, PoolLimits(modify=False)) if side is Side.ATTACKER else (FREE,)):
        return False
    if any(effect.cost or effect.given or effect.exactly or effect.when for effect in mine):
        return False
    if any(ranks_of(effect)[0] < RESULT <= ranks_of(effect)[-1] for effect in mine if effect.to is Face.CRIT):
        return False
    return all(is_known(side, name, line.has(name)) for name in filter(line.has, SPENT[side]))


FOCUS_RESULT: Final = (Face.FOCUS,)


def is_known(side: Side, name: str, held: int) -> bool:
    """Whether section 3's search covers a token: a lock, or the first kind that changes one or all focus results."""
    token = TOKENS[name]
    kind = token.turns, token.turns_all, token.rerolls
    same = [TOKENS[item] for item in SPENT[side]]
    is_first = next(item for item in same if (item.turns, item.turns_all, item.rerolls) == kind) is token
    if token.rerolls:
        return side is Side.ATTACKER and held == 1 and is_first
    if kind == (FOCUS_RESULT, False, False):
        return True
    evades = side is Side.DEFENDER and kind == ((Face.BLANK, Face.FOCUS), False, False)
    return is_first and (evades or kind == (FOCUS_RESULT, True, False))

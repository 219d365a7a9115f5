"""Steps 4 to 6: the defense dice, cancellation by evades and tokens, and the outcome."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from bot.odds.xwing import dice as counted
from bot.odds.xwing.after_dice import AttackFinish, Ending, in_order
from bot.odds.xwing.attack_dice import ready_line_up, rolled_or_fixed, their_effects
from bot.odds.xwing.dice import BLANK, FOCUS, GREEN_DIE, RESULT, Counts, Dice, FreeEffects, add_counts
from bot.odds.xwing.own_window import OwnWindow, is_simple, kept_order, slots
from bot.odds.xwing.search import OpponentWindow, RerollSearch, SearchState
from bot.rules.game import Side
from bot.rules.xwing.dice.consequences import CritOrder, Results
from bot.rules.xwing.dice.declared import Declared, LineUp, defense_pool
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.modify import PoolLimits, limits
from bot.rules.xwing.dice.relevance import count_uncanceled
from bot.rules.xwing.dice.tokens import SPENT, TOKENS

Tokens = tuple[int, ...]
"""The defender's spendable tokens: those of ``SPENT``, then its cards' stock."""

FinalDice = tuple[int, int, int]
"""Defense dice after rerolls: blanks, focus results, and the hits and crits still uncanceled."""

KINDS: Final = [(TOKENS[name].turns, TOKENS[name].turns_all) for name in SPENT[Side.DEFENDER]]
"""Faces that each kind of token in ``Tokens`` changes, and whether it changes all of them."""
FOCUS_TOKEN: Final = KINDS.index(((Face.FOCUS,), True))
ANY_TOKEN: Final = KINDS.index(((Face.BLANK, Face.FOCUS), False))
SMALL: Final = tuple(at for at, kind in enumerate(KINDS) if kind == ((Face.FOCUS,), False))
"""Indexes of tokens that change one focus result each, in spending order."""


class TokenSpending:
    """The defender's free changes and tokens after the rerolls."""

    def __init__(
        self, tokens: Tokens, reinforce: int, changes: tuple[counted.Change, ...], budget: counted.SearchBudget
    ) -> None:
        self.tokens = tokens
        self._reinforce, self._changes, self._budget = reinforce, changes, budget
        self._small = sum(tokens[at] for at in SMALL)
        self.end = cache(self._best_ending)

    def _best_ending(self, final: Counts) -> Ending:
        """Return the fewest uncanceled results with free changes, then tokens, for the fewest tokens."""
        blanks, focus, need = final
        if not self._changes:
            return self._spend(blanks, focus, need)
        changed = counted.after_changes(((0, 0, 0), (blanks, focus, 0)), self._changes)
        endings = [self._spend(done[BLANK], done[FOCUS], max(0, need - done[RESULT])) for _, done in changed]
        self._budget.spend(len(endings), 7)
        return min(endings, key=lambda end: (end[0], -sum(end[1])))

    def reduce(self, blanks: int, focus: int) -> tuple[int, int]:
        """Drop done dice that no token or change affects; excess focus results are blanks (5.2)."""
        if self._changes:
            return blanks, focus
        turned = focus if self.tokens[FOCUS_TOKEN] else min(focus, self._small)
        return min(blanks + focus - turned, self.tokens[ANY_TOKEN]), turned

    def _spend(self, blanks: int, focus: int, need: int) -> Ending:
        """Spend tokens by the policy: the fewest for the least damage, focus results first (section 5.6)."""
        held_focus, small, evade = self.tokens[FOCUS_TOKEN], self._small, self.tokens[ANY_TOKEN]
        turned = focus if held_focus or focus < small else small
        other = blanks + focus - turned
        most = turned + (evade if evade < other else other)
        # Reinforce cancels all but one: beyond that only evades for the last one help.
        used = need if most >= need else min(most, max(0, need - self._reinforce - 1))
        if not used:
            return count_uncanceled(need, self._reinforce), self.tokens
        left = count_uncanceled(need - used, self._reinforce)
        first, after = used if used < focus else focus, list(self.tokens)
        if held_focus and first > (small > 0):
            after[FOCUS_TOKEN] -= 1
            after[ANY_TOKEN] -= used - first
            return left, tuple(after)
        first = min(first, small)
        after[ANY_TOKEN] -= used - first
        for at in SMALL:
            paid = min(first, after[at])
            after[at] -= paid
            first -= paid
        return left, tuple(after)


class DefenderWindow:
    """The defender's window on the defense dice; ``need``: uncanceled hits and crits."""

    def __init__(self, search: RerollSearch, effects: FreeEffects, need: int) -> None:
        self._search, self._adds, self._need = search, effects.adds, need
        self.has_rerolls, self.is_monotone = bool(effects.rerolls), is_monotone(effects)

    def value(self, dice: Dice, exponent: int) -> int:
        """Return minus the mean of uncanceled results, times 8**exponent."""
        state = self._state(dice)
        return self._search.best(state)[0] << 3 * (exponent - state[0] - state[1])

    def distribution(self, dice: Dice, exponent: int) -> Iterator[tuple[Counts, int]]:
        """Yield the ``FinalDice`` with their ways: 8**exponent in all."""
        state = self._state(dice)
        scale = 3 * (exponent - state[0] - state[1])
        return ((final, ways << scale) for final, ways in self._search.ends(state).items())

    def _state(self, dice: Dice) -> SearchState:
        fresh, done = add_counts(dice[0], self._adds), dice[1]
        need = max(0, self._need - fresh[RESULT] - done[RESULT])
        return self._search.state(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], need)


def is_monotone(effects: FreeEffects) -> bool:
    """Whether a focus result is never worse than a blank with these tokens (section 5.3)."""
    takes_both = all(len(reroll.ranks) == 2 for reroll in effects.rerolls)
    return takes_both and all(change.olds[0] > BLANK for change in effects.changes)


Outcomes = Mapping[Tokens, Mapping[Results, int]]
"""Ways of each uncanceled (hits, crits), by tokens left after an attack."""


class DefenseDice:
    """Outcomes of final attack dice for any resources (section 9); ``total``: ways of the defense dice."""

    def __init__(
        self, declared: Declared, line: LineUp, allowed: PoolLimits, finish: AttackFinish, budget: counted.SearchBudget
    ) -> None:
        self._line, self._limits, self._finish, self._budget = line, allowed, finish, budget
        acting = their_effects(declared, Side.ATTACKER, Pool.GREEN, declared.attack)
        self._theirs = counted.opponent_effects(acting, Pool.GREEN, declared.attack)
        self._mine = counted.own_effects(self._line.effects, Pool.GREEN)
        dice = defense_pool(declared)
        self._starts = list(rolled_or_fixed(declared, Pool.GREEN, GREEN_DIE, dice))
        self._most = dice + sum(self._mine.adds)
        self._reroll(self._most)

    def _reroll(self, most: int) -> None:
        self._exponent, self.total = most, sum(count for _, count in self._starts) << 3 * most

    def outcomes(self, attack: Mapping[Results, int], held: Tokens) -> Outcomes:
        """Return the outcomes of weighted attack dice against a defender with these tokens."""
        result: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for results, weight in attack.items():
            window = self.window(results, held)
            law: defaultdict[tuple[Results, Tokens], int] = defaultdict(int)
            for (after, rest, _), count in self._after_attacker(window):
                for end, more in window.distribution(after, rest):
                    law[self.finish(results, end, held)] += count * more
            for (through, left), ways in law.items():
                result[left][through] += weight * ways
        return result

    def window(self, results: Results, held: Tokens) -> "OwnWindow | DefenderWindow":
        """Return the policy defender's window against (hits, crits)."""
        line = self._line.with_tokens(dict(zip(slots(Side.DEFENDER, self._line), held, strict=True)))
        return OwnWindow(
            Side.DEFENDER,
            line,
            lambda counts, left: -sum(self._finish.finish(results, counts[RESULT], left)[0]),
            self._budget,
            limits=self._limits,
            prefer=lambda _, left: kept_order(Side.DEFENDER, left),
        )

    def finish(self, results: Results, end: Any, _: Tokens) -> tuple[Results, Tokens]:
        """Return the (hits, crits) that get through at a window's end, and the defender's resources."""
        counts, left = end
        return self._finish.finish(results, counts[RESULT], left)

    def _after_attacker(
        self, window: OwnWindow | DefenderWindow
    ) -> Iterator[tuple[tuple[Dice, int, counted.Stock], int]]:
        """Yield the dice at the start of the defender's window."""
        opponent = OpponentWindow(GREEN_DIE, self._theirs, lambda *at: -window.value(*at[:2]), window, self._budget)
        return opponent.after_fall(self._starts, self._exponent)


class QuickDefenseDice(DefenseDice):
    """Defense dice by section 3's search, if it covers both sides' options."""

    def __init__(
        self, declared: Declared, line: LineUp, allowed: PoolLimits, finish: AttackFinish, budget: counted.SearchBudget
    ) -> None:
        super().__init__(declared, line, allowed, finish, budget)
        self._crits_first = self._finish.order is CritOrder.FIRST
        self._reroll(self._most if self._mine.rerolls or self._theirs.rerolls else 0)

    def outcomes(self, attack: Mapping[Results, int], held: Tokens) -> Outcomes:
        """Return the outcomes as above; hits and crits are separated at the end."""
        spending = self._spending(held)
        endings = {need: self._endings(spending, need) for need in {hits + crits for hits, crits in attack}}
        result: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for (hits, crits), weight in attack.items():
            self._budget.spend(len(endings[hits + crits]), 2)
            for (through, left), ways in endings[hits + crits].items():
                result[left][in_order(hits, crits, through, self._crits_first)] += weight * ways
        return result

    def window(self, results: Results, held: Tokens) -> DefenderWindow:
        """Merge tokens with the same effect (5.6)."""
        most = {FOCUS_TOKEN: min(held[FOCUS_TOKEN], 1), ANY_TOKEN: min(held[ANY_TOKEN], self._most)}
        small = {SMALL[0]: min(sum(held[at] for at in SMALL), self._most)} if SMALL else {}
        return self._window(tuple((most | small).get(at, 0) for at in range(len(held))), sum(results))

    @counted.memoized_method
    def _window(self, tokens: Tokens, need: int) -> DefenderWindow:
        return DefenderWindow(self._search(tokens), self._mine, need)

    @counted.memoized_method
    def finish(self, results: Results, end: Counts, held: Tokens) -> tuple[Results, Tokens]:
        through, left = self._spending(held).end(end)
        return in_order(*results, through, self._crits_first), left

    @counted.memoized_method
    def _spending(self, tokens: Tokens) -> TokenSpending:
        return TokenSpending(tokens, self._line.reinforce, self._mine.changes, self._budget)

    @counted.memoized_method
    def _search(self, tokens: Tokens) -> RerollSearch:
        spending = self._spending(tokens)
        return RerollSearch(
            GREEN_DIE,
            lambda *final: final,
            lambda *final: -spending.end(final)[0],
            spending.reduce,
            (self._mine.rerolls, False),
            self._budget,
            adds_up=False,
            blanks_first=is_monotone(self._mine),
        )

    def _endings(self, spending: TokenSpending, need: int) -> Mapping[Ending, int]:
        """Return the ways of each ending against hits and crits, ``total`` in all."""
        if not need:
            return {(0, spending.tokens): self.total}
        ways: defaultdict[Ending, int] = defaultdict(int)
        finals = self._dice_at_end(spending.tokens, need)
        self._budget.spend(len(finals), 4)
        for final, count in finals.items():
            ways[spending.end(final)] += count
        return ways

    def _dice_at_end(self, held: Tokens, need: int) -> Mapping[Counts, int]:
        """Return the ``FinalDice`` before tokens are spent."""
        if self._theirs or self._mine.rerolls:
            return self._after_rerolls(self.window((need, 0), held))
        more_blanks, more_focus, more_evades = self._mine.adds
        need -= more_evades
        return {
            (blanks + more_blanks, focus + more_focus, need - evades if need > evades else 0): count
            for (blanks, focus, evades), count in self._starts
        }

    @counted.memoized_method
    def _after_rerolls(self, window: DefenderWindow) -> Mapping[Counts, int]:
        """Return the dice after the attacker's window and the defender's rerolls."""
        ways: defaultdict[Counts, int] = defaultdict(int)
        for (after, rest, _), count in self._after_attacker(window):
            outcomes = list(window.distribution(after, rest))
            self._budget.spend(len(outcomes), 6)
            for end, more in outcomes:
                ways[end] += count * more
        return ways


def defense_dice(declared: Declared, budget: counted.SearchBudget) -> DefenseDice:
    """Return the fast search if it covers both sides' options."""
    line = ready_line_up(declared, Side.DEFENDER, declared.line(Side.DEFENDER))
    allowed, finish = limits(declared, Side.DEFENDER, Pool.GREEN), AttackFinish(declared)
    if is_simple(Side.DEFENDER, line, allowed) and not line.stock and finish.is_simple:
        return QuickDefenseDice(replace(declared, defense=line), line, allowed, finish, budget)
    return DefenseDice(declared, line, allowed, finish, budget)

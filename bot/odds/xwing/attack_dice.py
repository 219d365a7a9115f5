"""Steps 2 and 3: the distribution of the attack dice when both sides have modified them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import gcd

from bot.odds.distribution import Distribution
from bot.odds.xwing.dice import (
    BLANK,
    CRIT,
    FOCUS,
    RANK,
    RED_DIE,
    RESULT,
    Budget,
    Counts,
    Dice,
    Die,
    FreeEffects,
    after_changes,
    new_rank,
    opponent_effects,
    own_effects,
    ranks_of,
    rolls,
    summed,
)
from bot.odds.xwing.search import OpponentWindow, RerollSearch, SearchState
from bot.rules.game import Side
from bot.rules.xwing.attack import fixed_face, pay
from bot.rules.xwing.declared import Declared, LineUp, Pool
from bot.rules.xwing.pools import NO_DEFENSE, attack_pool, may_modify

Results = tuple[int, int]
"""(hits, crits)"""


def attack_distribution(declared: Declared, budget: Budget) -> Distribution[Results]:
    """The distribution of (hits, crits) after both windows, and after what holds from then on (``become``).

    Raises ``Unpayable`` for a weapon's cost that the attacker cannot pay.
    """
    defense = declared.defense or NO_DEFENSE
    line = usable_line_up(declared, pay(declared))
    mine = AttackerWindow(line, own_effects(line.effects, Pool.RED), final_ranks(declared), budget)
    theirs = opponent_effects(defense.effects, Pool.RED)
    dice = attack_pool(declared)
    exponent = dice + sum(mine.adds) if mine.has_rerolls or theirs.rerolls else 0

    def opponent_value(dice: Dice, exponent: int) -> int:
        return -mine.value(dice, exponent)

    opponent = OpponentWindow(RED_DIE, theirs, opponent_value, mine, budget) if theirs else None
    ways: defaultdict[Counts, int] = defaultdict(int)
    for counts, count in rolled_or_fixed(declared, Pool.RED, RED_DIE if theirs else mine.die, dice):
        for (after, rest), some in after_opponent(opponent, counts, exponent).items():
            for end, more in mine.distribution(after, rest):
                ways[end] += count * some * more
    results: defaultdict[Results, int] = defaultdict(int)
    for end, count in ways.items():
        results[mine.results(end)] += count
    return in_lowest_terms(results)


def usable_line_up(declared: Declared, line: LineUp) -> LineUp:
    """The attacker as far as they may act on dice; at range 0 they may only cancel, which is no modification."""
    if may_modify(declared, Side.ATTACKER):
        return line
    return LineUp(effects=tuple(effect for effect in line.effects if effect.verb == "cancel"))


def final_ranks(declared: Declared) -> Counts:
    """What each result of the attack dice is after both windows."""
    after: Counts = (BLANK, FOCUS, RESULT, CRIT)
    for effect in (*declared.attack.effects, *(declared.defense or NO_DEFENSE).effects):
        if effect.verb == "become" and effect.pool is Pool.RED:
            old = ranks_of(effect)
            after = tuple(new_rank(effect) if rank in old else rank for rank in after)
    return after


def rolled_or_fixed(declared: Declared, pool: Pool, die: Die, dice: int) -> Iterable[tuple[Counts, int]]:
    """How the dice fall, or lie where an effect fixes them, with the number of ways."""
    fixed = fixed_face(declared, pool)
    if fixed is None:
        return rolls(die, dice)
    return [(tuple(dice if rank == RANK[fixed] else 0 for rank in range(len(die))), 1)]


def after_opponent(opponent: OpponentWindow | None, counts: Counts, exponent: int) -> Mapping[tuple[Dice, int], int]:
    """How dice that have just fallen lie after the opponent's window."""
    dice = counts, (0,) * len(counts)
    return opponent.distribution(dice, exponent) if opponent else {(dice, exponent): 1}


def in_lowest_terms(ways: Mapping[Results, int]) -> Distribution[Results]:
    """The same probabilities in the smallest whole numbers."""
    part = gcd(*ways.values())
    weights = {results: count // part for results, count in ways.items()}
    return Distribution(weights, sum(weights.values()))


class AttackerWindow:
    """The attacker's window on the attack dice: free rerolls and the lock, free changes, tokens, last hits to crits.

    ``final_ranks`` says what each result is after both windows (``become``); a blank or focus result that will then be
    a hit or crit counts as one already.
    """

    def __init__(self, line: LineUp, effects: FreeEffects, final_ranks: Counts, budget: Budget) -> None:
        self._final_ranks, self._budget = final_ranks, budget
        self.adds = effects.adds
        self._focus_token, self._charges = line.focus > 0, line.calculate + line.force
        self._changes = tuple(change for change in effects.changes if change.old < RESULT)
        self._to_crit = sum(change.most for change in effects.changes if change.old == RESULT)
        self._any_kind = all(len(reroll.ranks) == 2 for reroll in effects.rerolls)
        self._focus_as = self._focus_counts_as()
        self.die = self.seen(RED_DIE)
        self.has_rerolls = line.lock > 0 or bool(effects.rerolls)
        self._blanks_stay = final_ranks[BLANK] < RESULT and all(change.old > BLANK for change in self._changes)
        self.is_monotone = self._blanks_stay and self._any_kind
        self._search = RerollSearch(
            self.die,
            lambda blanks, focus, _: sum(self._end(blanks, focus)),
            self._reduce,
            (effects.rerolls, line.lock > 0),
            budget,
            adds_up=True,
            blanks_first=self.is_monotone,
        )
        self._ends: dict[tuple[int, int], Counts] = {}
        self._distributions: dict[SearchState, Mapping[Counts, int]] = {}

    def _focus_counts_as(self) -> int:
        """What a focus result is as good as, so that fewer dice are told apart (section 5.1)."""
        if self._changes or self._final_ranks[FOCUS] >= RESULT or self._final_ranks[BLANK] >= RESULT:
            return FOCUS
        if self._focus_token:
            return RESULT
        return FOCUS if self._charges or not self._any_kind else BLANK

    def seen(self, counts: Counts) -> Counts:
        """The same dice with focus results counted as what they are as good as."""
        if self._focus_as == FOCUS:
            return counts
        blanks, focus, hits, crits = counts
        return (blanks + focus, 0, hits, crits) if self._focus_as == BLANK else (blanks, 0, hits + focus, crits)

    def value(self, dice: Dice, exponent: int) -> int:
        """The mean of hits and crits at the end of the window, times 8**exponent."""
        state, results = self._state(dice)
        scale = 3 * (exponent - state[0] - state[1])
        return (sum(results) << 3 * exponent) + (self._search.best(state)[0] << scale)

    def distribution(self, dice: Dice, exponent: int) -> Iterable[tuple[Counts, int]]:
        """The dice at the end of the window, before hits to crits, each with its ways; together 8**exponent."""
        state, (hits, crits) = self._state(dice)
        scale = 3 * (exponent - state[0] - state[1])
        for (blanks, focus, new_hits, new_crits), ways in self._distribution(state).items():
            yield (blanks, focus, hits + new_hits, crits + new_crits), ways << scale

    def results(self, counts: Counts) -> tuple[int, int]:
        """(hits, crits) after hits to crits, and after what holds after both windows."""
        blanks, focus, hits, crits = counts
        turned = min(hits, self._to_crit)
        final = [0, 0, 0, 0]
        for rank, count in enumerate((blanks, focus, hits - turned, crits + turned)):
            final[self._final_ranks[rank]] += count
        return final[RESULT], final[CRIT]

    def _state(self, dice: Dice) -> tuple[SearchState, tuple[int, int]]:
        """Where the search begins, and the hits and crits, which it leaves alone."""
        fresh, done = self.seen(summed(dice[0], self.adds)), self.seen(dice[1])
        results = fresh[RESULT] + done[RESULT], fresh[CRIT] + done[CRIT]
        return self._search.state(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], 0), results

    def _distribution(self, state: SearchState) -> Mapping[Counts, int]:
        """What becomes of the blanks and focus results of a state; together 8 to the number of fresh dice."""
        if state not in self._distributions:
            self._distributions[state] = self._played(state)
        return self._distributions[state]

    def _played(self, state: SearchState) -> Mapping[Counts, int]:
        blanks, focus, done_blanks, done_focus, _, _ = state
        action = self._search.best(state)[1]
        if action is None:
            return {self._end(blanks + done_blanks, focus + done_focus): 1 << 3 * (blanks + focus)}
        rerolled_blanks, rerolled_focus, left = action
        ways: defaultdict[Counts, int] = defaultdict(int)
        for (more_blanks, more_focus, hits, crits), count in rolls(self.die, rerolled_blanks + rerolled_focus):
            done = self._search.reduced(done_blanks + more_blanks, done_focus + more_focus)
            outcomes = self._distribution((blanks - rerolled_blanks, focus - rerolled_focus, *done, 0, left))
            self._budget.spend(len(outcomes), 2)
            for end, some in outcomes.items():
                ways[end[0], end[1], end[2] + hits, end[3] + crits] += count * some
        return ways

    def _reduce(self, blanks: int, focus: int) -> tuple[int, int]:
        """Done dice that no token or change can turn are as good as none (section 5.2)."""
        if self._changes or not self._blanks_stay or self._final_ranks[FOCUS] >= RESULT:
            return blanks, focus
        return 0, min(focus, self._charges)

    def _end(self, blanks: int, focus: int) -> Counts:
        """What changes and tokens make of blanks and focus results: as many hits and crits as can be, then crits.

        Blanks and focus results that stay are counted only if they will be hits or crits.
        """
        key = blanks, focus
        if key not in self._ends:
            self._ends[key] = max(
                map(self._spent, after_changes(((0,) * 4, (*key, 0, 0)), self._changes)), key=most_results
            )
        return self._ends[key]

    def _spent(self, dice: Dice) -> Counts:
        """The tokens used on what free changes have left."""
        blanks, focus, hits, crits = dice[1]
        blanks_count, focus_counts = (self._final_ranks[rank] >= RESULT for rank in (BLANK, FOCUS))
        turned = 0 if focus_counts else focus if self._focus_token else min(focus, self._charges)
        return blanks if blanks_count else 0, focus if focus_counts else 0, hits + turned, crits


def most_results(counts: Counts) -> tuple[int, int]:
    """As many hits and crits as can be, then crits."""
    return sum(counts), counts[CRIT]

"""Steps 2 and 3: the distribution of the attack dice after both sides' modifications."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import gcd

from bot.odds.distribution import Distribution
from bot.odds.xwing import dice as counted
from bot.odds.xwing.dice import BLANK, CRIT, FOCUS, RESULT, Counts, Dice, SearchBudget, add_counts, ranks_of, rolls
from bot.odds.xwing.own_window import Left, OwnWindow, is_simple, kept_order
from bot.odds.xwing.search import OpponentWindow, RerollSearch, SearchState
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import fixed_face, pay
from bot.rules.xwing.dice import conditions, consequences, modify, tokens
from bot.rules.xwing.dice.costs import Spendable
from bot.rules.xwing.dice.declared import Declared, DiceEffect, DiceWindow, LineUp, attack_pool, standing_effects
from bot.rules.xwing.dice.faces import Pool

Spent = tuple[tuple[Spendable, int], ...]
"""The defender's payments and their amounts."""
AttackEnd = tuple[consequences.Results, Left, Spent]
"""The attack dice after both windows, what the attacker has left, () where nothing later depends on it, and what the
defender has spent on them."""


def attack_distribution(
    declared: Declared, budget: SearchBudget, *, with_left: bool = False
) -> Distribution[AttackEnd]:
    """Return the law of (hits, crits) after both windows and ``become`` effects. ``with_left``: the attacker's
    remaining resources matter. Raises ``UnpayableCostError`` for an unaffordable weapon.
    """
    if any(isinstance(effect.what, consequences.NoDice) for effect in standing_effects(declared)):
        return Distribution({((0, 0), (), ()): 1}, 1)
    declared = replace(declared, attack=pay(declared))
    line = ready_line_up(declared, Side.ATTACKER, locking(declared.attack))
    mine = attacker_window(declared, line, budget, with_left=with_left)
    acting = their_effects(declared, Side.DEFENDER, Pool.RED, declared.line(Side.DEFENDER))
    defense = declared.line(Side.DEFENDER)
    theirs = counted.opponent_effects(acting, Pool.RED, defense)
    dice = attack_pool(declared)
    # Added results are there from the start of the window and can be rerolled.
    exponent = dice + sum(mine.adds) if mine.has_rerolls or theirs.rerolls else 0

    # The defender acts first, anticipating the attacker's reply: it minimizes the attacker's best result.
    opponent = OpponentWindow(counted.RED_DIE, theirs, lambda *at: -mine.value(*at[:2]), mine, budget)
    ways: defaultdict[AttackEnd, int] = defaultdict(int)
    # The attacker's window may treat focus results as blanks or hits (section 5.1). The defender's effects distinguish
    # them, so they stay separate while the defender has any.
    starts = rolled_or_fixed(declared, Pool.RED, counted.RED_DIE if theirs else mine.die, dice)
    for (after, rest, stock), count in opponent.after_fall(starts, exponent):
        spent = tuple((name, defense.has(name) - left) for name, left in zip(theirs.names, stock, strict=False))
        for end, more in mine.results(after, rest):
            ways[(*end, tuple(item for item in spent if item[1]))] += count * more
    part = gcd(*ways.values())
    return Distribution({end: count // part for end, count in ways.items()}, sum(ways.values()) // part)


def attacker_window(
    declared: Declared, line: LineUp, budget: SearchBudget, *, with_left: bool = False
) -> "AttackerWindow | AnyAttackerWindow":
    """Return the attacker's window on the attack dice, by the fast search if it covers all options."""
    allowed = modify.limits(declared, Side.ATTACKER, Pool.RED, line)
    # The fast search merges ends that differ only in resources.
    if not with_left and is_simple(Side.ATTACKER, line, allowed):
        usable = line if allowed.modify else LineUp()
        return AttackerWindow(usable, counted.own_effects(usable.effects, Pool.RED), final_ranks(declared), budget)
    return AnyAttackerWindow(line, allowed, final_ranks(declared), budget)


def locking(line: LineUp) -> LineUp:
    """Return the attacker with the lock that a card gives after the roll."""
    after_roll = (effect.what for effect in line.effects if effect.when is DiceWindow.AFTER_ROLL)
    locks = any(isinstance(what, consequences.LockThem) for what in after_roll)
    return line.with_tokens({"lock": 1}) if locks and not line.has("lock") else line


def ready_line_up(declared: Declared, side: Side, line: LineUp) -> LineUp:
    """Return the line-up with the effects that may act now: those that no player has to claim, with their known
    conditions met. Conditions on single dice, or that may change in the window, stay.
    """
    scene = conditions.AttackContext(*(line if item is side else declared.line(item) for item in Side))
    effects = []
    for effect in line.effects:
        # Its own tokens' effects may change in its window.
        open_ = tuple(
            condition
            for condition in effect.given
            if condition.asks_tokens(side) or conditions.evaluate(condition, scene) is None
        )
        known = (condition for condition in effect.given if condition not in open_)
        if not effect.ask and conditions.all_hold(known, scene):
            effects.append(replace(effect, given=open_) if open_ != effect.given else effect)
    return replace(line, effects=tuple(effects))


def their_effects(declared: Declared, side: Side, pool: Pool, line: LineUp) -> tuple[DiceEffect, ...]:
    """Return a side's usable effects on the other side's dice. Without the right to modify dice it may still cancel
    them. Uses after the pool's window are left out.
    """
    allowed = modify.limits(declared, side, pool, line if side is Side.ATTACKER else None)
    usable = ready_line_up(declared, side, line).effects
    free = (effect for effect in usable if not (effect.when or effect.given))
    effects = [effect for effect in free if all(line.has(name) >= n for name, n in effect.cost)]
    if not allowed.modify:
        return tuple(effect for effect in effects if effect.verb == "cancel")
    return tuple(effect for effect in effects if effect.verb != "reroll" or allowed.rerolls != 0)


def final_ranks(declared: Declared) -> Counts:
    """Return each attack die result's rank after both windows."""
    # The map is from rolled results, so two cards compose: ``every hit to crit`` after ``every crit to hit`` changes
    # both ranks, in rules order (the attacker's cards first).
    after: Counts = (BLANK, FOCUS, RESULT, CRIT)
    for effect in declared.effects:
        if effect.verb == "become" and effect.pool is Pool.RED:
            old = ranks_of(effect)
            after = tuple(counted.new_rank(effect) if rank in old else rank for rank in after)
    return after


def rolled_or_fixed(declared: Declared, pool: Pool, die: counted.Die, dice: int) -> Iterable[tuple[Counts, int]]:
    """Yield the rolled or fixed dice with their number of ways, after mandatory effects."""
    fixed = fixed_face(declared, pool)
    forced = (effect for effect in standing_effects(declared) if effect.when is DiceWindow.AFTER_ROLL and effect.must)
    changing = [effect for effect in forced if effect.pool is pool and effect.verb == "change"]
    if fixed is None and changing:
        # No choice, so outside the search: before both windows, on as many of the best results as there are.
        changes = tuple(
            counted.Change(ranks_of(effect)[::-1], counted.new_rank(effect), effect.most) for effect in changing
        )
        nothing = (0,) * len(die)
        return [(next(counted.after_changes((counts, nothing), changes))[0], ways) for counts, ways in rolls(die, dice)]
    if fixed is None:
        return rolls(die, dice)
    return [(tuple(dice if rank == counted.RANK[fixed] else 0 for rank in range(len(die))), 1)]


def final_results(counts: Counts, final: Counts) -> consequences.Results:
    """Return the (hits, crits) of dice, each rank mapped to its rank after both windows."""
    after = [0] * len(final)
    for rank, count in enumerate(counts):
        after[final[rank]] += count
    return after[RESULT], after[CRIT]


class AnyAttackerWindow(OwnWindow):
    """The attacker's window with any resources, by the same policy (section 9)."""

    die = counted.RED_DIE

    def __init__(self, line: LineUp, allowed: modify.PoolLimits, final: Counts, budget: SearchBudget) -> None:
        # The policy maximizes the mean number of results. Crits and tokens only break ties, so they are in ``prefer``,
        # not
        # in means.
        super().__init__(
            Side.ATTACKER,
            line,
            lambda counts, _: sum(final_results(counts, final)),
            budget,
            limits=allowed,
            prefer=lambda counts, left: (final_results(counts, final)[1], *kept_order(Side.ATTACKER, left)),
        )
        self._final = final

    def results(self, dice: Dice, exponent: int) -> Iterator[tuple[tuple[consequences.Results, Left], int]]:
        """Yield (hits, crits) after both windows and the resources left, with ways: 8**exponent in all."""
        for (counts, left), ways in self.distribution(dice, exponent):
            yield (final_results(counts, self._final), left), ways


class AttackerWindow:
    """The attacker's window on the attack dice: free rerolls and the lock, free changes, tokens, last hits to crits.
    ``final_ranks``: each result after both windows (``become``); a blank or focus that becomes a hit or crit counts as
    one.
    """

    def __init__(self, line: LineUp, effects: counted.FreeEffects, final_ranks: Counts, budget: SearchBudget) -> None:
        self._final_ranks = final_ranks
        self.adds = effects.adds
        held = [(tokens.TOKENS[name], line.has(name)) for name in tokens.SPENT[Side.ATTACKER]]
        self._focus_token = any(count for token, count in held if token.turns_all)
        self._charges = sum(count for token, count in held if token.turns and not token.turns_all)
        lock = any(count for token, count in held if token.rerolls)
        self._changes = tuple(change for change in effects.changes if change.olds[0] < RESULT)
        # A hit to crit keeps the number of results, which is what is maximized, so it is done after the search, on as
        # many hits as possible.
        self._to_crit = sum(change.most for change in effects.changes if change.olds[0] == RESULT)
        self._any_kind = all(len(reroll.ranks) == 2 for reroll in effects.rerolls)
        self._focus_as = self._focus_counts_as()
        self.die = self.counted_as(counted.RED_DIE)
        self.has_rerolls = lock or bool(effects.rerolls)
        # A remaining blank is the worst result. If every reroll also takes focus results, a focus can do all that a
        # blank can: sections 5.3 and 5.5 hold.
        self._blanks_stay = final_ranks[BLANK] < RESULT and all(change.olds[0] > BLANK for change in self._changes)
        self.is_monotone = self._blanks_stay and self._any_kind
        self._search = RerollSearch(
            self.die,
            self._spend_at_end,
            lambda *final: sum(self._spend_at_end(*final)),
            self._reduce,
            (effects.rerolls, lock),
            budget,
            adds_up=True,
            blanks_first=self.is_monotone,
        )

    def _focus_counts_as(self) -> int:
        """Return the result that a focus result is equivalent to, so that fewer dice are told apart (section 5.1)."""
        if self._changes or self._final_ranks[FOCUS] >= RESULT or self._final_ranks[BLANK] >= RESULT:
            return FOCUS
        if self._focus_token:
            return RESULT
        return FOCUS if self._charges or not self._any_kind else BLANK

    def counted_as(self, counts: Counts) -> Counts:
        """Return the dice with focus results replaced by their equivalent."""
        if self._focus_as == FOCUS:
            return counts
        blanks, focus, hits, crits = counts
        return (blanks + focus, 0, hits, crits) if self._focus_as == BLANK else (blanks, 0, hits + focus, crits)

    def value(self, dice: Dice, exponent: int) -> int:
        """The mean of hits and crits at the end of the window, times 8**exponent."""
        state, results = self._state(dice)
        # Each fresh die that is never rerolled stands for 8 equal ways: values of states with fewer fresh dice are
        # shifted to
        # the common denominator 8**exponent, so that they add and compare as integers.
        scale = 3 * (exponent - state[0] - state[1])
        return (sum(results) << 3 * exponent) + (self._search.best(state)[0] << scale)

    def results(self, dice: Dice, exponent: int) -> Iterator[tuple[tuple[consequences.Results, Left], int]]:
        """Yield (hits, crits) after all effects of both windows, with their ways: 8**exponent in all."""
        # The search is over blanks and focus results only; hits and crits are added at the end.
        state, (hits, crits) = self._state(dice)
        scale = 3 * (exponent - state[0] - state[1])
        for (blanks, focus, new_hits, new_crits), ways in self._search.ends(state).items():
            turned = min(hits + new_hits, self._to_crit)
            after = blanks, focus, hits + new_hits - turned, crits + new_crits + turned
            yield (final_results(after, self._final_ranks), ()), ways << scale

    def _state(self, dice: Dice) -> tuple[SearchState, tuple[int, int]]:
        """Return the search's initial state, and the hits and crits, which it leaves alone."""
        fresh, done = self.counted_as(add_counts(dice[0], self.adds)), self.counted_as(dice[1])
        results = fresh[RESULT] + done[RESULT], fresh[CRIT] + done[CRIT]
        return self._search.state(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], 0), results

    def _reduce(self, blanks: int, focus: int) -> tuple[int, int]:
        """Drop done dice that no token or change affects (section 5.2)."""
        if self._changes or not self._blanks_stay or self._final_ranks[FOCUS] >= RESULT:
            return blanks, focus
        return 0, min(focus, self._charges)

    @counted.memoized_method
    def _spend_at_end(self, blanks: int, focus: int, _: int) -> Counts:
        """Spend tokens for the most results, then crits; blanks and focus results count only if they become some."""
        # A change and a token may compete for a focus result. Both are deterministic, so take the maximum over all
        # numbers
        # of changes, with tokens on the rest.
        ends = counted.after_changes(((0,) * 4, (blanks, focus, 0, 0)), self._changes)
        return max(map(self._spent_tokens, ends), key=lambda counts: (sum(counts), counts[CRIT]))

    def _spent_tokens(self, dice: Dice) -> Counts:
        """Return the tokens used after free changes."""
        blanks, focus, hits, crits = dice[1]
        blanks_count, focus_counts = (self._final_ranks[rank] >= RESULT for rank in (BLANK, FOCUS))
        turned = 0 if focus_counts else focus if self._focus_token else min(focus, self._charges)
        return blanks if blanks_count else 0, focus if focus_counts else 0, hits + turned, crits

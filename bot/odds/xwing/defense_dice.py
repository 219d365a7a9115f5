"""Steps 4 to 6: the defense dice, what evades and tokens cancel, and what comes of the attack."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.odds.xwing.after_dice import Ending, Finish, in_order, uncancelled
from bot.odds.xwing.attack_dice import Results, after_opponent, ready, rolled_or_fixed, their_effects
from bot.odds.xwing.dice import (
    BLANK,
    FOCUS,
    GREEN_DIE,
    RESULT,
    Budget,
    Change,
    Counts,
    Dice,
    FreeEffects,
    after_changes,
    opponent_effects,
    own_effects,
    rolls,
    summed,
)
from bot.odds.xwing.own_window import Left, OwnWindow, is_simple, kept, slots
from bot.odds.xwing.search import OpponentWindow, RerollSearch, SearchState
from bot.rules.game import Side
from bot.rules.xwing.dice.declared import Declared, LineUp, Pool
from bot.rules.xwing.dice.deeds import CritOrder
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.limits import limits
from bot.rules.xwing.dice.pools import NO_DEFENSE, defense_pool
from bot.rules.xwing.dice.tokens import SPENT, TOKENS

Tokens = tuple[int, ...]
"""What the defender holds and may spend: the tokens of ``SPENT``, then the stock of its cards."""

FinalDice = tuple[int, int, int]
"""Defense dice that nobody rerolls any more: blanks, focus results, and the hits and crits still to be cancelled."""

MINE: Final = SPENT[Side.DEFENDER]


def place_of(faces: tuple[Face, ...], turns_all: bool) -> int:
    """Where the first token of a kind stands in ``Tokens``."""
    return next(
        at for at, name in enumerate(MINE) if (TOKENS[name].turns, TOKENS[name].turns_all) == (faces, turns_all)
    )


FOCUS_TOKEN: Final = place_of((Face.FOCUS,), True)
ANY_TOKEN: Final = place_of((Face.BLANK, Face.FOCUS), False)
SMALL: Final = tuple(
    at for at, name in enumerate(MINE) if TOKENS[name].turns == (Face.FOCUS,) and not TOKENS[name].turns_all
)
"""Where those stand that turn one focus result each, in the order in which they are spent."""


class TokenSpending:
    """The defender's free changes and tokens, once the rerolls are over."""

    def __init__(self, tokens: Tokens, reinforce: int, changes: tuple[Change, ...], budget: Budget) -> None:
        self.tokens = tokens
        self._reinforce, self._changes, self._budget = reinforce, changes, budget
        self._small = sum(tokens[at] for at in SMALL)
        self._ends: dict[FinalDice, Ending] = {}

    def end(self, final: FinalDice) -> Ending:
        """The fewest uncancelled results that changes and tokens can leave, for the fewest tokens."""
        found = self._ends.get(final)
        if found is None:
            found = self._ends[final] = self._best_change(final) if self._changes else self._spend(*final)
        return found

    def reduce(self, blanks: int, focus: int) -> tuple[int, int]:
        """Done dice that no token or change can turn are as good as none, focus results too many as blanks (5.2)."""
        if self._changes:
            return blanks, focus
        turned = focus if self.tokens[FOCUS_TOKEN] else min(focus, self._small)
        return min(blanks + focus - turned, self.tokens[ANY_TOKEN]), turned

    def _best_change(self, final: FinalDice) -> Ending:
        """The best of what free changes can make of the dice before tokens are spent."""
        blanks, focus, need = final
        endings = [
            self._spend(counts[BLANK], counts[FOCUS], max(0, need - counts[RESULT]))
            for _, counts in after_changes(((0, 0, 0), (blanks, focus, 0)), self._changes)
        ]
        self._budget.spend(len(endings), 7)
        return min(endings, key=lambda end: (end[0], -sum(end[1])))

    def _spend(self, blanks: int, focus: int, need: int) -> Ending:
        """Tokens by the policy: as few as lower the damage most, focus results first (section 5.6)."""
        held_focus, small, evade = self.tokens[FOCUS_TOKEN], self._small, self.tokens[ANY_TOKEN]
        turned = focus if held_focus or focus < small else small
        other = blanks + focus - turned
        most = turned + (evade if evade < other else other)
        # Reinforce cancels all but one: past that point only evades enough for the last one help.
        used = need if most >= need else min(most, max(0, need - self._reinforce - 1))
        if not used:
            return uncancelled(need, self._reinforce), self.tokens
        left = uncancelled(need - used, self._reinforce)
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
    """The defender's window on the defense dice; the attack's results are known. ``spending`` values final dice.

    ``need`` is how many hits and crits are still to be cancelled.
    """

    def __init__(self, spending: TokenSpending, effects: FreeEffects, budget: Budget) -> None:
        self._adds, self._budget = effects.adds, budget
        self.has_rerolls = bool(effects.rerolls)
        any_kind = all(len(reroll.ranks) == 2 for reroll in effects.rerolls)
        self.is_monotone = any_kind and all(change.olds[0] > BLANK for change in effects.changes)
        self._search = RerollSearch(
            GREEN_DIE,
            lambda *final: -spending.end(final)[0],
            spending.reduce,
            (effects.rerolls, False),
            budget,
            adds_up=False,
            blanks_first=self.is_monotone,
        )
        self._distributions: dict[SearchState, Mapping[FinalDice, int]] = {}

    def value(self, need: int, dice: Dice, exponent: int) -> int:
        """Minus the mean of uncancelled results, times 8**exponent."""
        state = self._state(need, dice)
        return self._search.best(state)[0] << 3 * (exponent - state[0] - state[1])

    def distribution(self, need: int, dice: Dice, exponent: int) -> tuple[Mapping[FinalDice, int], int]:
        """The dice at the end with their ways, and the exponent of 8 by which these have still to be multiplied."""
        state = self._state(need, dice)
        return self._distribution(state), exponent - state[0] - state[1]

    def _state(self, need: int, dice: Dice) -> SearchState:
        fresh, done = summed(dice[0], self._adds), dice[1]
        need = max(0, need - fresh[RESULT] - done[RESULT])
        return self._search.state(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], need)

    def _distribution(self, state: SearchState) -> Mapping[FinalDice, int]:
        """How the dice lie at the end from a state on; together 8 to the number of fresh dice."""
        if state not in self._distributions:
            self._distributions[state] = self._played(state)
        return self._distributions[state]

    def _played(self, state: SearchState) -> Mapping[FinalDice, int]:
        blanks, focus, done_blanks, done_focus, need, _ = state
        action = self._search.best(state)[1]
        if action is None:
            return {(blanks + done_blanks, focus + done_focus, need): 1 << 3 * (blanks + focus)}
        rerolled_blanks, rerolled_focus, left = action
        ways: defaultdict[FinalDice, int] = defaultdict(int)
        for (more_blanks, more_focus, evades), count in rolls(GREEN_DIE, rerolled_blanks + rerolled_focus):
            done = self._search.reduced(done_blanks + more_blanks, done_focus + more_focus)
            fresh = blanks - rerolled_blanks, focus - rerolled_focus
            outcomes = self._distribution((*fresh, *done, max(0, need - evades), left))
            self._budget.spend(len(outcomes))
            for end, some in outcomes.items():
                ways[end] += count * some
        return ways


class PolicyDefender:
    """A defender who keeps to the policy, against attack dice of any (hits, crits); ``line`` is what it holds."""

    def __init__(self, declared: Declared, line: LineUp, budget: Budget) -> None:
        whole = replace(declared, defense=line)
        dice = defense_dice(whole, budget)
        self._finish, self._line = Finish(whole), line
        self._any = dice if isinstance(dice, AnyDefenseDice) else None
        mine, tokens = own_effects(line.effects, Pool.GREEN), tuple(line.has(name) for name in MINE)
        self._spending = TokenSpending(tokens, line.reinforce, mine.changes, budget)
        self._window = DefenderWindow(self._spending, mine, budget)
        self._windows: dict[Results, OwnWindow] = {}
        self.is_monotone = self._any is None and self._window.is_monotone
        self.has_rerolls = self._any is not None or self._window.has_rerolls

    def value(self, results: Results, dice: Dice, exponent: int) -> int:
        """Minus the mean of uncancelled results, times 8**exponent."""
        if self._any is None:
            return self._window.value(sum(results), dice, exponent)
        return self._against(results).value(dice, exponent)

    def ends(self, results: Results, dice: Dice, exponent: int) -> Iterator[tuple[Results, int]]:
        """What gets through, with its ways; together 8**exponent."""
        if self._any is None:
            outcomes, scale = self._window.distribution(sum(results), dice, exponent)
            for final, ways in outcomes.items():
                through = in_order(*results, self._spending.end(final)[0], self._finish.order is CritOrder.FIRST)
                yield through, ways << 3 * scale
            return
        for (counts, left), ways in self._against(results).distribution(dice, exponent):
            yield self._finish.end(results, counts[RESULT], left)[0], ways

    def _against(self, results: Results) -> OwnWindow:
        if results not in self._windows and self._any is not None:
            self._windows[results] = self._any.window(results, self._line)
        return self._windows[results]


Outcomes = Mapping[Tokens, Mapping[Results, int]]
"""For the tokens left after an attack, the ways to each uncancelled (hits, crits)."""


class DefenseDice:
    """What comes of attack dice that are final, whatever they show and whatever tokens the defender holds.

    ``total`` is the number of ways in which the defense dice can fall and be rerolled.
    """

    def __init__(self, declared: Declared, budget: Budget) -> None:
        defense = declared.defense or NO_DEFENSE
        dice = defense_pool(declared)
        self._budget, self._reinforce = budget, defense.reinforce
        self._theirs = theirs(declared)
        self._crits_first = Finish(declared).order is CritOrder.FIRST
        self._mine = own_effects(defense.effects, Pool.GREEN)
        self._starts = list(rolled_or_fixed(declared, Pool.GREEN, GREEN_DIE, dice))
        self._most = dice + sum(self._mine.adds)
        self._exponent = self._most if self._mine.rerolls or self._theirs.rerolls else 0
        self._windows: dict[Tokens, DefenderWindow] = {}
        self._final_dice: dict[tuple[Tokens, int], Mapping[FinalDice, int]] = {}
        self.total = sum(count for _, count in self._starts) << 3 * self._exponent

    def outcomes(self, attack: Mapping[Results, int], held: Tokens) -> Outcomes:
        """What comes of attack dice with these weights against a defender who holds these tokens."""
        spending = self._spending(held)
        endings = {need: self._endings(spending, need) for need in {hits + crits for hits, crits in attack}}
        found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for (hits, crits), weight in attack.items():
            self._budget.spend(len(endings[hits + crits]), 2)
            for (through, left), ways in endings[hits + crits].items():
                found[left][in_order(hits, crits, through, self._crits_first)] += weight * ways
        return found

    def _spending(self, tokens: Tokens) -> TokenSpending:
        return TokenSpending(tokens, self._reinforce, self._mine.changes, self._budget)

    def _endings(self, spending: TokenSpending, need: int) -> Mapping[Ending, int]:
        """The ways to each ending against so many hits and crits, together ``total``."""
        if not need:
            return {(0, spending.tokens): self.total}
        ways: defaultdict[Ending, int] = defaultdict(int)
        finals = self._dice_at_end(spending.tokens, need)
        self._budget.spend(len(finals), 4)
        for final, count in finals.items():
            ways[spending.end(final)] += count
        return ways

    def _dice_at_end(self, tokens: Tokens, need: int) -> Mapping[FinalDice, int]:
        """How the dice lie before tokens are spent. Tokens matter only by what they can do (5.6)."""
        if not (self._theirs or self._mine.rerolls):
            return self._as_rolled(need)
        most = {FOCUS_TOKEN: min(tokens[FOCUS_TOKEN], 1), ANY_TOKEN: min(tokens[ANY_TOKEN], self._most)}
        small = {SMALL[0]: min(sum(tokens[at] for at in SMALL), self._most)} if SMALL else {}
        equivalent = tuple((most | small).get(at, 0) for at in range(len(tokens)))
        if (equivalent, need) not in self._final_dice:
            if equivalent not in self._windows:
                self._windows[equivalent] = DefenderWindow(self._spending(equivalent), self._mine, self._budget)
            self._final_dice[equivalent, need] = self._after_rerolls(self._windows[equivalent], need)
        return self._final_dice[equivalent, need]

    def _as_rolled(self, need: int) -> Mapping[FinalDice, int]:
        """How the dice lie where nobody acts on them before tokens."""
        more_blanks, more_focus, more_evades = self._mine.adds
        need -= more_evades
        return {
            (blanks + more_blanks, focus + more_focus, need - evades if need > evades else 0): count
            for (blanks, focus, evades), count in self._starts
        }

    def _after_rerolls(self, window: DefenderWindow, need: int) -> Mapping[FinalDice, int]:
        """How the dice lie after the attacker has acted on them and the defender has rerolled."""

        def opponent_value(dice: Dice, exponent: int) -> int:
            return -window.value(need, dice, exponent)

        opponent = None
        if self._theirs:
            opponent = OpponentWindow(GREEN_DIE, self._theirs, opponent_value, window, self._budget)
        ways: defaultdict[FinalDice, int] = defaultdict(int)
        for counts, count in self._starts:
            for (after, rest), some in after_opponent(opponent, counts, self._exponent).items():
                outcomes, scale = window.distribution(need, after, rest)
                self._budget.spend(len(outcomes), 6)
                for end, more in outcomes.items():
                    ways[end] += count * some * more << 3 * scale
        return ways


def theirs(declared: Declared) -> FreeEffects:
    """What the attacker may do to the defense dice in its window."""
    return opponent_effects(their_effects(declared, Side.ATTACKER, Pool.GREEN, declared.attack), Pool.GREEN)


class AnyDefenseDice:
    """As ``DefenseDice``, whatever both sides hold (section 9)."""

    def __init__(self, declared: Declared, budget: Budget) -> None:
        self._line = ready(declared, Side.DEFENDER, declared.defense or NO_DEFENSE)
        self._declared, self._budget = declared, budget
        self._limits = limits(declared, Side.DEFENDER, Pool.GREEN)
        self._theirs, self._finish = theirs(declared), Finish(declared)
        self._starts = list(rolled_or_fixed(declared, Pool.GREEN, GREEN_DIE, defense_pool(declared)))
        self._exponent = defense_pool(declared) + sum(own_effects(self._line.effects, Pool.GREEN).adds)
        self.total = sum(count for _, count in self._starts) << 3 * self._exponent

    def outcomes(self, attack: Mapping[Results, int], held: Tokens) -> Outcomes:
        """What comes of attack dice with these weights against a defender who holds these tokens."""
        line = self._line.holding(dict(zip(slots(Side.DEFENDER, self._line), held, strict=True)))
        found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for results, weight in attack.items():
            for (through, left), ways in self._law(results, line).items():
                found[left][through] += weight * ways
        return found

    def _law(self, results: Results, line: LineUp) -> Mapping[tuple[Results, Tokens], int]:
        """The ways to each end against so many (hits, crits), together ``total``."""
        window = self.window(results, line)

        def opponent_value(dice: Dice, exponent: int) -> int:
            return -window.value(dice, exponent)

        opponent = None
        if self._theirs:
            opponent = OpponentWindow(GREEN_DIE, self._theirs, opponent_value, window, self._budget)
        found: defaultdict[tuple[Results, Tokens], int] = defaultdict(int)
        for counts, count in self._starts:
            for (after, rest), some in after_opponent(opponent, counts, self._exponent).items():
                for (final, left), more in window.distribution(after, rest):
                    found[self._finish.end(results, final[RESULT], left)] += count * some * more
        return found

    def window(self, results: Results, line: LineUp) -> OwnWindow:
        """The defender's window against so many (hits, crits)."""

        def end(counts: Counts, left: Left) -> int:
            return -sum(self._finish.end(results, counts[RESULT], left)[0])

        def prefer(_: Counts, left: Left) -> tuple[int, ...]:
            return kept(Side.DEFENDER, left)

        return OwnWindow(Side.DEFENDER, line, end, self._budget, limits=self._limits, prefer=prefer)


def defense_dice(declared: Declared, budget: Budget) -> DefenseDice | AnyDefenseDice:
    """The fast search, where it knows all that both sides may do."""
    line = ready(declared, Side.DEFENDER, declared.defense or NO_DEFENSE)
    is_known = is_simple(Side.DEFENDER, line, limits(declared, Side.DEFENDER, Pool.GREEN)) and not line.stock
    if is_known and Finish(declared).is_simple:
        return DefenseDice(replace(declared, defense=line), budget)
    return AnyDefenseDice(declared, budget)

"""Steps 4 to 6: the defense dice, what evades and tokens cancel, and what comes of the attack."""

from collections import defaultdict
from collections.abc import Mapping

from bot.odds.distribution import Distribution
from bot.odds.xwing.attack_dice import Results, after_opponent, rolled_or_fixed, usable_line_up
from bot.odds.xwing.dice import (
    BLANK,
    FOCUS,
    GREEN_DIE,
    RESULT,
    Budget,
    Change,
    Dice,
    FreeEffects,
    after_changes,
    opponent_effects,
    own_effects,
    rolls,
    summed,
)
from bot.odds.xwing.search import OpponentWindow, RerollSearch, SearchState
from bot.rules.xwing.declared import Declared, Pool
from bot.rules.xwing.pools import NO_DEFENSE, defense_pool

Tokens = tuple[int, int, int, int]
"""What the defender holds and may spend: focus, calculate, force, evade."""

Ending = tuple[int, Tokens]
"""The end of an attack: how many hits and crits nobody cancelled, and the tokens left."""

FinalDice = tuple[int, int, int]
"""Defense dice that nobody rerolls any more: blanks, focus results, and the hits and crits still to be cancelled."""


class TokenSpending:
    """The defender's free changes and tokens, once the rerolls are over."""

    def __init__(self, tokens: Tokens, reinforce: int, changes: tuple[Change, ...], budget: Budget) -> None:
        self.tokens = tokens
        self._reinforce, self._changes, self._budget = reinforce, changes, budget
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
        held_focus, calculate, force, evade = self.tokens
        kept = focus if held_focus else min(focus, calculate + force)
        return min(blanks + focus - kept, evade), kept

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
        held_focus, calculate, force, evade = self.tokens
        small = calculate + force
        turned = focus if held_focus or focus < small else small
        other = blanks + focus - turned
        most = turned + (evade if evade < other else other)
        # Reinforce cancels all but one: past that point only evades enough for the last one help.
        used = need if most >= need else min(most, max(0, need - self._reinforce - 1))
        if not used:
            return uncancelled(need, self._reinforce), self.tokens
        left = uncancelled(need - used, self._reinforce)
        first = used if used < focus else focus
        if held_focus and first > (small > 0):
            return left, (held_focus - 1, calculate, force, evade - used + first)
        calculated = first if first < calculate else calculate
        forced = min(first - calculated, force)
        return left, (held_focus, calculate - calculated, force - forced, evade - used + calculated + forced)


def uncancelled(results: int, reinforce: int) -> int:
    """Step 6: what is left of the hits and crits that evades did not cancel."""
    return max(min(results, 1), results - reinforce)


class DefenderWindow:
    """The defender's window on the defense dice; the attack's results are known. ``spending`` values final dice.

    ``need`` is how many hits and crits are still to be cancelled.
    """

    def __init__(self, spending: TokenSpending, effects: FreeEffects, budget: Budget) -> None:
        self._adds, self._budget = effects.adds, budget
        self.has_rerolls = bool(effects.rerolls)
        any_kind = all(len(reroll.ranks) == 2 for reroll in effects.rerolls)
        self.is_monotone = any_kind and all(change.old > BLANK for change in effects.changes)
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
        self._theirs = opponent_effects(usable_line_up(declared, declared.attack).effects, Pool.GREEN)
        self._mine = own_effects(defense.effects, Pool.GREEN)
        self._starts = list(rolled_or_fixed(declared, Pool.GREEN, GREEN_DIE, dice))
        self._most = dice + sum(self._mine.adds)
        self._exponent = self._most if self._mine.rerolls or self._theirs.rerolls else 0
        self._windows: dict[Tokens, DefenderWindow] = {}
        self._final_dice: dict[tuple[Tokens, int], Mapping[FinalDice, int]] = {}
        self.total = sum(count for _, count in self._starts) << 3 * self._exponent

    def outcomes(self, attack: Distribution[Results], held: Tokens) -> Outcomes:
        """What comes of attack dice of this distribution against a defender who holds these tokens."""
        spending = self._spending(held)
        endings = {need: self._endings(spending, need) for need in {hits + crits for hits, crits in attack.weights}}
        found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for (hits, crits), weight in attack.weights.items():
            self._budget.spend(len(endings[hits + crits]), 2)
            for (uncancelled, left), ways in endings[hits + crits].items():
                through = min(crits, uncancelled)  # evades cancel hits before crits
                found[left][uncancelled - through, through] += weight * ways
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
        focus, calculate, force, evade = tokens
        equivalent = min(focus, 1), min(calculate + force, self._most), 0, min(evade, self._most)
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

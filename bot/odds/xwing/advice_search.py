"""The search behind advice: an open window played on for an aim (``SEARCH.md``, section 7).

The side that asks plays for its aim in all windows that it has left, the opponent by the policy of the odds. Values are
packed integers: all numbers of an end of the attack side by side, the one that is aimed at in the highest bits.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from operator import add, sub
from typing import Any, Final

from bot.odds.xwing.attack_dice import AttackerWindow, final_ranks, rolled_or_fixed, usable_line_up
from bot.odds.xwing.defense_dice import DefenderWindow, TokenSpending, uncancelled
from bot.odds.xwing.dice import (
    BLANK,
    CRIT,
    FOCUS,
    GREEN_DIE,
    RANK,
    RED_DIE,
    RESULT,
    Budget,
    Counts,
    Dice,
    Reroll,
    after_changes,
    opponent_effects,
    own_effects,
    ranks_of,
    rolls,
    summed,
)
from bot.odds.xwing.search import DiceOwner, OpponentWindow, Rerolls, Value, reroll_choices, useful_rerolls
from bot.rules.dice import Rolled, standing
from bot.rules.game import Side
from bot.rules.xwing.attack import ACTS, Attack
from bot.rules.xwing.damage import to_cancel
from bot.rules.xwing.declared import OWN_POOL, Face, LineUp, Pool
from bot.rules.xwing.pools import defense_pool

MOST: Final[Mapping[str, int]] = {"damage": 63, "hurt": 1, "crit": 1, "kill": 1}
"""The most that each number of an end can be; to the defender it is the rest that counts."""

VALUE_BITS: Final = 6
"""Bits of the largest number of one end."""

TokensLeft = tuple[int, int, int, int]
"""Tokens left: focus, calculate, force, and the attacker's lock or the defender's evades."""


class Aim(StrEnum):
    """What the side that asks plays for; the defender plays for the opposite of the attacker."""

    DAMAGE = "damage"
    KILL = "kill"
    CRITS = "crits"
    TOKENS = "tokens"


ORDER: Final[Mapping[Aim, tuple[str, ...]]] = {
    Aim.DAMAGE: ("damage", "kept", "kill", "crit", "hurt"),
    Aim.KILL: ("kill", "damage", "kept", "crit", "hurt"),
    Aim.CRITS: ("crit", "damage", "kept", "kill", "hurt"),
    Aim.TOKENS: ("kept", "damage", "kill", "crit", "hurt"),
}
"""What counts first, then among equals, and so on; tokens are never spent without gain."""

TOKENS: Final = ("focus", "calculate", "force", "last")
RELUCTANCE: Final = ("last", "focus", "force", "calculate")
"""Of equally many tokens those that the policy spends last are kept: the lock or evades, then the focus."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Means and probabilities of a choice; ``kept`` are the means of the tokens left."""

    damage: Fraction
    hurt: Fraction
    crit: Fraction
    kill: Fraction
    kept: tuple[Fraction, ...]


class PackedScore:
    """The value of ends of an attack to one side, packed into integers that are compared by its aim (section 7).

    ``health`` is hull + shields, ``ways`` the most that a sum of ends holds.
    """

    def __init__(self, side: Side, aim: Aim, health: int | None, ways: int) -> None:
        self._bits = ways.bit_length() + VALUE_BITS
        self._health, self._defends = health, side is Side.DEFENDER
        names = (*ORDER[aim], *RELUCTANCE)
        self._shifts = {name: slot * self._bits for slot, name in enumerate(reversed(names))}
        self._ends: dict[tuple[int, bool], int] = {}
        self._kepts: dict[TokensLeft, int] = {}

    def end(self, damage: int, crits: int) -> int:
        """One end: the hits and crits that got through, and how many of them are crits."""
        key = damage, crits > 0
        if key not in self._ends:
            kill = self._health is not None and damage >= self._health
            end = {"damage": damage, "hurt": int(damage > 0), "crit": int(crits > 0), "kill": int(kill)}
            self._ends[key] = self._packed({name: MOST[name] - end[name] for name in MOST} if self._defends else end)
        return self._ends[key]

    def kept(self, tokens: TokensLeft) -> int:
        """What tokens left add to one end."""
        if tokens not in self._kepts:
            self._kepts[tokens] = self._packed({"kept": sum(tokens), **dict(zip(TOKENS, tokens, strict=True))})
        return self._kepts[tokens]

    def _packed(self, values: Mapping[str, int]) -> int:
        return sum(value << self._shifts[name] for name, value in values.items())

    def expected(self, packed: int, ways: int) -> Expected:
        """The numbers of a sum of so many ends."""
        mask = (1 << self._bits) - 1
        mean = {name: Fraction(packed >> shift & mask, ways) for name, shift in self._shifts.items()}
        if self._defends:
            mean |= {name: most - mean[name] for name, most in MOST.items()}
        return Expected(mean["damage"], mean["hurt"], mean["crit"], mean["kill"], tuple(mean[kind] for kind in TOKENS))


def plus(one: TokensLeft, other: TokensLeft) -> TokensLeft:
    """Both together."""
    first, second, third, fourth = map(add, one, other)
    return first, second, third, fourth


End = Callable[[Counts, TokensLeft], int]
"""The value of final dice, with the tokens left."""


class WindowOnOwnDice:
    """The best that a side with this line-up can make of its dice; results up to ``top`` may be rerolled.

    Rerolls and the lock come first, then free changes, then tokens, then changes of results: nothing is spent before it
    is known what fell.
    """

    def __init__(self, pool: Pool, line: LineUp, end: End, budget: Budget, top: int = FOCUS) -> None:
        effects = own_effects(line.effects, pool)
        self._die, self._end, self._budget = (RED_DIE if pool is Pool.RED else GREEN_DIE), end, budget
        self._adds, self._ranks = effects.adds, range(top + 1)
        self._rerolls = rerolls(line, pool, self._ranks)
        self._lock = line.lock if pool is Pool.RED else 0
        self._tokens = line.focus, line.calculate, line.force, line.evade if pool is Pool.GREEN else 0
        self._early_changes = tuple(change for change in effects.changes if change.old < RESULT)
        self._late_changes = tuple(change for change in effects.changes if change.old >= RESULT)
        self._bests: dict[tuple[Dice, Rerolls, int], int] = {}
        self._stops: dict[tuple[Counts, int], int] = {}

    def value(self, dice: Dice, exponent: int) -> int:
        """The value of dice while the window is open, times 8**exponent; there are at most so many fresh dice."""
        fresh = summed(dice[0], self._adds)
        best = self._best((fresh, dice[1]), useful_rerolls(self._rerolls, fresh), self._lock)
        return best << 3 * (exponent - sum(fresh))

    def closed(self, dice: Dice, exponent: int) -> int:
        """The value if the window closes now."""
        focus, calculate, force, evade = self._tokens
        return self._end(summed(*dice), (focus, calculate, force, evade or self._lock)) << 3 * exponent

    def _best(self, dice: Dice, left: Rerolls, lock: int) -> int:
        """The best of stopping and of each reroll, times 8 for each fresh die."""
        key = dice, left, lock
        if key not in self._bests:
            free = reroll_choices(dice[0], left, best_first=False)
            tries = [self._rerolled(dice, rerolled, then, lock) for rerolled, then in free]
            if lock:
                everything = Reroll(tuple(self._ranks), sum(dice[0]))
                tries += [
                    self._rerolled(dice, rerolled, useful_rerolls(left, tuple(map(sub, dice[0], rerolled))), 0)
                    for rerolled, _ in reroll_choices(dice[0], (everything,), best_first=False)
                ]
            self._bests[key] = max([self._stop(summed(*dice), lock) << 3 * sum(dice[0]), *tries])
        return self._bests[key]

    def _rerolled(self, dice: Dice, rerolled: Counts, left: Rerolls, lock: int) -> int:
        kept, outcomes = tuple(map(sub, dice[0], rerolled)), rolls(self._die, sum(rerolled))
        self._budget.spend(len(outcomes))
        return sum(ways * self._best((kept, summed(dice[1], counts)), left, lock) for counts, ways in outcomes)

    def _stop(self, counts: Counts, lock: int) -> int:
        """The best that changes and tokens can make of the dice."""
        key = counts, lock
        if key not in self._stops:
            ends = [self._end(after, (*kept[:3], kept[3] or lock)) for after, kept in self._ends(counts)]
            self._budget.spend(len(ends))
            self._stops[key] = max(ends)
        return self._stops[key]

    def _ends(self, counts: Counts) -> Iterator[tuple[Counts, TokensLeft]]:
        nothing = (0,) * len(counts)
        for _, early in after_changes((nothing, counts), self._early_changes):
            for paid, kept in self._paid(early):
                for _, late in after_changes((nothing, paid), self._late_changes):
                    yield late, kept

    def _paid(self, counts: Counts) -> Iterator[tuple[Counts, TokensLeft]]:
        """Every use of tokens that may pay: calculate goes before force, evades change blanks first."""
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


def rerolls(line: LineUp, pool: Pool, of: Sequence[int]) -> Rerolls:
    """The rerolls that cards of a side allow on a pool, as far as they are of the results ``of``."""
    found = [
        Reroll(tuple(rank for rank in ranks_of(effect) if rank in of), effect.most)
        for effect in line.effects
        if effect.pool is pool and effect.verb == "reroll"
    ]
    return tuple(sorted(reroll for reroll in found if reroll.ranks))


class WindowOnTheirDice:
    """A window on dice of the other side; when it closes, ``value`` is the value of the dice to the side that asks.

    The opponent chooses by ``opponent_value``, the policy; without it the side that asks chooses, for ``value`` and
    among all sets of dice, since a die that was rerolled once is not rerolled by its owner.
    """

    def __init__(
        self,
        pool: Pool,
        line: LineUp,
        value: Value,
        owner: DiceOwner,
        budget: Budget,
        opponent_value: Value | None = None,
    ) -> None:
        self._value, die = value, RED_DIE if pool is Pool.RED else GREEN_DIE
        effects, asks = opponent_effects(line.effects, pool), opponent_value is None
        if asks:
            effects = replace(effects, rerolls=rerolls(line, pool, range(len(die))))
        self._window = None
        if effects:
            self._window = OpponentWindow(die, effects, opponent_value or value, owner, budget, any_set=asks)

    def value(self, dice: Dice, exponent: int) -> int:
        """The value of dice while the window is open, times 8**exponent."""
        if self._window is None:
            return self._value(dice, exponent)
        return sum(ways * self._value(*outcome) for outcome, ways in self._window.distribution(dice, exponent).items())

    def closed(self, dice: Dice, exponent: int) -> int:
        """The value if the window closes now."""
        return self._value(dice, exponent)


class RestOfAttack:
    """Steps 4 to 6, from before the defense dice are rolled. ``held`` are tokens of the side that asks, not spent.

    ``ways`` is the number of ways in which the defense dice can fall and be rerolled, the scale of ``final``.
    """

    def __init__(self, state: Attack, side: Side, score: PackedScore, held: TokensLeft, budget: Budget) -> None:
        self._state, self._side, self._score, self._held, self._budget = state, side, score, held, budget
        defense, self._mine = state.defense, own_effects(state.defense.effects, Pool.GREEN)
        tokens = defense.focus, defense.calculate, defense.force, defense.evade
        self._spending = TokenSpending(tokens, defense.reinforce, self._mine.changes, budget)
        self._policy = DefenderWindow(self._spending, self._mine, budget)
        dice = defense_pool(state.declared)
        self._starts = list(rolled_or_fixed(state.declared, Pool.GREEN, GREEN_DIE, dice))
        self._exponent = dice + sum(self._mine.adds)
        self.ways = sum(count for _, count in self._starts) << 3 * self._exponent
        self.final = cache(self._final)

    def _final(self, hits: int, crits: int) -> int:
        """The value of attack dice that show so many hits and crits, times ``ways``."""
        window, nothing = self.attacker(hits + crits, crits, self._state.attack), (0,) * len(GREEN_DIE)
        return sum(count * window.value((counts, nothing), self._exponent) for counts, count in self._starts)

    def attacker(self, need: int, crits: int, line: LineUp) -> WindowOnTheirDice:
        """Step 5, the attacker's window on the defense dice, against so many hits and crits together."""
        theirs = usable_line_up(self._state.declared, line)

        def opponent_value(dice: Dice, exponent: int) -> int:
            return -self._policy.value(need, dice, exponent)

        def by_policy(dice: Dice, exponent: int) -> int:
            return self._by_policy(need, crits, dice, exponent)

        if self._side is Side.ATTACKER:
            return WindowOnTheirDice(Pool.GREEN, theirs, by_policy, self._policy, self._budget)
        value = self.defender(need, crits, self._state.defense).value
        return WindowOnTheirDice(Pool.GREEN, theirs, value, self._policy, self._budget, opponent_value)

    def defender(self, need: int, crits: int, line: LineUp) -> WindowOnOwnDice:
        """Step 5, the window of a defender who asks for advice."""

        def end(counts: Counts, kept: TokensLeft) -> int:
            left = uncancelled(max(0, need - counts[RESULT]), self._state.defense.reinforce)
            return self._score.end(left, min(crits, left)) + self._score.kept(plus(kept, self._held))

        return WindowOnOwnDice(Pool.GREEN, line, end, self._budget)

    def _by_policy(self, need: int, crits: int, dice: Dice, exponent: int) -> int:
        """The same window, of a defender who keeps to the policy."""
        outcomes, scale = self._policy.distribution(need, dice, exponent)
        self._budget.spend(len(outcomes))
        total = 0
        for final, ways in outcomes.items():
            left = self._spending.end(final)[0]
            total += ways * self._score.end(left, min(crits, left))
        return total + (self._score.kept(self._held) << 3 * (exponent - scale)) << 3 * scale


KINDS: Final = {
    Side.ATTACKER: ("focus", "calculate", "force", "lock"),
    Side.DEFENDER: ("focus", "calculate", "force", "evade"),
}
"""The tokens that are spent on one's own dice."""

NOTHING: Final[TokensLeft] = (0, 0, 0, 0)


class OpenWindow:
    """An open window as the side that acts in it sees it; ``kind`` is a kind of token that it will not spend.

    ``dice`` are those of the window, ``exponent`` how many of them may still be rerolled. Values are packed integers
    times 8**exponent and ``scale``.
    """

    def __init__(self, state: Attack, aim: Aim, budget: Budget, kind: str = "") -> None:
        self.side, self.pool = ACTS[state.window]
        self.is_own = OWN_POOL[self.side] is self.pool
        line = state.side(self.side)
        self.line = without(line, kind) if kind else line
        self.state = (
            replace(state, attack=self.line) if self.side is Side.ATTACKER else replace(state, defense=self.line)
        )
        self.top = RESULT if aim is Aim.CRITS and self.pool is Pool.RED and self.is_own else FOCUS
        self.dice = count_dice(state.pool(self.pool), self.pool)
        self._budget, self._held = budget, minus(tokens(line, self.side), self._spendable())
        self._prepare(state, aim)

    def _spendable(self) -> TokensLeft:
        """Those tokens that may be spent from here on."""
        if self.side is Side.DEFENDER:
            return tokens(self.line, self.side)
        return tokens(usable_line_up(self.state.declared, self.line), self.side) if self.is_own else NOTHING

    def _prepare(self, state: Attack, aim: Aim) -> None:
        declared = state.declared
        both = (*state.attack.effects, *state.defense.effects)
        self.exponent = sum(self.dice[0]) + sum(own_effects(both, self.pool).adds)
        green = defense_pool(declared) + sum(own_effects(state.defense.effects, Pool.GREEN).adds)
        ways = 1 << 3 * (self.exponent + (2 * green if self.pool is Pool.RED else 0))
        health = None if declared.hull is None else declared.hull + declared.shields
        self.score = PackedScore(self.side, aim, health, ways)
        first = self.side is Side.ATTACKER and self.pool is Pool.RED
        self._rest = RestOfAttack(self.state, self.side, self.score, NOTHING if first else self._held, self._budget)
        self.scale = self._rest.ways if self.pool is Pool.RED else 1
        self._crits, self._need = standing(state.red).count(Face.CRIT), to_cancel(state.red)
        self._final_ranks = final_ranks(declared)

    def play_on(self, line: LineUp) -> WindowOnOwnDice | WindowOnTheirDice:
        """The window played on by a side that has ``line`` left."""
        if self.pool is Pool.GREEN:
            rest = self._rest.defender if self.is_own else self._rest.attacker
            return rest(self._need, self._crits, line)
        if self.is_own:
            usable = usable_line_up(self.state.declared, line)
            return WindowOnOwnDice(Pool.RED, usable, self._end, self._budget, self.top)
        return self._before_attacker(line)

    def _end(self, counts: Counts, kept: TokensLeft) -> int:
        """The attack dice as they are after both windows, and what they will do."""
        final = [0] * len(counts)
        for rank, count in enumerate(counts):
            final[self._final_ranks[rank]] += count
        return self._rest.final(final[RESULT], final[CRIT]) + self.score.kept(plus(kept, self._held)) * self.scale

    def _before_attacker(self, line: LineUp) -> WindowOnTheirDice:
        """Step 3, the defender's window; the attacker then keeps to the policy."""
        attack = usable_line_up(self.state.declared, self.state.attack)
        theirs = AttackerWindow(attack, own_effects(attack.effects, Pool.RED), self._final_ranks, self._budget)

        def value(dice: Dice, exponent: int) -> int:
            ends = theirs.distribution(dice, exponent)
            return sum(ways * self._rest.final(*theirs.results(end)) for end, ways in ends)

        return WindowOnTheirDice(Pool.RED, line, value, theirs, self._budget)

    def expected(self, value: int) -> Expected:
        """The numbers of a packed value."""
        return self.score.expected(value, self.scale << 3 * self.exponent)


def count_dice(dice: tuple[Rolled, ...], pool: Pool) -> Dice:
    """Dice that count, by result: those that may still be rerolled, and those that may not."""
    fresh, done = [0] * len(pool.results), [0] * len(pool.results)
    for die in dice:
        if die.counts:
            (done if die.was_rerolled else fresh)[RANK[Face(str(die.face))]] += 1
    return tuple(fresh), tuple(done)


def tokens(line: LineUp, side: Side) -> TokensLeft:
    """The tokens of a line-up that are spent on its own dice."""
    focus, calculate, force, last = (getattr(line, kind) for kind in KINDS[side])
    return focus, calculate, force, last


def minus(one: TokensLeft, other: TokensLeft) -> TokensLeft:
    """The first without the second."""
    first, second, third, fourth = other
    return plus(one, (-first, -second, -third, -fourth))


def without(line: LineUp, kind: str) -> LineUp:
    """The line-up without a kind of token."""
    none: dict[str, Any] = {kind: 0}
    return replace(line, **none)

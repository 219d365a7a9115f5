"""The search behind advice: an open window played on for an aim (``SEARCH.md``, section 7).

The side that asks plays for its aim in all windows that it has left, the opponent by the policy of the odds. Values are
packed integers: all numbers of an end of the attack side by side, the one that is aimed at in the highest bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from operator import add, sub
from typing import Final

from bot.odds.xwing.after_dice import Finish, Results
from bot.odds.xwing.attack_dice import attacker_window, final_ranks, final_results, rolled_or_fixed, their_effects
from bot.odds.xwing.defense_dice import defense_dice
from bot.odds.xwing.dice import (
    FOCUS,
    GREEN_DIE,
    RANK,
    RESULT,
    Budget,
    Counts,
    Dice,
    Reroll,
    opponent_effects,
    own_effects,
    ranks_of,
    remembered,
)
from bot.odds.xwing.own_window import DICE, Left, OwnWindow, slots
from bot.odds.xwing.search import DiceOwner, OpponentWindow, Value
from bot.rules.dice import Rolled, standing
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import ACTS, Attack
from bot.rules.xwing.dice.declared import Effect, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.dice.limits import limits
from bot.rules.xwing.dice.pools import defense_pool
from bot.rules.xwing.dice.tokens import KEPT_FIRST, SPENT

MOST: Final[Mapping[str, int]] = {"damage": 63, "hurt": 1, "crit": 1, "kill": 1}
"""The most that each number of an end can be; to the defender it is the rest that counts."""

VALUE_BITS: Final = 6
"""Bits of the largest number of one end."""

TokensLeft = tuple[int, ...]
"""Tokens left, in the order of ``SPENT``."""


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
        # Of equally many tokens those that the policy spends last are kept.
        names, self._tokens = (*ORDER[aim], *KEPT_FIRST[side]), SPENT[side]
        self._shifts = {name: slot * self._bits for slot, name in enumerate(reversed(names))}

    @remembered
    def end(self, damage: int, crits: int) -> int:
        """One end: the hits and crits that got through, and how many of them are crits."""
        kill = self._health is not None and damage >= self._health
        end = {"damage": damage, "hurt": int(damage > 0), "crit": int(crits > 0), "kill": int(kill)}
        return self._packed({name: MOST[name] - end[name] for name in MOST} if self._defends else end)

    @remembered
    def kept(self, tokens: TokensLeft) -> int:
        """What tokens left add to one end."""
        return self._packed({"kept": sum(tokens), **dict(zip(self._tokens, tokens, strict=True))})

    def _packed(self, values: Mapping[str, int]) -> int:
        return sum(value << self._shifts[name] for name, value in values.items())

    def expected(self, packed: int, ways: int) -> Expected:
        """The numbers of a sum of so many ends."""
        mask = (1 << self._bits) - 1
        mean = {name: Fraction(packed >> shift & mask, ways) for name, shift in self._shifts.items()}
        if self._defends:
            mean |= {name: most - mean[name] for name, most in MOST.items()}
        return Expected(
            mean["damage"], mean["hurt"], mean["crit"], mean["kill"], tuple(mean[kind] for kind in self._tokens)
        )


def plus(one: TokensLeft, other: TokensLeft) -> TokensLeft:
    """Both together."""
    return tuple(map(add, one, other))


class WindowOnTheirDice:
    """A window on dice of the other side; when it closes, ``value`` is the value of the dice to the side that asks.

    The opponent chooses by ``opponent_value``, the policy; without it the side that asks chooses, for ``value`` and
    among all sets of dice, since a die that was rerolled once is not rerolled by its owner.
    """

    def __init__(
        self,
        pool: Pool,
        acting: Sequence[Effect],
        value: Value,
        owner: DiceOwner,
        budget: Budget,
        opponent_value: Value | None = None,
    ) -> None:
        self._value, effects, asks = value, opponent_effects(acting, pool), opponent_value is None
        if asks:  # all rerolls that its cards allow
            found = (one for one in acting if one.pool is pool and one.verb == "reroll")
            rerolls = sorted(Reroll(ranks_of(one), one.most, one.exactly) for one in found)
            effects = replace(effects, rerolls=tuple(rerolls))
        self._window = OpponentWindow(DICE[pool], effects, opponent_value or value, owner, budget, any_set=asks)

    def value(self, dice: Dice, exponent: int) -> int:
        """The value of dice while the window is open, times 8**exponent."""
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
        declared = replace(state.declared, attack=state.attack, defense=state.defense)
        self._declared, self._finish = declared, Finish(declared)
        self._policy = defense_dice(declared, budget)
        self._tokens = tuple(state.defense.has(name) for name in slots(Side.DEFENDER, state.defense))
        dice = defense_pool(declared)
        self._starts = list(rolled_or_fixed(declared, Pool.GREEN, GREEN_DIE, dice))
        self._exponent = dice + sum(own_effects(state.defense.effects, Pool.GREEN).adds)
        self.ways = sum(count for _, count in self._starts) << 3 * self._exponent

    @remembered
    def final(self, results: Results) -> int:
        """The value of attack dice that show so many (hits, crits), times ``ways``."""
        window, nothing = self.attacker(results, self._state.attack), (0,) * len(GREEN_DIE)
        return sum(count * window.value((counts, nothing), self._exponent) for counts, count in self._starts)

    def attacker(self, results: Results, line: LineUp) -> WindowOnTheirDice:
        """Step 5, the attacker's window on the defense dice, against so many (hits, crits)."""
        acting = their_effects(self._declared, Side.ATTACKER, Pool.GREEN, line)
        owner = self._policy.window(results, self._tokens)
        if self._side is Side.ATTACKER:
            by_policy = partial(self._by_policy, results)
            return WindowOnTheirDice(Pool.GREEN, acting, by_policy, owner, self._budget)
        value = self.defender(results, self._state.defense).value
        return WindowOnTheirDice(Pool.GREEN, acting, value, owner, self._budget, lambda *at: -owner.value(*at))

    def defender(self, results: Results, line: LineUp) -> OwnWindow:
        """Step 5, the window of a defender who asks for advice."""

        def end(counts: Counts, left: Left) -> int:
            through = self._finish.end(results, counts[RESULT], left)[0]
            return self._score.end(sum(through), through[1]) + self._score.kept(
                plus(tokens_of(left, Side.DEFENDER), self._held)
            )

        allowed = limits(self._declared, Side.DEFENDER, Pool.GREEN)
        return OwnWindow(Side.DEFENDER, line, end, self._budget, limits=allowed, prefer=stock_left)

    def _by_policy(self, results: Results, dice: Dice, exponent: int) -> int:
        """The same window, of a defender who keeps to the policy."""
        total = 0
        for end, ways in self._policy.window(results, self._tokens).distribution(dice, exponent):
            hits, crits = self._policy.end(results, end, self._tokens)[0]
            self._budget.spend(1)
            total += ways * self._score.end(hits + crits, crits)
        return total + (self._score.kept(self._held) << 3 * exponent)


def tokens_of(left: Left, side: Side) -> TokensLeft:
    """The tokens among what is left of a line-up."""
    return left[: len(SPENT[side])]


def stock_left(_: Counts, left: Left) -> tuple[int, ...]:
    """Of equal ends the one in which cards spend the least."""
    return (sum(left[:-2]),)


class OpenWindow:
    """An open window as the side that acts in it sees it; ``kind`` is a kind of token that it will not spend.

    ``dice`` are those of the window, ``exponent`` how many of them may still be rerolled. Values are packed integers
    times 8**exponent and ``scale``.
    """

    def __init__(self, state: Attack, aim: Aim, budget: Budget, kind: str = "") -> None:
        self.side, self.pool = ACTS[state.window]
        self.is_own = OWN_POOL[self.side] is self.pool
        line = state.side(self.side)
        self.line = line.holding({kind: 0}) if kind else line
        self.state = state.with_side(self.side, self.line)
        self.top = RESULT if aim is Aim.CRITS and self.pool is Pool.RED and self.is_own else FOCUS
        self.dice = count_dice(state.pool(self.pool), self.pool)
        self._limits = limits(state.declared, self.side, self.pool, state.attack)
        may_spend = self.side is Side.DEFENDER or (self.is_own and self._limits.modify)
        spent = tokens(self.line, self.side) if may_spend else (0,) * len(SPENT[self.side])
        self._budget, self._held = budget, tuple(map(sub, tokens(line, self.side), spent))
        declared = state.declared
        both = (*state.attack.effects, *state.defense.effects)
        self.exponent = sum(self.dice[0]) + sum(own_effects(both, self.pool).adds)
        green = defense_pool(declared) + sum(own_effects(state.defense.effects, Pool.GREEN).adds)
        ways = 1 << 3 * (self.exponent + (2 * green if self.pool is Pool.RED else 0))
        health = None if declared.hull is None else declared.hull + declared.shields
        self.score = PackedScore(self.side, aim, health, ways)
        first = self.side is Side.ATTACKER and self.pool is Pool.RED
        held = (0,) * len(self._held) if first else self._held
        self._rest = RestOfAttack(self.state, self.side, self.score, held, self._budget)
        self.scale = self._rest.ways if self.pool is Pool.RED else 1
        shown = standing(state.red)
        self._results = shown.count(Face.HIT), shown.count(Face.CRIT)
        self._final_ranks = final_ranks(declared)

    def play_on(self, line: LineUp) -> OwnWindow | WindowOnTheirDice:
        """The window played on by a side that has ``line`` left."""
        if self.pool is Pool.GREEN:
            rest = self._rest.defender if self.is_own else self._rest.attacker
            return rest(self._results, line)
        if self.is_own:
            end, top = self._end, self.top
            return OwnWindow(self.side, line, end, self._budget, limits=self._limits, top=top, prefer=stock_left)
        return self._before_attacker(line)

    def _end(self, counts: Counts, left: Left) -> int:
        """The attack dice as they are after both windows, and what they will do."""
        kept = tokens_of(left, self.side) if self._limits.modify else (0,) * len(self._held)
        ahead = self._rest.final(final_results(counts, self._final_ranks))
        return ahead + self.score.kept(plus(kept, self._held)) * self.scale

    def _before_attacker(self, line: LineUp) -> WindowOnTheirDice:
        """Step 3, the defender's window; the attacker then keeps to the policy."""
        theirs = attacker_window(self.state.declared, self.state.attack, self._budget)
        acting = their_effects(self.state.declared, Side.DEFENDER, Pool.RED, line)

        def value(dice: Dice, exponent: int) -> int:
            return sum(ways * self._rest.final(end[0]) for end, ways in theirs.results(dice, exponent))

        return WindowOnTheirDice(Pool.RED, acting, value, theirs, self._budget)

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
    return tuple(line.has(kind) for kind in SPENT[side])

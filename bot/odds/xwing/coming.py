"""What is still to come when the attack dice are final (steps 4 to 6), for the side that asks.

That side plays for its aim, the other one by the policy of the odds; each end is one packed integer (``score``).
"""

from dataclasses import replace
from functools import cache

from bot.odds.xwing.attack import able, starts
from bot.odds.xwing.changes import Dice
from bot.odds.xwing.green import GreenWindow, Spending, uncancelled
from bot.odds.xwing.other import Other, Value
from bot.odds.xwing.own import OwnWindow, rerolls
from bot.odds.xwing.score import Kept, Score, plus
from bot.odds.xwing.tables import GREEN, RED, RESULT, Counts
from bot.odds.xwing.window import other_window, own_window
from bot.odds.xwing.work import Work
from bot.rules.game import Side
from bot.rules.xwing.attack import Attack
from bot.rules.xwing.declared import LineUp, Pool
from bot.rules.xwing.pools import defense_pool


class OtherWindow:
    """A window on the other side's dice, until it closes; then the dice are worth ``value`` to those who ask.

    Its choices are made by ``harm``, the policy of the others, or else by those who ask: for ``value``, and with any
    dice, for a die that was rerolled once is not rerolled by its owner.
    """

    def __init__(
        self, pool: Pool, line: LineUp, value: Value, worse_is_worse: bool, work: Work, harm: Value | None = None
    ) -> None:
        self._value, die = value, RED if pool is Pool.RED else GREEN
        window = other_window(line.effects, pool)
        if harm is None:
            window = replace(window, rerolls=rerolls(line, pool, range(len(die))))
        self._other = Other(die, window, harm or value, worse_is_worse, work, any_set=not harm) if window else None

    def value(self, dice: Dice, power: int) -> int:
        """What the dice are worth while the window is open, times 8**power."""
        if self._other is None:
            return self._value(dice, power)
        return sum(ways * self._value(*outcome) for outcome, ways in self._other.settled(dice, power).items())

    def closed(self, dice: Dice, power: int) -> int:
        """What they are worth if the window closes now."""
        return self._value(dice, power)


class Coming:
    """The defense dice, from before they are rolled to the end. ``held`` are tokens of those who ask, not to be spent.

    ``ways`` is the number of ways in which the defense dice can fall and be rerolled, the scale of ``final``.
    """

    def __init__(self, state: Attack, side: Side, score: Score, held: Kept, work: Work) -> None:
        self._state, self._side, self._score, self._held, self._work = state, side, score, held, work
        defense, self._mine = state.defense, own_window(state.defense.effects, Pool.GREEN)
        tokens = defense.focus, defense.calculate, defense.force, defense.evade
        self._spending = Spending(tokens, defense.reinforce, self._mine.moves, work)
        self._policy = GreenWindow(self._spending, self._mine, work)
        dice = defense_pool(state.declared)
        self._starts, self._power = list(starts(state.declared, Pool.GREEN, GREEN, dice)), self.power(dice)
        self.ways = sum(count for _, count in self._starts) << 3 * self._power
        self.final = cache(self._final)

    def power(self, dice: int) -> int:
        """How many defense dice may still be rerolled, of so many that lie."""
        return dice + sum(self._mine.adds)

    def _final(self, hits: int, crits: int) -> int:
        """What attack dice that show so many hits and crits are worth, times ``ways``."""
        window, nothing = self.attacker(hits + crits, crits, self._state.attack), (0,) * len(GREEN)
        return sum(count * window.value((counts, nothing), self._power) for counts, count in self._starts)

    def attacker(self, need: int, crits: int, line: LineUp) -> OtherWindow:
        """Step 5, the attacker's window on the defense dice, against so many hits and crits together."""
        theirs, worse = able(self._state.declared, line), self._policy.worse_is_worse

        def harm(dice: Dice, power: int) -> int:
            return -self._policy.value(need, dice, power)

        def by_policy(dice: Dice, power: int) -> int:
            return self._by_policy(need, crits, dice, power)

        if self._side is Side.ATTACKER:
            return OtherWindow(Pool.GREEN, theirs, by_policy, worse, self._work)
        value = self.defender(need, crits, self._state.defense).value
        return OtherWindow(Pool.GREEN, theirs, value, worse, self._work, harm)

    def defender(self, need: int, crits: int, line: LineUp) -> OwnWindow:
        """Step 5, the window of a defender who asks."""

        def end(counts: Counts, kept: Kept) -> int:
            left = uncancelled(max(0, need - counts[RESULT]), self._state.defense.reinforce)
            return self._score.end(left, min(crits, left)) + self._score.kept(plus(kept, self._held))

        return OwnWindow(Pool.GREEN, line, end, self._work)

    def _by_policy(self, need: int, crits: int, dice: Dice, power: int) -> int:
        """The same window, of a defender who keeps to the policy."""
        law, scale = self._policy.law(need, dice, power)
        self._work.look(len(law))
        total = 0
        for final, ways in law.items():
            left = self._spending.end(final)[0]
            total += ways * self._score.end(left, min(crits, left))
        return total + (self._score.kept(self._held) << 3 * (power - scale)) << 3 * scale

"""An open window as the side that acts in it sees it: what any dice and line-up are worth from there on."""

from dataclasses import replace
from typing import Any, Final

from bot.odds.xwing.attack import able, late
from bot.odds.xwing.changes import Dice
from bot.odds.xwing.coming import Coming, OtherWindow
from bot.odds.xwing.own import OwnWindow
from bot.odds.xwing.red import RedWindow
from bot.odds.xwing.score import Aim, Kept, Means, Score, plus
from bot.odds.xwing.tables import CRIT, FOCUS, RANK, RESULT, Counts
from bot.odds.xwing.window import own_window
from bot.odds.xwing.work import Work
from bot.rules.dice import Rolled
from bot.rules.game import Side
from bot.rules.xwing.attack import ACTS, Attack
from bot.rules.xwing.damage import standing
from bot.rules.xwing.declared import OWN_POOL, Face, LineUp, Pool
from bot.rules.xwing.pools import defense_pool

KINDS: Final = {
    Side.ATTACKER: ("focus", "calculate", "force", "lock"),
    Side.DEFENDER: ("focus", "calculate", "force", "evade"),
}
"""The tokens that are spent on one's own dice."""

NOTHING: Final[Kept] = (0, 0, 0, 0)


class Question:
    """A state and an aim; ``kind`` is a kind of token that is not to be spent.

    ``dice`` are those of the window, ``power`` how many of them may still be rerolled. Values are packed integers
    (``score``) times 8**power and ``scale``.
    """

    def __init__(self, state: Attack, aim: Aim, work: Work, kind: str = "") -> None:
        self.side, self.pool = ACTS[state.window]
        self.is_own = OWN_POOL[self.side] is self.pool
        line = state.side(self.side)
        self.line = without(line, kind) if kind else line
        self.state = (
            replace(state, attack=self.line) if self.side is Side.ATTACKER else replace(state, defense=self.line)
        )
        self.top = RESULT if aim is Aim.CRITS and self.pool is Pool.RED and self.is_own else FOCUS
        self.dice = counted(state.pool(self.pool), self.pool)
        self._work, self._held = work, minus(tokens(line, self.side), self._spendable())
        self._ask(state, aim)

    def _spendable(self) -> Kept:
        """Those tokens that may be spent from here on."""
        if self.side is Side.DEFENDER:
            return tokens(self.line, self.side)
        return tokens(able(self.state.declared, self.line), self.side) if self.is_own else NOTHING

    def _ask(self, state: Attack, aim: Aim) -> None:
        declared = state.declared
        both = (*state.attack.effects, *state.defense.effects)
        self.power = sum(self.dice[0]) + sum(own_window(both, self.pool).adds)
        green = defense_pool(declared) + sum(own_window(state.defense.effects, Pool.GREEN).adds)
        ways = 1 << 3 * (self.power + (2 * green if self.pool is Pool.RED else 0))
        health = None if declared.hull is None else declared.hull + declared.shields
        self.score = Score(self.side, aim, health, ways)
        first = self.side is Side.ATTACKER and self.pool is Pool.RED
        self._coming = Coming(self.state, self.side, self.score, NOTHING if first else self._held, self._work)
        self.scale = self._coming.ways if self.pool is Pool.RED else 1
        self._crits = standing(state.red, Face.CRIT)
        self._need = standing(state.red, Face.HIT) + self._crits
        self._late = late(declared)

    def window(self, line: LineUp) -> OwnWindow | OtherWindow:
        """The window for a side that has ``line`` left."""
        if self.pool is Pool.GREEN:
            to_come = self._coming.defender if self.is_own else self._coming.attacker
            return to_come(self._need, self._crits, line)
        if self.is_own:
            return OwnWindow(Pool.RED, able(self.state.declared, line), self._end, self._work, self.top)
        return self._before_attacker(line)

    def _end(self, counts: Counts, kept: Kept) -> int:
        """The attack dice as they are after both windows, and what they will do."""
        final = [0] * len(counts)
        for rank, count in enumerate(counts):
            final[self._late[rank]] += count
        return self._coming.final(final[RESULT], final[CRIT]) + self.score.kept(plus(kept, self._held)) * self.scale

    def _before_attacker(self, line: LineUp) -> OtherWindow:
        """Step 3, the defender's window; the attacker then keeps to the policy."""
        attack = able(self.state.declared, self.state.attack)
        theirs = RedWindow(attack, own_window(attack.effects, Pool.RED), self._late, self._work)

        def value(dice: Dice, power: int) -> int:
            return sum(ways * self._coming.final(*theirs.results(end)) for end, ways in theirs.law(dice, power))

        return OtherWindow(Pool.RED, line, value, theirs.worse_is_worse, self._work)

    def means(self, value: int) -> Means:
        """The numbers of a packed value."""
        return self.score.means(value, self.scale << 3 * self.power)


def counted(dice: tuple[Rolled, ...], pool: Pool) -> Dice:
    """Dice that count, by result: those that may still be rerolled, and those that may not."""
    fresh, done = [0] * len(pool.results), [0] * len(pool.results)
    for die in dice:
        if die.counts:
            (done if die.was_rerolled else fresh)[RANK[Face(str(die.face))]] += 1
    return tuple(fresh), tuple(done)


def tokens(line: LineUp, side: Side) -> Kept:
    focus, calculate, force, last = (getattr(line, kind) for kind in KINDS[side])
    return focus, calculate, force, last


def minus(one: Kept, other: Kept) -> Kept:
    first, second, third, fourth = other
    return plus(one, (-first, -second, -third, -fourth))


def without(line: LineUp, kind: str) -> LineUp:
    """The line-up without a kind of token."""
    none: dict[str, Any] = {kind: 0}
    return replace(line, **none)

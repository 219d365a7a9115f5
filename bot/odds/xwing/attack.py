"""Steps 2 and 3: the law of the attack dice when both sides have modified them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import gcd

from bot.odds.distribution import Distribution
from bot.odds.xwing.changes import Dice
from bot.odds.xwing.other import Other
from bot.odds.xwing.red import RedWindow
from bot.odds.xwing.tables import BLANK, CRIT, FOCUS, RANK, RED, RESULT, Counts, Die, rolled
from bot.odds.xwing.window import new_rank, other_window, own_window, ranks_of
from bot.odds.xwing.work import Work
from bot.rules.game import Side
from bot.rules.xwing.attack import fixed_face, pay
from bot.rules.xwing.declared import Declared, LineUp, Pool
from bot.rules.xwing.pools import NO_DEFENSE, attack_pool, may_modify

Results = tuple[int, int]
"""(hits, crits)"""


def attack_law(declared: Declared, work: Work) -> Distribution[Results]:
    """The law of (hits, crits), after what holds after both windows.

    Raises ``Unpayable`` for a weapon's cost that the attacker cannot pay.
    """
    defense = declared.defense or NO_DEFENSE
    line = able(declared, pay(declared))
    mine = RedWindow(line, own_window(line.effects, Pool.RED), late(declared), work)
    theirs = other_window(defense.effects, Pool.RED)
    dice = attack_pool(declared)
    power = dice + sum(mine.adds) if mine.has_rerolls or theirs.rerolls else 0

    def harm(dice: Dice, power: int) -> int:
        return -mine.value(dice, power)

    other = Other(RED, theirs, harm, mine.worse_is_worse, work) if theirs else None
    ways: defaultdict[Counts, int] = defaultdict(int)
    for counts, count in starts(declared, Pool.RED, RED if theirs else mine.die, dice):
        for (after, rest), some in settled(other, counts, power).items():
            for end, more in mine.law(after, rest):
                ways[end] += count * some * more
    results: defaultdict[Results, int] = defaultdict(int)
    for end, count in ways.items():
        results[mine.results(end)] += count
    return lowest(results)


def able(declared: Declared, line: LineUp) -> LineUp:
    """The attacker as far as they may act on dice; at range 0 they may only cancel, which is no modification."""
    if may_modify(declared, Side.ATTACKER):
        return line
    return LineUp(effects=tuple(effect for effect in line.effects if effect.verb == "cancel"))


def late(declared: Declared) -> Counts:
    """What each result of the attack dice is after both windows."""
    after: Counts = (BLANK, FOCUS, RESULT, CRIT)
    for effect in (*declared.attack.effects, *(declared.defense or NO_DEFENSE).effects):
        if effect.verb == "become" and effect.pool is Pool.RED:
            old = ranks_of(effect)
            after = tuple(new_rank(effect) if rank in old else rank for rank in after)
    return after


def starts(declared: Declared, pool: Pool, die: Die, dice: int) -> Iterable[tuple[Counts, int]]:
    """How the dice fall, or lie if an effect fixes them, with the number of ways."""
    fixed = fixed_face(declared, pool)
    if fixed is None:
        return rolled(die, dice)
    return [(tuple(dice if rank == RANK[fixed] else 0 for rank in range(len(die))), 1)]


def settled(other: Other | None, counts: Counts, power: int) -> Mapping[tuple[Dice, int], int]:
    """What the other side makes of dice that have just fallen."""
    dice = counts, (0,) * len(counts)
    return other.settled(dice, power) if other else {(dice, power): 1}


def lowest(ways: Mapping[Results, int]) -> Distribution[Results]:
    """The same law in the smallest whole numbers."""
    part = gcd(*ways.values())
    weights = {results: count // part for results, count in ways.items()}
    return Distribution(weights, sum(weights.values()))

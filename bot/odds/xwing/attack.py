"""One attack: the law of the attack dice, and for each number of hits and crits the law of how it ends."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from math import gcd

from bot.odds.law import Law
from bot.odds.xwing.changes import Dice
from bot.odds.xwing.green import Ending, GreenWindow, Tokens
from bot.odds.xwing.other import Other
from bot.odds.xwing.red import RedWindow
from bot.odds.xwing.tables import BLANK, CRIT, FOCUS, GREEN, RANK, RED, RESULT, Counts, Die, rolled
from bot.odds.xwing.window import new_rank, other_window, own_window, ranks_of
from bot.odds.xwing.work import Work
from bot.rules.xwing.attack import fixed_face, pay
from bot.rules.xwing.declared import Declared, LineUp, Pool
from bot.rules.xwing.pools import NO_DEFENSE, attack_pool, defense_pool

Results = tuple[int, int]
"""(hits, crits)"""


def attack_law(declared: Declared, work: Work) -> Law[Results]:
    """The attack dice at the end of step 3, and after what holds after both windows.

    Raises ``Unpayable`` for a weapon's cost that the attacker cannot pay.
    """
    defense = declared.defense or NO_DEFENSE
    line = able(declared, pay(declared))
    mine = RedWindow(line, own_window(line.effects, Pool.RED), late(declared), work)
    theirs = other_window(defense.effects, Pool.RED)
    dice = attack_pool(declared)
    power = dice + sum(mine.adds) if mine.has_rerolls or theirs.rerolls else 0
    other = Other(RED, theirs, lambda dice, power: -mine.value(dice, power), work) if theirs else None
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
    """The attacker as far as they may modify dice: at range 0 not at all."""
    return LineUp() if declared.range == 0 else line


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


class Defense:
    """Steps 4 to 6 against any number of hits and crits, for any tokens left."""

    def __init__(self, declared: Declared, work: Work) -> None:
        self._work = work
        defense = declared.defense or NO_DEFENSE
        dice = defense_pool(declared)
        self._reinforce = defense.reinforce
        self._theirs = other_window(able(declared, declared.attack).effects, Pool.GREEN)
        self._mine = own_window(defense.effects, Pool.GREEN)
        self._starts = list(starts(declared, Pool.GREEN, GREEN, dice))
        self._rerolls = bool(self._mine.rerolls or self._theirs.rerolls)
        self._power = dice + sum(self._mine.adds) if self._rerolls else 0
        self.total = sum(count for _, count in self._starts) << 3 * self._power

    def laws(self, tokens: Tokens, needs: Iterable[int]) -> Mapping[int, Mapping[Ending, int]]:
        """For each number of hits and crits the ways to each ending, together ``total``."""
        window = GreenWindow(tokens, self._reinforce, self._mine, self._work)
        found = self._searched if self._theirs or self._rerolls else self._counted
        return {need: found(window, need) if need else {(0, tokens): self.total} for need in needs}

    def _counted(self, window: GreenWindow, need: int) -> Mapping[Ending, int]:
        """The law where nobody has a choice before tokens are spent."""
        more_blanks, more_focus, more_evades = self._mine.adds
        ways: defaultdict[Ending, int] = defaultdict(int)
        self._work.look(len(self._starts))
        for (blanks, focus, evades), count in self._starts:
            left = need - evades - more_evades
            ways[window.end(blanks + more_blanks, focus + more_focus, left if left > 0 else 0)] += count
        return ways

    def _searched(self, window: GreenWindow, need: int) -> Mapping[Ending, int]:
        other = Other(GREEN, self._theirs, partial(worst, window, need), self._work) if self._theirs else None
        ways: defaultdict[Ending, int] = defaultdict(int)
        for counts, count in self._starts:
            for (after, rest), some in settled(other, counts, self._power).items():
                law, scale = window.law(need, after, rest)
                self._work.look(len(law))
                for end, more in law.items():
                    ways[end] += count * some * more << 3 * scale
        return ways


def worst(window: GreenWindow, need: int, dice: Dice, power: int) -> int:
    """What the dice are worth to the attacker."""
    return -window.value(need, dice, power)


def lowest(ways: Mapping[Results, int]) -> Law[Results]:
    """The same law in the smallest whole numbers."""
    part = gcd(*ways.values())
    weights = {results: count // part for results, count in ways.items()}
    return Law(weights, sum(weights.values()))

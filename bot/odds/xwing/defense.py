"""Steps 4 to 6: what comes of an attack whose dice are final."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from bot.odds.law import Law
from bot.odds.xwing.attack import Results, able, settled, starts
from bot.odds.xwing.changes import Dice
from bot.odds.xwing.green import Ending, GreenWindow, Tokens
from bot.odds.xwing.other import Other
from bot.odds.xwing.tables import GREEN
from bot.odds.xwing.window import other_window, own_window
from bot.odds.xwing.work import Work
from bot.rules.xwing.declared import Declared, Pool
from bot.rules.xwing.pools import NO_DEFENSE, defense_pool

Outcomes = Mapping[Tokens, Mapping[Results, int]]
"""For each tokens left after an attack the ways to each uncancelled (hits, crits)."""


class Defense:
    """What comes of attack dice that are final, whatever they show and whatever tokens the defender holds.

    ``total`` is the number of ways in which the defense dice can fall and be rerolled.
    """

    def __init__(self, declared: Declared, work: Work) -> None:
        defense = declared.defense or NO_DEFENSE
        dice = defense_pool(declared)
        self._work, self._reinforce = work, defense.reinforce
        self._theirs = other_window(able(declared, declared.attack).effects, Pool.GREEN)
        self._mine = own_window(defense.effects, Pool.GREEN)
        self._starts = list(starts(declared, Pool.GREEN, GREEN, dice))
        self._rerolls = bool(self._mine.rerolls or self._theirs.rerolls)
        self._power = dice + sum(self._mine.adds) if self._rerolls else 0
        self.total = sum(count for _, count in self._starts) << 3 * self._power

    def outcomes(self, attack: Law[Results], held: Tokens) -> Outcomes:
        """What comes of an attack of this law against a defender who holds these tokens."""
        laws = self.endings(held, {hits + crits for hits, crits in attack.weights})
        found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for (hits, crits), weight in attack.weights.items():
            endings = laws[hits + crits]
            self._work.look(len(endings))
            for (uncancelled, left), ways in endings.items():
                through = min(crits, uncancelled)  # evades cancel hits before crits
                found[left][uncancelled - through, through] += weight * ways
        return found

    def endings(self, held: Tokens, needs: Iterable[int]) -> Mapping[int, Mapping[Ending, int]]:
        """For each number of hits and crits the ways to each ending, together ``total``."""
        window = GreenWindow(held, self._reinforce, self._mine, self._work)
        found = self._searched if self._theirs or self._rerolls else self._counted
        return {need: found(window, need) if need else {(0, held): self.total} for need in needs}

    def _counted(self, window: GreenWindow, need: int) -> Mapping[Ending, int]:
        """The ways where there is nothing to choose before tokens are spent."""
        more_blanks, more_focus, more_evades = self._mine.adds
        ways: defaultdict[Ending, int] = defaultdict(int)
        self._work.look(len(self._starts))
        for (blanks, focus, evades), count in self._starts:
            left = need - evades - more_evades
            ways[window.end(blanks + more_blanks, focus + more_focus, left if left > 0 else 0)] += count
        return ways

    def _searched(self, window: GreenWindow, need: int) -> Mapping[Ending, int]:
        """The ways where dice may be rerolled, or the attacker acts on them."""

        def harm(dice: Dice, power: int) -> int:
            return -window.value(need, dice, power)

        other = Other(GREEN, self._theirs, harm, self._work) if self._theirs else None
        ways: defaultdict[Ending, int] = defaultdict(int)
        for counts, count in self._starts:
            for (after, rest), some in settled(other, counts, self._power).items():
                law, scale = window.law(need, after, rest)
                self._work.look(len(law))
                for end, more in law.items():
                    ways[end] += count * some * more << 3 * scale
        return ways

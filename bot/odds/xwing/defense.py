"""Steps 4 to 6: what comes of an attack whose dice are final."""

from collections import defaultdict
from collections.abc import Mapping

from bot.odds.distribution import Distribution
from bot.odds.xwing.attack import Results, able, settled, starts
from bot.odds.xwing.changes import Dice
from bot.odds.xwing.green import Ending, Final, GreenWindow, Spending, Tokens
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
        self._most = dice + sum(self._mine.adds)
        self._power = self._most if self._mine.rerolls or self._theirs.rerolls else 0
        self._windows: dict[Tokens, GreenWindow] = {}
        self._finals: dict[tuple[Tokens, int], Mapping[Final, int]] = {}
        self.total = sum(count for _, count in self._starts) << 3 * self._power

    def outcomes(self, attack: Distribution[Results], held: Tokens) -> Outcomes:
        """What comes of an attack of this law against a defender who holds these tokens."""
        spending = self._spending(held)
        endings = {need: self._endings(spending, need) for need in {hits + crits for hits, crits in attack.weights}}
        found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
        for (hits, crits), weight in attack.weights.items():
            self._work.look(len(endings[hits + crits]), 2)
            for (uncancelled, left), ways in endings[hits + crits].items():
                through = min(crits, uncancelled)  # evades cancel hits before crits
                found[left][uncancelled - through, through] += weight * ways
        return found

    def _spending(self, tokens: Tokens) -> Spending:
        return Spending(tokens, self._reinforce, self._mine.moves, self._work)

    def _endings(self, spending: Spending, need: int) -> Mapping[Ending, int]:
        """The ways to each ending against so many hits and crits, together ``total``."""
        if not need:
            return {(0, spending.tokens): self.total}
        ways: defaultdict[Ending, int] = defaultdict(int)
        finals = self._final(spending.tokens, need)
        self._work.look(len(finals), 4)
        for final, count in finals.items():
            ways[spending.end(final)] += count
        return ways

    def _final(self, tokens: Tokens, need: int) -> Mapping[Final, int]:
        """How the dice lie before tokens are spent. Which tokens they are matters only by what they can do."""
        if not (self._theirs or self._mine.rerolls):
            return self._fallen(need)
        focus, calculate, force, evade = tokens
        alike = min(focus, 1), min(calculate + force, self._most), 0, min(evade, self._most)
        if (alike, need) not in self._finals:
            if alike not in self._windows:
                self._windows[alike] = GreenWindow(self._spending(alike), self._mine, self._work)
            self._finals[alike, need] = self._searched(self._windows[alike], need)
        return self._finals[alike, need]

    def _fallen(self, need: int) -> Mapping[Final, int]:
        """How the dice lie where nobody acts on them before."""
        more_blanks, more_focus, more_evades = self._mine.adds
        need -= more_evades
        return {
            (blanks + more_blanks, focus + more_focus, need - evades if need > evades else 0): count
            for (blanks, focus, evades), count in self._starts
        }

    def _searched(self, window: GreenWindow, need: int) -> Mapping[Final, int]:
        """How the dice lie after the attacker has acted on them and the defender has rerolled."""

        def harm(dice: Dice, power: int) -> int:
            return -window.value(need, dice, power)

        other = Other(GREEN, self._theirs, harm, window.worse_is_worse, self._work) if self._theirs else None
        ways: defaultdict[Final, int] = defaultdict(int)
        for counts, count in self._starts:
            for (after, rest), some in settled(other, counts, self._power).items():
                law, scale = window.law(need, after, rest)
                self._work.look(len(law), 6)
                for end, more in law.items():
                    ways[end] += count * some * more << 3 * scale
        return ways

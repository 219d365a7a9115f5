"""The defense dice: the defender's window on them, and what is left uncancelled at the end of step 6."""

from collections import defaultdict
from collections.abc import Mapping

from bot.odds.xwing.changes import Dice, changed, total
from bot.odds.xwing.search import Place, Search
from bot.odds.xwing.tables import BLANK, FOCUS, GREEN, RESULT, rolled
from bot.odds.xwing.window import Window
from bot.odds.xwing.work import Work

Tokens = tuple[int, int, int, int]
"""What the defender holds and may spend: focus, calculate, force, evade."""

Ending = tuple[int, Tokens]
"""The end of an attack: how many hits and crits nobody cancelled, and the tokens left."""


class GreenWindow:
    """The defender's window: free rerolls, free changes, tokens; the attack's results are known.

    ``need`` is how many hits and crits are still to be cancelled.
    """

    def __init__(self, tokens: Tokens, reinforce: int, window: Window, work: Work) -> None:
        self._tokens, self._reinforce, self._window, self._work = tokens, reinforce, window, work
        from_blanks = any(move.ranks[0] == BLANK for move in window.moves)
        self._blanks_count = from_blanks or tokens[3] > 0
        self._search = Search(
            GREEN,
            lambda blanks, focus, need: -self.end(blanks, focus, need)[0],
            (window.rerolls, False),
            work,
            adds_up=False,
            blanks_count=self._blanks_count,
            blanks_first=not from_blanks and all(len(reroll.ranks) == 2 for reroll in window.rerolls),
        )
        self._ends: dict[tuple[int, int, int], Ending] = {}
        self._laws: dict[Place, Mapping[Ending, int]] = {}

    def value(self, need: int, dice: Dice, power: int) -> int:
        """Minus the mean of uncancelled results, times 8**power."""
        place = self._place(need, dice)
        return self._search.choice(place)[0] << 3 * (power - place[0] - place[1])

    def law(self, need: int, dice: Dice, power: int) -> tuple[Mapping[Ending, int], int]:
        """The endings with their ways, and the power of 8 by which these have still to be multiplied."""
        place = self._place(need, dice)
        return self._law(place), power - place[0] - place[1]

    def _place(self, need: int, dice: Dice) -> Place:
        fresh, done = total(dice[0], self._window.adds), dice[1]
        need = max(0, need - fresh[RESULT] - done[RESULT])
        return self._search.place(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], need)

    def _law(self, place: Place) -> Mapping[Ending, int]:
        """How an attack ends from a place; together 8 to the number of fresh dice."""
        if place not in self._laws:
            self._laws[place] = self._settled(place)
        return self._laws[place]

    def _settled(self, place: Place) -> Mapping[Ending, int]:
        blanks, focus, done_blanks, done_focus, need, _ = place
        option = self._search.choice(place)[1]
        if option is None:
            return {self.end(blanks + done_blanks, focus + done_focus, need): 1 << 3 * (blanks + focus)}
        thrown_blanks, thrown_focus, left = option
        ways: defaultdict[Ending, int] = defaultdict(int)
        for (more_blanks, more_focus, evades), count in rolled(GREEN, thrown_blanks + thrown_focus):
            then_blanks = done_blanks + more_blanks if self._blanks_count else 0
            fresh = blanks - thrown_blanks, focus - thrown_focus
            after = *fresh, then_blanks, done_focus + more_focus, max(0, need - evades), left
            law = self._law(after)
            self._work.look(len(law))
            for end, some in law.items():
                ways[end] += count * some
        return ways

    def end(self, blanks: int, focus: int, need: int) -> Ending:
        """The fewest uncancelled results that changes and tokens can leave, for the fewest tokens."""
        key = blanks, focus, need
        if key not in self._ends:
            self._ends[key] = self._change(*key) if self._window.moves else self._spend(*key)
        return self._ends[key]

    def _change(self, blanks: int, focus: int, need: int) -> Ending:
        """The best of what free changes can make of the dice before tokens are spent."""
        endings = [
            self._spend(counts[BLANK], counts[FOCUS], max(0, need - counts[RESULT]))
            for _, counts in changed(((0, 0, 0), (blanks, focus, 0)), self._window.moves)
        ]
        self._work.look(len(endings))
        return min(endings, key=lambda end: (end[0], -sum(end[1])))

    def _spend(self, blanks: int, focus: int, need: int) -> Ending:
        """Tokens by the policy: for as few results as lower the damage most, focus results first."""
        held_focus, calculate, force, evade = self._tokens
        small = calculate + force
        turned = focus if held_focus or focus < small else small
        other = blanks + focus - turned
        most = turned + (evade if evade < other else other)
        # Reinforce cancels all but one: past that point only evades enough for the last one help.
        used = need if most >= need else min(most, max(0, need - self._reinforce - 1))
        if not used:
            return uncancelled(need, self._reinforce), self._tokens
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

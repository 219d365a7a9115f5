"""The defense dice: the defender's rerolls, and what changes and tokens then leave uncancelled (steps 5 and 6)."""

from collections import defaultdict
from collections.abc import Mapping

from bot.odds.xwing.changes import Dice, changed, total
from bot.odds.xwing.search import Place, Search
from bot.odds.xwing.tables import BLANK, FOCUS, GREEN, RESULT, rolled
from bot.odds.xwing.window import Move, Window
from bot.odds.xwing.work import Work

Tokens = tuple[int, int, int, int]
"""What the defender holds and may spend: focus, calculate, force, evade."""

Ending = tuple[int, Tokens]
"""The end of an attack: how many hits and crits nobody cancelled, and the tokens left."""

Final = tuple[int, int, int]
"""Defense dice that nobody rerolls any more: blanks, focus results, and the hits and crits still to be cancelled."""


class Spending:
    """The defender's free changes and tokens, once the rerolls are over."""

    def __init__(self, tokens: Tokens, reinforce: int, moves: tuple[Move, ...], work: Work) -> None:
        self.tokens = tokens
        self._reinforce, self._moves, self._work = reinforce, moves, work
        self._ends: dict[Final, Ending] = {}

    def end(self, final: Final) -> Ending:
        """The fewest uncancelled results that changes and tokens can leave, for the fewest tokens."""
        found = self._ends.get(final)
        if found is None:
            found = self._ends[final] = self._change(final) if self._moves else self._spend(*final)
        return found

    def alike(self, blanks: int, focus: int) -> tuple[int, int]:
        """Done dice that no token or change can turn are as good as none, and focus results too many as blanks."""
        if self._moves:
            return blanks, focus
        held_focus, calculate, force, evade = self.tokens
        kept = focus if held_focus else min(focus, calculate + force)
        return min(blanks + focus - kept, evade), kept

    def _change(self, final: Final) -> Ending:
        """The best of what free changes can make of the dice before tokens are spent."""
        blanks, focus, need = final
        endings = [
            self._spend(counts[BLANK], counts[FOCUS], max(0, need - counts[RESULT]))
            for _, counts in changed(((0, 0, 0), (blanks, focus, 0)), self._moves)
        ]
        self._work.look(len(endings), 7)
        return min(endings, key=lambda end: (end[0], -sum(end[1])))

    def _spend(self, blanks: int, focus: int, need: int) -> Ending:
        """Tokens by the policy: for as few results as lower the damage most, focus results first."""
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


class GreenWindow:
    """The defender's rerolls; the attack's results are known. What they are good for, ``spending`` says.

    ``need`` is how many hits and crits are still to be cancelled.
    """

    def __init__(self, spending: Spending, window: Window, work: Work) -> None:
        self._adds, self._work = window.adds, work
        self.worse_is_worse = all(move.ranks[0] > BLANK for move in window.moves)
        self._search = Search(
            GREEN,
            lambda *final: -spending.end(final)[0],
            spending.alike,
            (window.rerolls, False),
            work,
            adds_up=False,
            blanks_first=self.worse_is_worse and all(len(reroll.ranks) == 2 for reroll in window.rerolls),
        )
        self._laws: dict[Place, Mapping[Final, int]] = {}

    def value(self, need: int, dice: Dice, power: int) -> int:
        """Minus the mean of uncancelled results, times 8**power."""
        place = self._place(need, dice)
        return self._search.choice(place)[0] << 3 * (power - place[0] - place[1])

    def law(self, need: int, dice: Dice, power: int) -> tuple[Mapping[Final, int], int]:
        """The dice at the end with their ways, and the power of 8 by which these have still to be multiplied."""
        place = self._place(need, dice)
        return self._law(place), power - place[0] - place[1]

    def _place(self, need: int, dice: Dice) -> Place:
        fresh, done = total(dice[0], self._adds), dice[1]
        need = max(0, need - fresh[RESULT] - done[RESULT])
        return self._search.place(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], need)

    def _law(self, place: Place) -> Mapping[Final, int]:
        """How the dice lie at the end from a place on; together 8 to the number of fresh dice."""
        if place not in self._laws:
            self._laws[place] = self._settled(place)
        return self._laws[place]

    def _settled(self, place: Place) -> Mapping[Final, int]:
        blanks, focus, done_blanks, done_focus, need, _ = place
        option = self._search.choice(place)[1]
        if option is None:
            return {(blanks + done_blanks, focus + done_focus, need): 1 << 3 * (blanks + focus)}
        thrown_blanks, thrown_focus, left = option
        ways: defaultdict[Final, int] = defaultdict(int)
        for (more_blanks, more_focus, evades), count in rolled(GREEN, thrown_blanks + thrown_focus):
            done = self._search.done(done_blanks + more_blanks, done_focus + more_focus)
            fresh = blanks - thrown_blanks, focus - thrown_focus
            law = self._law((*fresh, *done, max(0, need - evades), left))
            self._work.look(len(law))
            for end, some in law.items():
                ways[end] += count * some
        return ways

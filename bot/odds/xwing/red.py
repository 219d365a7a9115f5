"""The attack dice: the attacker's window on them, and how they lie at the end of step 3."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from bot.odds.xwing.changes import Dice, changed, total
from bot.odds.xwing.search import Place, Search
from bot.odds.xwing.tables import BLANK, CRIT, FOCUS, RED, RESULT, Counts, rolled
from bot.odds.xwing.window import Window
from bot.odds.xwing.work import Work
from bot.rules.xwing.declared import LineUp


class RedWindow:
    """The attacker's window: free rerolls and the lock, free changes, tokens, and last hits to crits.

    ``late`` says what each result is after both windows (``become``); a blank or focus result that will then be a hit
    or crit counts as one already.
    """

    def __init__(self, line: LineUp, window: Window, late: Counts, work: Work) -> None:
        self._late, self._work = late, work
        self.adds = window.adds
        self._focus_token, self._charges = line.focus > 0, line.calculate + line.force
        self._moves = tuple(move for move in window.moves if move.ranks[0] < RESULT)
        self._to_crit = sum(move.most for move in window.moves if move.ranks[0] == RESULT)
        self._any_kind = all(len(reroll.ranks) == 2 for reroll in window.rerolls)
        self._focus_as = self._seen_as()
        self.die = self.seen(RED)
        self.has_rerolls = line.lock > 0 or bool(window.rerolls)
        self.worse_is_worse = late[BLANK] < RESULT and all(move.ranks[0] > BLANK for move in self._moves)
        self._search = Search(
            self.die,
            lambda blanks, focus, _: sum(self._end(blanks, focus)),
            self._alike,
            (window.rerolls, line.lock > 0),
            work,
            adds_up=True,
            blanks_first=self._any_kind and self.worse_is_worse,
        )
        self._ends: dict[tuple[int, int], Counts] = {}
        self._laws: dict[Place, Mapping[Counts, int]] = {}

    def _seen_as(self) -> int:
        """What a focus result is as good as, so that fewer dice have to be told apart."""
        if self._moves or self._late[FOCUS] >= RESULT or self._late[BLANK] >= RESULT:
            return FOCUS
        if self._focus_token:
            return RESULT
        return FOCUS if self._charges or not self._any_kind else BLANK

    def seen(self, counts: Counts) -> Counts:
        """The same dice with focus results counted as what they are as good as."""
        if self._focus_as == FOCUS:
            return counts
        blanks, focus, hits, crits = counts
        return (blanks + focus, 0, hits, crits) if self._focus_as == BLANK else (blanks, 0, hits + focus, crits)

    def value(self, dice: Dice, power: int) -> int:
        """The mean of hits and crits at the end of the window, times 8**power."""
        place, results = self._place(dice)
        scale = 3 * (power - place[0] - place[1])
        return (sum(results) << 3 * power) + (self._search.choice(place)[0] << scale)

    def law(self, dice: Dice, power: int) -> Iterable[tuple[Counts, int]]:
        """The dice at the end of the window, before hits to crits, each with its ways; together 8**power."""
        place, (hits, crits) = self._place(dice)
        scale = 3 * (power - place[0] - place[1])
        for (blanks, focus, new_hits, new_crits), ways in self._law(place).items():
            yield (blanks, focus, hits + new_hits, crits + new_crits), ways << scale

    def results(self, counts: Counts) -> tuple[int, int]:
        """(hits, crits) after hits to crits, and after what holds after both windows."""
        blanks, focus, hits, crits = counts
        turned = min(hits, self._to_crit)
        final = [0, 0, 0, 0]
        for rank, count in enumerate((blanks, focus, hits - turned, crits + turned)):
            final[self._late[rank]] += count
        return final[RESULT], final[CRIT]

    def _place(self, dice: Dice) -> tuple[Place, tuple[int, int]]:
        """Where the search begins, and the hits and crits, which it leaves alone."""
        fresh, done = self.seen(total(dice[0], self.adds)), self.seen(dice[1])
        results = fresh[RESULT] + done[RESULT], fresh[CRIT] + done[CRIT]
        return self._search.place(fresh[BLANK], fresh[FOCUS], done[BLANK], done[FOCUS], 0), results

    def _law(self, place: Place) -> Mapping[Counts, int]:
        """What becomes of the blanks and focus results of a place; together 8 to the number of fresh dice."""
        if place not in self._laws:
            self._laws[place] = self._settled(place)
        return self._laws[place]

    def _settled(self, place: Place) -> Mapping[Counts, int]:
        blanks, focus, done_blanks, done_focus, _, _ = place
        option = self._search.choice(place)[1]
        if option is None:
            return {self._end(blanks + done_blanks, focus + done_focus): 1 << 3 * (blanks + focus)}
        thrown_blanks, thrown_focus, left = option
        ways: defaultdict[Counts, int] = defaultdict(int)
        for (more_blanks, more_focus, hits, crits), count in rolled(self.die, thrown_blanks + thrown_focus):
            done = self._search.done(done_blanks + more_blanks, done_focus + more_focus)
            law = self._law((blanks - thrown_blanks, focus - thrown_focus, *done, 0, left))
            self._work.look(len(law), 2)
            for end, some in law.items():
                ways[end[0], end[1], end[2] + hits, end[3] + crits] += count * some
        return ways

    def _alike(self, blanks: int, focus: int) -> tuple[int, int]:
        """Done dice that no token or change can turn are as good as none."""
        if self._moves or not self.worse_is_worse or self._late[FOCUS] >= RESULT:
            return blanks, focus
        return 0, min(focus, self._charges)

    def _end(self, blanks: int, focus: int) -> Counts:
        """What changes and tokens make of blanks and focus results: as many hits and crits as can be, then crits.

        Those that are left are told only if they will be hits or crits.
        """
        key = blanks, focus
        if key not in self._ends:
            self._ends[key] = max(map(self._spent, changed(((0,) * 4, (*key, 0, 0)), self._moves)), key=best)
        return self._ends[key]

    def _spent(self, dice: Dice) -> Counts:
        """The tokens used on what free changes have left."""
        blanks, focus, hits, crits = dice[1]
        late_blanks, late_focus = (self._late[rank] >= RESULT for rank in (BLANK, FOCUS))
        turned = 0 if late_focus else focus if self._focus_token else min(focus, self._charges)
        return blanks if late_blanks else 0, focus if late_focus else 0, hits + turned, crits


def best(counts: Counts) -> tuple[int, int]:
    return sum(counts), counts[CRIT]

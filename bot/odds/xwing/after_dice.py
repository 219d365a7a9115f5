"""Step 6 and its surroundings, with final dice: the uncanceled results."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, NamedTuple

from bot.odds.xwing.dice import memoized_method
from bot.odds.xwing.own_window import Left, slots
from bot.rules.game import Side
from bot.rules.xwing.attack.steps import deal_results
from bot.rules.xwing.dice import consequences, costs, relevance
from bot.rules.xwing.dice.conditions import HIT, NeutralizeContext, all_hold, is_possible
from bot.rules.xwing.dice.consequences import CritOrder, Results, Who
from bot.rules.xwing.dice.declared import Declared, DiceEffect, DiceWindow, LineUp, by_use, standing_effects
from bot.rules.xwing.dice.faces import Face, Pool

Ending = tuple[int, tuple[int, ...]]
"""The end of an attack: uncanceled hits and crits, and tokens left."""


def in_order(hits: int, crits: int, through: int, crits_first: bool) -> Results:
    """Return the uncanceled results: evades cancel hits before crits, or crits before hits."""
    if crits_first:
        kept = min(hits, through)
        return kept, through - kept
    kept = min(crits, through)
    return through - kept, kept


def neutralized(results: Results, evades: int, reinforce: int, order: CritOrder | None) -> Results:
    """Apply step 6. Evades cancel crits first, or never if they can't."""
    hits, crits = results
    if order is CritOrder.STAY:
        left = max(0, hits - evades)
        # Reinforce cancels hits only, but the one remaining result may be a crit: it cancels up to r hits, and all
        # results
        # but one at most.
        canceled = min(left, reinforce, max(0, left + crits - 1))
        return left - canceled, crits
    # The number left does not depend on which are canceled: count together, separate at the end.
    left = relevance.count_uncanceled(max(0, hits + crits - evades), reinforce)
    return in_order(hits, crits, left, order is CritOrder.FIRST)


class ResultsOnTable(NamedTuple):
    """Results on the table: hits, crits, evades, and each side's resources for cards."""

    results: Results
    evades: int
    attack: Left
    defense: Left


class AttackFinish:
    """The end of an attack with final dice, both sides using their cards optimally."""

    def __init__(self, declared: Declared) -> None:
        attack, defense = declared.attack, declared.line(Side.DEFENDER)
        self._lines = {Side.ATTACKER: attack, Side.DEFENDER: defense}
        result = (effect.what for effect in standing_effects(declared))
        self.order = next((what for what in result if isinstance(what, CritOrder)), None)
        self._reinforce = defense.reinforce
        self._slots = {
            side: {name: at for at, name in enumerate(slots(side, line))} for side, line in self._lines.items()
        }
        self._attack = tuple(map(attack.has, self._slots[Side.ATTACKER]))
        before, after = (
            [(side, item) for side in SIDES for item in late_rows(self._lines[side], declared, when)]
            for when in (DiceWindow.BEFORE_NEUTRALIZE, DiceWindow.AFTER_NEUTRALIZE)
        )
        self._turns: tuple[tuple[Side, Row] | None, ...] = (*before, None, *after)
        self._when_left = tuple((self._must_act(at), self._next_place(at)) for at in range(len(self._turns)))

    @property
    def is_simple(self) -> bool:
        """Whether evades only cancel as many results."""
        return self.order is not CritOrder.STAY and self._turns == (None,)

    def finish(self, results: Results, evades: int, left: Left) -> tuple[Results, Left]:
        """Return the (hits, crits) that get through, and the defender's remaining resources."""
        # The last slot of ``left``, rerollable dice, no longer matters: many states merge.
        table = self._play(ResultsOnTable(results, evades, self._attack, left[: len(self._slots[Side.DEFENDER])]), 0)
        return table.results, table.defense

    @memoized_method
    def _play(self, table: ResultsOnTable, at: int) -> ResultsOnTable:
        """Resolve the uses in turn: each side takes its best use, or skips.

        A deterministic two-player game, solved backwards: the table and the turn's number determine everything after
        it; a use is paid from ``attack`` and ``defense``, also for rows that share it. Different uses often lead to one
        table, which is solved once.
        """
        if at == len(self._turns):
            return table
        turn = self._turns[at]
        if turn is None:
            through = neutralized(table.results, table.evades, self._reinforce, self.order)
            return self._play(ResultsOnTable(through, 0, table.attack, table.defense), at + 1)
        side, row = turn
        must, then = self._when_left[at]
        ends = [self._play(after, at + 1) for after in self._after_use(table, side, row)]
        if not (ends and must):
            ends.append(self._play(table, then))
        if side is Side.ATTACKER:
            return max(ends, key=lambda end: (sum(end.results), end.results[1], sum(end.attack)))
        return max(ends, key=lambda end: (-sum(end.results), -end.results[1], sum(end.defense)))

    def _must_act(self, at: int) -> bool:
        """Whether a row must act if it can; not if another may take their shared use."""
        turn, others = self._turns[at], self._turns[at + 1 :]
        if turn is None or not turn[1][0].must:
            return False
        shared = {what for what, _ in turn[1][0].cost if isinstance(what, costs.OneUse)}
        return all(other is None or shared.isdisjoint(dict(other[1][0].cost)) for other in others)

    def _next_place(self, at: int) -> int:
        """Return the next turn after a skip, which also skips further uses of the same row.

        A skip changes nothing, so "skip, then use" equals "use, then skip", already tried: of n equal uses only the
        number matters, n + 1 plays instead of 2**n. A row that must act is never skipped.
        """
        turn = self._turns[at]
        if turn is None or turn[1][0].must:
            return at + 1
        return at + sum(1 for _ in takewhile(lambda item: item == turn, self._turns[at:]))

    def _after_use(self, table: ResultsOnTable, side: Side, row: "Row") -> Iterator[ResultsOnTable]:
        if any(effect.given for effect in row):
            through = sum(table.results)
            both = self._lines[Side.ATTACKER], self._lines[Side.DEFENDER]
            scene = NeutralizeContext(*both, results=through)
            if not all(all_hold(effect.given, scene) for effect in row):
                return
        left, results = list(table.attack if side is Side.ATTACKER else table.defense), table.results
        for what, count in row[0].cost:
            if isinstance(what, costs.SpentResult):
                results = results[0] - (what.face == Face.HIT), results[1] - (what.face == Face.CRIT)
                if min(results) < 0:
                    return
                continue
            slot = self._slots[side].get(what)
            if slot is None or left[slot] < count:
                return
            left[slot] -= count
        attack, defense = (tuple(left), table.defense) if side is Side.ATTACKER else (table.attack, tuple(left))
        ends = [(results, table.evades)]
        for effect in row:  # one without effect does not stop the others
            ends = [after for end in ends for after in ([*results_after_effect(effect, *end)] or [end])]
        for after in ends:
            if after != (table.results, table.evades):  # otherwise it would only cost
                yield ResultsOnTable(*after, attack, defense)


Row = tuple[DiceEffect, ...]
"""Effects of one card row, used together."""

SIDES: Final = (Side.DEFENDER, Side.ATTACKER)
"""Order in which sides use cards."""


def late_rows(line: LineUp, declared: Declared, when: DiceWindow) -> Iterator[Row]:
    """Return the usable rows that act at this time on results."""
    on_dice = ((place, effect) for place, effect in enumerate(line.effects) if effect.verb != "deed")
    here = ((place, effect) for place, effect in on_dice if effect.when is when)
    known = ((place, effect) for place, effect in here if not effect.ask and is_possible(effect.given, declared.scene))
    yield from by_use(known).values()


def results_after_effect(effect: DiceEffect, results: Results, evades: int) -> Iterator[tuple[Results, int]]:
    """Yield the possible results of one use of a late effect on hits, crits, and evades."""
    hits, crits = results
    if effect.pool is Pool.GREEN:
        change = {"add": 1, "cancel": -1}[effect.verb] * effect.most
        for count in range(1, min(abs(change), evades if change < 0 else abs(change)) + 1):
            yield results, evades + (count if change > 0 else -count)
        return
    if effect.verb == "add":
        yield (hits + effect.most * (effect.to is Face.HIT), crits + effect.most * (effect.to is Face.CRIT)), evades
        return
    for of_hits in range(min(effect.most, hits if Face.HIT in effect.faces else 0) + 1):
        for of_crits in range(min(effect.most - of_hits, crits if Face.CRIT in effect.faces else 0) + 1):
            to_hit, to_crit = (of_hits + of_crits if effect.to is face else 0 for face in (Face.HIT, Face.CRIT))
            if of_hits + of_crits:
                yield (hits - of_hits + to_hit, crits - of_crits + to_crit), evades


# Instead of damage, or in addition (rules page, X-Wing cards, sections 3 and 5)


@dataclass(frozen=True, slots=True)
class DamageDealing:
    """The consequences of one attack's uncanceled (hits, crits). ``deeds``: the weapon's other effects. ``prevented``:
    number of results prevented, crits first. ``besides``: extra (hits, crits) suffered. ``shield``: a hit removes a
    shield before damage.
    """

    deeds: tuple[consequences.Consequence, ...] = ()
    prevented: int = 0
    besides: Results = (0, 0)
    shield: bool = False

    def suffered_results(self, results: Results) -> Results:
        (hits, crits), _ = deal_results(results, self.deeds)
        stopped = min(crits, self.prevented)
        hits = max(0, hits - (self.prevented - stopped))
        return hits + self.besides[0], crits - stopped + self.besides[1]

    def suffered_by_ship(self, results: Results) -> Results:
        """Add a ship's shields: losing one counts as one more hit."""
        hits, crits = self.suffered_results(results)
        return hits + (self.shield and any(results)), crits

    def tokens(self, results: Results) -> Mapping[str, int]:
        return dict(deal_results(results, self.deeds)[1])


def make_dealing(declared: Declared) -> DamageDealing:
    """Return both sides' card effects on results; paid charges and lost shields apply in a single attack only."""
    result, alone = DamageDealing(), declared.attacks == 1
    for side in Side:
        for effect in declared.line(side).effects:
            given = [each for each in effect.given if each != HIT]  # effects need a hit
            is_done = (effect.must or side is Side.DEFENDER) and not effect.is_open and all_hold(given, declared.scene)
            if isinstance(effect.what, consequences.Consequence) and is_done:
                result = with_deed(result, effect.what, side, alone=alone, shields=declared.shields)
    return result


def with_deed(
    result: DamageDealing, deed: consequences.Consequence, side: Side, *, alone: bool, shields: int
) -> DamageDealing:
    """Return the damage with one more deed. Costs after the attack, and gifts to other ships, are ignored."""
    is_ours = side is Side.ATTACKER
    match deed:
        case consequences.Gain(who=Who.THEY) | consequences.Deal() | consequences.DealCrits() if is_ours:
            return replace(result, deeds=(*result.deeds, deed))
        case consequences.Lose(Who.THEY, 1, (costs.SHIELD,)) if is_ours:
            return replace(result, shield=alone and shields > 0)
        case consequences.Prevent(count) if not is_ours and alone:
            return replace(result, prevented=result.prevented + (count or EVERYTHING))
        case consequences.Suffer(Who.ME, count, face) if not is_ours:
            hits, crits = result.besides
            more = (hits + count, crits) if face is Face.HIT else (hits, crits + count)
            return replace(result, besides=more)
        case _:
            return result


EVERYTHING: Final = 99
"""Above the number of an attack's results."""

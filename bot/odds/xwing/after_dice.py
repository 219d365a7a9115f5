"""Step 6 and what comes right before and after it, once all dice are final: what gets through."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, NamedTuple

from bot.odds.xwing.dice import remembered
from bot.odds.xwing.own_window import Left, slots
from bot.rules.game import Side
from bot.rules.xwing.attack.steps import dealt
from bot.rules.xwing.dice import costs, useful
from bot.rules.xwing.dice.conditions import HIT, Through, all_hold, may_hold
from bot.rules.xwing.dice.declared import Declared, Effect, LineUp, When, by_use, standing_effects
from bot.rules.xwing.dice.deeds import CritOrder, Deal, DealCrits, Deed, Gain, Lose, Prevent, Results, Suffer, Who
from bot.rules.xwing.dice.faces import Face, Pool

Ending = tuple[int, tuple[int, ...]]
"""The end of an attack: how many hits and crits nobody cancelled, and the tokens left."""


def in_order(hits: int, crits: int, through: int, crits_first: bool) -> Results:
    """Return the uncanceled results: evades cancel hits before crits, or crits before hits."""
    if crits_first:
        kept = min(hits, through)
        return kept, through - kept
    kept = min(crits, through)
    return through - kept, kept


def neutralized(results: Results, evades: int, reinforce: int, order: CritOrder | None) -> Results:
    """Step 6. Evades cancel crits first, or not at all where they stay."""
    hits, crits = results
    if order is CritOrder.STAY:
        left = max(0, hits - evades)
        # Reinforce finds hits only, but the one result that it has to leave may be a crit: it takes hits up to r, and
        # up to all results but one.
        cancelled = min(left, reinforce, max(0, left + crits - 1))
        return left - cancelled, crits
    # How many are left does not depend on which go: all are counted together, and told apart at the end.
    return in_order(hits, crits, useful.uncancelled(max(0, hits + crits - evades), reinforce), order is CritOrder.FIRST)


class Table(NamedTuple):
    """Results on the table: hits, crits, evades, and what each side has left for its cards."""

    results: Results
    evades: int
    attack: Left
    defense: Left


class Finish:
    """The end of an attack once all dice are final, both sides using their cards to their advantage."""

    def __init__(self, declared: Declared) -> None:
        attack, defense = declared.attack, declared.line(Side.DEFENDER)
        self._lines = {Side.ATTACKER: attack, Side.DEFENDER: defense}
        found = (one.what for one in standing_effects(declared))
        self.order = next((what for what in found if isinstance(what, CritOrder)), None)
        self._reinforce = defense.reinforce
        self._slots = {
            side: {name: at for at, name in enumerate(slots(side, line))} for side, line in self._lines.items()
        }
        self._attack = tuple(map(attack.has, self._slots[Side.ATTACKER]))
        before, after = (
            [(side, one) for side in SIDES for one in late(self._lines[side], declared, when)]
            for when in (When.BEFORE_NEUTRALIZE, When.AFTER_NEUTRALIZE)
        )
        self._turns: tuple[tuple[Side, Row] | None, ...] = (*before, None, *after)
        self._when_left = tuple((self._must(at), self._left_at(at)) for at in range(len(self._turns)))

    @property
    def is_simple(self) -> bool:
        """Whether evades just cancel as many results as there are."""
        return self.order is not CritOrder.STAY and self._turns == (None,)

    def end(self, results: Results, evades: int, left: Left) -> tuple[Results, Left]:
        """The (hits, crits) that get through, and what the defender has left then."""
        # The end of ``left``, how many could still be rerolled, matters no more: many dice end on the same table.
        table = self._play(Table(results, evades, self._attack, left[: len(self._slots[Side.DEFENDER])]), 0)
        return table.results, table.defense

    @remembered
    def _play(self, table: Table, at: int) -> Table:
        """One after the other: each side uses its card in the way that is best for it, or leaves it.

        A game of two players without chance, solved backwards: who decides knows the table and so what the other will
        do with each table, and takes the use with the best end. A table and the number of the turn are all that what
        follows depends on: a use is paid out of ``attack`` and ``defense``, and rows that share a use pay for it there.
        Different uses often come to one table, so what follows it is found once.
        """
        if at == len(self._turns):
            return table
        turn = self._turns[at]
        if turn is None:
            through = neutralized(table.results, table.evades, self._reinforce, self.order)
            return self._play(Table(through, 0, table.attack, table.defense), at + 1)
        side, row = turn
        must, then = self._when_left[at]
        ends = [self._play(after, at + 1) for after in self._used(table, side, row)]
        if not (ends and must):
            ends.append(self._play(table, then))
        wants: Callable[[Table], tuple[int, ...]] = wanted if side is Side.ATTACKER else unwanted
        return max(ends, key=wants)

    def _must(self, at: int) -> bool:
        """Whether a row has to act where it can; not where another may spend the use that they share."""
        turn, others = self._turns[at], self._turns[at + 1 :]
        if turn is None or not turn[1][0].must:
            return False
        shared = {what for what, _ in turn[1][0].cost if isinstance(what, costs.OneUse)}
        return all(other is None or shared.isdisjoint(dict(other[1][0].cost)) for other in others)

    def _left_at(self, at: int) -> int:
        """Return the next turn when a use is skipped: further uses of the same row are skipped as well.

        Skipping changes nothing on the table, so "skip, then use" is "use, then skip", which has been tried: of n equal
        uses in a row only their number counts, n + 1 plays in place of 2**n. A row that must act is never skipped, so
        that the rule is asked each time.
        """
        turn = self._turns[at]
        if turn is None or turn[1][0].must:
            return at + 1
        return at + sum(1 for _ in takewhile(lambda one: one == turn, self._turns[at:]))

    def _used(self, table: Table, side: Side, row: "Row") -> Iterator[Table]:
        if any(effect.given for effect in row):
            through = sum(table.results)
            both = self._lines[Side.ATTACKER], self._lines[Side.DEFENDER]
            scene = Through(*both, results=through)
            if not all(all_hold(effect.given, scene) for effect in row):
                return
        left, results = list(table.attack if side is Side.ATTACKER else table.defense), table.results
        for what, count in row[0].cost:
            if isinstance(what, costs.Spent):
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
        for effect in row:  # one that finds nothing to act on does not keep the others from acting
            ends = [after for end in ends for after in ([*acted(effect, *end)] or [end])]
        for after in ends:
            if after != (table.results, table.evades):  # what changes nothing could only cost
                yield Table(*after, attack, defense)


def wanted(table: Table) -> tuple[int, ...]:
    """Return the attacker's sort key: results, then crits, then what is left.

    The first two are the defender's, negated; the last is each side's own, so a table holds it for both.
    """
    return sum(table.results), table.results[1], sum(table.attack)


def unwanted(table: Table) -> tuple[int, ...]:
    """Return the defender's sort key."""
    return -sum(table.results), -table.results[1], sum(table.defense)


Row = tuple[Effect, ...]
"""The effects of one row of a card, which are used together."""

SIDES: Final = (Side.DEFENDER, Side.ATTACKER)
"""Order in which sides use cards."""


def late(line: LineUp, declared: Declared, when: When) -> Iterator[Row]:
    """The rows that act then on results, as far as they can be used."""
    here = ((place, one) for place, one in enumerate(line.effects) if one.when is when and one.verb != "deed")
    known = ((place, one) for place, one in here if not one.ask and may_hold(one.given, declared.scene))
    yield from by_use(known).values()


def acted(effect: Effect, results: Results, evades: int) -> Iterator[tuple[Results, int]]:
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


# In place of damage, or beside it (rules page, X-Wing cards, sections 3 and 5)


@dataclass(frozen=True, slots=True)
class Dealing:
    """The consequences of the uncanceled (hits, crits) of one attack.

    ``deeds``: what the weapon deals in another form. ``prevented``: number of results not suffered, crits first.
    ``besides``: (hits, crits) that the defender suffers in any case. ``shield``: an attack that hits takes a shield
    before its damage.
    """

    deeds: tuple[Deed, ...] = ()
    prevented: int = 0
    besides: Results = (0, 0)
    shield: bool = False

    def suffered(self, results: Results) -> Results:
        """The (hits, crits) that are suffered."""
        (hits, crits), _ = dealt(results, self.deeds)
        stopped = min(crits, self.prevented)
        hits = max(0, hits - (self.prevented - stopped))
        return hits + self.besides[0], crits - stopped + self.besides[1]

    def on_ship(self, results: Results) -> Results:
        """The same for a ship with shields: losing one counts as one more hit."""
        hits, crits = self.suffered(results)
        return hits + (self.shield and any(results)), crits

    def tokens(self, results: Results) -> Mapping[str, int]:
        """The tokens that the defender gains."""
        return dict(dealt(results, self.deeds)[1])


def dealing(declared: Declared) -> Dealing:
    """Return the effect of both sides' cards on the results of each attack.

    What is paid for by charges, and the shield that is lost, count in a single attack only (``changing_ships``).
    """
    found, alone = Dealing(), declared.attacks == 1
    for side in Side:
        for one in declared.line(side).effects:
            given = [each for each in one.given if each != HIT]  # nothing is dealt but by a hit
            is_done = (one.must or side is Side.DEFENDER) and not one.is_open and all_hold(given, declared.scene)
            if isinstance(one.what, Deed) and is_done:
                found = counted(found, one.what, side, alone=alone, shields=declared.shields)
    return found


def counted(found: Dealing, deed: Deed, side: Side, *, alone: bool, shields: int) -> Dealing:
    """Return the damage with one more deed. Costs after the attack, and gifts to other ships, are ignored."""
    is_ours = side is Side.ATTACKER
    match deed:
        case Gain(who=Who.THEY) | Deal() | DealCrits() if is_ours:
            return replace(found, deeds=(*found.deeds, deed))
        case Lose(Who.THEY, 1, (costs.SHIELD,)) if is_ours:
            return replace(found, shield=alone and shields > 0)
        case Prevent(count) if not is_ours and alone:
            return replace(found, prevented=found.prevented + (count or EVERYTHING))
        case Suffer(Who.ME, count, face) if not is_ours:
            hits, crits = found.besides
            more = (hits + count, crits) if face is Face.HIT else (hits, crits + count)
            return replace(found, besides=more)
        case _:
            return found


EVERYTHING: Final = 99
"""More results than an attack has."""

"""Attack and defense dice counted by result, and a side's effects on them, as numbers. ``SEARCH.md`` justifies counting
by result (section 3) and interprets each effect (section 1).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, wraps
from math import comb
from operator import add
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, Self, TypeVar, cast

from bot.odds.size_limit import QuestionTooLargeError, is_small_only
from bot.rules.errors import BadInputError
from bot.rules.text import N_, Code, Count, Text
from bot.rules.xwing.dice.costs import Spendable
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool

BLANK, FOCUS, RESULT, CRIT = range(4)
"""Ranks of results, ascending; ``RESULT`` is a hit or an evade."""

RANK: Final = {Face.BLANK: BLANK, Face.FOCUS: FOCUS, Face.HIT: RESULT, Face.EVADE: RESULT, Face.CRIT: CRIT}

P = ParamSpec("P")
R = TypeVar("R")


def memoized_method(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Cache a method's results in its object."""
    name, work_out = f"_known_{method.__name__}", cast("Callable[..., R]", method)

    @wraps(method)
    def answer(self: Any, *asked: Any) -> Any:
        try:
            return getattr(self, name)[asked]
        except AttributeError:
            setattr(self, name, {})  # using ``__dict__`` would slow every other attribute
        except KeyError:
            pass
        result = getattr(self, name)[asked] = work_out(self, *asked)
        return result

    return cast("Callable[Concatenate[Any, P], R]", answer)


Counts = tuple[int, ...]
"""Number of dice by rank: (blank, focus, hit, crit), or (blank, focus, evade)."""

Die = tuple[int, ...]
"""Number of faces, of eight, by rank."""


def die_of(pool: Pool) -> Die:
    ranks = [RANK[face] for face in pool.faces]
    return tuple(ranks.count(rank) for rank in range(max(ranks) + 1))


RED_DIE: Final = die_of(Pool.RED)
GREEN_DIE: Final = die_of(Pool.GREEN)


@lru_cache(maxsize=1024)
def rolls(die: Die, dice: int) -> tuple[tuple[Counts, int], ...]:
    """Return every count the dice can show, with its ways (a multinomial); together 8**dice."""
    faces, others = die[0], die[1:]
    if not others:
        return (((dice,), faces**dice),) if faces or not dice else ()
    return tuple(
        ((first, *rest), comb(dice, first) * faces**first * ways)
        for first in range(dice + 1 if faces else 1)
        for rest, ways in rolls(others, dice - first)
    )


@lru_cache(maxsize=256)
def rolls_without_crits(die: Die, dice: int) -> tuple[tuple[int, int, int, int], ...]:
    """Count rolls like ``rolls``, with crits as hits: (blanks, focus results, results, ways)."""
    blank, focus, *results = die
    return tuple((*counts, ways) for counts, ways in rolls((blank, focus, sum(results)), dice))  # type: ignore[misc]  # three places and the ways


CANCELED: Final = -1
"""Rank of a canceled result."""

Stock = tuple[int, ...]
"""Resources left, by slot."""
Cost = tuple[tuple[int, int], ...]
"""(slot, count) of each payment."""


class Reroll(NamedTuple):
    """Up to ``most`` dice that show one of ``ranks``, in that order; ``exactly``: no fewer."""

    ranks: tuple[int, ...]
    most: int
    exactly: bool = False
    cost: Cost = ()

    @property
    def least(self) -> int:
        return self.most if self.exactly else 1


class Change(NamedTuple):
    """Up to ``most`` results of ``olds``, in that order, become ``new``."""

    olds: tuple[int, ...]
    new: int
    most: int
    cost: Cost = ()


@dataclass(frozen=True, slots=True)
class FreeEffects:
    """A side's effects on one pool (rules page, Modifying dice), by the stated policy; most are free.

    On one's own dice: results are added, blanks and focus results rerolled, results improved; none canceled. On the
    opponent's: anything but blanks rerolled, results worsened or canceled; none added. ``changes`` are in order of use.
    ``stock``: pays for costly effects on the opponent, by ``names``.
    """

    adds: Counts
    rerolls: tuple[Reroll, ...] = ()
    changes: tuple[Change, ...] = ()
    names: tuple[Spendable, ...] = ()
    stock: Stock = ()

    def __bool__(self) -> bool:
        return bool(any(self.adds) or self.rerolls or self.changes)


def own_effects(effects: Iterable[DiceEffect], pool: Pool) -> FreeEffects:
    """Return effects on one's own dice: the worst results first."""
    adds = [0] * len(pool.results)
    rerolls, changes = [], []
    for effect in effects:
        if effect.pool is not pool:
            continue
        old, new = ranks_of(effect), new_rank(effect)
        if effect.verb == "add":
            adds[new] += effect.most
        elif effect.verb == "reroll" and old[0] <= FOCUS:
            rerolls.append(Reroll(tuple(rank for rank in old if rank <= FOCUS), effect.most))
        elif effect.verb == "change" and (worse := tuple(rank for rank in old if rank < new)):
            changes.append(Change(worse, new, effect.most))
    return FreeEffects(tuple(adds), tuple(sorted(rerolls)), tuple(sorted(changes)))


def opponent_effects(effects: Iterable[DiceEffect], pool: Pool, line: LineUp) -> FreeEffects:
    """Return effects on the opponent's dice: the best results first."""
    rerolls, changes = [], []
    acting = [item for item in effects if item.pool is pool and item.verb in ("reroll", "cancel", "change")]
    names = tuple(dict.fromkeys(what for item in acting for what, _ in item.cost))
    for effect in acting:
        old, new = ranks_of(effect)[::-1], new_rank(effect)
        cost = tuple((names.index(what), count) for what, count in effect.cost)
        if effect.verb == "reroll" and old[0] > BLANK:
            ranks = old if effect.exactly else tuple(rank for rank in old if rank > BLANK)
            rerolls.append(Reroll(ranks, effect.most, effect.exactly, cost))
        elif effect.verb != "reroll" and (better := tuple(rank for rank in old if rank > new)):
            changes.append(Change(better, new, effect.most, cost))
    stock = tuple(line.has(name) for name in names)
    nothing = (0,) * len(pool.results)
    return FreeEffects(nothing, tuple(sorted(rerolls)), tuple(sorted(changes, reverse=True)), names, stock)


def ranks_of(effect: DiceEffect) -> tuple[int, ...]:
    """Return the results that an effect acts on, ascending; default: all of its pool."""
    return tuple(sorted({RANK[face] for face in effect.faces or effect.pool.results}))


def new_rank(effect: DiceEffect) -> int:
    return RANK[effect.to] if effect.to else CANCELED


Dice = tuple[Counts, Counts]
"""Fresh dice (rerollable) and done ones, counted by result."""


def add_counts(item: Counts, other: Counts) -> Counts:
    return tuple(map(add, item, other))


def after_changes(dice: Dice, changes: tuple[Change, ...], *, any_die: bool = False) -> Iterator[Dice]:
    """Yield all results of the changes on the dice, in order, more uses before fewer. Of equal results a done die is
    changed first, and a fresh one canceled first (section 5.5); with ``any_die`` either.
    """
    if not changes:
        yield dice
        return
    first, others = changes[0], changes[1:]
    old, rest = first.olds[0], first.olds[1:]
    fresh, done = (counts[old] for counts in dice)
    for uses in range(min(first.most, fresh + done), -1, -1):
        least, most = max(0, uses - fresh), min(uses, done)
        if first.new == CANCELED:
            most = least
        then = (Change(rest, first.new, first.most - uses), *others) if rest and first.most > uses else others
        for of_done in range(most, least - 1 if any_die else most - 1, -1):
            after = after_change(dice, old, first.new, (uses - of_done, of_done))
            yield from after_changes(after, then, any_die=any_die)


def after_change(dice: Dice, old: int, new: int, taken: tuple[int, int]) -> Dice:
    """Return the dice after changing so many fresh and done ``old`` results to ``new``."""
    after = []
    for counts, count in zip(dice, taken, strict=True):
        turned = list(counts)
        turned[old] -= count
        if new != CANCELED:
            turned[new] += count
        after.append(tuple(turned))
    return after[0], after[1]


MAX_WAYS: Final = 200_000
"""About 0.1 seconds."""
WAYS_AT_ONCE: Final = 3_000
"""Within ``effort.refuse_large_questions``: about two milliseconds."""


class SearchBudget:
    """The ways that one question may examine: machine-independent, unlike seconds."""

    def __init__(self, declared: Declared) -> None:
        self._is_small_only = is_small_only()
        self._left = WAYS_AT_ONCE if self._is_small_only else MAX_WAYS
        self.begin(declared)

    def begin(self, declared: Declared) -> Self:
        """Start another line-up of the same question within the same budget."""
        defense = declared.defense.effects if declared.defense else ()
        self._attacks, self._effects = declared.attacks, len(declared.attack.effects) + len(defense)
        self._counted = 0
        return self

    def spend(self, ways: int, effort: int = 1) -> None:
        """Count ways, each with the effort of ``effort`` outcomes of a reroll. Raises ``BadInputError`` for a too large
        question: too many attacks, or effects for one; ``QuestionTooLargeError`` if it is too large to compute at once.
        """
        self._left -= ways * effort
        if self._left >= 0:
            return
        if self._is_small_only:
            raise QuestionTooLargeError
        limit = Text("exact odds can check at most {most} combinations", most=Code(f"{MAX_WAYS:,}"))
        if self._counted:
            message = N_("Use 1 to {attacks} with this many dice, tokens, and effects ({limit}).")
            raise BadInputError("attacks", self._attacks, Text(message, attacks=self._counted, limit=limit))
        allowed = Text("Use fewer or smaller rerolls, changes, cancels, and added results ({limit}).", limit=limit)
        raise BadInputError("effects", Count(self._effects, "effect", "effects"), allowed)

    def count_attacks(self, attacks: int) -> None:
        """Record that this many attacks in a row were within the limit."""
        self._counted = attacks

"""What one side may do to one pool in its window, as numbers (rules page, Modifying dice).

The free effects follow the stated policy. One's own dice: results are added, blanks and focus results may be rerolled,
results are changed for better ones; none is cancelled or spent. The other side's dice: anything but blanks may be
rerolled, results are changed for worse ones or cancelled; none is added.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.odds.xwing.tables import BLANK, FOCUS, RANK, Counts
from bot.rules.xwing.declared import Effect, Pool

GONE: Final = -1
"""Where a cancelled result goes."""


class Reroll(NamedTuple):
    """Up to ``most`` dice that show one of ``ranks``; ``ranks`` are in the order in which they are taken."""

    ranks: tuple[int, ...]
    most: int


class Move(NamedTuple):
    """Up to ``most`` results of ``ranks``, taken in that order, become ``new``."""

    ranks: tuple[int, ...]
    new: int
    most: int


@dataclass(frozen=True, slots=True)
class Window:
    """The free effects of one side on one pool; ``moves`` are in the order in which they are used."""

    adds: Counts
    rerolls: tuple[Reroll, ...] = ()
    moves: tuple[Move, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(any(self.adds) or self.rerolls or self.moves)


def own_window(effects: Iterable[Effect], pool: Pool) -> Window:
    """The window of the side whose dice they are: the worst results are rerolled and changed first."""
    adds = [0] * len(pool.results)
    rerolls, moves = [], []
    for effect in effects:
        if effect.pool is not pool:
            continue
        old, new = ranks_of(effect), new_rank(effect)
        if effect.verb == "add":
            adds[new] += effect.most
        elif effect.verb == "reroll" and old[0] <= FOCUS:
            rerolls.append(Reroll(tuple(rank for rank in old if rank <= FOCUS), effect.most))
        elif effect.verb == "change" and new > old[0]:
            moves.append(Move(old, new, effect.most))
    return Window(tuple(adds), tuple(sorted(rerolls)), tuple(sorted(moves)))


def other_window(effects: Iterable[Effect], pool: Pool) -> Window:
    """The window of the other side: the best results are rerolled, changed and cancelled first."""
    rerolls, moves = [], []
    for effect in effects:
        if effect.pool is not pool:
            continue
        old, new = ranks_of(effect)[::-1], new_rank(effect)
        if effect.verb == "reroll" and old[0] > BLANK:
            rerolls.append(Reroll(tuple(rank for rank in old if rank > BLANK), effect.most))
        elif effect.verb == "cancel" or (effect.verb == "change" and new < old[0]):
            moves.append(Move(old, new, effect.most))
    return Window((0,) * len(pool.results), tuple(sorted(rerolls)), tuple(sorted(moves, reverse=True)))


def ranks_of(effect: Effect) -> tuple[int, ...]:
    """The results that an effect acts on, the least first; without any named, all of its pool."""
    return tuple(sorted({RANK[face] for face in effect.faces or effect.pool.results}))


def new_rank(effect: Effect) -> int:
    return RANK[effect.to] if effect.to else GONE

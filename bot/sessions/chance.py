"""The one real source of chance, and the record of what it gave."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from bot.fair.rolls import Dice
from bot.rules.dice import PooledRng, Rng

REAL: Rng = secrets.randbelow


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of chance: of how many sides, which came (from 0), and for which pool.

    ``is_replayed``: it was drawn and seen before, in a ply that was taken back.
    """

    sides: int
    drawn: int
    pool: str = ""
    is_replayed: bool = False


class Recorder(PooledRng):
    """An ``Rng`` that remembers every draw, so that anyone can check the roll later.

    ``seen`` are draws of plies that were taken back. Each comes again for its own pool, in order, before anything is
    drawn anew, so that undoing never rerolls dice that have been seen. Those that were not asked for stay in ``left``.
    """

    def __init__(self, rng: Rng, seen: Iterable[Draw] = ()) -> None:
        self._rng = rng
        self.draws: list[Draw] = []
        self.left = list(seen)

    def __call__(self, sides: int, /) -> int:
        return self._draw("", sides)

    def in_pool(self, pool: str) -> Rng:
        """The same chance for the dice of one pool."""
        return partial(self._draw, pool)

    def _draw(self, pool: str, sides: int) -> int:
        seen = next((draw for draw in self.left if (draw.sides, draw.pool) == (sides, pool)), None)
        if seen is None:
            drawn = Draw(sides, self._rng(sides), pool)
        else:
            self.left.remove(seen)
            drawn = replace(seen, is_replayed=True)
        self.draws.append(drawn)
        return drawn.drawn


class SealedRecorder(Recorder):
    """The same at a sealed table: the protocol says which draw comes, and which comes again."""

    def __init__(self, dice: Dice) -> None:
        super().__init__(dice)
        self._dice = dice

    def _draw(self, pool: str, sides: int) -> int:
        waiting = len(self._dice.waiting)
        drawn = Draw(sides, self._dice(sides), pool, is_replayed=len(self._dice.waiting) < waiting)
        self.draws.append(drawn)
        return drawn.drawn

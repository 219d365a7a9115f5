"""The one real source of chance, and the record of its draws."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bot.fair.rolls import PlyDice
from bot.rules.dice import Face, PooledRng, Rng
from bot.store.sessions import Redraws

REAL: Rng = secrets.randbelow


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of chance: number of sides, the result (from 0), and its pool. ``is_replayed``: seen before, in an undone
    ply. ``face``: the side as people see it, "" if unknown; not stored with the ply.
    """

    sides: int
    drawn: int
    pool: str = ""
    is_replayed: bool = False
    face: str = field(default="", compare=False)


class Recorder(PooledRng):
    """An ``Rng`` that records every draw, so that anyone can verify the roll later. ``dice`` decide the next draw: an
    undone one, else a fresh one. ``waited``: where the newest undone ones were stored.
    """

    def __init__(self, dice: PlyDice, waited: Redraws | None = None) -> None:
        self._dice = dice
        self.waited = waited
        self.draws: list[Draw] = []

    def __call__(self, sides: int, /) -> int:
        return self._draw("", (), sides)

    def in_pool(self, pool: str, faces: Sequence[Face] = ()) -> Rng:
        """Return the same chance for the dice of one pool."""
        return partial(self._draw, pool, faces)

    def _draw(self, pool: str, faces: Sequence[Face], sides: int) -> int:
        waiting = len(self._dice.waiting)
        drawn = self._dice(sides)
        face = str(faces[drawn]) if len(faces) == sides else ""
        self.draws.append(Draw(sides, drawn, pool, is_replayed=len(self._dice.waiting) < waiting, face=face))
        return drawn

    @property
    def unused_redraws(self) -> list[Draw]:
        """Return the dice that were taken back and haven't come again yet."""
        return [Draw(sides, drawn) for sides, drawn in self._dice.waiting]


def recorder(rng: Rng, seen: Iterable[Draw] = (), waited: Redraws | None = None) -> Recorder:
    """Chance at an unsealed table; ``seen`` are undone draws, in the order in which they come again."""
    return Recorder(PlyDice(rng, [(draw.sides, draw.drawn) for draw in seen]), waited)

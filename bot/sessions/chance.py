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
    """A draw: sides, result from 0, pool. ``is_replayed``: of an undone ply. ``face``: as seen, or ""; not stored."""

    sides: int
    drawn: int
    pool: str = ""
    is_replayed: bool = False
    face: str = field(default="", compare=False)


class Recorder(PooledRng):
    """An ``Rng`` that records draws. ``dice`` decide the next: undone or fresh. ``waited``: where undone ones were."""

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

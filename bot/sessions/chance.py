"""The one real source of chance, and the record of what it gave."""

import secrets
from collections.abc import Iterable

from bot.rules.dice import Rng

REAL: Rng = secrets.randbelow

Draw = tuple[int, int]
"""One draw of chance: of how many, and which came, from 0."""


class Recorder:
    """An ``Rng`` that remembers every draw, so that anyone can check the roll later.

    ``again`` are recorded draws of plies that were taken back: they come again, in order, before anything is drawn
    anew, so that undoing never rerolls dice that have been seen. One of another number of sides waits in ``left``.
    """

    def __init__(self, rng: Rng, again: Iterable[Draw] = ()) -> None:
        self._rng = rng
        self.draws: list[Draw] = []
        self.left = list(again)

    def __call__(self, sides: int) -> int:
        waiting = next((place for place, draw in enumerate(self.left) if draw[0] == sides), None)
        drawn = self._rng(sides) if waiting is None else self.left.pop(waiting)[1]
        self.draws.append((sides, drawn))
        return drawn

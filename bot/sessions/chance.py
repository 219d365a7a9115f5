"""The one real source of chance, and the record of what it gave."""

import secrets

from bot.rules.dice import Rng

REAL: Rng = secrets.randbelow


class Recorder:
    """An ``Rng`` that remembers every draw as ``(of how many, which)``, so that anyone can check the roll later."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self.draws: list[tuple[int, int]] = []

    def __call__(self, sides: int) -> int:
        drawn = self._rng(sides)
        self.draws.append((sides, drawn))
        return drawn

"""Plays something once for every way in which the dice can fall, and gives the exact chance of each outcome.

The oracle for the odds: it knows nothing about a game, it only answers for chance and keeps count.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import prod
from typing import TypeVar

from bot.rules.dice import Rng

T = TypeVar("T", bound=Hashable)


class Way:
    """An ``Rng`` for one run: it gives the answers told, and 0 after them."""

    def __init__(self, told: list[int]) -> None:
        self.told = told
        self.heard: list[int] = []
        self.sides: list[int] = []

    def __call__(self, sides: int) -> int:
        at = len(self.heard)
        self.heard.append(self.told[at] if at < len(self.told) else 0)
        self.sides.append(sides)
        assert self.heard[at] < sides, f"question {at} has {sides} answers; it had more after the same answers before"
        return self.heard[at]

    def following(self) -> list[int] | None:
        """What to tell the next run: the last answer that has one after it, that one; None after the last way."""
        told = list(self.heard)
        while told and told[-1] == self.sides[len(told) - 1] - 1:
            told.pop()
        return [*told[:-1], told[-1] + 1] if told else None


def every_way(play: Callable[[Rng], T]) -> dict[T, Fraction]:
    """The exact chance of each outcome of ``play(rng)``; they sum to 1.

    ``play`` must ask the same question after the same answers. It runs once for each way: 64 times for two dice of
    eight faces, 262144 times for six.
    """
    found: Counter[tuple[T, int]] = Counter()
    told: list[int] | None = []
    while told is not None:
        way = Way(told)
        found[play(way), prod(way.sides)] += 1
        told = way.following()
    chances: dict[T, Fraction] = defaultdict(Fraction)
    for (outcome, ways), count in found.items():
        chances[outcome] += Fraction(count, ways)
    return dict(chances)


def every_end(begin: Callable[[Rng], T], follow: Callable[[T], Callable[[Rng], T] | None]) -> dict[T, Fraction]:
    """The exact chance of each state in which something ends that goes on in steps.

    ``follow(state)`` is the next step from a state, None at an end. What comes before a step is played once, not once
    for each way in which the dice of that step can fall: what follows depends on the state alone.
    """
    ends: dict[T, Fraction] = defaultdict(Fraction)
    waiting = every_way(begin)
    while waiting:
        after: dict[T, Fraction] = defaultdict(Fraction)
        for state, chance in waiting.items():
            step = follow(state)
            if step is None:
                ends[state] += chance
                continue
            for then, share in every_way(step).items():
                after[then] += chance * share
        waiting = after
    return dict(ends)

"""Plays something once for every way in which the dice can fall, and gives the exact chance of each outcome.

The oracle for the odds: it knows nothing about a game, it only answers for chance and keeps count.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from typing import TypeVar

from bot.rules.dice import Face, PooledRng, Rng

T = TypeVar("T", bound=Hashable)
Answers = tuple[tuple[int, int], ...]
"""What may be answered to one question, each with the number of ways in which it comes."""


class Way(PooledRng):
    """Chance for one run: it gives the answers told, and the first one after them.

    Sides of a die that show the same face are one answer, which weighs as much as they are.
    """

    def __init__(self, told: list[int]) -> None:
        self.told = told
        self.heard: list[int] = []
        self.among: list[Answers] = []
        self.sides: list[int] = []

    def __call__(self, sides: int) -> int:
        return self._answer(sides, answers(sides, ()))

    def in_pool(self, _: str, faces: Sequence[Face] = ()) -> Rng:
        return lambda sides: self._answer(sides, answers(sides, tuple(faces)))

    def _answer(self, sides: int, among: Answers, least: int = 0) -> int:
        at = len(self.heard)
        self.heard.append(self.told[at] if at < len(self.told) else least)
        self.among.append(among)
        self.sides.append(sides)
        assert self.heard[at] < len(among), (
            f"question {at} has {len(among)} answers; it had more after the same answers before"
        )
        return among[self.heard[at]][0]

    @property
    def weight(self) -> int:
        """How many ways this run stands for."""
        return prod(among[item][1] for item, among in zip(self.heard, self.among, strict=True))

    def following(self) -> list[int] | None:
        """What to tell the next run: the last answer that has one after it, that one; None after the last way."""
        told = list(self.heard)
        while told and told[-1] == len(self.among[len(told) - 1]) - 1:
            told.pop()
        return [*told[:-1], told[-1] + 1] if told else None


class Unordered(Way):
    """Of dice that are thrown at once, only one order is played, which weighs as much as all orders.

    For what does not depend on which of them shows what.
    """

    def __init__(self, told: list[int]) -> None:
        super().__init__(told)
        self.throws: list[list[int]] = []

    def in_pool(self, _: str, faces: Sequence[Face] = ()) -> Rng:
        throw = list[int]()
        self.throws.append(throw)

        def fall(sides: int) -> int:
            shown = self._answer(sides, answers(sides, tuple(faces)), throw[-1] if throw else 0)
            throw.append(self.heard[-1])
            return shown

        return fall

    @property
    def weight(self) -> int:
        return super().weight * prod(map(orders, self.throws))


def orders(throw: Sequence[int]) -> int:
    """In how many orders dice may fall that show these."""
    return factorial(len(throw)) // prod(map(factorial, Counter(throw).values()))


@cache
def answers(sides: int, faces: tuple[Face, ...]) -> Answers:
    """The different answers to a question with so many sides, for a die with these faces if it is one."""
    if len(faces) != sides:
        return tuple((side, 1) for side in range(sides))
    return tuple((faces.index(face), count) for face, count in Counter(faces).items())


def every_way(play: Callable[[Rng], T], kind: type[Way] = Way) -> dict[T, Fraction]:
    """The exact chance of each outcome of ``play(rng)``; they sum to 1.

    ``play`` must ask the same question after the same answers. It runs once for each way that looks different: 16 times
    for two red dice, which have four faces on eight sides, 400 times for two dice of twenty sides.
    """
    counts: Counter[tuple[T, int]] = Counter()
    told: list[int] | None = []
    while told is not None:
        way = kind(told)
        counts[play(way), prod(way.sides)] += way.weight
        told = way.following()
    chances: dict[T, Fraction] = defaultdict(Fraction)
    for (outcome, ways), count in counts.items():
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

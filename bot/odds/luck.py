"""How lucky a roll that is over was: where its result lies in its exact distribution.

Each game's ``luck(state)`` stands beside its odds. It puts results in order by one whole number; more is better for
one side, which ``Luck.side`` and ``Luck.of`` name.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.odds.distribution import Distribution
from bot.rules.game import Side
from bot.rules.text import EMPTY, Shown, Words

CACHED: Final = 256
"""Distributions that are kept of each kind of roll, so that the same declaration is not counted twice."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The probabilities that a roll of the same declaration goes better for a side, and worse.

    ``rolls`` is what such rolls are called ("attacks"); ``side`` is whose luck it is, in words ("the attacker"), and
    ``of`` is the same for who knows who plays which side.
    """

    better: Fraction
    worse: Fraction
    rolls: Words
    side: Words
    of: Side | None = None


class Uncountable(Exception):
    """A roll whose distribution takes too long to be counted exactly, however much time there is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """In what results are counted: its name for one, and for any other number where that differs."""

    one: Shown
    many: Shown = EMPTY

    def name(self, count: Fraction) -> Shown:
        """What so many of them are called."""
        return self.many if self.many and count != 1 else self.one


@dataclass(frozen=True, slots=True, kw_only=True)
class RollResult:
    """What a finished roll came to for one side, in outcome: damage, HP, Wounds.

    ``value`` came, of the exact ``distribution``; both count ``parts`` to one ``unit`` (2 for halves).
    ``is_loss``: the fewer the luckier, as for Wounds that somebody takes. ``player`` is the number of the person whom
    the declaration named for it, 0 for whoever plays the side.
    """

    distribution: Distribution[int]
    value: int
    side: Side
    unit: Unit
    parts: int = 1
    is_loss: bool = False
    player: int = 0


def luck_of(
    result: int, distribution: Distribution[int], rolls: Words, side: Words, of: Side | None = Side.ATTACKER
) -> Luck | None:
    """Where a result lies in its distribution; None where only one result is possible."""
    if len(distribution.weights) < 2:
        return None
    return Luck(
        better=distribution.probability(lambda other: other > result),
        worse=distribution.probability(lambda other: other < result),
        rolls=rolls,
        side=side,
        of=of,
    )

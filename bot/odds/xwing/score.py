"""What an end of an attack is worth to the side that asks: all its numbers in one long integer.

Each number has a slot of so many bits, the one that is aimed at the highest, so that to compare two integers is to
compare by the aim, then by what comes next. Sums of ends, each times its ways, hold the sums of all the numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from operator import add
from typing import Final

from bot.rules.game import Side

MOST: Final[Mapping[str, int]] = {"damage": 63, "hurt": 1, "crit": 1, "kill": 1}
"""The most that each number of an end can be; to the defender it is the rest that counts."""

VALUE_BITS: Final = 6
"""Bits of the largest number of one end."""

Kept = tuple[int, int, int, int]
"""Tokens left: focus, calculate, force, and the attacker's lock or the defender's evades."""


class Aim(StrEnum):
    """What the side that asks plays for; the defender for the opposite of the attacker."""

    DAMAGE = "damage"
    KILL = "kill"
    CRITS = "crits"
    TOKENS = "tokens"


ORDER: Final[Mapping[Aim, tuple[str, ...]]] = {
    Aim.DAMAGE: ("damage", "kept", "kill", "crit", "hurt"),
    Aim.KILL: ("kill", "damage", "kept", "crit", "hurt"),
    Aim.CRITS: ("crit", "damage", "kept", "kill", "hurt"),
    Aim.TOKENS: ("kept", "damage", "kill", "crit", "hurt"),
}
"""What counts first, then among equals, and so on; tokens are never spent without gain."""

KINDS: Final = ("focus", "calculate", "force", "last")
RELUCTANCE: Final = ("last", "focus", "force", "calculate")
"""Of equally many tokens those that the policy spends last are kept: the lock or evades, then the focus."""


@dataclass(frozen=True, slots=True)
class Means:
    """Means and chances of a choice; ``kept`` are the means of the tokens left."""

    damage: Fraction
    hurt: Fraction
    crit: Fraction
    kill: Fraction
    kept: tuple[Fraction, ...]


class Score:
    """The ends of attacks for one side and aim; ``health`` is hull + shields, ``ways`` the most that a sum holds."""

    def __init__(self, side: Side, aim: Aim, health: int | None, ways: int) -> None:
        self._bits = ways.bit_length() + VALUE_BITS
        self._health, self._defends = health, side is Side.DEFENDER
        names = (*ORDER[aim], *RELUCTANCE)
        self._shifts = {name: place * self._bits for place, name in enumerate(reversed(names))}
        self._ends: dict[tuple[int, bool], int] = {}
        self._kepts: dict[Kept, int] = {}

    def end(self, damage: int, crits: int) -> int:
        """One end: the hits and crits that got through, and how many of them are crits."""
        key = damage, crits > 0
        if key not in self._ends:
            kill = self._health is not None and damage >= self._health
            came = {"damage": damage, "hurt": int(damage > 0), "crit": int(crits > 0), "kill": int(kill)}
            self._ends[key] = self._packed({name: MOST[name] - came[name] for name in MOST} if self._defends else came)
        return self._ends[key]

    def kept(self, tokens: Kept) -> int:
        """What tokens left add to one end."""
        if tokens not in self._kepts:
            self._kepts[tokens] = self._packed({"kept": sum(tokens), **dict(zip(KINDS, tokens, strict=True))})
        return self._kepts[tokens]

    def _packed(self, values: Mapping[str, int]) -> int:
        return sum(value << self._shifts[name] for name, value in values.items())

    def means(self, packed: int, ways: int) -> Means:
        """The numbers of a sum of so many ends."""
        mask = (1 << self._bits) - 1
        mean = {name: Fraction(packed >> shift & mask, ways) for name, shift in self._shifts.items()}
        if self._defends:
            mean |= {name: most - mean[name] for name, most in MOST.items()}
        return Means(mean["damage"], mean["hurt"], mean["crit"], mean["kill"], tuple(mean[kind] for kind in KINDS))


def plus(one: Kept, other: Kept) -> Kept:
    """Tokens of two kinds of keeping together."""
    first, second, third, fourth = map(add, one, other)
    return first, second, third, fourth

"""The two dice of X-Wing and what they show (rules page, Dice)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from bot.rules.game import Side
from bot.rules.text import T_, Noun


class Face(StrEnum):
    HIT = T_("hit")
    CRIT = T_("crit")
    EVADE = T_("evade")
    FOCUS = T_("focus")
    BLANK = T_("blank")


NOUNS: Final[Mapping[Face, Noun]] = {
    Face.HIT: Noun("hit", "hits"),
    Face.CRIT: Noun("crit", "crits"),
    Face.EVADE: Noun("evade", "evades"),
    Face.FOCUS: Noun("focus", "focus results"),
    Face.BLANK: Noun("blank", "blanks"),
}
"""Faces as they are counted."""


class Pool(StrEnum):
    """Which dice: red are the attack dice, green the defense dice."""

    RED = T_("red")
    GREEN = T_("green")

    @property
    def other(self) -> "Pool":
        return Pool.GREEN if self is Pool.RED else Pool.RED

    @property
    def faces(self) -> tuple[Face, ...]:
        """The eight faces of the die."""
        return FACES[self]

    @property
    def results(self) -> tuple[Face, ...]:
        """The different results it can show."""
        return RESULTS[self]


FACES: Final[Mapping[Pool, tuple[Face, ...]]] = {
    Pool.RED: (*[Face.HIT] * 3, Face.CRIT, *[Face.FOCUS] * 2, *[Face.BLANK] * 2),
    Pool.GREEN: (*[Face.EVADE] * 3, *[Face.FOCUS] * 2, *[Face.BLANK] * 3),
}

RESULTS: Final[Mapping[Pool, tuple[Face, ...]]] = {pool: tuple(dict.fromkeys(faces)) for pool, faces in FACES.items()}

DICE_OF: Final[Mapping[Pool, Noun]] = {
    Pool.RED: Noun("red die", "red dice"),
    Pool.GREEN: Noun("green die", "green dice"),
}

OWN_POOL: Final[Mapping[Side, Pool]] = {Side.ATTACKER: Pool.RED, Side.DEFENDER: Pool.GREEN}

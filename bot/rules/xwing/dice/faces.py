"""The two dice of X-Wing and their faces (rules page, Dice)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Self

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
DAMAGE: Final = Noun("damage", "damage")


class Pool(StrEnum):
    """A color of dice: red for attack, green for defense; its eight ``faces``, and the different ``results``."""

    _value_: str
    faces: tuple[Face, ...]
    results: tuple[Face, ...]
    RED = T_("red"), (*[Face.HIT] * 3, Face.CRIT, *[Face.FOCUS] * 2, *[Face.BLANK] * 2)
    GREEN = T_("green"), (*[Face.EVADE] * 3, *[Face.FOCUS] * 2, *[Face.BLANK] * 3)

    def __new__(cls, word: str, faces: tuple[Face, ...] = ()) -> Self:
        pool = str.__new__(cls, word)
        pool._value_, pool.faces, pool.results = str(word), faces, tuple(dict.fromkeys(faces))
        return pool

    @property
    def other(self) -> "Pool":
        return Pool.GREEN if self is Pool.RED else Pool.RED


DICE_OF: Final[Mapping[Pool, Noun]] = {
    Pool.RED: Noun("red die", "red dice"),
    Pool.GREEN: Noun("green die", "green dice"),
}

OWN_POOL: Final[Mapping[Side, Pool]] = {Side.ATTACKER: Pool.RED, Side.DEFENDER: Pool.GREEN}

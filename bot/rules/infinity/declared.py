"""What is declared before a die falls in Infinity: rolls, which of them meet, and Saving Rolls (rules page)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from bot.rules.game import Side

Edition = Literal["n5", "n4"]
EDITIONS: Final = ("n5", "n4", "n3", "codeone")
"""N3 and CodeOne read their dice and their saves as N4 does."""

SV_LEAST: Final = -12
SV_MOST: Final = 40
"""The Success Value before MODs."""
MOD_MOST: Final = 12
"""The *sum* of the MODs is limited to -12..+12 (One die, 1)."""
MODS_MOST: Final = 8
"""So many MODs can be named for one roll."""
BURST_MOST: Final = 6
SPECIAL_MOST: Final = 2
SIDES: Final = 20

POWER_MOST: Final = 30
ATTRIBUTE_MOST: Final = 30
HITS_MOST: Final = 12
"""Hits, and Criticals, that one Saving Roll command takes."""
COVER: Final = 3
"""Partial Cover: -3 to hit it, +3 to its saves."""


def total(mods: tuple[int, ...]) -> int:
    """The sum of the MODs within its limits."""
    return max(-MOD_MOST, min(MOD_MOST, sum(mods)))


class Action(StrEnum):
    """What a trooper's dice do. A template is one roll against each of its targets."""

    SHOOT = "shoot"
    DODGE = "dodge"
    RESET = "reset"
    TEMPLATE = "template"

    @property
    def is_attack(self) -> bool:
        """Whether its successes hit somebody; those of a Dodge or a Reset cause no damage."""
        return self in (Action.SHOOT, Action.TEMPLATE)


class Ammo(StrEnum):
    """Ammunition, as the Saving Rolls of the rules page name it."""

    N = "N"
    AP = "AP"
    SHOCK = "Shock"
    STUN = "Stun"
    T2 = "T2"
    PARA = "PARA"
    DA = "DA"
    EM = "E/M"
    EXP = "EXP"
    PLASMA = "Plasma"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """What a hit of a roll makes its target save against; ``power`` is PS in N5, Damage in N4."""

    ammo: Ammo
    power: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Armour:
    """What a trooper saves with."""

    arm: int = 0
    bts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """One trooper's dice of one roll. A trooper who splits Burst has several.

    ``attribute`` is the Success Value before ``mods``. ``special`` are special dice (+1 SD) beside the Burst.
    ``dice`` are faces that lie already (physical dice), special dice among them; None means that the bot rolls.
    """

    attribute: int
    mods: tuple[int, ...] = ()
    burst: int = 1
    special: int = 0
    action: Action = Action.SHOOT
    name: str = ""
    side: Side = Side.ATTACKER
    dice: tuple[int, ...] | None = None
    weapon: Weapon | None = None
    armour: Armour | None = None

    @property
    def sv(self) -> int:
        """The Success Value: attribute + MODs (One die, 1)."""
        return self.attribute + total(self.mods)

    @property
    def thrown(self) -> int:
        """How many dice fall: none at a Success Value below 1 (One die, 3)."""
        return self.burst + self.special if self.sv > 0 else 0

    @property
    def called(self) -> str:
        """Its trooper in a sentence."""
        return self.name or f"the {self.side}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Roll ``a`` compared face to face with roll ``b``, or, where ``b`` is None, a Normal Roll against ``target``.

    Both are places in ``Order.rolls``. A roll in several meetings is one roll, compared with each.
    """

    a: int
    b: int | None = None
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """All rolls of one order and which of them meet.

    ``awaits``: roll 0 is declared, the other side has to answer. ``answered``: it did, with roll 1.
    """

    rolls: tuple[Roll, ...]
    meetings: tuple[Meeting, ...]
    edition: Edition = "n5"
    awaits: bool = False
    answered: bool = False
    kind: Literal["order"] = "order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """The Saving Rolls of one target after ``hits`` and ``crits``.

    ``arm`` is the attribute that the ammunition is saved with, unless ``bts`` is given and it is saved with that.
    ``meeting`` and ``side`` say which attack of the order they answer.
    """

    hits: int
    crits: int = 0
    ammo: Ammo = Ammo.N
    power: int
    arm: int = 0
    bts: int | None = None
    mods: tuple[int, ...] = ()
    cover: bool = False
    edition: Edition = "n5"
    name: str = ""
    side: Side = Side.DEFENDER
    meeting: int = 0
    dice: tuple[int, ...] | None = None
    kind: Literal["save"] = "save"


Declared = Order | Save

MEETINGS_MOST: Final = 12
ENEMIES_MOST: Final = 6
"""One roll is compared with so many enemies at most."""

"""Hacking programs: what each does, against whom, and which device brings it (rules page, Hacking programs, N5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.infinity import skills
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import Weapon
from bot.rules.infinity.skills import Held

HACKER: Final = "Hacker"
HEAVY: Final = ("HI", "REM", "TAG", "VH", HACKER)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that is rolled for.

    ``targets``: the troop types that it works against, ``Hacker`` among them for anybody with a device; () for any.
    ``weapon``: what its successes do. ``keeps_burst``: a reaction has its full Burst. ``is_defence``: it is no attack,
    and nobody answers it.
    """

    weapon: Weapon
    targets: tuple[str, ...] = ()
    keeps_burst: bool = False
    is_defence: bool = False

    @property
    def name(self) -> str:
        """``Trinity``, without its MOD."""
        return self.weapon.name.partition(" (")[0]


TABLE: Final = (
    Program(weapons.parse("Carbonite: B2 PS 7 DA BTS hack nonlethal state Immobilized-B"), HEAVY),
    Program(weapons.parse("Oblivion: B2 PS 4 AP BTS hack nonlethal state Isolated"), HEAVY),
    Program(weapons.parse("Spotlight: B2 PS 5 AP BTS hack nonlethal state Targeted")),
    Program(weapons.parse("Total Control: B1 PS 4 DA BTS hack nonlethal state Possessed"), ("TAG",)),
    Program(weapons.parse("Trinity (+3): B3 PS 6 N BTS hack"), (HACKER,)),
    Program(weapons.parse("Zero Pain (-3): B2 none nosave hack"), keeps_burst=True),
    Program(weapons.parse("White Noise: B1 none nosave hack"), is_defence=True),
)
BY_NAME: Final[Mapping[str, Program]] = {one.name: one for one in TABLE}
USUAL: Final = ("Carbonite", "Oblivion", "Spotlight", "Total Control")
DEVICES: Final[Mapping[str, tuple[str, ...]]] = {
    "Hacking Device": USUAL,
    "Hacking Device Plus": (*USUAL, "White Noise"),
    "Killer Hacking Device": ("Trinity",),
    "EVO Hacking Device": (),
}
"""The programs of each device that are rolled for."""
UPGRADE: Final = "upgrade"


NONE: Final = Program(Weapon())


def of(weapon: Weapon | None) -> Program:
    """The program that a weapon is; one without a name for any other weapon."""
    return BY_NAME.get(weapon.name.partition(" (")[0], NONE) if weapon else NONE


def is_hacker(held: Iterable[Held]) -> bool:
    """Whether a profile has a Hacker's skill or device."""
    return any(one.name in (HACKER, *DEVICES) for one in held)


def brought(held: Iterable[Held]) -> tuple[Weapon, ...]:
    """The programs of its devices and upgrades; a Hacker without a device in the profile has the usual one.

    ``Hacker (Killer Hacking Device)`` names the device, ``Hacking Device (UPGRADE: Trinity (+3))`` a program more.
    """
    ours = [one for one in held if one.name in (HACKER, *DEVICES)]
    extras = [skills.plain(extra.partition("(")[0]) for one in ours for extra in one.extras]
    named = [one.name for one in ours] + [skills.BY_NAME.get(extra, "") for extra in extras]
    devices = [name for name in named if name in DEVICES]
    if not devices and ours:
        devices = ["Hacking Device"]
    more = [one.name for one in TABLE if f"{UPGRADE} {skills.plain(one.name)}" in extras]
    names = dict.fromkeys((*(name for device in devices for name in DEVICES[device]), *more))
    return tuple(BY_NAME[name].weapon for name in names)

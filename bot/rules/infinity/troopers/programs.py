"""Hacking programs, and skills that are used as a weapon is: what each does, against whom, and what brings it.

Rules page, Hacking programs, N5, and Forward Observer, Flash Pulse, Jammer, Sensor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.data_tables import table
from bot.rules.infinity.troopers import declared, skills
from bot.rules.infinity.troopers import weapon as weapons

HACKER: Final = "Hacker"


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or a skill, that is rolled for.

    ``line``: what its successes do, as a weapon is written. ``targets``: the troop types that it works against,
    ``Hacker`` among them for anybody with a device; () for any. ``devices`` and ``skills`` are those that bring it.
    ``keeps_burst``: a reaction has its full Burst. ``is_defence``: it is no attack, and nobody
    answers it.
    """

    line: str
    targets: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    keeps_burst: bool = False
    is_defence: bool = False

    @property
    def name(self) -> str:
        """``Trinity``, without its MOD."""
        return self.line.partition(":")[0].partition(" (")[0]


TABLE: Final = table("infinity/tables/programs.json", Program)
BY_NAME: Final[Mapping[str, Program]] = {program.name: program for program in TABLE}
DEVICES: Final = ("Hacking Device", "Hacking Device Plus", "Killer Hacking Device", "EVO Hacking Device")
ARMS: Final = {program.name: weapons.parse(program.line) for program in TABLE}
UPGRADE: Final = "upgrade"
NONE: Final = Program("")


def of(weapon: declared.Weapon | None) -> Program:
    """The program that a weapon is; one without a name for any other weapon."""
    return BY_NAME.get(weapon.name.partition(" (")[0], NONE) if weapon else NONE


def carried_programs(held: Sequence[skills.HeldSkill]) -> tuple[declared.Weapon, ...]:
    """The programs of its devices and upgrades, and what its skills bring; a Hacker without a device has the usual one.

    ``Hacker (Killer Hacking Device)`` names the device, ``Hacking Device (UPGRADE: Trinity (+3))`` a program more.
    """
    ours = [skill for skill in held if skill.name in (HACKER, *DEVICES)]
    extras = [skills.normalized_name(extra.partition("(")[0]) for skill in ours for extra in skill.extras]
    named = [skill.name for skill in ours] + [skills.BY_NAME.get(extra, "") for extra in extras]
    devices = [name for name in named if name in DEVICES]
    if not devices and ours:
        devices = ["Hacking Device"]
    more = [program.name for program in TABLE if f"{UPGRADE} {skills.normalized_name(program.name)}" in extras]
    own = (program.name for device in devices for program in TABLE if device in program.devices)
    skilled = {skill.name for skill in held if not any(map(skills.VALUE.fullmatch, skill.extras))}  # a kit's own PH
    by_skill = (program.name for program in TABLE if skilled & {*program.skills})
    return tuple(ARMS[name] for name in dict.fromkeys((*own, *more, *by_skill)))

"""Hacking programs, and skills that are used as a weapon is: what each does, against whom, and what brings it.

Rules page, Hacking programs, N5, and Forward Observer, Flash Pulse, Jammer, Sensor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
    answers it. ``state``: it happens to whoever is in that state, and needs no order; its trooper is Dead then.
    """

    line: str
    targets: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    keeps_burst: bool = False
    is_defence: bool = False
    state: str = ""

    @property
    def name(self) -> str:
        """``Trinity``, without its MOD."""
        return self.line.partition(":")[0].partition(" (")[0]


TABLE: Final = table("infinity/tables/programs.json", Program)
KEYS: Final = {program: skills.normalized_name(program.name) for program in TABLE}
BY_NAME: Final[Mapping[str, Program]] = {program.name: program for program in TABLE}
DEVICES: Final = skills.DEVICES[1:]
ARMS: Final = {program.name: weapons.parse(program.line) for program in TABLE}
NONE: Final = Program("")


def of(weapon: declared.Weapon | None) -> Program:
    """The program that a weapon is; one without a name for any other weapon."""
    return BY_NAME.get(weapon.name.partition(" (")[0], NONE) if weapon else NONE


@lru_cache(maxsize=1024)
def carried_programs(held: Sequence[skills.HeldSkill]) -> tuple[declared.Weapon, ...]:
    """The programs of its devices and upgrades, and what its skills bring; a Hacker without a device has the usual one.

    ``Hacking Device (UPGRADE: Trinity (+1B))`` is a program more, or a better one; ``(UPGRADE: SR-1)`` betters all.
    """
    upgrades = [item for skill in held for item in skills.upgrades(skill)]
    called = {skills.normalized_name(skills.GROUPS.sub("", item)): skills.GROUPS.findall(item) for item in upgrades}
    every = [item for item in upgrades if skills.is_extra(item)]
    own = {skill.name for skill in held if not any(map(skills.VALUE.fullmatch, skill.extras))}  # a kit's own PH
    own |= {skill.text for skill in held}
    if HACKER in own and not own & {*DEVICES}:
        own.add("Hacking Device")
    result = (
        weapons.with_extras(ARMS[program.name], (*called.get(key, ()), *every))
        for program, key in KEYS.items()
        if key in called or own & {*program.devices, *program.skills}
    )
    return tuple(result)

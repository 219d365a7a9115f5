"""Hacking programs, and skills used like weapons: effects, targets, and sources. Rules page, Hacking programs, N5, and
Forward Observer, Flash Pulse, Jammer, Sensor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.rules.data_tables import table
from bot.rules.infinity.troopers import declared, skills, weapon as weapons

HACKER: Final = "Hacker"


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or a skill, with a roll.

    ``line``: its successes' effect, as a weapon. ``targets``: troop types, ``Hacker`` for anybody with a device; () for
    any. ``devices`` and ``skills``: its sources. ``keeps_burst``: a reaction has full Burst. ``is_defence``: no attack,
    and unopposed. ``state``: it happens in that state without an order; its trooper is then Dead.
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
        """Return ``Trinity``, without its MOD."""
        return self.line.partition(":")[0].partition(" (")[0]


TABLE: Final = table("infinity/tables/programs.json", Program)
KEYS: Final = {program: skills.normalized_name(program.name) for program in TABLE}
BY_NAME: Final[Mapping[str, Program]] = {program.name: program for program in TABLE}
DEVICES: Final = skills.DEVICES[1:]
ARMS: Final = {program.name: weapons.parse(program.line) for program in TABLE}
NONE: Final = Program("")


def of(weapon: declared.Weapon | None) -> Program:
    """Return a weapon's program; one without a name for any other weapon."""
    return BY_NAME.get(weapon.name.partition(" (")[0], NONE) if weapon else NONE


@lru_cache(maxsize=1024)
def carried_programs(held: Sequence[skills.HeldSkill]) -> tuple[declared.Weapon, ...]:
    """Return the programs of devices, upgrades, and skills; a Hacker without a device has the usual one.

    ``Hacking Device (UPGRADE: Trinity (+1B))`` adds or improves a program; ``(UPGRADE: SR-1)`` improves all.
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

"""Every skill and piece of equipment that profiles of the official data carry, typed and as the import writes it."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.rules import infinity
from bot.rules.infinity.dice import saves
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.table import army
from bot.rules.infinity.troopers import skills, trooper
from bot.rules.infinity.troopers.declared import Action, Order, TargetProfile

NAMES: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "infinity_skill_names.json").read_text(encoding="utf-8")
)
KINDS: Final = ("shown", "counted", "asked", "not counted")
EVERY: Final[list[str]] = [name for kind in KINDS for name in NAMES[kind]]


def imported(name: str) -> trooper.Trooper:
    """A trooper whose profile in army data has the skill, with its outer brackets as an extra."""
    skill, _, extra = name.partition(" (")
    data: dict[str, Any] = {
        "units": [
            {"id": 1, "name": "Unit", "profileGroups": [{"id": 1, "profiles": [PROFILE], "options": [{"id": 1}]}]}
        ],
        "filters": {
            "type": [{"id": 1, "name": "LI"}],
            "skills": [{"id": 1, "name": skill}],
            "extras": [{"id": 1, "name": extra[:-1], "type": "TEXT"}],
        },
    }
    GROUP["profiles"][0]["skills"] = [{"id": 1, "extra": [1] if extra else []}]
    return army.read_trooper("Unit", "", json.dumps(data))


PROFILE: Final[dict[str, Any]] = {"bs": 12, "cc": 13, "ph": 10, "wip": 12, "arm": 1, "bts": 0, "w": 1, "type": 1}
GROUP: Final[dict[str, Any]] = {"id": 1, "profiles": [PROFILE], "options": [{"id": 1}]}


def test_a_skill_is_known_and_means_the_same_typed_and_imported() -> None:
    for name in EVERY:
        typed, given = trooper.parse("Ana", f"BS 12, W 1, {name}"), imported(name)
        assert all(skill.is_known for skill in typed.parsed_skills), name
        assert typed.parsed_skills == given.parsed_skills, name
        assert [arm.name for arm in typed.arms] == [arm.name for arm in given.arms], name
        assert trooper.parse("Ana", trooper.write(given)).parsed_skills == typed.parsed_skills, name


@pytest.mark.parametrize("how", KINDS)
def test_a_skill_is_counted_asked_named_or_only_shown(how: str) -> None:
    assert {name: skills.group(skills.parse_skill(name), "n5") for name in NAMES[how]} == dict.fromkeys(NAMES[how], how)


def test_a_skill_that_two_parts_of_a_profile_have_counts_once() -> None:
    for name in EVERY:
        once, twice = (
            infinity.declare({"troopers": {"Ana": ANA, "Bo": f"{BO}, {line}"}, "order": "Ana combi at 12 vs Bo rifle"})
            for line in (name, f"{name}, {name}")
        )
        assert isinstance(once, Order), name
        assert isinstance(twice, Order), name
        assert sums(once) == sums(twice), name


ANA: Final = "BS 12, CC 15, PH 11, WIP 13, ARM 1, BTS 3, W 1, Combi: B3 PS 7 N ARM +3@16 -3@32"
BO: Final = "BS 11, CC 14, PH 10, WIP 12, ARM 1, BTS 0, W 1, Rifle: B3 PS 7 N ARM +3@16 -3@32"


PROGRAMS: Final = {
    "Hacking Device (UPGRADE: Total Control (+1B))": ("Total Control", 2, 4, 0),
    "Hacking Device (UPGRADE: Total Control (PS=3))": ("Total Control", 1, 3, 0),
    "Hacker (UPGRADE: Total Control (SR-2))": ("Total Control", 1, 4, 0),
    "Hacking Device (UPGRADE: Trinity (+1B))": ("Trinity", 4, 6, 0),
    "Hacking Device (UPGRADE: Trinity (+1SD))": ("Trinity", 3, 6, 1),
    "Hacking Device (UPGRADE: Trinity (PS=5))": ("Trinity", 3, 5, 0),
    "Hacking Device (UPGRADE: Carbonite (+1 B))": ("Carbonite", 3, 7, 0),
    "Hacking Device (UPGRADE: Carbonite (PS=6))": ("Carbonite", 2, 6, 0),
    "Killer Hacking Device (UPGRADES: Carbonite, Firewall (-3))": ("Carbonite", 2, 7, 0),
    "Hacking Device Plus (UPGRADE: Oblivion (+1B))": ("Oblivion", 3, 4, 0),
}
"""A device's upgrade, its program, and that program's Burst, PS, and special dice in the Active Turn."""


@pytest.mark.parametrize(("device", "expected"), PROGRAMS.items())
def test_an_upgrade_in_the_brackets_of_a_device_counts(device: str, expected: tuple[str, int, int, int]) -> None:
    troopers = {"Ana": f"WIP 13, LI, {device}", "Bo": "WIP 12, BTS 3, TAG, STR 3, Hacker"}
    order = infinity.declare({"troopers": troopers, "order": f"Ana {expected[0].lower()} vs Bo"})
    assert isinstance(order, Order)
    weapon = order.rolls[0].weapon
    assert weapon is not None
    assert (sums(order)[0]["burst"], weapon.power, sums(order)[0].get("special_dice", 0)) == expected[1:]


@pytest.mark.parametrize("device", [name for name in EVERY if "Firewall" in name])
def test_a_firewall_in_any_brackets_burdens_a_hacker_and_helps_the_save(device: str) -> None:
    number = int(device[device.index("-") :].strip("()"))
    order = infinity.declare(
        {
            "troopers": {"Ana": "WIP 13, Hacker", "Bo": f"WIP 12, BTS 3, HI, W 2, {device}"},
            "order": "Ana carbonite vs Bo",
        }
    )
    assert isinstance(order, Order)
    assert sums(order)[0]["sv"] == 13 + number
    target = trooper.parse("Bo", f"BTS 3, W 2, {device}").profile
    weapon = order.rolls[0].weapon
    assert weapon is not None
    mods = saves.mods_of(weapon, TargetProfile(), target, Action.HACK, dodged=False)
    assert [(str(mod.what), mod.number) for mod in mods] == [("Firewall", 3)]

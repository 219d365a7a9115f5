"""Armies that a generator makes in the official form: nothing in them is silently ignored."""

import json
from typing import Any, Final

from hypothesis import given, settings, strategies as st

from bot.rules.infinity.table import army
from bot.rules.infinity.troopers import skills
from bot.rules.infinity.troopers.skills import SkillChange
from bot.rules.infinity.troopers.trooper import MAX_SKILLS, Trooper, parse, write
from tests.examples import share_of

EXTRAS: Final = (
    *("-3", "-6", "+3", "+6", "+1B", "+2B", "+1SD", "PS=6", "PS=5", "PH=11", "WIP=14", "SR-1", "SR-2", "Shock", "AP"),
    *("Continous Damage", "Continuous Damage", "ReRoll", "ReRoll -3", "Total", "Enhanced", "ARM", "BTS", "POS", "2W"),
    *(
        "ARM +3",
        "Hacker -3",
        "Guided",
        "Servant",
        "Zero-G",
        "Jet Propulsion",
        "+1 Order",
        "L2",
        "Dodge (PH+3), GizmoKit",
    ),
)
DISTANCES: Final = ("+2.5", "+5", "+10", "+20", "-5")
TYPES: Final = ("LI", "MI", "HI", "SK", "WB", "REM", "TAG", "VH", "X")
PROPERTIES: Final = (
    *("CC", "Suppressive Fire", "State: IMM-A", "Comms. Attack", "BS Weapon (PH)", "Direct Template (Large Teardrop)"),
    *("Impact Template (Circular)", "Disposable (2)", "Non-lethal", "Bioweapon (DA+SHOCK)", "Anti-materiel"),
)
DISTANCE: Final = (
    None,
    {"short": {"max": 40, "mod": "+3"}, "med": {"max": 80, "mod": "-3"}, "long": None},
    {"max": {"max": 240, "mod": "-6"}},
)
WEAPONS: Final = ("Combi Rifle", "K1: Sniper, Rifle", "PARA CC Weapon", "Panzerfaust")
NAMES: Final = st.sampled_from((*skills.names(), "Quantum Tickling", "BS=13", "Brand-New: Thing, really", "Nandu (x)"))


def numbered(names: Any, **more: str) -> list[dict[str, Any]]:
    return [{"id": at, "name": name, **more} for at, name in enumerate(names, 1)]


MODES: Final = st.fixed_dictionaries(
    {"id": st.integers(1, 12), "name": st.sampled_from(WEAPONS)},
    optional={
        "mode": st.sampled_from(("", "Hit Mode", "Blast Mode", "Anti-materiel Mode")),
        "burst": st.sampled_from(("1", "3", "4", "-", "*", "")),
        "damage": st.sampled_from(("7", "5", "-", "*", "14", "WIP")),
        "saving": st.sampled_from(("ARM", "BTS/2", "ARM=0", "PH-6", "ARM and BTS", "-", "*", "odd")),
        "savingNum": st.sampled_from(("1", "2", "3", "1 and 1", "-")),
        "ammunition": st.integers(1, 3),
        "properties": st.lists(st.sampled_from(PROPERTIES), max_size=3),
        "distance": st.sampled_from(DISTANCE),
    },
)
ONE: Final = st.fixed_dictionaries(
    {"id": st.integers(1, 12)}, optional={"extra": st.lists(st.integers(1, len(EXTRAS) + len(DISTANCES)), max_size=3)}
)
HELD: Final = st.lists(ONE, max_size=12)
OPTION: Final = st.fixed_dictionaries(
    {"id": st.integers(1, 9), "name": st.sampled_from(("FENNEC", "FENNEC (Hacker)", "ZERO", ""))},
    optional={"skills": HELD, "equip": HELD, "weapons": HELD},
)
PROFILE: Final = st.fixed_dictionaries(
    {"name": st.just("FENNEC"), **dict.fromkeys(("bs", "cc", "ph", "wip"), st.integers(0, 30))},
    optional={
        **dict.fromkeys(("arm", "bts", "w"), st.integers(0, 12)),
        **dict.fromkeys(("skills", "equip", "weapons"), HELD),
        "str": st.booleans(),
        "type": st.integers(1, len(TYPES)),
    },
)
GROUP: Final = st.fixed_dictionaries(
    {
        "id": st.integers(1, 3),
        "profiles": st.lists(PROFILE, min_size=1, max_size=2),
        "options": st.lists(OPTION, min_size=1, max_size=3),
    }
)
UNIT: Final = st.fixed_dictionaries(
    {
        "id": st.integers(1, 99),
        "name": st.sampled_from(("Fennecs", "Zeros")),
        "profileGroups": st.lists(GROUP, min_size=1, max_size=2),
    }
)
TWELVE: Final = st.lists(NAMES, min_size=12, max_size=12).map(numbered)
EXTRAS_THERE: Final = [
    *numbered(EXTRAS, type="TEXT"),
    *({"id": len(EXTRAS) + at, "name": name, "type": "DISTANCE"} for at, name in enumerate(DISTANCES, 1)),
]
ARMIES: Final = st.fixed_dictionaries(
    {
        "units": st.lists(UNIT, min_size=1, max_size=2),
        "filters": st.fixed_dictionaries(
            {"type": st.just(numbered(TYPES)), "skills": TWELVE, "equip": TWELVE, "extras": st.just(EXTRAS_THERE)}
        ),
        "weapons": st.lists(MODES, max_size=12),
        "ammunitions": st.just(numbered(("N", "AP+DA", "Weird"))),
    }
)


@settings(max_examples=share_of(40))
@given(ARMIES)
def test_every_option_of_any_army_makes_a_trooper_of_which_nothing_is_silently_ignored(data: dict[str, Any]) -> None:
    """Every skill and extra is counted, asked, named as not counted, or known to touch no die; every mode is kept."""
    for unit in data["units"]:
        for group in unit["profileGroups"]:
            for option in group["options"]:
                check(data, group["profiles"][0], option, army.build_trooper(data, group, option, "Fennec"))


def check(data: dict[str, Any], profile: dict[str, Any], option: dict[str, Any], trooper: Trooper) -> None:
    assert parse("Fennec", write(trooper)).skills == trooper.skills, "what is kept can be typed"
    groups = skills.groups(trooper.skills)
    said = {name for names in groups.values() for name in names}
    for skill in map(skills.parse_skill, trooper.skills):  # a device's upgrades are named in its brackets
        assert skill.text in said or skills.group(skill, "n5") is SkillChange.SHOWN
        assert skill.is_known or skill.text in groups[SkillChange.LEFT]
        assert not {abs(number) for number in skills.mods_of(skill)} & {2, 4, 5, 8, 10, 20}, "a distance is no MOD"
    held = {item["id"] for part in (profile, option) for item in part.get("weapons", [])}
    assert bool(trooper.weapons) == bool(held & {item["id"] for item in data["weapons"]})
    assert len(trooper.skills) <= MAX_SKILLS


def test_a_distance_is_read_in_inches() -> None:
    row = {"id": 1, "extra": [len(EXTRAS) + 2, 3]}
    data = {"filters": {"skills": [{"id": 1, "name": "Dodge"}], "extras": EXTRAS_THERE}}
    assert army.skills_of(data, {"skills": [row]}, "skills") == ['Dodge (+2") (+3)']
    assert json.loads(json.dumps(data)) == data

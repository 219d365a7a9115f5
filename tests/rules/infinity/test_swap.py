"""What lies between two troopers belongs to both: whoever is active, each has the same Success Value and Face to Face.

``FACTS`` lists every fact of a pair; a Surprise Attack alone belongs to the active side. Burst is no fact of a pair.
"""

from collections.abc import Mapping
from dataclasses import fields as fields_of
from itertools import product
from typing import Any, Final

import pytest

from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.infinity.orders import fields
from bot.rules.infinity.orders.fields import Situation
from bot.rules.infinity.troopers.declared import Order
from tests.sampling import Part

GUNS: Final = (
    "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, Pulse: B1 WIP PS 7 Stun BTS 0@8 +3@24, Knife: CC PS 5, "
    "Smoke: B1 PH Smoke template 0@8 -3@16, Stone: B1 PS 4 improvised 0@16"
)
BASE: Final = "BS 12, CC 15, PH 11, WIP 13, ARM 1, BTS 3, W 1, HI"
SKILLS: Final = (
    *("", "MSV 1", "MSV 2", "Sixth Sense", "Marksmanship", "Mimetism (-6), Targeted"),
    *("Albedo (-3), Nanoscreen, TinBot: Firewall (-3), ECM: Hacker (-3)", "Natural Born Warrior, Dodge (+3)"),
    "Martial Arts L2, CC Attack (-3), BS Attack (-3), Dodge (-3)",
)
HACKS: Final = "Hacker, Hacking Device (UPGRADE: Zero Pain), Forward Observer"
SEEN: Final = ("", " low", " poor", " zero", " eclipse", " white noise", " saturation", " low saturation")
DEEDS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("Combi at 12", "Combi"): SEEN,
    ("Combi at 20", "dodge"): (" poor", " zero", " white noise", " zoc"),
    ("Pulse at 12", "Combi"): (" poor", " zero"),
    ("Forward Observer at 12", "Stone"): ("", " low"),
    ("Knife", "Knife"): ("",),
    ("Knife", "dodge"): ("",),
    ("Spotlight", "reset"): ("",),
    ("Oblivion", "Carbonite"): ("",),
    ("Spotlight", "Zero Pain"): ("",),
    ("Combi at 12", "Smoke at 7"): ("", " past"),
}
"""What the two do, with what may be said of the line between them, on whichever side."""


def told(troopers: Mapping[str, str], order: str) -> dict[str, tuple[int, frozenset[str]]] | None:
    """Each trooper's Success Value, and whom it is compared with; None where the order is refused."""
    try:
        declared = infinity.declare({"troopers": troopers, "order": order})
    except PlayerError:
        return None
    assert isinstance(declared, Order)
    met = [{declared.rolls[at].name for at in meeting.places} for meeting in declared.meetings]
    return {
        roll.name: (roll.sv, frozenset(name for pair in met if roll.name in pair for name in pair - {roll.name}))
        for roll in declared.rolls
    }


@pytest.mark.parametrize("deeds", DEEDS)
def test_each_side_has_its_own_numbers_whoever_is_active(deeds: tuple[str, str], part: Part[Any]) -> None:
    (mine, theirs), compared = deeds, 0
    far, cases = mine.partition(" at ")[2], part(product(SKILLS, SKILLS, DEEDS[deeds]), 8)
    for item, other, said in cases:
        troopers = {
            name: ", ".join(filter(None, (BASE, HACKS, skill, GUNS))) for name, skill in (("Ana", item), ("Bo", other))
        }
        back = f"{theirs} at {far}" if far and theirs in ("Combi", "Stone") else theirs
        orders = (
            f"Ana {mine}{said} vs Bo {theirs}",
            f"Ana {mine} vs Bo {theirs}{said}",
            f"Bo {back}{said} vs Ana {mine.partition(' at ')[0] if back != theirs else mine}",
        )
        came = [told(troopers, order) for order in orders if not (" past" in said and order != orders[1])]
        assert came == came[:1] * len(came), (item, other, orders)
        compared += came[0] is not None
    assert compared > len(cases) // 8


@pytest.mark.parametrize("answer", ["Combi", "dodge"])
def test_a_surprise_attack_alone_belongs_to_the_active_side(answer: str) -> None:
    line = f"{BASE}, Surprise Attack (-6), {GUNS}"
    plain, surprised = (
        told({"Ana": line, "Bo": line}, f"Ana Combi at 12{said} vs Bo {answer}") for said in ("", " surprise")
    )
    assert plain is not None
    assert surprised is not None
    assert surprised["Ana"] == plain["Ana"]
    assert surprised["Bo"][0] == plain["Bo"][0] - 6


OWN: Final = {
    *("distance", "beyond", "cover", "surprise", "melee", "speculative", "coordinated", "fireteam"),
    *("guided", "intuitive", "triangulated", "berserk", "sensor", "guard", "contact", "warned", "coup"),
    *("crossed", "past"),
}
"""Said of one roll: how it is made, or of its own target or smoke. A distance has a rule of its own, below."""


def test_every_circumstance_is_a_fact_of_the_pair_or_of_one_roll() -> None:
    assert {field.name for field in fields_of(Situation)} == {*fields.SHARED} | OWN


def test_a_distance_is_one_of_both_sides_unless_each_says_its_own() -> None:
    troopers = {"Ana": f"{BASE}, {GUNS}", "Bo": f"{BASE}, {GUNS}"}
    by_either = [told(troopers, f"Ana Combi{one} vs Bo Combi{two}") for one, two in ((" at 20", ""), ("", " at 20"))]
    assert by_either[0] == by_either[1]
    assert by_either[0] is not None
    assert [sv for sv, _ in by_either[0].values()] == [9, 9]

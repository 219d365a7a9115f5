"""Sums worked by hand from the rulebook: each skill alone, pairs of it on both sides, states, ranges, editions."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.rules import infinity
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.troopers.declared import Order
from bot.rules.infinity.troopers.states import ForbiddenByStateError

GOLDEN: Final = json.loads((Path(__file__).parents[2] / "golden" / "infinity_sums.json").read_text())


def summed(case: dict[str, Any]) -> dict[str, dict[str, Any]]:
    base = GOLDEN["troopers"]
    troopers = {name: ", ".join(filter(None, (line, case.get(name.lower())))) for name, line in base.items()}
    declared = infinity.declare({"troopers": troopers, "order": case["order"], "edition": case.get("edition", "n5")})
    assert isinstance(declared, Order)
    return {str(item["name"]): item for item in sums(declared)}


def test_the_sum_of_each_roll() -> None:
    for case in GOLDEN["cases"]:
        result = summed(case)
        for name, (sv, burst, *special) in case["expect"].items():
            item, why = result[name], case["why"]
            assert (item["sv"], item["burst"], item.get("special_dice", 0)) == (sv, burst, *(special or [0])), (
                why,
                item,
            )
            assert item["not_counted"] == case.get("not_counted", {}).get(name, []), (why, item)


def test_there_are_enough_of_them() -> None:
    assert len(GOLDEN["cases"]) >= 120
    assert len({case["why"] for case in GOLDEN["cases"]}) == len(GOLDEN["cases"])


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("Ana combi at 10 Dead* vs Bo", "Ana is Dead and can't act"),
        ("Ana combi at 10 vs Bo rifle Unconscious*", "Bo is Unconscious and can't act"),
        ("Ana combi at 10 Stunned* vs Bo", "Ana is Stunned and can't declare BS Attack, only Dodge, Reset"),
        (
            "Ana sword Stunned* vs Bo knife",
            (
                "Ana is Stunned and can't declare CC Attack, only Dodge, Reset, Discover, Doctor, Engineer, "
                "MediKit, or GizmoKit"
            ),
        ),
        ("Ana combi at 10 vs Bo rifle Immobilized-A*", "Bo is Immobilized-A and can't declare BS Attack"),
        ("Ana combi at 10 vs Bo reset Immobilized-A*", "Bo is Immobilized-A and can't declare Reset, only Dodge"),
        ("Ana combi at 10 vs Bo dodge Immobilized-B*", "Bo is Immobilized-B and can't declare Dodge, only Reset"),
        ("Ana hack Isolated* vs Bo reset", "Ana is Isolated and can't declare Hacking"),
        (
            "Ana combi at 10 Engaged* vs Bo",
            "Ana is Engaged and can't declare BS Attack, only CC Attack, Dodge, or Reset",
        ),
        ("Ana guts Engaged*", "Ana is Engaged and can't declare Guts Roll, only CC Attack, Dodge, or Reset."),
        ("Ana combi at 10* vs Bo Camouflaged", "Bo is in the Camouflaged state"),
    ],
)
def test_what_a_state_forbids_is_refused_with_the_reason(order: str, words: str) -> None:
    with pytest.raises(ForbiddenByStateError) as refused:
        summed({"order": order.replace("*", "")})
    assert words in str(refused.value)
    assert "`anyway`" in str(refused.value)
    assert summed({"order": order.replace("*", " anyway")})


def test_who_has_to_be_discovered_may_be_attacked_by_intuition() -> None:
    assert summed({"order": "Ana combi at 10 intuitive vs Bo Camouflaged"})["Ana"]["sv"] == 13
    assert summed({"order": "Ana discover at 20 vs Bo Camouflaged"})["Ana"]["sv"] == 13


def test_a_state_may_stand_in_the_profile() -> None:
    assert summed({"order": "Ana combi at 10 vs Bo dodge", "bo": "Stunned, Targeted"})["Bo"]["sv"] == 9
    assert summed({"order": "Ana combi at 10 vs Bo rifle", "bo": "Suppressive Fire"})["Bo"]["burst"] == 3
    with pytest.raises(ForbiddenByStateError, match="Bo is Dead: it can't act or be targeted"):
        summed({"order": "Ana combi at 10 vs Bo rifle", "bo": "Dead"})


@pytest.mark.parametrize(
    ("held", "typed", "says"),
    [
        ("Killer Hacking Device", "Carbonite", "Ana doesn't have that program. Use `Trinity`"),
        ("Hacking Device", "total control now", "I don't understand `now`"),
        ("Hacking Device", "zero pain", "`Carbonite`, `Oblivion`, `Spotlight`, or `Total Control`"),
        ("Knife: CC PS 5", "Spotlight", "Ana doesn't have that program. Programs come with a hacking device"),
    ],
)
def test_a_program_that_a_trooper_lacks_is_named(held: str, typed: str, says: str) -> None:
    with pytest.raises(PlayerError, match=says) as refused:
        infinity.declare({"troopers": {"Ana": f"WIP 13, {held}", "Bo": "WIP 12"}, "order": f"Ana {typed} vs Bo reset"})
    assert ("program of Ana" in str(refused.value)) == ("now" not in typed)


@pytest.mark.parametrize(("armed", "names"), [("Knife: CC PS 5", "`Knife`"), ("Hacker", "`Carbonite`, `Oblivion`")])
def test_who_has_nothing_to_shoot_with_is_asked_for_a_weapon(armed: str, names: str) -> None:
    order = {"troopers": {"Cy": f"BS 11, WIP 14, {armed}", "Bo": "PH 12"}, "order": "Cy at 10 vs Bo dodge"}
    with pytest.raises(BadInputError, match=f"`weapon of Cy` was missing. Use {names}"):
        infinity.declare(order)


def test_cover_helps_the_saves_only_against_what_needs_a_line_of_fire() -> None:
    def covered(how: str, edition: str = "n5") -> bool:
        ana = "BS 12, CC 13, WIP 14, Hacker, BS Attack (Guided), Combi: B3 PS 7 +3@16"
        declared = infinity.declare(
            {
                "troopers": {"Ana": ana, "Bo": "WIP 12, BTS 3, ARM 1, Targeted"},
                "order": f"Ana {how} vs Bo",
                "edition": edition,
            }
        )
        assert isinstance(declared, Order)
        return declared.rolls[0].cover

    assert covered("combi at 10 cover")
    assert not covered("combi at 10 guided cover anyway")
    assert not covered("combi at 10 guided")
    assert not covered("Carbonite cover anyway")
    for worthless in ("Carbonite cover", "cc cover", "combi at 10 guided cover"):
        with pytest.raises(ForbiddenByStateError, match=r"`cover` has no effect for Ana\. Leave it out"):
            covered(worthless)


def test_martial_arts_and_allies_give_burst_without_a_weapon_in_the_profile() -> None:
    def dice(order: str) -> object:
        declared = infinity.declare({"troopers": {"Cy": "CC 21, MA 4", "Bo": "CC 18"}, "order": order})
        assert isinstance(declared, Order)
        return declared.rolls[0].burst

    assert dice("Cy cc vs Bo cc") == 2
    assert dice("Cy cc melee 2 vs Bo cc") == 4
    assert dice("Cy cc b1 vs Bo cc") == 1


def test_who_attacks_as_a_marker_is_revealed_to_those_who_react() -> None:
    order = "Ana combi at 10 surprise Camouflaged vs Bo rifle"
    assert summed({"order": order})["Bo"]["sv"] == 11, "11+3, and -3 of the Surprise Attack"
    assert summed({"order": "Ana sword Camouflaged vs Bo knife"})["Bo"]["sv"] == 18
    with pytest.raises(ForbiddenByStateError, match="Bo is in the Camouflaged state"):
        summed({"order": "Ana combi at 10 vs Bo rifle Camouflaged"})

"""X-Wing odds: the golden cases, the page's reference values and averages, and what must hold of any law."""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings, strategies as st

from bot.odds.xwing import count, distribution, odds
from bot.odds.xwing.attacks_in_a_row import ShipDamage
from bot.rules.xwing.attack.json_attacks import declare as read_attack, declare_attack as declare
from tests.examples import share_of
from tests.odds.xwing.questions import golden_questions
from tests.rows import for_each_row

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "golden" / "xwing.json").read_text())
ENUMERATED: Final = json.loads((Path(__file__).parents[2] / "golden" / "xwing_attacks.json").read_text())
ATTACKS: Final = ENUMERATED["cases"]
TOLD: Final = ("joint", "mean_damage", "p_any", "p_crit")


def asked(attack: Mapping[str, object], defense: Mapping[str, object], **more: object) -> dict[str, Any]:
    return told({"attack": attack, "defense": defense, **more})


def told(raw: Mapping[str, object]) -> dict[str, Any]:
    return odds(declare(raw))


@for_each_row("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_the_golden_cases(case: dict[str, Any]) -> None:
    raw = {key: value for key, value in case.items() if key not in TOLD}
    assert odds(declare(raw)) == {key: case[key] for key in TOLD}


@for_each_row("case", ATTACKS, ids=lambda case: case["id"])
def test_attacks_that_were_enumerated_from_the_rules_alone(case: dict[str, Any]) -> None:
    ours: dict[str, str] = cast("Any", odds(read_attack(case["lineup"])))["joint"]
    assert {key: Fraction(chance) for key, chance in ours.items() if Fraction(chance)} == {
        key: Fraction(chance) for key, chance in case["joint"].items()
    }


@for_each_row("case", ENUMERATED["means"], ids=lambda case: case["id"])
def test_the_mean_damage_of_attacks_that_were_enumerated_from_the_rules_alone(case: dict[str, Any]) -> None:
    assert cast("Any", odds(read_attack(case["lineup"])))["mean_damage"] == case["mean_damage"]


LINES: Final[Mapping[str, tuple[Mapping[str, object], Mapping[str, object]]]] = {
    "a=3 af=1 d=2 df=1": ({"dice": 3, "focus": 1}, {"dice": 2, "focus": 1}),
    "a=6 af=1 al=1 d=0": ({"dice": 6, "focus": 1, "lock": 1}, {"dice": 0}),
}


@pytest.mark.parametrize("case", GOLDEN["damage_application"], ids=lambda case: case["case"])
def test_the_golden_damage(case: dict[str, Any]) -> None:
    attack, defense = LINES[case["case"]]
    ours = asked(attack, defense, hull=case["hull"], shields=case["shields"])
    assert {key: ours[key] for key in case if key not in ("case", "hull", "shields")} == {
        key: value for key, value in case.items() if key not in ("case", "hull", "shields")
    }


@pytest.mark.parametrize(
    ("attack", "defense", "mean", "p_any"),
    [
        ({"dice": 3, "focus": 1}, {"dice": 3, "focus": 1}, "0.637756", None),
        ({"dice": 3, "focus": 1, "lock": 1}, {"dice": 3, "focus": 1, "evade": 1}, "0.312853", "0.269401"),
        ({"dice": 4, "focus": 1, "lock": 1}, {"dice": 3, "focus": 1, "evade": 1}, "1.134755", "0.838740"),
        ({"dice": 5, "focus": 1, "lock": 1}, {"dice": 4, "focus": 1, "evade": 1}, "1.359891", "0.845280"),
        ({"dice": 4, "focus": 1, "lock": 1}, {"dice": 0, "reinforce": 1}, "2.750931", None),
    ],
)
def test_the_reference_values(
    attack: dict[str, object], defense: dict[str, object], mean: str, p_any: str | None
) -> None:
    ours = asked(attack, defense)
    assert f"{float(Fraction(ours['mean_damage'])):.6f}" == mean
    assert p_any is None or f"{float(Fraction(ours['p_any'])):.6f}" == p_any


ATTACK_WITH: Final[Mapping[str, Mapping[str, object]]] = {
    "hits_plain": {},
    "hits_focus": {"focus": 1},
    "hits_focus_lock": {"focus": 1, "lock": 1},
}
DEFENSE_WITH: Final[Mapping[str, Mapping[str, object]]] = {"evades_plain": {}, "evades_focus": {"focus": 1}}


def average(table: str, dice: int) -> Fraction:
    """The mean of hits and crits, or of evades: those that are missing of six hits."""
    if table in ATTACK_WITH:
        return Fraction(asked({"dice": dice, **ATTACK_WITH[table]}, {})["mean_damage"])
    return 6 - Fraction(asked({"dice": 6, "all_hits": 1}, {"dice": dice, **DEFENSE_WITH[table]})["mean_damage"])


@for_each_row("row", GOLDEN["averages"], ids=lambda row: f"{row['table']} {row['dice']}")
def test_the_averages_of_the_source(row: dict[str, Any]) -> None:
    """Beyond six dice the source's tables are arithmetic only: so many times one die."""
    exact = row["dice"] * average(row["table"], 1)
    assert exact == Fraction(row["exact"])
    if not row.get("beyond_dice_cap"):
        assert average(row["table"], row["dice"]) == exact
    half_up = Fraction(int(exact * 100 + Fraction(1, 2)), 100)
    assert (half_up == Fraction(str(row["source"]))) == (row["verdict"] == "exact or rounded half up")


@pytest.mark.parametrize(("dice", "focus", "mean"), [(7, 0, "7/2"), (7, 1, "21/4"), (8, 0, "4/1"), (8, 1, "6/1")])
def test_dice_alone_are_counted_as_many_as_were_asked_for(dice: int, focus: int, mean: str) -> None:
    """The rows of the printed tables for seven and eight dice; in attacks in a row a pool has six."""
    alone = told({"attack": {"dice": dice, "focus": focus}})
    assert (alone["mean_damage"], alone["note"]) == (mean, "At the table, you can roll at most 6 dice.")
    typed = told({"dice": dice, "with": "focus" if focus else ""})
    assert typed["mean_damage"] == mean
    six = told({"attack": {"dice": 6, "focus": focus}})
    assert "note" not in six
    against = told({"attack": {"dice": dice, "focus": focus}, "defense": {"dice": 0}})
    assert (against["mean_damage"], against["note"]) == (mean, alone["note"])
    in_a_row = told({"attack": {"dice": dice, "focus": focus}, "defense": {"dice": 0}, "attacks": 1})
    assert in_a_row["joint"] == six["joint"]


def test_a_lock_alone_gives_three_quarters_a_die() -> None:
    assert asked({"dice": 4, "lock": 1}, {})["mean_damage"] == "3/1"


def test_the_trap_all_three_dice_are_rerolled_though_a_calculate_could_keep_one() -> None:
    """One focus result, two blanks, one calculate and a lock: 2.078 by rerolling all, 2 by keeping the focus."""
    with_lock = {"dice": 0, "add_focus": 1, "add_blank": 2, "calculate": 1, "lock": 1}
    assert asked(with_lock, {})["mean_damage"] == "133/64"


def test_a_row_of_attacks_counts_in_which_of_them_the_shields_fall() -> None:
    """One shield, two attacks of one fixed hit that is turned into a crit: the first takes the shield."""
    ours = asked({"dice": 1, "all_hits": 1, "hit_to_crit": 1}, {"dice": 0}, attacks=2, hull=1, shields=1)
    assert (ours["mean_faceup"], ours["p_faceup"], ours["p_destroyed"]) == ("1/1", "1/1", "1/1")
    ours = asked({"dice": 2, "all_hits": 1, "hit_to_crit": 1}, {"dice": 0}, attacks=2, hull=4, shields=3)
    # Attack 1: hit and crit on shields. Attack 2: the hit takes the last shield, the crit is faceup.
    assert (ours["mean_shields_lost"], ours["mean_facedown"], ours["mean_faceup"]) == ("3/1", "0/1", "1/1")


@settings(max_examples=share_of(60), deadline=None)
@given(golden_questions(dice=5), st.integers(1, 8), st.integers(0, 6))
def test_what_holds_of_any_law(raw: dict[str, Any], hull: int, shields: int) -> None:
    declared = declare(raw)
    result = distribution(declared)
    assert all(weight > 0 for weight in result.weights.values())
    assert sum(result.weights.values()) == result.total
    ours = told({**raw, "hull": hull, "shields": shields})
    joint = {results: Fraction(chance) for results, chance in ours["joint"].items()}
    assert sum(joint.values()) == 1
    assert all(0 < chance <= 1 for chance in joint.values())
    assert Fraction(ours["p_crit"]) <= Fraction(ours["p_any"]) <= 1

    def on_ship(hull: int, shields: int) -> ShipDamage:
        damage = count([("", replace(declared, hull=hull, shields=shields))])[0].damage
        assert damage is not None
        return damage

    ship = on_ship(hull, shields)
    assert ship.mean_shields_lost + ship.mean_facedown + ship.mean_faceup == Fraction(ours["mean_damage"])
    assert on_ship(hull + 1, shields).p_destroyed <= ship.p_destroyed
    assert on_ship(hull, shields + 1).p_destroyed <= ship.p_destroyed
    assert ship.p_faceup <= Fraction(ours["p_crit"])


@settings(max_examples=share_of(60), deadline=None)
@given(golden_questions(dice=4), st.sampled_from(["focus", "calculate", "force", "evade", "reinforce"]))
def test_one_more_token_never_hurts_in_one_attack(raw: dict[str, Any], token: str) -> None:
    raw["attacks"] = 1
    mean = Fraction(told(raw)["mean_damage"])
    more = {**raw, "defense": {**raw["defense"], token: raw["defense"].get(token, 0) + 1}}
    assert Fraction(told(more)["mean_damage"]) <= mean
    if token in ("focus", "calculate", "force"):
        more = {**raw, "attack": {**raw["attack"], token: raw["attack"].get(token, 0) + 1}}
        assert Fraction(told(more)["mean_damage"]) >= mean

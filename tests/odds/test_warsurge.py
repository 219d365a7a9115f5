"""WARSURGE odds: the golden pools, every way the real rules can fall, and what must hold for any pool."""

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.odds.distribution import exact
from bot.odds.warsurge import by_each_method, hp_loss, odds
from bot.rules.warsurge import declare, start
from bot.rules.warsurge.declared import Declared
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.play import tally
from tests.every_way import every_way

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "warsurge.json").read_text())

ATTACKS = st.builds(
    Declared,
    method=st.sampled_from(Method),
    power=st.integers(0, 25),
    defence=st.integers(0, 20),
    attack_dice=st.integers(1, 100),
    save=st.none() | st.integers(2, 6),
)


@pytest.mark.parametrize("case", GOLDEN["pools"], ids=lambda case: f"{case['method']}-{case['need']}")
def test_the_golden_pools(case: dict[str, Any]) -> None:
    told = odds(declare(case))
    for key in ("need", "p", "multiplier", "mean_hp_loss", "hp_loss"):
        assert told[key] == case[key]


@pytest.mark.parametrize("case", GOLDEN["grid"], ids=lambda case: f"{case['power']}v{case['defence']}")
@pytest.mark.parametrize("method", Method)
def test_the_golden_grid(case: dict[str, Any], method: Method) -> None:
    told, expected = odds(declare(case | {"method": method})), case[method]
    assert told["p"] == expected["p"]
    assert told["mean_hp_loss"] == expected["mean_hp_per_die"]
    assert told["automatic"] == expected["automatic"]
    assert told["rule"] == expected["rule"]
    assert told["method"] == method
    assert told["beyond_the_text"] == expected.get("beyond_the_text", False)


@pytest.mark.parametrize(
    "raw",
    [
        {"power": 4, "defence": 4, "attack_dice": 3},
        {"power": 4, "defence": 4, "attack_dice": 2, "save": "5+"},
        {"power": 0, "defence": 4, "attack_dice": 2, "save": "5+"},
        {"power": 9, "defence": 2, "attack_dice": 3},
        {"method": "balanced", "power": 3, "defence": 6, "attack_dice": 2, "save": "4+"},
        {"method": "balanced", "power": 1, "defence": 5, "attack_dice": 2},
        {"method": "balanced", "power": 9, "defence": 3, "attack_dice": 3, "save": "3+"},
        {"method": "chart", "power": 1, "defence": 5, "attack_dice": 2, "save": "2+"},
        {"method": "chart", "power": 1, "defence": 10, "attack_dice": 2, "save": "6+"},
        {"method": "chart", "power": 10, "defence": 0, "attack_dice": 1, "save": "3+"},
        {"method": "chart", "power": 0, "defence": 0, "attack_dice": 2},
    ],
)
def test_every_way_the_dice_can_fall(raw: dict[str, object]) -> None:
    declared = declare(raw)
    losses = hp_loss(declared)
    walked = every_way(lambda rng: tally(start(declared, rng)).hp_loss)
    assert {hp: Fraction(weight, losses.total) for hp, weight in losses.weights.items()} == walked


def test_one_save_stands_for_all_hp_of_the_die_in_balanced_but_not_on_the_chart() -> None:
    # x2 by either method, one die, a save that holds half the time
    balanced = odds(declare({"method": "balanced", "power": 6, "defence": 3, "save": "4+"}))
    chart = odds(declare({"method": "chart", "power": 8, "defence": 0, "save": "4+"}))
    assert balanced["hp_loss"] == {"0": "1/2", "2": "1/2"}
    assert chart["hp_loss"] == {"0": "1/4", "1": "1/2", "2": "1/4"}
    assert balanced["mean_hp_loss"] == chart["mean_hp_loss"] == "1/1"


def test_a_hundred_dice_with_a_save() -> None:
    losses = hp_loss(declare({"power": 4, "defence": 4, "attack_dice": 100, "save": "5+"}))
    # each die: one half succeeds, two thirds of those are not saved
    assert losses.mean(int) == Fraction(100, 3)
    assert losses.probability(lambda hp: hp == 2) == comb(100, 2) * Fraction(1, 3) ** 2 * Fraction(2, 3) ** 98


def test_faces_that_lie_already_do_not_change_the_odds() -> None:
    raw: dict[str, object] = {"power": 4, "defence": 4, "attack_dice": 2}
    assert odds(declare(raw | {"faces": "4 1"})) == odds(declare(raw))


def test_the_three_methods_side_by_side() -> None:
    means = {
        one.method: hp_loss(one).mean(int)
        for one in by_each_method(declare({"power": 9, "defence": 0, "attack_dice": 2}))
    }
    assert means == {Method.CASUAL: 2, Method.BALANCED: 18, Method.CHART: 4}
    assert [one.save for one in by_each_method(declare({"power": 9, "defence": 0, "attack_dice": 2, "save": 5}))] == [
        5,
        5,
        5,
    ]


@given(ATTACKS)
def test_the_chances_sum_to_one_and_none_is_zero(declared: Declared) -> None:
    losses = hp_loss(declared)
    assert sum(losses.weights.values()) == losses.total
    assert all(losses.weights.values())


@given(ATTACKS)
def test_the_chances_are_told_exactly_and_in_lowest_terms(declared: Declared) -> None:
    losses, told = hp_loss(declared), odds(declared)
    assert told["hp_loss"] == {str(hp): exact(Fraction(weight, losses.total)) for hp, weight in losses.weights.items()}
    assert told["mean_hp_loss"] == exact(losses.mean(int))


@given(ATTACKS, st.integers(1, 20))
def test_more_dice_never_lower_the_mean(declared: Declared, more: int) -> None:
    larger = Declared(
        method=declared.method,
        power=declared.power,
        defence=declared.defence,
        attack_dice=declared.attack_dice + more,
        save=declared.save,
    )
    assert hp_loss(larger).mean(int) >= hp_loss(declared).mean(int)


@given(ATTACKS.filter(lambda declared: declared.save is not None))
def test_a_save_never_raises_the_mean(declared: Declared) -> None:
    bare = Declared(
        method=declared.method, power=declared.power, defence=declared.defence, attack_dice=declared.attack_dice
    )
    assert hp_loss(declared).mean(int) <= hp_loss(bare).mean(int)

"""WARSURGE odds: the golden pools, every way the real rules can fall, and what must hold for any pool."""

import json
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.odds.distribution import Distribution, convolve, exact
from bot.odds.warsurge import count, declare_each_method, hp_loss, odds
from bot.rules.warsurge import declare, start
from bot.rules.warsurge.declared import Declared, Volley
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.play import hp_loss as hp_lost
from tests.every_way import every_way

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "warsurge.json").read_text())


def attacks(dice: int) -> st.SearchStrategy[Declared]:
    """Attacks of at most so many dice."""
    return st.builds(
        Declared,
        method=st.sampled_from(Method),
        power=st.integers(0, 25),
        defence=st.integers(0, 20),
        attack_dice=st.integers(1, dice),
        save=st.none() | st.integers(2, 6),
        ap=st.integers(0, 5),
    )


ATTACKS = attacks(100)
VOLLEYS = st.builds(Volley, attacks=st.lists(attacks(12), min_size=1, max_size=4).map(tuple))


@pytest.mark.parametrize("case", GOLDEN["pools"], ids=lambda case: f"{case['method']}-{case['need']}")
def test_the_golden_pools(case: dict[str, Any]) -> None:
    told = odds(declare(case))
    for key in ("need", "p", "multiplier", "mean_hp_loss", "hp_loss"):
        assert told[key] == case[key]


@pytest.mark.parametrize("method", Method)
def test_the_golden_grid(method: Method) -> None:
    for case in GOLDEN["grid"]:
        told, expected = odds(declare(case | {"method": method})), case[method]
        assert told["p"] == expected["p"], case
        assert told["mean_hp_loss"] == expected["mean_hp_per_die"], case
        assert told["automatic"] == expected["automatic"], case
        assert told["rule"] == expected["rule"], case
        assert told["method"] == method, case
        assert told["beyond_the_text"] == expected.get("beyond_the_text", False), case


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
    walked = every_way(lambda rng: hp_lost(start(declared, rng)))
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
    asked: dict[str, object] = {"power": 9, "defence": 0, "attack_dice": 2}
    means = {
        method_odds.method: method_odds.hp_loss.mean(int) for method_odds in count(declare_each_method(declare(asked)))
    }
    assert means == {Method.CASUAL: 2, Method.BALANCED: 18, Method.CHART: 4}
    with_save = count(declare_each_method(declare(asked | {"save": 5})))
    assert [method_odds.declared.attacks[0].save for method_odds in with_save] == [5, 5, 5]


def test_typed_dice_fit_one_method_only_and_are_left_out_of_the_comparison() -> None:
    typed = declare({"method": "balanced", "power": 3, "defence": 6, "faces": "6 5, 3", "save": 5, "save_faces": "2"})
    assert declare_each_method(typed) == declare_each_method(
        declare({"power": 3, "defence": 6, "attack_dice": 2, "save": 5})
    )


# Volleys

RIFLE_AND_CANNON: Final = "Rifle: Power 4, Dice 3, AP 1; Cannon: Power 12"


@pytest.mark.parametrize(
    "raw",
    [
        {"defence": 4, "save": 4, "weapons": "Rifle: Power 4, Dice 2, AP 1; Cannon: Power 12"},
        {"method": "balanced", "defence": 6, "save": 3, "weapons": "Rifle: Power 3, Dice 2; Cannon: Power 12, AP 2"},
        {"method": "chart", "defence": 1, "save": 5, "weapons": "Rifle: Power 1, Dice 2, AP 1; Cannon: Power 7"},
        {"method": "chart", "defence": 1, "save": 5, "weapons": "Rifle: Power 1, AP 1; Cannon: Power 11"},
        {"method": "chart", "defence": 5, "save": 2, "weapons": "A: Power 1, AP 5; B: Power 5; C: Power 8, AP 3"},
        {"defence": 3, "weapons": "Pistol: Power 1; Rifle: Power 2"},
    ],
)
def test_every_way_a_volley_can_fall(raw: dict[str, object]) -> None:
    declared = declare(raw | {"hp": 2})
    losses = hp_loss(declared)
    walked = every_way(lambda rng: hp_lost(start(declared, rng)))
    assert {hp: Fraction(weight, losses.total) for hp, weight in losses.weights.items()} == walked
    (asked,) = count([declared])
    assert asked.destroyed == sum(chance for hp, chance in walked.items() if hp >= 2)


def test_the_odds_of_a_volley_by_hand() -> None:
    """Casual, Defence 4: Power 4 needs 4+, Power 8 needs 2+; a save of 5+ that AP 1 makes 6+ fails 5 times in 6."""
    words = odds(declare({"defence": 4, "save": "5+", "hp": 2, "weapons": "Rifle: Power 4; Cannon: Power 8, AP 1"}))
    rifle, cannon = Fraction(1, 2) * Fraction(4, 6), Fraction(5, 6) * Fraction(5, 6)
    assert words["p_destroyed"] == exact(rifle * cannon)
    assert words["mean_hp_loss"] == exact(rifle + cannon)
    assert words["hp_loss"] == {
        "0": exact((1 - rifle) * (1 - cannon)),
        "1": exact(rifle * (1 - cannon) + (1 - rifle) * cannon),
        "2": exact(rifle * cannon),
    }


def test_ap_worsens_the_save_until_there_is_none() -> None:
    means = [odds(declare({"power": 4, "defence": 4, "save": 5, "ap": ap}))["mean_hp_loss"] for ap in range(4)]
    assert means == ["1/3", "5/12", "1/2", "1/2"]


def test_only_a_volley_at_counted_hp_has_a_chance_to_destroy() -> None:
    assert "p_destroyed" not in odds(declare({"defence": 4, "weapons": RIFLE_AND_CANNON}))
    single = odds(declare({"power": 4, "defence": 4, "attack_dice": 2, "hp": 2}))
    assert single["p_destroyed"] == "1/4"


WEIGHTS = st.dictionaries(st.integers(0, 40), st.integers(1, 10**30), min_size=1).map(
    lambda weights: Distribution(weights, sum(weights.values()))
)


@given(WEIGHTS, WEIGHTS)
def test_the_distribution_of_a_sum_counts_every_pair(one: Distribution[int], other: Distribution[int]) -> None:
    pairs: dict[int, int] = defaultdict(int)
    for (first, weight), (second, times) in product(one.weights.items(), other.weights.items()):
        pairs[first + second] += weight * times
    assert convolve(one, other) == Distribution(dict(pairs), one.total * other.total)


@given(VOLLEYS)
def test_a_volley_costs_on_average_what_its_weapons_cost(volley: Volley) -> None:
    losses = hp_loss(volley)
    assert sum(losses.weights.values()) == losses.total
    assert losses.mean(int) == sum(hp_loss(attack).mean(int) for attack in volley.attacks)
    assert losses == hp_loss(replace(volley, attacks=volley.attacks[::-1]))


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
    larger = replace(declared, attack_dice=declared.attack_dice + more)
    assert hp_loss(larger).mean(int) >= hp_loss(declared).mean(int)


@given(ATTACKS.filter(lambda declared: declared.save is not None))
def test_a_save_never_raises_the_mean(declared: Declared) -> None:
    bare = replace(declared, save=None)
    assert hp_loss(declared).mean(int) <= hp_loss(bare).mean(int)

"""The Wounds of a whole order: every way of the real rules, the golden cases, and by hand."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.odds.infinity.json_odds import odds
from bot.odds.infinity.wounds import MAX_STEPS, TrooperOdds, attacks_on, harm, steps
from bot.rules import infinity
from bot.rules.dice import Rng
from bot.rules.errors import BadInputError
from bot.rules.game import Choice, Offer
from bot.rules.infinity.dice.saves import conditions
from bot.rules.infinity.troopers.declared import Order
from bot.rules.text import Name
from tests.every_way import every_end
from tests.infinity_cases import declaration, is_save

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "infinity.json").read_text())


def order(text: str) -> Order:
    declared = infinity.declare({"order": text})
    assert isinstance(declared, Order)
    return declared


def harms(text: str) -> dict[str, TrooperOdds]:
    return {trooper_odds.name: trooper_odds for trooper_odds in harm(order(text))}


def save_next(state: infinity.State) -> Callable[[Rng], infinity.State] | None:
    """The next Saving Roll that is due, in its form; None once all are made."""
    offers = [offer for offer in infinity.offers(state) if is_save(offer)]
    if not offers:
        return None
    filled = {field.key: field.value for field in offers[0].fields}
    return partial(infinity.choose, state, Choice(offers[0].key, filled=filled))


def walked(text: str) -> dict[tuple[tuple[str, int], ...], Fraction]:
    """The chances of all Wounds together, by playing the real rules to their end in every way.

    Of all dice after which the same Saving Rolls are offered, down to what their forms hold, one way is played on.
    """
    first: dict[tuple[Offer, ...], infinity.State] = {}

    def begin(rng: Rng) -> infinity.State:
        state = infinity.start(order(text), rng)
        return first.setdefault(infinity.offers(state), state)

    chances: dict[tuple[tuple[str, int], ...], Fraction] = defaultdict(Fraction)
    for state, chance in every_end(begin, save_next).items():
        chances[tuple(sorted((condition.trooper.name, condition.now) for condition in conditions(state.saves)))] += (
            chance
        )
    return chances


@pytest.mark.parametrize(
    "text",
    [
        "Ana SV 1 dodge ARM 1; Angus SV 2 N PS 7 vs Ana",
        "Angus SV 2 T2 PS 9 vs Ortega SV 0 ARM 2",
        "Angus SV 1 N PS 9 ARM 3 vs Ortega SV 1 AP PS 6 ARM 2",
        "Angus direct N PS 7 vs Ana 10 dodge ARM 1; Bo direct AP PS 6 vs Ana",
        "Angus 20 normal N DAM 13 vs Ana ARM 1; n3",
        "Angus 12 normal cover N PS 7 vs Ana ARM 1",
        "Angus SV 1 normal AP+Shock PS 7 sd vs Ana ARM 1 BTS 3",
    ],
)
def test_the_wounds_of_an_order_equal_every_way_of_the_rules(text: str) -> None:
    """Small Success Values keep the walks short: a die that cannot hit leads to no Saving Roll."""
    every, counted = walked(text), harms(text)
    assert counted
    for name, trooper_odds in counted.items():
        chances: dict[int, Fraction] = {}
        for result, chance in every.items():
            lost = dict(result).get(name, 0)
            chances[lost] = chances.get(lost, Fraction(0)) + chance
        found = {
            lost: Fraction(ways, trooper_odds.wounds.total)
            for lost, ways in trooper_odds.wounds.weights.items()
            if ways
        }
        assert found == chances, name


@pytest.mark.parametrize("case", GOLDEN["saves_wounds"], ids=lambda case: str(case["id"]))
def test_the_golden_wounds_of_one_comparison(case: Mapping[str, Any]) -> None:
    """The golden cases count those who win; here whoever does not lose loses no Wound as well."""
    declared = infinity.declare({**declaration(case), "a": case["a"] | {"name": "a"}, "b": case["b"] | {"name": "b"}})
    assert isinstance(declared, Order)
    result = {trooper_odds.name: trooper_odds for trooper_odds in harm(declared)}
    for name in map(Name, ("a", "b")):
        golden = {int(lost): Fraction(chance) for lost, chance in case[f"wounds_on_{name}"].items()}
        if name not in result:  # nobody attacks it: the other one dodges
            assert set(golden) == {0}
            continue
        counted = {
            lost: Fraction(ways, result[name].wounds.total) for lost, ways in result[name].wounds.weights.items()
        }
        assert {lost: chance for lost, chance in counted.items() if lost} == {
            lost: chance for lost, chance in golden.items() if lost
        }


def test_a_trooper_goes_down_when_no_wounds_are_left() -> None:
    """SV 10 against nobody, PS 10 and ARM 0: a hit 9/20, a Critical 1/20; each save fails in one of two."""
    trooper_odds = harms("Angus 10 normal N PS 10 vs Ana ARM 0 W 2")["Ana"]
    critical = Fraction(1, 20)
    assert trooper_odds.harm_chance == Fraction(9, 20) / 2 + critical * 3 / 4
    assert trooper_odds.down == critical / 4
    assert trooper_odds.wounds.mean(int) == Fraction(9, 20) / 2 + critical


def test_ammunition_that_brings_a_state_counts_failed_saves() -> None:
    trooper_odds = harms("Angus 10 normal Stun PS 10 vs Ana BTS 0 W 1")["Ana"]
    assert (trooper_odds.only_states, trooper_odds.down) == (True, None)
    assert trooper_odds.harm_chance == Fraction(9, 40) + Fraction(3, 80)


def test_continuous_damage_goes_on() -> None:
    """One save of a sure hit that fails in one of two, until it is passed: 1/2, 1/4, 1/8 ..., at most nine."""
    trooper_odds = harms("Angus direct N PS 10 continuous vs Ana ARM 0")["Ana"]
    assert [trooper_odds.wounds.weights[lost] * 2**9 // trooper_odds.wounds.total for lost in range(10)] == [
        *(2 ** (8 - lost) for lost in range(9)),
        1,
    ]


def test_what_is_not_known_is_left_out() -> None:
    assert harms("Angus 12 vs Ortega 11 N PS 7 ARM 1") == {}
    assert list(harms("Angus 12 ARM 1 vs Ortega 11 N PS 7 ARM 1")) == ["Angus"]


def test_an_order_of_three_troopers_with_saves_is_far_below_the_limit() -> None:
    text = (
        "Angus 12 b5 AP+EXP PS 5 ARM 3 W 2 vs Ortega 11 N PS 7 ARM 1 W 1; Murat 13 b5 AP+EXP PS 5 ARM 2 W 2 vs Ana;"
        "Bo 12 b5 DA PS 6 vs Ana; Ana 10 dodge W 1 ARM 1"
    )
    declared = order(text)
    assert [trooper_odds.name for trooper_odds in harm(declared)] == ["Ortega", "Ana", "Angus"]
    every = [
        attack for name in ("Angus", "Ortega", "Ana") for _, attacks in attacks_on(declared, name) for attack in attacks
    ]
    assert sum(map(steps, every)) < MAX_STEPS / 4


def test_what_is_too_large_is_said_to_be() -> None:
    with pytest.raises(BadInputError, match="this order is too large to calculate exactly"):
        harms("Angus 12 b6 EXP continuous PS 5 vs Ortega ARM 1")


def test_the_words_of_a_whole_order() -> None:
    result = odds(order("Angus 10 normal N PS 10 vs Ana ARM 0 W 2; Bo 10 normal vs Cleo"))
    assert result["mean_wounds of Ana"] == "11/40"
    assert result["Ana goes down"] == "1/80"

"""Albion odds: the golden cases, the page's own numbers, and every way the real rules can fall."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.odds.albion import distribution, odds
from bot.rules.albion import Declared, declare, result, start
from tests.every_way import every_way
from tests.examples import share_of

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "albion.json").read_text())


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_the_golden_cases(case: dict[str, Any]) -> None:
    assert odds(declare(case)) == {
        key: value for key, value in case.items() if key not in ("id", "note", "target", "attacker")
    }


def test_the_source_example_by_its_formula() -> None:
    example = GOLDEN["source_example"]["by_formula"]
    outcomes = distribution(Declared(agility=4, stealth=3, awareness=3, strength=3))
    assert [outcomes.weights[halves] for halves in (0, 2, 3)] == example["n"] == [73, 126, 17]


def test_dodging_halves_the_hit_chance_of_the_standard_soldier() -> None:
    told = odds(Declared(agility=4, stealth=3, awareness=3, strength=3, dodging=True))
    assert (told["p_hit"], told["p_focus"], told["focus"]) == ("71/216", "0/1", "impossible")


def every_outcome(declared: Declared) -> dict[int, Fraction]:
    def play(rng: Any) -> int:
        came = result(start(declared, rng))
        return 3 if came.is_focus else 2 if came.is_hit else 0

    return every_way(play)


@settings(max_examples=share_of(20), deadline=None)
@given(
    st.builds(
        Declared,
        agility=st.integers(0, 14),
        stealth=st.integers(0, 14),
        awareness=st.integers(0, 30),
        strength=st.integers(0, 30),
        dodging=st.booleans(),
    )
)
def test_every_way_the_dice_can_fall(declared: Declared) -> None:
    outcomes = distribution(declared)
    assert sum(outcomes.weights.values()) == outcomes.total == 216
    assert {item: Fraction(count, 216) for item, count in outcomes.weights.items()} == every_outcome(declared)

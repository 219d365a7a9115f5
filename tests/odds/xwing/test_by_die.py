"""The engine's law is the law of the stated policy played out die by die."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from bot.odds.xwing import distribution
from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice.declared import Declared
from tests.examples import share_of
from tests.odds.xwing.by_die import by_die
from tests.odds.xwing.questions import golden_questions, typed_questions

pytestmark = pytest.mark.slow


def by_engine(declared: Declared) -> dict[tuple[int, int], Fraction]:
    result = distribution(declared)
    return {results: Fraction(weight, result.total) for results, weight in result.weights.items()}


@settings(max_examples=share_of(150), deadline=None)
@given(golden_questions(dice=2))
def test_line_ups_of_the_golden_files(raw: dict[str, Any]) -> None:
    declared = declare(raw)
    assert by_engine(declared) == by_die(declared)


@settings(max_examples=share_of(40), deadline=None)
@given(golden_questions(dice=3))
def test_larger_line_ups(raw: dict[str, Any]) -> None:
    declared = declare({**raw, "attacks": min(raw["attacks"], 2)})
    assert by_engine(declared) == by_die(declared)


@settings(max_examples=share_of(200), deadline=None)
@given(typed_questions())
def test_any_effects_on_either_side(declared: Declared) -> None:
    assert by_engine(declared) == by_die(declared)

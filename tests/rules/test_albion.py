"""Albion: the rules page point by point, the golden cases and rolls, and what may be declared."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.rules import albion
from bot.rules.albion import DICE, AttackRoll, Declared, calculate, named_values, result
from bot.rules.dice import Rng
from bot.rules.errors import BadInputError, NotOfferedError, UnknownWordError
from bot.rules.game import Choice

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "albion.json").read_text())

STATS = st.integers(0, 99)
ACTIONS = st.builds(
    Declared,
    agility=STATS,
    stealth=STATS,
    awareness=STATS,
    strength=STATS,
    dodging=st.booleans(),
    power=st.none() | st.integers(0, 1000),
)
SOLDIER: Final[dict[str, object]] = {
    "target": {"agility": 4, "stealth": 3, "dodging": False},
    "attacker": {"awareness": 3, "strength": 3},
}
"""The source's example; its 72 is true with Strength 3, which the source leaves out."""


def never(ways: int) -> int:
    raise AssertionError(f"a draw among {ways}, where nothing is rolled")


def places(*at: int) -> Rng:
    left = iter(at)
    return lambda _ways: next(left)


def with_miss_chance(chance: int) -> dict[str, object]:
    """Stats whose Total Miss Chance is this multiple of 9: 18 for each Agility less 9 for each Awareness."""
    agility = max(0, -(-chance // 18))
    return {
        "target": {"agility": agility, "stealth": 0},
        "attacker": {"awareness": (18 * agility - chance) // 9, "strength": 0},
    }


def rolled(raw: dict[str, object], rng: Rng = never) -> AttackRoll:
    state = albion.start(albion.declare(raw), rng)
    assert isinstance(state, AttackRoll)
    return state


def test_the_dice_are_those_of_point_1() -> None:
    expected = {name: tuple(faces) for name, faces in GOLDEN["dice"].items() if name in DICE}
    assert expected == DICE
    sums = sorted(a + b + c for a in DICE["Dx36"] for b in DICE["Dx6"] for c in DICE["Dx1"])
    assert sums == list(range(216))


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_the_golden_cases(case: dict[str, Any]) -> None:
    worked = calculate(albion.declare(case))
    assert named_values(worked) == {key: case[key] for key in named_values(worked)}
    assert (worked.lowest_hit, worked.lowest_focus) == (case["lowest_hit"], case["lowest_focus"])


@pytest.mark.parametrize("case", GOLDEN["rolls"], ids=lambda case: f"{case['value']} v {case['total_miss_chance']}")
def test_the_golden_rolls(case: dict[str, Any]) -> None:
    told = albion.outcome(rolled(case | with_miss_chance(case["total_miss_chance"])))
    for key in ("total_miss_chance", "value", "hit", "focus", "power_multiplier"):
        assert told[key] == case[key]


def test_the_source_prints_192_where_its_formula_gives_198() -> None:
    example = GOLDEN["source_example"]
    worked = calculate(albion.declare(SOLDIER))
    assert worked.total_miss_chance == example["printed"] == 72
    assert worked.focus_point_miss_chance == example["focus_point_miss_chance"] == 198
    assert example["printed_focus_point_miss_chance"] == 192  # the source's slip: 36 + 162 is 198
    fate = [(result(state).is_hit, result(state).is_focus) for state in map(at_value, (72, 73, 193, 198, 199, 215))]
    assert fate == [(False, False), (True, False), (True, False), (True, False), (True, True), (True, True)]


def at_value(value: int) -> AttackRoll:
    return rolled(SOLDIER, places(value // 36, value % 36 // 6, value % 6))


def test_dodging_doubles_the_agility_evasiveness_and_nothing_else() -> None:
    plain = named_values(calculate(Declared(agility=4, stealth=3, awareness=3, strength=3)))
    dodging = named_values(calculate(Declared(agility=4, stealth=3, awareness=3, strength=3, dodging=True)))
    changed = {key for key in plain if plain[key] != dodging[key]}
    assert (plain["agility_evasiveness"], dodging["agility_evasiveness"]) == (72, 144)
    assert changed == {
        *("agility_evasiveness", "total_evasiveness"),
        *("total_miss_chance", "halved_miss_chance", "focus_point_miss_chance"),
    }


def test_a_half_is_never_rounded() -> None:
    raw = with_miss_chance(63)
    assert albion.outcome(rolled(raw | {"faces": [180, 12, 1]}))["focus_point_miss_chance"] == "387/2"
    assert albion.outcome(rolled(raw | {"faces": [180, 12, 1]}))["focus"] is False
    assert albion.outcome(rolled(raw | {"faces": [180, 12, 2]}))["focus"] is True


@pytest.mark.parametrize(
    ("faces", "multiplier", "resulting"),
    [([180, 18, 1], "3/2", "81/2"), ([180, 12, 1], "1/1", "27/1"), ([0, 0, 0], "0/1", "0/1")],
)
def test_the_total_active_power(faces: list[int], multiplier: str, resulting: str) -> None:
    told = albion.outcome(rolled(SOLDIER | {"power": 27, "faces": faces}))
    assert (told["power_multiplier"], told["resulting_power"]) == (multiplier, resulting)
    assert "resulting_power" not in albion.outcome(rolled(SOLDIER | {"faces": faces}))


def test_a_guaranteed_miss_rolls_nothing() -> None:
    state = rolled(with_miss_chance(216))
    told = albion.outcome(state)
    assert (state.dice, told["value"], told["hit"], told["focus"]) == ((), None, False, False)
    assert albion.offers(state) == ()


def test_a_guaranteed_hit_rolls_for_the_focus_point() -> None:
    told = albion.outcome(rolled(with_miss_chance(0), places(0, 0, 0)))
    assert (told["value"], told["hit"], told["focus"]) == (0, True, False)


def test_a_roll_may_be_repeated_and_nothing_else() -> None:
    state = rolled(SOLDIER, places(2, 0, 1))
    assert albion.outcome(state)["faces"] == [72, 0, 1]
    assert [offer.key for offer in albion.offers(state)] == ["again"]
    assert albion.choose(state, Choice("again"), places(5, 3, 1)) == rolled(SOLDIER, places(5, 3, 1))
    with pytest.raises(NotOfferedError):
        albion.choose(state, Choice("done"), never)


def test_entered_dice_are_marked_and_not_rolled_again() -> None:
    state = rolled(SOLDIER | {"faces": [72, 0, 1]})
    assert [die.trail[0].how for die in state.dice] == ["entered"] * 3
    assert albion.offers(state) == ()


@pytest.mark.parametrize("faces", ["180 18 1", "180, 18, 1", "180+18 + 1", [180, 18, 1], (180, 18, 1)])
def test_faces_are_written_as_people_write_them(faces: object) -> None:
    assert albion.declare(SOLDIER | {"faces": faces}).faces == (180, 18, 1)


def test_no_faces_are_no_faces() -> None:
    assert albion.declare(SOLDIER | {"faces": ""}).faces is None


@given(st.tuples(*(st.sampled_from(faces) for faces in DICE.values())))
def test_typed_faces_are_read_back_as_they_were_written(faces: tuple[int, int, int]) -> None:
    assert albion.parse(" ".join(map(str, faces))) == faces


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"target": {"stealth": 3}}, "`target.agility` was missing. Use a whole number from 0 to 99."),
        (
            {"target": {"agility": 100, "stealth": 3}},
            "`target.agility` was `100`. Use a whole number from 0 to 99.",
        ),
        ({"attacker": {"awareness": -1}}, "`attacker.awareness` was `-1`. Use a whole number from 0 to 99."),
        ({"attacker": {"awareness": 2.5}}, "`attacker.awareness` was `2.5`. Use a whole number from 0 to 99."),
        ({"target": 4}, "`target` was `4`. Use a JSON object: names and values in braces."),
        ({"power": -1}, "`power` was `-1`. Use a whole number from 0 to 1000000."),
        ({"faces": [72, 1, 0]}, "`faces, Dx6` was `1`. Use `0`, `6`, `12`, `18`, `24`, or `30`."),
        ({"faces": [72.0, 0, 0]}, "`faces, Dx36` was `72.0`. Use `0`, `36`, `72`, `108`, `144`, or `180`."),
        ({"faces": [72, 0, True]}, "`faces, Dx1` was `True`. Use `0`, `1`, `2`, `3`, `4`, or `5`."),
        (
            {"faces": "72 1"},
            "`faces` was `72 1`. Use one face each of Dx36, Dx6, and Dx1, like `72 0 1`.",
        ),
        ({"d36": 72, "d6": 0}, "`faces, Dx1` was missing. Use `0`, `1`, `2`, `3`, `4`, or `5`."),
    ],
)
def test_each_mistake_names_the_field_what_it_was_and_what_is_allowed(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInputError) as refusal:
        albion.declare(SOLDIER | wrong)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("word", ["seven", "-1", "1080", "9" * 5000])
def test_a_typed_word_that_is_no_face_is_pointed_at(word: str) -> None:
    with pytest.raises(UnknownWordError) as refusal:
        albion.declare(SOLDIER | {"faces": f"72 0 {word}"})
    assert refusal.value.word == word


@pytest.mark.parametrize("wrong", [{"dodging": True}, {"target": {"agility": 4, "stealth": 3, "dodge": True}}])
def test_a_misspelt_or_misplaced_key_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UnknownWordError):
        albion.declare(SOLDIER | wrong)


@given(ACTIONS, st.integers())
def test_equal_declaration_and_chance_give_equal_state(declared: Declared, seed: int) -> None:
    first, second = (albion.start(declared, Random(seed).randrange) for _ in range(2))
    assert first == second


@given(ACTIONS, st.integers())
def test_every_offer_can_be_chosen(declared: Declared, seed: int) -> None:
    state = albion.start(declared, Random(seed).randrange)
    for offer in albion.offers(state):
        assert albion.choose(state, Choice(offer.key), Random(seed).randrange) == state


@given(ACTIONS, st.integers())
def test_a_focus_point_is_always_a_hit_and_the_power_follows(declared: Declared, seed: int) -> None:
    came = result(albion.start(declared, Random(seed).randrange))
    assert came.is_hit or not came.is_focus
    assert came.multiplier == (Fraction(3, 2) if came.is_focus else 1 if came.is_hit else 0)
    assert came.power == (None if declared.power is None else declared.power * came.multiplier)


@given(ACTIONS, st.integers(0, 215))
def test_a_value_hits_if_it_is_higher_or_the_hit_guaranteed(declared: Declared, value: int) -> None:
    worked = calculate(declared)
    miss = worked.total_evasiveness - worked.total_seeker_skill / 2
    hits = worked.lowest_hit is not None and value >= worked.lowest_hit
    focuses = worked.lowest_focus is not None and value >= worked.lowest_focus
    assert hits == (miss <= 0 or (miss < 216 and value > miss))
    assert focuses == (miss / 2 + 162 < 216 and value > miss / 2 + 162)

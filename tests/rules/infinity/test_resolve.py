"""One die and the Face to Face Roll of Infinity, bullet by bullet and on every worked example."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.rules import infinity
from bot.rules.infinity.dice.resolve import Kind, ScoredDie, compare_dice, face_to_face, normal, read, score
from bot.rules.infinity.troopers.declared import CRITICAL, Edition, Mod, TrooperRoll, total
from tests.infinity_cases import declaration
from tests.rows import for_each_row

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "infinity.json").read_text())
SVS = st.integers(-3, 45)
EDITIONS = st.sampled_from(["n5", "n4"])
FACES = st.lists(st.integers(1, 20), max_size=6)


def no_dice(_: int) -> int:
    raise AssertionError("physical dice are not rolled")


def kinds(faces: list[int], sv: int, edition: Edition = "n5") -> list[Kind]:
    return [die.kind for die in read(faces, sv, edition)]


@for_each_row("case", GOLDEN["worked_dice"], ids=lambda case: str(case["id"]))
def test_worked_dice(case: Mapping[str, Any]) -> None:
    told: Any = infinity.outcome(infinity.start(infinity.declare(declaration(case)), no_dice))
    assert {key: told[key] for key in case["expect"]} == case["expect"]
    for side in ("a", "b"):
        if case[side] is None:
            assert told[side] is None
        else:
            assert told[side]["kind"] == case[side]["kind"]
            assert told[side]["fate"] == case[side]["fate"]


@pytest.mark.parametrize("case", GOLDEN["shared_dice"], ids=lambda case: str(case["id"]))
def test_shared_dice_are_compared_with_each_enemy_alone(case: Mapping[str, Any]) -> None:
    told: Any = infinity.outcome(infinity.start(infinity.declare(declaration(case)), no_dice))
    assert [{key: result[key] for key in case["expect"][0]} for result in told["results"]] == case["expect"]


@pytest.mark.parametrize("case", GOLDEN["modifiers"])
def test_success_value_is_attribute_and_mods_within_twelve(case: Mapping[str, Any]) -> None:
    mods = tuple(map(Mod, case["mods"]))
    assert case["attribute"] + total(mods) == case["sv"]
    assert TrooperRoll(attribute=case["attribute"], mods=mods).sv == case["sv"]


def test_up_to_the_success_value_is_a_success_and_equal_to_it_a_critical() -> None:
    assert kinds([1, 11, 12, 13, 20], 12) == ["success", "success", "crit", "fail", "fail"]


def test_success_value_one_succeeds_with_a_critical_only() -> None:
    assert kinds([1, 2], 1) == ["crit", "fail"]


@pytest.mark.parametrize("sv", [0, -5])
def test_below_one_nothing_is_rolled_and_everything_fails(sv: int) -> None:
    assert TrooperRoll(attribute=sv, burst=3, special=1).dice_count == 0
    assert kinds([1, 20], sv) == ["fail", "fail"]


def test_above_twenty_the_n5_die_stays_and_low_faces_are_criticals() -> None:
    assert kinds([20, 1, 2, 3, 4, 17, 19], 23) == ["crit", "crit", "crit", "crit", "success", "success", "success"]
    assert [score(face, 23, "n5") for face in (4, 17)] == [4, 17]


def test_above_twenty_the_n4_die_grows_by_the_excess() -> None:
    assert kinds([20, 17, 16, 2, 1], 23, "n4") == ["crit", "crit", "success", "success", "success"]
    assert [score(face, 23, "n4") for face in (16, 2)] == [19, 5]


@given(SVS)
def test_editions_have_the_same_odds(sv: int) -> None:
    n5, n4 = ([score(face, sv, edition) for face in range(1, 21)] for edition in ("n5", "n4"))
    assert sorted(n5) == sorted(n4)


@given(st.integers(1, 20), EDITIONS)
def test_editions_agree_up_to_twenty(sv: int, edition: Edition) -> None:
    expected = [0 if face > sv else CRITICAL if face == sv else face for face in range(1, 21)]
    assert [score(face, sv, edition) for face in range(1, 21)] == expected


def test_a_special_die_leaves_the_lowest() -> None:
    assert [die.discarded for die in read([9, 4, 11], 12, "n5", special=1)] == [False, True, False]


def test_a_failure_is_discarded_before_any_success() -> None:
    assert [die.discarded for die in read([1, 20], 12, "n5", special=1)] == [False, True]


def test_a_low_critical_is_never_discarded_before_a_plain_success() -> None:
    assert [die.discarded for die in read([2, 19], 23, "n5", special=1)] == [False, True]


def test_two_special_dice_leave_the_two_lowest_and_they_neither_stand_nor_cancel() -> None:
    mine = read([9, 8, 7], 12, "n5", special=2)
    assert compare_dice(mine, ()).fates == ("stands", "discarded", "discarded")
    assert compare_dice(read([8], 12, "n5"), (ScoredDie(9, 9, discarded=True),)).fates == ("stands",)


def test_a_canceled_die_is_told_by_which() -> None:
    result = face_to_face(read([14, 7, 20], 15, "n5"), read([3, 10], 13, "n5"))
    assert result.a.by == (None, 1, None)
    assert result.b is not None
    assert result.b.by == (0, 0)


def test_criticals_on_both_sides_cancel_each_other_and_every_plain_success() -> None:
    result = face_to_face(read([10, 12], 12, "n5"), read([11, 9], 11, "n5"))
    assert result.winner == "nobody"
    assert result.a.by == (0, 0)
    assert result.b is not None
    assert result.b.by == (1, 1)


def test_a_normal_roll_is_compared_with_nothing() -> None:
    result = normal(read([3, 12, 13], 12, "n5"))
    assert (result.winner, result.a.hits, result.a.crits, result.b) == ("a", 1, 1, None)
    assert normal(read([13], 12, "n5")).winner == "nobody"


def by_the_text(mine: tuple[ScoredDie, ...], theirs: tuple[ScoredDie, ...]) -> list[str]:
    """The fate of each die by the sentences of the rules page, one by one."""
    mine_crit, theirs_crit = (any(die.kind == "crit" for die in dice) for dice in (mine, theirs))
    fates = []
    for die in mine:
        if die.kind == "fail":
            fates.append("failed")
        elif mine_crit and theirs_crit:
            fates.append("cancelled")
        elif die.kind == "crit":
            fates.append("stands")
        else:
            plain = [other.score for other in theirs if other.kind == "success"]
            canceled = theirs_crit or any(other >= die.score for other in plain)
            fates.append("cancelled" if canceled else "stands")
    return fates


@given(FACES, SVS, FACES, SVS, EDITIONS)
def test_every_comparison_follows_the_sentences_of_the_page(
    a: list[int], sv_a: int, b: list[int], sv_b: int, edition: Edition
) -> None:
    mine, theirs = read(a, sv_a, edition), read(b, sv_b, edition)
    result = face_to_face(mine, theirs)
    assert result.b is not None
    assert list(result.a.fates) == by_the_text(mine, theirs)
    assert list(result.b.fates) == by_the_text(theirs, mine)
    assert not (result.a.hits + result.a.crits and result.b.hits + result.b.crits)
    for compared_dice, enemy in ((result.a, theirs), (result.b, mine)):
        for fate, by in zip(compared_dice.fates, compared_dice.by, strict=True):
            assert (fate == "cancelled") == (by is not None)
            assert by is None or enemy[by].score == max(die.score for die in enemy)

"""Saving Rolls of Infinity: how many, against what, and what failing costs."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.rules import infinity
from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.infinity.declared import Ammo, Save
from bot.rules.infinity.saves import Due, ammo, due, made, passes, target, wounds
from bot.rules.infinity.told import outcome

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "infinity.json").read_text())
COMBI = Save(hits=1, power=7, arm=1)


def no_dice(_: int) -> int:
    raise AssertionError("physical dice are not rolled")


def declared(case: Mapping[str, Any]) -> Save:
    save = infinity.declare(case)
    assert isinstance(save, Save)
    return save


@pytest.mark.parametrize("case", GOLDEN["saves_n5"] + GOLDEN["saves_n4"], ids=lambda case: str(case["note"]))
def test_saving_rolls(case: Mapping[str, Any]) -> None:
    save = declared(case)
    assert target(save, save.arm) == case.get("sv", case.get("threshold"))
    assert all(passes(save, save.arm, face) for face in case["passes"])
    assert not any(passes(save, save.arm, face) for face in case["fails"])


@pytest.mark.parametrize("case", GOLDEN["saves_per_hit"], ids=lambda case: str(case["ammo"]))
def test_saves_per_hit_and_per_critical(case: Mapping[str, Any]) -> None:
    for key, hits, crits in (("hit", 1, 0), ("crit", 0, 1)):
        save = declared({"ammo": case["ammo"], "hits": hits, "crits": crits, "ps": 7, "arm": 1, "bts": 3})
        assert len(due(save)) == case[key]


def test_saves_add_up_over_hits_and_criticals() -> None:
    assert len(due(replace(COMBI, hits=2, crits=1, ammo=Ammo.DA))) == 2 + 2 + 3


@pytest.mark.parametrize(("arm", "halved"), [(5, 3), (4, 2), (1, 1), (0, 0)])
def test_ap_halves_arm_rounding_up(arm: int, halved: int) -> None:
    assert target(replace(COMBI, ammo=Ammo.AP), arm) == 7 + halved
    assert target(replace(COMBI, ammo=Ammo.AP, edition="n4", power=13), arm) == 13 - halved


def test_cover_is_three_better_and_not_halved() -> None:
    assert target(replace(COMBI, cover=True), 1) == 11
    assert target(replace(COMBI, cover=True, ammo=Ammo.AP), 5) == 7 + 3 + 3
    assert target(replace(COMBI, cover=True, edition="n4", power=13), 1) == 9


def test_mods_help_the_one_who_saves_within_twelve() -> None:
    assert target(replace(COMBI, mods=(-3,)), 1) == 5
    assert target(replace(COMBI, mods=(-3,), edition="n4", power=13), 1) == 15
    assert target(replace(COMBI, mods=(6, 6), cover=True), 1) == 7 + 1 + 12


def test_t2_takes_two_wounds_but_not_on_the_extra_save_of_a_critical() -> None:
    assert due(replace(COMBI, hits=0, crits=1, ammo=Ammo.T2)) == (Due(1, 2), Due(1, 1))
    saved = made(replace(COMBI, hits=1, crits=1, ammo=Ammo.T2, dice=(20, 20, 20)), no_dice, Side.ATTACKER)
    assert wounds(saved) == 2 + 2 + 1


def test_plasma_is_saved_with_arm_and_bts_and_its_extra_save_with_arm() -> None:
    save = replace(COMBI, hits=0, crits=1, ammo=Ammo.PLASMA, arm=2, bts=6)
    assert [one.attribute for one in due(save)] == [2, 6, 2]


def test_em_is_saved_with_half_of_bts() -> None:
    save = replace(COMBI, ammo=Ammo.EM, arm=2, bts=9)
    assert [one.attribute for one in due(save)] == [9, 9]
    assert target(save, 9) == 7 + 5
    assert [one.attribute for one in due(replace(save, bts=None, arm=6))] == [6, 6]


@pytest.mark.parametrize(
    ("kind", "state"), [(Ammo.PARA, "Immobilized-A"), (Ammo.STUN, "Stunned"), (Ammo.EM, "Isolated")]
)
def test_some_ammunition_brings_a_state_and_no_wounds(kind: Ammo, state: str) -> None:
    dice = (20,) * len(due(replace(COMBI, ammo=kind)))
    told = outcome(infinity.start(replace(COMBI, ammo=kind, dice=dice), no_dice))
    assert (told["failed"], told["wounds"], told["state"]) == (len(dice), 0, state)


def test_what_saving_rolls_tell() -> None:
    told = outcome(infinity.start(replace(COMBI, hits=2, dice=(8, 9)), no_dice))
    assert told == {
        "ammo": "N",
        "sv": 8,
        "saves": 2,
        "dice": [8, 9],
        "fate": ["passed", "failed"],
        "failed": 1,
        "passed": 1,
        "wounds": 1,
        "state": "",
    }
    n4 = outcome(infinity.start(replace(COMBI, edition="n4", power=13, dice=(13,), ammo=Ammo.STUN), no_dice))
    assert (n4["threshold"], n4["passed"], n4["state"]) == (12, 1, "")


def test_the_bot_rolls_as_many_dice_as_saves_are_due() -> None:
    saved = made(replace(COMBI, hits=1, crits=1, ammo=Ammo.EXP), lambda sides: sides - 1, Side.ATTACKER)
    assert [die.face for die in saved.dice] == [20] * 7
    assert {die.trail[0].how for die in saved.dice} == {"rolled"}


@pytest.mark.parametrize("word", ["E/M", "em", "e/m ", "EM"])
def test_ammunition_in_the_ways_people_write_it(word: str) -> None:
    assert ammo(word, "ammo") is Ammo.EM


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({"hits": 0, "ps": 7}, "hits"),
        ({"hits": 1, "ps": 7, "ammo": "plasma", "arm": 3}, "bts"),
        ({"hits": 2, "ps": 7, "dice": [4]}, "dice"),
        ({"hits": 1, "ps": 7, "dice": [21]}, "dice[0]"),
        ({"hits": 1, "ps": 7, "ammo": "plasm"}, "ammo"),
        ({"hits": 1, "ps": 7, "ammo": 3}, "ammo"),
        ({"hits": 1}, "ps"),
        ({"hits": 1, "edition": "n4"}, "damage"),
        ({"hits": 1, "edition": "n4", "ps": 7}, "ps"),
        ({"hits": 1, "edition": "n5", "dam": 13}, "dam"),
        ({"hits": 13, "ps": 7}, "hits"),
        ({"hits": 1, "ps": 7, "arm": "3 6 9"}, "arm"),
    ],
)
def test_saving_rolls_that_cannot_be_made(case: Mapping[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        infinity.declare(case)
    assert refused.value.field == field


def test_both_attributes_may_stand_in_one_field() -> None:
    save = declared({"hits": 1, "ps": 7, "ammo": "plasma", "arm": "3/6"})
    assert (save.arm, save.bts) == (3, 6)


def test_criticals_alone_are_no_hits() -> None:
    save = declared({"crits": 1, "ps": 7})
    assert (save.hits, save.crits) == (0, 1)

"""WARSURGE: rolling, chains, multipliers, armour saves, and the laws that every game keeps."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.rules import warsurge
from bot.rules.dice import Rng, list_typists
from bot.rules.errors import BadInputError, NotOfferedError
from bot.rules.game import Choice, Side
from bot.rules.warsurge.declared import Declared
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.play import AttackRoll, VolleyRoll, attack, faces, hp_left, hp_loss, saves_open, tally
from tests.rows import for_each_row

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "golden" / "warsurge.json").read_text())

ATTACKS = st.builds(
    Declared,
    method=st.sampled_from(Method),
    power=st.integers(0, 25),
    defence=st.integers(0, 20),
    attack_dice=st.integers(1, 12),
    save=st.none() | st.integers(2, 6),
)


def falling(*pips: int) -> Rng:
    """Chance that lets just these faces fall; a draw beyond them fails the test."""
    left = iter(pips)
    return lambda _ways: next(left) - 1


def rolled(raw: dict[str, object], pips: Iterable[int] = ()) -> AttackRoll:
    state = warsurge.start(warsurge.declare(raw), falling(*pips))
    assert isinstance(state, AttackRoll)
    return state


@for_each_row("case", GOLDEN["worked_dice"], ids=lambda case: case["id"])
def test_the_golden_worked_dice(case: dict[str, Any]) -> None:
    told = warsurge.outcome(rolled(case))
    assert {key: told[key] for key in ("method", "need", "multiplier", "successes", "hp_loss")} == {
        key: case[key] for key in ("method", "need", "multiplier", "successes", "hp_loss")
    }
    assert told["faces"] == case["attack_dice"]


@for_each_row("case", GOLDEN["worked_dice"], ids=lambda case: case["id"])
def test_the_same_faces_rolled_give_the_same_result_and_use_no_other_draw(case: dict[str, Any]) -> None:
    raw = {key: case[key] for key in ("method", "power", "defence")} | {"attack_dice": len(case["attack_dice"])}
    fell = rolled(raw, [face for die in case["attack_dice"] for face in die])
    assert warsurge.outcome(fell) == warsurge.outcome(rolled(case))


def test_a_chain_is_one_die_that_keeps_both_faces() -> None:
    state = rolled({"method": "balanced", "power": 3, "defence": 6, "attack_dice": 3}, (6, 5, 3, 6, 2))
    assert [faces(die) for die in state.dice] == [(6, 5), (3,), (6, 2)]
    assert [step.by for step in state.dice[0].trail] == ["", "chain"]
    assert tally(state).successes == 1


def test_automatic_and_no_damage_roll_nothing() -> None:
    automatic = rolled({"method": "chart", "power": 20, "defence": 0, "attack_dice": 2})
    assert (automatic.dice, tally(automatic).hp_loss) == ((), 16)
    hopeless = rolled({"power": 1, "defence": 3, "attack_dice": 5, "save": "5+"})
    assert (hopeless.dice, hopeless.saves, tally(hopeless).hp_loss) == ((), (), 0)


def test_each_success_meets_one_save() -> None:
    state = rolled({"power": 4, "defence": 4, "attack_dice": 3, "save": "5+"}, (4, 3, 6, 5, 4))
    told = warsurge.outcome(state)
    assert told["successes"] == 2
    assert told["save_faces"] == [5, 4]
    assert (told["saved"], told["hp_loss"]) == (1, 1)


def test_balanced_multiplies_the_hp_loss_after_the_save() -> None:
    state = rolled({"method": "balanced", "power": 9, "defence": 3, "attack_dice": 2, "save": 4}, (3, 4))
    assert tally(state).hp_loss == 3


def test_the_chart_multiplies_the_successes_before_the_saves() -> None:
    state = rolled({"method": "chart", "power": 10, "defence": 0, "attack_dice": 2, "save": 4}, (1, 2, 3, 4, 5, 6))
    assert (tally(state).saves, tally(state).saved, tally(state).hp_loss) == (6, 3, 3)


def test_entered_dice_are_marked_and_their_saves_rolled() -> None:
    state = rolled({"power": 4, "defence": 4, "faces": "4 3", "save": 5}, (6,))
    assert [step.how for die in state.dice for step in die.trail] == ["entered", "entered"]
    assert [die.trail[0].how for die in state.saves] == ["rolled"]


def test_a_roll_may_be_repeated_and_nothing_else() -> None:
    state = rolled({"power": 4, "defence": 4}, (2,))
    assert [offer.key for offer in warsurge.offers(state)] == ["again"]
    assert warsurge.choose(state, Choice("again"), falling(5)) == rolled({"power": 4, "defence": 4}, (5,))
    with pytest.raises(NotOfferedError):
        warsurge.choose(state, Choice("done"), falling())


def volley(raw: dict[str, object], pips: Iterable[int] = ()) -> VolleyRoll:
    state = warsurge.start(warsurge.declare(raw), falling(*pips))
    assert isinstance(state, VolleyRoll)
    return state


VOLLEY: Final[dict[str, object]] = {
    "defence": 4,
    "save": "4+",
    "hp": 5,
    "weapons": "Rifle: Power 4, Dice 3, AP 1; Cannon: Power 12",
}
"""Casual: the Rifle needs 4+ and is saved on 5+, the Cannon is automatic and is saved on 4+."""


def test_the_weapons_of_a_volley_roll_one_after_the_other_and_add_up() -> None:
    state = volley(VOLLEY, (4, 3, 6, 5, 4, 3))
    assert [[die.face for die in (*attack_roll.dice, *attack_roll.saves)] for attack_roll in state.attacks] == [
        [4, 3, 6, 5, 4],
        [3],
    ]
    assert [tally(attack_roll).hp_loss for attack_roll in state.attacks] == [1, 1]
    assert (hp_loss(state), hp_left(state)) == (2, 3)
    outcome = warsurge.outcome(state)
    assert (outcome["hp_loss"], outcome["hp_left"]) == (2, 3)
    attacks: Any = outcome["attacks"]
    rifle, cannon = attacks
    assert (rifle["weapon"], rifle["need"], rifle["save_faces"]) == ("Rifle", "4+", [5, 4])
    assert (cannon["weapon"], cannon["need"], cannon["hp_loss"]) == ("Cannon", "A", 1)


def test_a_target_loses_no_more_hp_than_it_has() -> None:
    state = volley(VOLLEY | {"hp": 1}, (4, 3, 6, 5, 4, 3))
    assert (hp_loss(state), hp_left(state)) == (2, 0)


def test_typed_dice_of_a_volley_stand_between_semicolons() -> None:
    state = volley(VOLLEY | {"faces": "4 3 6; -", "save_faces": "5 4; 3"})
    assert hp_loss(state) == 2
    assert {step.how for die in warsurge.rolled(state) for step in die.trail} == {"entered"}
    assert warsurge.offers(state) == ()


def test_typed_saves_are_taken_as_they_are() -> None:
    state = rolled({"power": 4, "defence": 4, "faces": "4 3 6", "save": 5, "save_faces": "5 2"})
    assert (tally(state).saved, tally(state).hp_loss) == (1, 1)
    automatic = rolled({"method": "chart", "power": 8, "defence": 0, "save": 4, "save_faces": [4, 3]})
    assert tally(automatic).hp_loss == 1
    assert warsurge.offers(automatic) == ()


WAITING: Final = VOLLEY | {"asks_saves": True}


def test_the_defender_rolls_the_saves_that_wait() -> None:
    state = volley(WAITING, (4, 3, 6))
    assert saves_open(state) == 3
    assert [(offer.key, offer.side) for offer in warsurge.offers(state)] == [
        ("roll-saves", Side.DEFENDER),
        ("type-saves", Side.DEFENDER),
    ]
    saved = warsurge.choose(state, Choice("roll-saves", by=Side.DEFENDER), falling(5, 4, 3))
    assert isinstance(saved, VolleyRoll)
    assert [tally(attack_roll).hp_loss for attack_roll in saved.attacks] == [1, 1]
    assert [offer.key for offer in warsurge.offers(saved)] == ["again"]


def test_the_defender_types_the_saves_weapon_by_weapon() -> None:
    state = volley(WAITING, (4, 3, 6))
    (form,) = (offer for offer in warsurge.offers(state) if offer.key == "type-saves")
    assert [field.label for field in form.fields] == ["Rifle, save 1", "Rifle, save 2", "Cannon, save 1"]
    typed = Choice("type-saves", filled={"saves-1": "5", "saves-2": "4", "saves-3": "3"}, by=Side.DEFENDER)
    saved = warsurge.choose(state, typed, falling())
    assert isinstance(saved, VolleyRoll)
    assert hp_loss(saved) == 2
    assert [list_typists([die]) for attack_roll in saved.attacks for die in attack_roll.saves] == [["defender"]] * 3


@pytest.mark.parametrize("text", ["5 4 3 2 1 1", "5; 4 3 1 1 1", "5 4 1 1 1; 3; 1", "5 4", "-"])
def test_typed_saves_must_be_those_that_wait(text: str) -> None:
    """More than a form has fields."""
    weapons = "Rifle: Power 4, Dice 5; Cannon: Power 8"
    state = volley(WAITING | {"weapons": weapons}, (4, 5, 6, 4, 5, 6))
    with pytest.raises(BadInputError, match="Use one face for each armour save needed: 5, then a semicolon and 1"):
        warsurge.choose(state, Choice("type-saves", filled={"saves": text}), falling())
    saved = warsurge.choose(state, Choice("type-saves", filled={"saves": "5 4 4 4 4; 3"}), falling())
    assert isinstance(saved, VolleyRoll)
    assert [len(attack_roll.saves) for attack_roll in saved.attacks] == [5, 1]


def test_nobody_is_asked_for_saves_where_none_are_due() -> None:
    assert [offer.key for offer in warsurge.offers(volley(WAITING | {"save": None}, (1, 1, 1)))] == ["again"]
    missed = rolled({"power": 4, "defence": 4, "save": 5, "asks_saves": True}, (1,))
    assert [offer.key for offer in warsurge.offers(missed)] == ["again"]
    assert isinstance(warsurge.choose(missed, Choice("again"), falling(4)), AttackRoll)


def test_ap_beyond_6_leaves_no_save() -> None:
    assert rolled({"power": 4, "defence": 4, "save": 5, "ap": 1}, (4, 6)).saves[0].face == 6
    assert rolled({"power": 4, "defence": 4, "save": 5, "ap": 2}, (4,)).saves == ()


@pytest.mark.parametrize(
    "raw",
    [
        {"power": 9, "defence": 2},
        {"power": 0, "defence": 2},
        {"power": 4, "defence": 4, "faces": "4"},
    ],
)
def test_what_the_bot_did_not_roll_it_does_not_roll_again(raw: dict[str, object]) -> None:
    state = rolled(raw)
    assert warsurge.offers(state) == ()
    with pytest.raises(NotOfferedError):
        warsurge.choose(state, Choice("again"), falling())


@given(ATTACKS, st.integers())
def test_equal_declaration_and_chance_give_equal_state(declared: Declared, seed: int) -> None:
    first, second = (warsurge.start(declared, Random(seed).randrange) for _ in range(2))
    assert first == second


@given(ATTACKS, st.integers())
def test_every_offer_can_be_chosen(declared: Declared, seed: int) -> None:
    state = warsurge.start(declared, Random(seed).randrange)
    for offer in warsurge.offers(state):
        after = warsurge.choose(state, Choice(offer.key), Random(seed).randrange)
        assert after.declared == declared


@given(ATTACKS, st.integers())
def test_every_die_is_rolled_out_and_none_too_far(declared: Declared, seed: int) -> None:
    state = attack(declared, Random(seed).randrange)
    needed = declared.line.need
    assert len(state.dice) == (declared.attack_dice if needed.steps else 0)
    assert all(needed.is_done(faces(die)) and not needed.is_done(faces(die)[:-1]) for die in state.dice)
    assert 0 <= tally(state).hp_loss <= declared.attack_dice * needed.multiplier


@given(ATTACKS, st.integers())
def test_the_faces_that_fell_may_be_entered_and_give_the_same(declared: Declared, seed: int) -> None:
    told = dict(warsurge.outcome(warsurge.start(declared, Random(seed).randrange)))
    saves = [int(str(face)) for face in told.pop("save_faces", [])]  # type: ignore[attr-defined]  # outcome is JSON
    raw = {"method": declared.method, "power": declared.power, "defence": declared.defence, "save": declared.save}
    again = dict(warsurge.outcome(rolled(raw | {"faces": told["faces"]}, saves)))
    again.pop("save_faces", None)
    assert again == told

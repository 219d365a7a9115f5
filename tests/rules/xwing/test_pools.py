"""Steps 1, 2 and 4: who may fire, what it costs, and how many dice each side rolls."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.rules.errors import BadInputError, UnpayableCostError
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp, attack_pool, defense_pool, may_modify
from bot.rules.xwing.dice.faces import Face, Pool
from tests.rules.xwing.play import begin, declared, faces, keys, labels, play, press

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "xwing.json").read_text())


@pytest.mark.parametrize("case", GOLDEN["dice_pools"], ids=str)
def test_the_golden_pools(case: dict[str, Any]) -> None:
    extra = DiceEffect(verb="dice", pool=Pool.RED, most=case.get("extra_attack", 0))
    whole = Declared(
        attack=LineUp(dice=case["attack_value"], effects=(extra,)),
        defense=LineUp(dice=case["agility"], strain=case.get("strain", 0)),
        range=case["range"],
        ordnance=case.get("ordnance", False),
        obstructed=case.get("obstructed", False),
    )
    assert [attack_pool(whole), defense_pool(whole)] == case["expect"]


@pytest.mark.parametrize(
    ("dice", "words", "more", "expected"),
    [
        (3, "", {}, 3),
        (3, "", {"range": 1}, 4),
        (3, "", {"range": 2}, 3),
        (3, "", {"range": 3}, 3),
        (3, "", {"range": 1, "ordnance": True}, 3),
        (3, "deplete", {}, 2),
        (3, "deplete 3", {}, 2),
        (3, "deplete", {"range": 1}, 3),
        (3, "+1 dice", {}, 4),
        (3, "-2 dice", {}, 1),
        (6, "", {"range": 1}, 6),
        (6, "+2 dice, -1 dice", {"range": 1}, 6),
        (8, "deplete", {}, 6),
        (1, "-3 dice", {}, 0),
        (0, "deplete", {}, 0),
        (1, "-3 dice, +3 dice", {}, 1),
        (3, "", {"range": 0}, 3),
        (3, "+1 dice", {"range": 0}, 3),
        (3, "-1 dice", {"range": 0}, 2),
    ],
)
def test_attack_dice(dice: int, words: str, more: dict[str, Any], expected: int) -> None:
    assert attack_pool(declared(dice, 0, words, **more)) == expected


@pytest.mark.parametrize(
    ("agility", "words", "more", "expected"),
    [
        (2, "", {}, 2),
        (2, "", {"range": 1}, 2),
        (2, "", {"range": 3}, 3),
        (2, "", {"range": 3, "ordnance": True}, 2),
        (2, "", {"obstructed": True}, 3),
        (2, "", {"obstructed": True, "ordnance": True}, 3),
        (2, "", {"obstructed": True, "range": 3}, 4),
        (2, "strain", {}, 1),
        (2, "strain 2", {}, 1),
        (2, "+1 dice", {}, 3),
        (2, "-1 dice", {"range": 3}, 2),
        (6, "", {"obstructed": True, "range": 3}, 6),
        (0, "strain", {}, 0),
    ],
)
def test_defense_dice(agility: int, words: str, more: dict[str, Any], expected: int) -> None:
    assert defense_pool(declared(0, agility, against=words, **more)) == expected


def test_either_side_may_change_either_pool() -> None:
    whole = declared(3, 2, with_="-1 dice green", against="-1 dice red")
    assert (attack_pool(whole), defense_pool(whole)) == (2, 1)


def test_before_the_defender_speaks_their_pool_is_the_range_alone() -> None:
    assert defense_pool(declared(3, None, range=3)) == 1


def test_one_deplete_and_one_strain_token_go_with_the_dice() -> None:
    state = begin(3, 2, "hit blank evade", "deplete 2", "strain 3")
    assert (state.attack.deplete, state.defense.strain) == (1, 2)
    assert (len(state.red), len(state.green)) == (2, 1)
    state = begin(1, 1, "hit evade")
    assert (state.attack.deplete, state.defense.strain) == (0, 0)


def test_a_strain_token_stays_while_no_defense_dice_are_rolled() -> None:
    state = begin(1, 2, "focus", "focus", "strain")
    assert state.defense.strain == 1
    assert press(state, "done", "blank").defense.strain == 0


def test_range_0_is_refused_under_ruleset_2_0() -> None:
    with pytest.raises(BadInputError, match=r"`range` was `0`. Use 1 to 3 under ruleset 2\.0") as refused:
        begin(3, 2, "", range=0, ruleset="2.0")
    assert refused.value.field == "range"


def test_range_0_is_refused_for_ordnance() -> None:
    with pytest.raises(
        BadInputError, match=r"`range` was `0`. Use 1 to 3 for ordnance; at range 0, only a primary weapon can attack"
    ):
        begin(3, 2, "", range=0, ordnance=True)


def test_range_1_is_fine_under_ruleset_2_0() -> None:
    assert len(begin(2, 0, "hit hit hit", range=1, ruleset="2.0").red) == 3


def test_at_range_0_the_attacker_may_modify_no_dice_of_either_color() -> None:
    state = begin(
        2, 1, "hit blank focus", "focus, lock, force, reroll 1 blank, change 1 evade to blank", "focus", range=0
    )
    assert labels(state) == ["Focus: 1 to evade", "Done"]
    assert (state.attack.focus, state.attack.lock) == (1, 1)


def test_at_range_0_the_defender_modifies_as_ever() -> None:
    state = begin(1, 0, "crit", "focus", "change 1 crit to hit", range=0)
    assert labels(state) == ["Card: 1 crit to hit", "Done"]


def test_at_range_0_the_attacker_may_cancel_their_own_dice_for_that_is_no_modification() -> None:
    state = begin(2, 0, "hit focus", "cancel 1 hit, change 1 focus to hit", range=0)
    assert labels(state) == ["Card: cancel 1 hit", "Done"]


def test_at_range_0_the_attacker_does_nothing_to_the_defense_dice() -> None:
    """(R) The attacker's side may not cancel, modify or remove defense dice, nor make the defender roll fewer."""
    words = "cancel 1 evade, change 1 evade to blank, -2 green dice, set green blank"
    state = begin(1, 3, "hit evade focus blank", words, range=0)
    assert state.window is AttackWindow.OVER
    assert faces(state.green) == "evade focus blank"
    state = begin(1, 3, "hit evade evade blank", words, weapon="Drill Beak", special=True, range=0)
    assert len(state.green) == 3


def test_a_special_weapon_whose_range_begins_at_0_may_modify_there() -> None:
    state = begin(2, 0, "focus blank hit", "focus, +1 dice", weapon="Drill Beak", special=True, ordnance=True, range=0)
    assert len(state.red) == 3
    assert "Focus: 1 to hit" in labels(state)


def test_who_may_modify() -> None:
    near, far = declared(3, 2, range=0), declared(3, 2, range=1)
    assert not may_modify(near, Side.ATTACKER)
    assert may_modify(near, Side.DEFENDER)
    assert may_modify(far, Side.ATTACKER)


@pytest.mark.parametrize(
    ("brings", "sentence"),
    [
        ("needs lock", "This weapon requires 1 lock on the defender, and the attacker has none. "),
        ("focus, needs lock and focus", "This weapon requires 1 lock, and the attacker has none. "),
        (
            "needs focus or calculate",
            "This weapon requires 1 focus token or 1 calculate token, and the attacker has none. ",
        ),
    ],
)
def test_what_a_weapon_needs_must_be_there(brings: str, sentence: str) -> None:
    """(R) What is missing refuses the attack with a clear sentence."""
    with pytest.raises(UnpayableCostError) as refused:
        begin(3, 1, "", brings)
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).endswith("Nothing was rolled.")


@pytest.mark.parametrize(
    "brings", ["lock, needs lock", "calculate, needs focus or calculate", "focus, tl, needs lock and focus"]
)
def test_what_a_weapon_needs_is_not_spent(brings: str) -> None:
    """(R) A torpedo still has its lock for the reroll."""
    state = begin(2, 0, "blank focus", brings)
    assert state.attack == state.declared.attack
    assert set(keys(state)) & {"lock", "calculate"}


def test_costs_are_paid_before_any_die_falls() -> None:
    state = begin(2, None, "", "lock, charge 2, focus, cost lock, cost 2 charges")
    assert (state.attack.lock, state.attack.charge, state.attack.focus) == (0, 0, 1)
    assert state.red == ()


def test_a_lock_that_was_paid_rerolls_nothing() -> None:
    state = begin(2, 0, "blank blank", "lock, cost lock")
    assert keys(state) == []
    assert faces(state.red) == "blank blank"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("cost lock", "This weapon costs 1 lock, but the attacker has none."),
        ("charge, cost 2 charges", "This weapon costs 2 charges, but the attacker has 1."),
    ],
)
def test_a_cost_that_cannot_be_paid_refuses_the_attack(words: str, sentence: str) -> None:
    with pytest.raises(UnpayableCostError) as refused:
        begin(3, 2, "", words)
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).endswith("Nothing was rolled.")


def test_fixed_dice_show_what_the_effect_says() -> None:
    state = begin(3, 2, "focus focus", "set crit")
    assert faces(state.red) == "crit crit crit"
    state = begin(2, 3, "hit hit", "", "set blank")
    assert faces(state.green) == "blank blank blank"


def test_dice_of_a_real_table_are_taken_as_they_lie() -> None:
    state = play(declared(2, 1, red=(Face.HIT, Face.BLANK), green=(Face.EVADE,)), "")
    assert (faces(state.red), faces(state.green)) == ("(hit) blank", "evade")
    assert state.red[0].trail[0].how == "entered"


@pytest.mark.parametrize(
    ("red", "green", "sentence"),
    [
        ((Face.HIT,), None, "`red` was `hit`. Use exactly 2 faces"),
        ((), None, "`red` was no dice. Use exactly 2 faces"),
        (None, (Face.EVADE, Face.BLANK), "`green` was `evade, blank`. Use exactly 1 face, one for each die"),
    ],
)
def test_dice_of_a_real_table_must_be_as_many_as_are_rolled(
    red: tuple[Face, ...] | None, green: tuple[Face, ...] | None, sentence: str
) -> None:
    """Both are counted before anything falls: else an attack would be stuck in its middle."""
    with pytest.raises(BadInputError) as refused:
        play(declared(2, 1, "focus", red=red, green=green), "")
    assert str(refused.value).startswith(sentence)

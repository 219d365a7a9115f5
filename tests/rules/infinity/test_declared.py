"""Infinity declarations in JSON words: the forms, and every refusal with its field."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.rules import infinity
from bot.rules.errors import BadInputError, UnknownWordError
from bot.rules.game import Side
from bot.rules.infinity.troopers.declared import (
    Action,
    Ammo,
    Meeting,
    Mod,
    Order,
    Save,
    TargetProfile,
    TrooperRoll,
    Weapon,
)
from tests.rows import for_each_row


def order(case: Mapping[str, object]) -> Order:
    declared = infinity.declare(case)
    assert isinstance(declared, Order)
    return declared


def test_a_normal_roll() -> None:
    declared = order({"sv": 12, "burst": 3, "mods": [-3], "special_dice": 1, "name": " Angus "})
    angus = TrooperRoll(attribute=12, burst=3, mods=(Mod(-3),), special=1, name="Angus")
    assert declared == Order(rolls=(angus,), meetings=(Meeting(a=0),))


def test_face_to_face_in_one_flat_object() -> None:
    declared = order({"sv_a": 15, "burst_a": 5, "mods_a": "-3 +6", "sv_b": 13, "kind_b": "dodge", "edition": "n3"})
    assert declared == Order(
        rolls=(
            TrooperRoll(attribute=15, burst=5, mods=(Mod(-3), Mod(6))),
            TrooperRoll(attribute=13, action=Action.DODGE, side=Side.DEFENDER),
        ),
        meetings=(Meeting(a=0, b=1),),
        edition="n3",
    )


def test_face_to_face_in_two_objects_with_faces() -> None:
    declared = order({"a": {"sv": 12, "dice": [9, 4]}, "b": {"sv": 11, "dice": "5"}})
    assert [(roll.burst, roll.dice) for roll in declared.rolls] == [(2, (9, 4)), (1, (5,))]
    assert declared.meetings == (Meeting(a=0, b=1),)


@pytest.mark.parametrize(
    "case", [{"a": {"sv": 12}, "b": None}, {"a": {"sv": 12}}, {"sv_a": 12}, {"sv_a": 12, "sv_b": None}]
)
def test_without_side_b_it_is_a_normal_roll(case: Mapping[str, object]) -> None:
    assert order(case).meetings == (Meeting(a=0),)
    assert not order(case).awaits


def test_open_waits_for_the_other_side() -> None:
    declared = order({"sv_a": 12, "open": True, "name_b": "Ortega", "sv_b": None, "burst_b": None})
    assert declared.awaits
    assert declared.meetings == (Meeting(a=0, target="Ortega"),)


def test_a_target_without_a_roll_has_its_armour() -> None:
    declared = order({"sv_a": 12, "name_b": "Ortega", "arm_b": 3})
    assert declared.meetings == (Meeting(a=0, target="Ortega", profile=TargetProfile(arm=3)),)


def test_one_roll_against_each_enemy() -> None:
    declared = order({"a": {"sv": 10, "kind": "dodge"}, "enemies": [{"sv": 12, "burst": 3}, {"sv": 11}]})
    assert declared.meetings == (Meeting(a=0, b=1), Meeting(a=0, b=2))
    assert [roll.name for roll in declared.rolls] == ["", "Enemy 1", "Enemy 2"]
    assert [roll.side for roll in declared.rolls] == [Side.ATTACKER, Side.DEFENDER, Side.DEFENDER]
    assert declared == order(
        {"a": {"sv": 10, "kind": "dodge"}, "enemy_1": {"sv": 12, "dice": 3}, "enemy_2": {"sv": 11}}
    )


def test_typed_lines_as_text_or_list() -> None:
    text = order({"order": "Angus 12 vs Ortega 11; Murat 13 normal vs Angus"})
    assert text == order({"order": ["Angus 12 vs Ortega 11", "Murat 13 normal vs Angus"]})


def test_weapon_and_armour() -> None:
    declared = order({"a": {"sv": 12, "ammo": "da", "ps": 7, "arm": 1}, "b": {"sv": 6, "ammo": "DODGE", "ps": 0}})
    assert declared.rolls[0].weapon == Weapon(ammo=(Ammo.DA,), power=7)
    assert declared.rolls[0].profile == TargetProfile(arm=1)
    assert (declared.rolls[1].action, declared.rolls[1].weapon) == (Action.DODGE, None)
    n4 = order({"sv_a": 12, "ammo_a": "Plasma (ARM+BTS)", "damage_a": 13, "edition": "n4"})
    assert n4.rolls[0].weapon == Weapon(ammo=(Ammo.PLASMA,), power=7, as_damage=True)


def test_saving_rolls() -> None:
    save = infinity.declare({"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3, "cover": True, "name": "Ana"})
    assert save == Save(
        hits=2, crits=1, weapon=Weapon(ammo=(Ammo.DA,), power=7), profile=TargetProfile(arm=3), cover=True, name="Ana"
    )
    assert infinity.declare({"dam": 13, "arm": 1, "mods": "+3"}) == Save(
        hits=1, weapon=Weapon(power=7, as_damage=True), profile=TargetProfile(arm=1), mods=(Mod(3),), edition="n4"
    )


def test_attribute_and_mods_may_tell_the_success_value_as_well() -> None:
    assert order({"attribute": 12, "mods": [9, 6], "sv": 24}).rolls[0].sv == 24


def test_a_golden_case_says_what_becomes_of_its_dice() -> None:
    told = {"id": "x", "edition": "any", "roll": "normal"}
    side = {"sv": 9, "dice": [8], "kind": ["success"], "fate": ["stands"]}
    assert order({"a": side, "b": None, **told}).edition == "n5"


@pytest.mark.parametrize("key", ["expect", "wounds_on_a", "total", "a_wins", "why", "fate", "fox"])
def test_a_key_that_declares_nothing_is_refused(key: str) -> None:
    """Whoever misspells a word, or hands a result back, hears of it."""
    for case in ({"sv": 12}, {"sv_a": 12, "sv_b": 11}, {"order": "Angus 12"}, {"hits": 1, "ps": 7, "arm": 1}):
        with pytest.raises(UnknownWordError) as refused:
            infinity.declare({**case, key: 1})
        assert refused.value.word == key


def test_what_is_said_around_a_roll_has_keys_of_its_own() -> None:
    """The keys of the table of fields are those of the typed line."""
    flat = order({"sv": 12, "burst": 3, "melee": 1, "sv_b": 11, "fireteam_b": 3, "kind_b": "dodge"})
    assert flat == order({"sv": 12, "around": "b3 melee 1", "sv_b": 11, "around_b": "fireteam 3 dodge"})
    assert [roll.sv for roll in flat.rolls] == [6, 12]


@for_each_row(
    ("case", "field"),
    [
        ({"sv": 41}, "sv"),
        ({"sv": -13}, "sv"),
        ({"sv": "12"}, "sv"),
        ({}, "sv"),
        ({"sv": 12, "burst": 7}, "burst"),
        ({"sv": 12, "burst": 0}, "burst"),
        ({"sv": 12, "special_dice": 3}, "special_dice"),
        ({"sv": 12, "mods": [-13]}, "mods[0]"),
        ({"sv": 12, "mods": [1] * 9}, "mods"),
        ({"sv": 12, "kind": "leap"}, "kind"),
        ({"sv": 12, "edition": "n6"}, "edition"),
        ({"sv": 12, "name": "A" * 33}, "name"),
        ({"sv": 12, "open": "yes"}, "open"),
        ({"sv": 12, "dice": [9, 21]}, "dice[1]"),
        ({"sv": 12, "dice": [0]}, "dice[0]"),
        ({"sv": 12, "dice": [True]}, "dice[0]"),
        ({"sv": 12, "dice": "9 21"}, "dice"),
        ({"sv": 12, "dice": 7}, "dice"),
        ({"sv": 12, "burst": 2, "dice": [9]}, "dice of the attacker"),
        ({"sv": 12, "dice": []}, "dice of the attacker"),
        ({"sv": 12, "dice": [9] * 7}, "dice of the attacker"),
        ({"sv": 12, "special_dice": 1, "dice": [9]}, "dice of the attacker"),
        ({"sv": 0, "dice": [9]}, "dice of the attacker"),
        ({"a": {"sv": 12}, "b": {"burst": 1}}, "b.sv"),
        ({"a": {"sv": 12}, "b": {"sv": 11}, "roll": "normal"}, "roll"),
        ({"a": 3}, "a"),
        ({"sv_a": 12, "burst_b": 1}, "sv_b"),
        ({"attribute": 12, "mods": [-3], "sv": 12}, "sv"),
        ({"a": {"sv": 10}, "enemies": []}, "enemies"),
        ({"a": {"sv": 10}, "enemies": [{"sv": 9}] * 7}, "enemies"),
        ({"a": {"sv": 10}, "enemies": [{"sv": 9}] * 6, "enemy_1": {"sv": 9}}, "enemies"),
        ({"a": {"sv": 10}, "enemies": [{"sv": 9}, {"sv": 99}]}, "enemies[1].sv"),
        ({"order": 3}, "order"),
        ({"order": ["Angus 12", 3]}, "order"),
        ({"order": "Angus 12;" * 200}, "order"),
        ({"sv_a": 12, "ammo_a": "N"}, "ps_a"),
        ({"sv_a": 12, "ammo_a": "N", "edition": "n4"}, "damage_a"),
        ({"sv_a": 12, "ammo_a": "N", "ps_a": 7, "damage_a": 13}, "damage_a"),
        ({"sv_a": 12, "ammo_a": "N", "ps_a": 31}, "ps_a"),
        ({"sv_a": 12, "arm_a": -1}, "arm_a"),
    ],
)
def test_refusals_name_the_field(case: Mapping[str, Any], field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        infinity.declare(case)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("case", "word", "near"),
    [
        ({"sv_a": 12, "brust_a": 3}, "brust_a", "burst_a"),
        ({"a": {"sv": 12, "brust": 3}}, "brust", "burst"),
        ({"hits": 1, "ps": 7, "arm": 1, "kover": True}, "kover", "cover"),
        ({"sv": 12, "hist": 2}, "hist", None),
    ],
)
def test_a_misspelt_key_is_refused(case: Mapping[str, Any], word: str, near: str | None) -> None:
    with pytest.raises(UnknownWordError) as refused:
        infinity.declare(case)
    assert refused.value.word == word
    assert near is None or refused.value.near == near


def test_only_an_object_declares() -> None:
    with pytest.raises(BadInputError, match="Use a JSON object"):
        infinity.declare([])  # type: ignore[arg-type]  # what a terminal may be given


def test_both_sides_in_the_words_of_the_options() -> None:
    declared = order({"sv": 15, "burst": 5, "mods": "-3", "sv_b": 13, "mods_b": "+1sd", "name_b": "Ortega"})
    assert declared == order(
        {"sv_a": 15, "burst_a": 5, "mods_a": "-3", "sv_b": 13, "special_dice_b": 1, "name_b": "Ortega"}
    )
    assert order({"sv": 12, "sv_b": 11, "open": False}).awaits is False


@pytest.mark.parametrize(("text", "mods", "special"), [("-3 +1sd", (-3,), 1), ("sd +6", (6,), 1), ("+2 sd", (), 2)])
def test_special_dice_may_stand_among_typed_mods(text: str, mods: tuple[int, ...], special: int) -> None:
    (roll,) = order({"sv": 12, "mods": text}).rolls
    assert (tuple(mod.number for mod in roll.mods), roll.special) == (mods, special)


def test_lines_may_be_parted_by_a_slash_between_spaces() -> None:
    assert order({"order": "Angus 12 vs Ortega 11 / Murat 13"}) == order(
        {"order": ["Angus 12 vs Ortega 11", "Murat 13"]}
    )


def test_mods_may_be_a_number() -> None:
    """A number is a MOD, never an edition."""
    declared = order({"sv": 12, "mods": 3})
    assert (declared.rolls[0].sv, declared.edition) == (15, "n5")
    save = infinity.declare({"hits": 1, "ammo": "N", "ps": 6, "arm": 3, "mods": 3})
    assert (save.mods, save.edition) == ((Mod(3),), "n5")  # type: ignore[union-attr]  # Saving Rolls
    with pytest.raises(BadInputError, match="`mods` was `13`"):
        infinity.declare({"sv": 12, "mods": 13})

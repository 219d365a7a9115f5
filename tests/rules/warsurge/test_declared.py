"""WARSURGE: what may be declared, and how each mistake is told."""

from typing import Final

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import BadInputError, UnknownWordError
from bot.rules.text import english
from bot.rules.warsurge import declare, dice_count
from bot.rules.warsurge.declared import Declared, Faces, Volley, check_faces, parse_faces, typed_faces
from bot.rules.warsurge.methods import Method, read_need
from tests.rows import for_each_row

CHAIN = {"method": "balanced", "power": 3, "defence": 6}
"""6/4+."""


def attack(raw: dict[str, object]) -> Declared:
    """The declaration of a single attack."""
    declared = declare(raw)
    assert isinstance(declared, Declared)
    return declared


def test_only_power_and_defence_must_be_there() -> None:
    assert attack({"power": 4, "defence": 4}) == Declared(method=Method.CASUAL, power=4, defence=4, attack_dice=1)


def test_the_typed_values_are_kept_and_the_caps_apply() -> None:
    declared = attack({"method": "Chart", "power": 25, "defence": 18})
    assert (declared.power, declared.defence) == (25, 18)
    assert (declared.line.power, declared.line.defence) == (20, 15)


@pytest.mark.parametrize(("save", "face"), [("5+", 5), ("2", 2), (6, 6), (" 3+ ", 3), (None, None)])
def test_a_save_is_written_as_people_write_it(save: object, face: int | None) -> None:
    assert attack({"power": 4, "defence": 4, "save": save}).save == face


@pytest.mark.parametrize(
    ("given_faces", "read"),
    [
        ([[6, 5], [3], [6, 2]], ((6, 5), (3,), (6, 2))),
        ([[6, 5], 3], ((6, 5), (3,))),
        ("6 5, 3, 6 2", ((6, 5), (3,), (6, 2))),
        ("", None),
        (None, None),
    ],
)
def test_faces_of_a_chain(given_faces: object, read: Faces | None) -> None:
    declared = attack(CHAIN | {"faces": given_faces})
    assert declared.faces == read
    assert declared.attack_dice == (len(read) if read else 1)


@pytest.mark.parametrize("given_faces", ["4 3 6", "4, 3, 6", "4 3,6", [4, 3, 6], [[4], [3], [6]]])
def test_where_a_die_is_rolled_once_every_number_is_a_die(given_faces: object) -> None:
    assert attack({"power": 4, "defence": 4, "faces": given_faces}).faces == ((4,), (3,), (6,))


@pytest.mark.parametrize("given_faces", ["-, -", [[], []]])
def test_dice_that_are_not_rolled_have_no_faces(given_faces: object) -> None:
    declared = attack({"power": 9, "defence": 2, "attack_dice": 2, "faces": given_faces})
    assert declared.faces == ((), ())


def test_the_faces_may_stand_in_the_place_of_the_number_of_dice() -> None:
    declared = attack(CHAIN | {"attack_dice": [[6, 5], [3]]})
    assert (declared.attack_dice, declared.faces) == (2, ((6, 5), (3,)))


@for_each_row(
    ("wrong", "sentence"),
    [
        ({"power": -1}, "`power` was `-1`. Use a whole number from 0 to 1000000."),
        ({"power": 3.5}, "`power` was `3.5`. Use a whole number from 0 to 1000000."),
        ({"power": "7"}, "`power` was `7`. Use a whole number from 0 to 1000000."),
        ({"defence": True}, "`defence` was `True`. Use a whole number from 0 to 1000000."),
        ({"defence": None}, "`defence` was missing. Use a whole number from 0 to 1000000."),
        ({"method": "wild"}, "`method` was `wild`. Use `casual`, `balanced`, or `chart`."),
        ({"attack_dice": 0}, "`attack_dice` was `0`. Use a whole number from 1 to 100."),
        ({"attack_dice": 101}, "`attack_dice` was `101`. Use a whole number from 1 to 100."),
        ({"save": "7+"}, "`save` was `7+`. Use 2+ to 6+. Example: `5+`."),
        ({"save": True}, "`save` was `True`. Use 2+ to 6+. Example: `5+`."),
        ({"faces": [[7]]}, "`faces, die 1` was `7`. Use a whole number from 1 to 6."),
        ({"faces": []}, "`faces` was empty. Use exactly 1, one for each attack die."),
        ({"faces": 6}, "`faces` was `6`. Use a list of at most 100."),
        ({"attack_dice": 3, "faces": "6 5"}, "`faces` was `6 5`. Use exactly 3, one for each attack die."),
        ({"faces": "3, 6"}, "`faces, die 2` was `6`. Add one more face, because 6/4+ rolls this die again."),
        ({"faces": [[]]}, "`faces, die 1` was `-`. Add one more face, because 6/4+ rolls this die again."),
        ({"faces": "5 2"}, "`faces, die 1` was `5 2`. Use only `5`, because 6/4+ stops there."),
        (
            {"faces": "6 4 1"},
            "`faces, die 1` was `6 4 1`. Use only `6 4`, because 6/4+ stops there.",
        ),
        ({"power": 12, "faces": "3"}, "`faces, die 1` was `3`. Use `-`, because nothing is rolled."),
        (
            {"power": 3, "defence": 6, "method": "casual", "attack_dice": 3, "faces": "6 5, 3, 6 2"},
            (
                "`faces` was `6, 5, 3, 6, 2`. Use exactly 3, one for each attack die. Chains like `6 5` "
                "exist only in the Balanced and Chart methods: choose one as `method`."
            ),
        ),
        (
            {"power": 7, "defence": 2, "method": "casual", "attack_dice": 3, "faces": "4 1 6"},
            "`faces` was `4 1 6`. Leave the faces out, because nothing is rolled.",
        ),
        ({"power": 0, "faces": "3"}, "`faces, die 1` was `3`. Use `-`, because nothing is rolled."),
        ({"faces": ",".join(["3"] * 101)}, "`faces` was 101 dice. Use at most 100 dice."),
    ],
)
def test_each_mistake_names_the_field_what_it_was_and_what_is_allowed(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInputError) as refusal:
        declare(CHAIN | wrong)
    assert str(refusal.value) == sentence


def test_a_typed_word_that_is_no_face_is_pointed_at() -> None:
    with pytest.raises(UnknownWordError) as refusal:
        declare(CHAIN | {"faces": "6 5, seven"})
    assert refusal.value.word == "seven"
    assert "Write faces from 1 to 6" in str(refusal.value)


def test_a_misspelt_key_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownWordError) as refusal:
        declare(CHAIN | {"defense": 6})
    assert refusal.value.near == "defence"


@given(st.lists(st.lists(st.integers(1, 6), max_size=3).map(tuple), min_size=1, max_size=100).map(tuple))
def test_typed_faces_are_read_back_as_they_were_written(shown: Faces) -> None:
    assert parse_faces(typed_faces(shown), read_need("6/6/6+")) == shown


@given(st.text(alphabet="123456 ,-x0", max_size=30), st.sampled_from(["4+", "6/2", "A", "-"]))
def test_whatever_is_typed_is_read_or_refused_at_the_faces(text: str, needed: str) -> None:
    wanted = read_need(needed)
    try:
        check_faces(parse_faces(text, wanted), wanted, 2)
    except (BadInputError, UnknownWordError) as refusal:
        told = english(refusal.field)
    else:
        told = "faces"
    assert told.split(",")[0] == "faces"


# Volleys, AP and typed saves


def volley(raw: dict[str, object]) -> Volley:
    declared = declare(raw)
    assert isinstance(declared, Volley)
    return declared


def test_a_volley_is_typed_in_one_line_or_given_as_objects() -> None:
    typed = volley({"defence": 4, "save": "4+", "weapons": "Rifle: Power 6, 4 dice, AP -1; Cannon: power 12"})
    weapons = [{"name": "Rifle", "power": 6, "attack_dice": 4, "ap": 1}, {"name": "Cannon", "power": 12}]
    assert typed == volley({"defence": 4, "save": "4+", "weapons": weapons})
    assert [
        (declared.weapon, declared.power, declared.attack_dice, declared.saves_on) for declared in typed.attacks
    ] == [
        ("Rifle", 6, 4, 5),
        ("Cannon", 12, 1, 4),
    ]
    assert dice_count(typed) == 5


def test_hp_make_a_volley_of_a_single_attack() -> None:
    single = volley({"power": 4, "defence": 4, "hp": 3})
    assert (single.attacks, single.hp) == ((attack({"power": 4, "defence": 4}),), 3)


TWO: Final[dict[str, object]] = {"defence": 4, "save": 5, "weapons": "Rifle: Power 4; Cannon: Power 12"}


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (TWO | {"power": 3}, "`power` was `3`. Leave it out with `weapons`: each weapon has its own."),
        (TWO | {"attack_dice": 3}, "`dice` was `3`. Leave it out with `weapons`: each weapon has its own."),
        (TWO | {"weapons": []}, "`weapons` was `[]`. Use 1 to 6 weapons."),
        (
            TWO | {"weapons": [4]},
            '`weapons, weapon 1` was `4`. Use an object like {"name": "Rifle", "power": 6}.',
        ),
        (
            TWO | {"weapons": "A: Power 4, Dice 60; B: Power 4, Dice 41"},
            "`weapons` was 101 attack dice. Use at most 100 attack dice in total.",
        ),
        (
            TWO | {"faces": "4"},
            "`faces` was `4`. Use the dice of 2 weapons, with a semicolon between one weapon and the next.",
        ),
        (
            {"power": 4, "defence": 4, "save": 5, "save_faces": "2"},
            ("`save_faces` was `2`. Use saves only with `faces`: the attack dice determine how many saves are needed."),
        ),
        (
            {"power": 4, "defence": 4, "save": 5, "faces": "4 5", "save_faces": "2"},
            "`save_faces` was `2`. Use exactly 2, one for each armour save needed.",
        ),
        (
            {"power": 4, "defence": 4, "faces": "4", "save_faces": "2"},
            "`save_faces` was `2`. Use exactly 0, one for each armour save needed.",
        ),
        ({"power": 4, "defence": 4, "ap": 6}, "`ap` was `6`. Use a whole number from 0 to 5."),
        ({"power": 4, "defence": 4, "hp": 0}, "`hp` was `0`. Use a whole number from 1 to 999."),
    ],
)
def test_each_mistake_in_a_volley_says_what_is_allowed(raw: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInputError) as refusal:
        declare(raw)
    assert str(refusal.value) == sentence


def test_a_typed_save_that_is_no_face_is_pointed_at() -> None:
    with pytest.raises(UnknownWordError) as refusal:
        declare({"power": 4, "defence": 4, "save": 5, "faces": "4", "save_faces": "seven"})
    assert (refusal.value.field, refusal.value.word) == ("save_faces", "seven")


@pytest.mark.parametrize("typed", ["x", "4 x"])
def test_the_hint_on_typed_dice_can_be_typed_by_the_same_method(typed: str) -> None:
    for raw, example in (({"power": 4, "defence": 4}, "4 1 6"), (CHAIN, "6 5, 3, 6 2")):
        with pytest.raises(UnknownWordError, match=f"for example `{example}`"):
            declare({**raw, "faces": typed})
        assert attack({**raw, "faces": example}).attack_dice == 3

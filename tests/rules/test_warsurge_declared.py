"""WARSURGE: what may be declared, and how each mistake is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.errors import BadInput, BadWord
from bot.rules.warsurge import declare, faces, need
from bot.rules.warsurge.declared import Declared
from bot.rules.warsurge.methods import Method

CHAIN = {"method": "balanced", "power": 3, "defence": 6}
"""6/4+."""


def test_only_power_and_defence_must_be_there() -> None:
    assert declare({"power": 4, "defence": 4}) == Declared(method=Method.CASUAL, power=4, defence=4, attack_dice=1)


def test_the_typed_values_are_kept_and_the_caps_apply() -> None:
    declared = declare({"method": "Chart", "power": 25, "defence": 18})
    assert (declared.power, declared.defence) == (25, 18)
    assert (declared.line.power, declared.line.defence) == (20, 15)


@pytest.mark.parametrize(("save", "face"), [("5+", 5), ("2", 2), (6, 6), (" 3+ ", 3), (None, None)])
def test_a_save_is_written_as_people_write_it(save: object, face: int | None) -> None:
    assert declare({"power": 4, "defence": 4, "save": save}).save == face


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
def test_faces_of_a_chain(given_faces: object, read: faces.Faces | None) -> None:
    declared = declare(CHAIN | {"faces": given_faces})
    assert declared.faces == read
    assert declared.attack_dice == (len(read) if read else 1)


@pytest.mark.parametrize("given_faces", ["4 3 6", "4, 3, 6", "4 3,6", [4, 3, 6], [[4], [3], [6]]])
def test_where_a_die_is_rolled_once_every_number_is_a_die(given_faces: object) -> None:
    assert declare({"power": 4, "defence": 4, "faces": given_faces}).faces == ((4,), (3,), (6,))


@pytest.mark.parametrize("given_faces", ["-, -", [[], []]])
def test_dice_that_are_not_rolled_have_no_faces(given_faces: object) -> None:
    declared = declare({"power": 9, "defence": 2, "attack_dice": 2, "faces": given_faces})
    assert declared.faces == ((), ())


def test_the_faces_may_stand_in_the_place_of_the_number_of_dice() -> None:
    declared = declare(CHAIN | {"attack_dice": [[6, 5], [3]]})
    assert (declared.attack_dice, declared.faces) == (2, ((6, 5), (3,)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"power": -1}, "`power` was `-1`; it takes a whole number from 0 to 1000000."),
        ({"power": 3.5}, "`power` was `3.5`; it takes a whole number from 0 to 1000000."),
        ({"power": "7"}, "`power` was `7`; it takes a whole number from 0 to 1000000."),
        ({"defence": True}, "`defence` was `True`; it takes a whole number from 0 to 1000000."),
        ({"defence": None}, "`defence` was missing; it takes a whole number from 0 to 1000000."),
        ({"method": "wild"}, "`method` was `wild`; it takes one of casual, balanced, chart."),
        ({"attack_dice": 0}, "`attack_dice` was `0`; it takes a whole number from 1 to 100."),
        ({"attack_dice": 101}, "`attack_dice` was `101`; it takes a whole number from 1 to 100."),
        ({"save": "7+"}, "`save` was `7+`; it takes 2+ to 6+, for example `5+`."),
        ({"save": True}, "`save` was `True`; it takes 2+ to 6+, for example `5+`."),
        ({"faces": [[7]]}, "`faces, die 1` was `7`; it takes a whole number from 1 to 6."),
        ({"faces": []}, "`faces` was empty; it takes exactly 1, one for each attack die."),
        ({"faces": 6}, "`faces` was `6`; it takes a list of at most 100."),
        ({"attack_dice": 3, "faces": "6 5"}, "`faces` was `6 5`; it takes exactly 3, one for each attack die."),
        ({"faces": "3, 6"}, "`faces, die 2` was `6`; it takes one more face, because 6/4+ rolls this die again."),
        ({"faces": [[]]}, "`faces, die 1` was `-`; it takes one more face, because 6/4+ rolls this die again."),
        ({"faces": "5 2"}, "`faces, die 1` was `5 2`; it takes `5` alone, because 6/4+ stops there."),
        (
            {"faces": "6 4 1"},
            "`faces, die 1` was `6 4 1`; it takes `6 4` alone, because 6/4+ stops there.",
        ),
        ({"power": 12, "faces": "3"}, "`faces, die 1` was `3`; it takes `-`, because nothing is rolled."),
        ({"power": 0, "faces": "3"}, "`faces, die 1` was `3`; it takes `-`, because nothing is rolled."),
        ({"faces": ",".join(["3"] * 101)}, "`faces` was `101 dice`; it takes at most 100 dice."),
    ],
)
def test_each_mistake_names_the_field_what_it_was_and_what_is_allowed(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        declare(CHAIN | wrong)
    assert str(refusal.value) == sentence


def test_a_typed_word_that_is_no_face_is_pointed_at() -> None:
    with pytest.raises(BadWord) as refusal:
        declare(CHAIN | {"faces": "6 5, seven"})
    assert refusal.value.word == "seven"
    assert "Write faces from 1 to 6" in str(refusal.value)


def test_a_misspelt_key_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(BadWord) as refusal:
        declare(CHAIN | {"defense": 6})
    assert refusal.value.near == "defence"


@given(st.lists(st.lists(st.integers(1, 6), max_size=3).map(tuple), min_size=1, max_size=100).map(tuple))
def test_typed_faces_are_read_back_as_they_were_written(shown: faces.Faces) -> None:
    assert faces.parse(faces.typed(shown), need.read("6/6/6+")) == shown


@given(st.text(alphabet="123456 ,-x0", max_size=30), st.sampled_from(["4+", "6/2", "A", "-"]))
def test_whatever_is_typed_is_read_or_refused_at_the_faces(text: str, needed: str) -> None:
    wanted = need.read(needed)
    try:
        faces.check(faces.parse(text, wanted), wanted, 2)
    except (BadInput, BadWord) as refusal:
        told = refusal.field
    else:
        told = "faces"
    assert told.split(",")[0] == "faces"

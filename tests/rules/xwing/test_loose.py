"""Dice outside an attack: each may be rerolled once, a cocked die rolled again, dice added, all rolled again."""

import pytest

from bot.rules import xwing
from bot.rules.errors import BadInputError, NotOfferedError
from bot.rules.game import Choice, Offer
from bot.rules.xwing.dice.loose_dice import MAX_LOOSE, LooseDice, LooseRoll
from tests.rules.xwing.play import Falls, faces
from tests.starts import pick_of


def begin(red: int, green: int, falls: str) -> LooseRoll:
    state = xwing.start(xwing.declare({"red": red, "green": green}), Falls(falls))
    assert isinstance(state, LooseRoll)
    return state


def press(state: LooseRoll, key: str, falls: str = "", *pick: str) -> LooseRoll:
    rng = Falls(falls)
    after = xwing.choose(state, Choice(key, pick), rng)
    assert not rng.left
    assert isinstance(after, LooseRoll)
    return after


def offer(state: LooseRoll, key: str) -> Offer:
    return next(offer for offer in xwing.offers(state) if offer.key == key)


def test_the_dice_lie_as_they_fell() -> None:
    state = begin(2, 1, "hit blank evade")
    assert xwing.outcome(state) == {"red": ["hit", "blank"], "green": ["evade"]}


@pytest.mark.parametrize(("red", "green"), [(11, 0), (0, 11), (-1, 2), (0, 0)])
def test_how_many_dice_there_may_be(red: int, green: int) -> None:
    with pytest.raises(BadInputError, match=r"^`(red|green)` was "):
        xwing.declare({"red": red, "green": green})


def test_what_is_offered() -> None:
    state = begin(2, 1, "hit blank evade")
    assert [item.key for item in xwing.offers(state)] == ["reroll", "cocked", "again", "add-red", "add-green"]
    assert [(option.value, option.label) for option in offer(state, "reroll").options] == [
        ("red-0", "Red die 1: hit"),
        ("red-1", "Red die 2: blank"),
        ("green-0", "Green die 1: evade"),
    ]
    assert (pick_of(offer(state, "reroll")).most, pick_of(offer(state, "cocked")).most) == (3, 1)
    assert offer(state, "cocked").options == offer(state, "reroll").options


def test_only_dice_of_a_color_that_lies_there_are_added() -> None:
    assert [item.key for item in xwing.offers(begin(1, 0, "hit"))][-1] == "add-red"
    assert [item.key for item in xwing.offers(begin(0, 1, "focus"))][-1] == "add-green"


def test_each_die_is_rerolled_once() -> None:
    state = press(begin(2, 1, "hit blank focus"), "reroll", "crit evade", "red-1", "green-0")
    assert (faces(state.red), faces(state.green)) == ("hit crit", "evade")
    assert [option.value for option in offer(state, "reroll").options] == ["red-0"]
    with pytest.raises(NotOfferedError):
        press(state, "reroll", "", "red-1")
    state = press(state, "reroll", "blank", "red-0")
    assert "reroll" not in [item.key for item in xwing.offers(state)]


def test_a_cocked_die_is_rolled_again_and_that_is_no_reroll() -> None:
    state = press(begin(1, 1, "hit evade"), "cocked", "blank", "red-0")
    assert (faces(state.red), faces(state.green)) == ("blank", "evade")
    assert len(offer(state, "reroll").options) == 2
    state = press(press(state, "reroll", "crit", "red-0"), "cocked", "focus", "red-0")
    assert faces(state.red) == "focus"
    assert [option.value for option in offer(state, "reroll").options] == ["green-0"]


def test_one_cocked_die_at_a_time() -> None:
    with pytest.raises(NotOfferedError, match="Choose 1, not 2"):
        press(begin(2, 0, "hit hit"), "cocked", "", "red-0", "red-1")


def test_dice_are_added_which_leaves_the_others() -> None:
    state = press(press(begin(1, 1, "hit evade"), "add-green", "focus"), "add-red", "crit")
    assert (faces(state.red), faces(state.green)) == ("hit crit", "evade focus")
    assert not any(die.was_rerolled for die in state.red + state.green)


def test_the_causes_stand_in_the_order_of_the_presses() -> None:
    state = press(begin(1, 1, "hit evade"), "cocked", "blank", "green-0")
    state = press(state, "reroll", "hit focus", "red-0", "green-0")
    assert state.causes == (("green", "rolled", "cocked"), ("red", "rerolled", ""), ("green", "rerolled", ""))


def test_there_is_a_most_to_add() -> None:
    state = begin(MAX_LOOSE, 0, "hit " * MAX_LOOSE)
    assert [item.key for item in xwing.offers(state)] == ["reroll", "cocked", "again"]


def test_all_are_taken_up_and_rolled_again() -> None:
    state = press(press(begin(1, 1, "hit evade"), "add-red", "crit"), "reroll", "hit", "red-0")
    state = press(state, "again", "blank focus evade")
    assert (faces(state.red), faces(state.green)) == ("focus blank", "evade")
    assert state.declared == LooseDice(red=2, green=1)
    assert len(offer(state, "reroll").options) == 3

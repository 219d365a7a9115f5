"""An attack as it is typed on Discord, and loose dice: numbers and short words, errors that name the option."""

from typing import Any

import pytest

from bot.rules import xwing
from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.xwing.attack.json_attacks import declare_attack
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.loose_dice import LooseDice


def test_numbers_and_words_make_a_declaration() -> None:
    typed = {
        "dice": 3,
        "agility": 2,
        "range": 1,
        "ordnance": True,
        "obstructed": True,
        "with": "focus, lock, cost lock, charge 2, cost charge",
        "against": "evade, hull 4, shields 2",
        "ruleset": "2.0",
        "attacks": 2,
    }
    assert xwing.declare(typed) == Declared(
        attack=LineUp(dice=3, focus=1, lock=1, charge=2),
        defense=LineUp(dice=2, evade=1),
        range=1,
        ordnance=True,
        obstructed=True,
        ruleset="2.0",
        cost_lock=1,
        cost_charge=1,
        hull=4,
        shields=2,
        attacks=2,
    )


def test_an_attack_key_by_key_takes_the_same_words() -> None:
    raw = {
        "attack": {"dice": 3, "words": "focus, cancel 1 evade, cost charge, charge", "calculate": 1},
        "defense": {"dice": 2, "words": "evade 2, hull 4", "add_evade": 1},
    }
    read, typed = declare_attack(raw), {"dice": 3, "agility": 2, "with": "focus, calculate, charge, cancel 1 evade"}
    same = declare_attack({**typed, "against": "evade 2, add 1 evade, hull 4"})
    assert (read.attack, read.defense, read.hull) == (same.attack, same.defense, 4)
    assert read.cost_charge == 1


def test_faces_may_lie_already() -> None:
    typed = declare_attack({"dice": 2, "agility": 1, "red": ["hit", "crit"], "green": ["evade"]})
    assert (typed.red, typed.green) == ((Face.HIT, Face.CRIT), (Face.EVADE,))


def test_without_agility_the_defender_has_still_to_speak() -> None:
    assert declare_attack({"dice": 3}).defense is None
    assert declare_attack({"dice": 3, "agility": None, "against": None}).defense is None


def test_a_defender_with_tokens_has_an_agility() -> None:
    with pytest.raises(BadInputError, match="`agility` was empty"):
        xwing.declare({"dice": 3, "against": "focus"})


@pytest.mark.parametrize(("typed", "option"), [({"with": "lokc"}, "with"), ({"against": "evaed"}, "against")])
def test_a_wrong_word_names_its_option(typed: dict[str, str], option: str) -> None:
    with pytest.raises(UnknownWordError, match=f"in `{option}`"):
        xwing.declare({"dice": 3, "agility": 1, **typed})


@pytest.mark.parametrize(
    ("numbers", "hull", "shields"),
    [
        ({}, 5, 2),
        ({"hull": 3, "shields": 1}, 3, 1),
        ({"hull": 3}, 3, 0),
        ({"shields": 1}, 5, 1),
    ],
)
def test_hull_and_shields_of_their_own_beat_those_among_the_words(
    numbers: dict[str, int], hull: int, shields: int
) -> None:
    read = declare_attack({"dice": 2, "agility": 1, "against": "hull 5, shields 2", **numbers})
    assert (read.hull, read.shields) == (hull, shields)


def test_loose_dice_are_numbers_of_each_color() -> None:
    assert xwing.declare({"red": 3, "green": 2}) == LooseDice(red=3, green=2)
    assert xwing.declare({"green": 1, "ruleset": "2.0"}) == LooseDice(green=1)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"with": "focus"}, "`dice` was missing. Use a whole number from 0 to 20."),
        ({"dice": 3, "shields": 2}, "`shields` was `2`. Use it together with a hull value"),
        ({"dice": 3, "attack": {}}, "I don't understand `attack` in `declaration`."),
        ({"dice": 3, "agilty": 1}, "I don't understand `agilty` in `declaration`. Did you mean `agility`?"),
        ({"dice": 3, "with": 7}, "`with` was `7`. Use a text of at most 200 characters."),
        ({"dice": 3, "note": "a result word"}, "I don't understand `note` in `declaration`."),
        ({"attack": {"dice": 1}, "mean_damage": "1/2"}, "I don't understand `mean_damage` in `declaration`."),
        ({"attack": {"words": "evade"}}, "I don't understand `evade` in `attack.words`."),
        ({"red": 0, "green": 0}, "`red` was `0`. Use 1 to 10 dice of at least one color"),
        ({"red": 11}, "`red` was `11`. Use a whole number from 0 to 10."),
        ({"red": 3, "range": 1}, "I don't understand `range` in `declaration`."),
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(raw: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlayerError) as refused:
        xwing.declare(raw)
    assert str(refused.value).startswith(sentence)


def test_loose_dice_are_no_attack() -> None:
    with pytest.raises(BadInputError, match="loose dice aren't an attack"):
        declare_attack({"red": 3})

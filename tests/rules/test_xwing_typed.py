"""An attack as it is typed on Discord: numbers and short words, errors that name the option."""

import pytest

from bot.rules.errors import BadInput, BadWord
from bot.rules.xwing import typed
from bot.rules.xwing.declared import Declared, LineUp


def test_numbers_and_words_make_a_declaration() -> None:
    declared = typed.attack(
        dice=3,
        agility=2,
        distance=1,
        ordnance=True,
        obstructed=True,
        mine="focus, lock, cost lock, charge 2, cost charge",
        theirs="evade, hull 4, shields 2",
    )
    assert declared == Declared(
        attack=LineUp(dice=3, focus=1, lock=1, charge=2),
        defense=LineUp(dice=2, evade=1),
        range=1,
        ordnance=True,
        obstructed=True,
        cost_lock=1,
        cost_charge=1,
        hull=4,
        shields=2,
    )


def test_without_agility_the_defender_has_still_to_speak() -> None:
    assert typed.attack(dice=3).defense is None


def test_a_defender_with_tokens_has_an_agility() -> None:
    with pytest.raises(BadInput, match="`agility` was empty"):
        typed.attack(dice=3, theirs="focus")


@pytest.mark.parametrize(("options", "option"), [({"mine": "lokc"}, "with"), ({"theirs": "evaed"}, "against")])
def test_a_wrong_word_names_its_option(options: dict[str, str], option: str) -> None:
    with pytest.raises(BadWord, match=f"In `{option}`"):
        typed.attack(dice=3, agility=1, mine=options.get("mine"), theirs=options.get("theirs"))


def test_each_of_the_attackers_words_is_a_line_up() -> None:
    ((one, first), (two, second)) = typed.line_ups(
        ["focus", "focus, lock"], shots=2, hull=3, shields=1, dice=2, agility=1
    )
    assert (one, two) == ("focus", "focus, lock")
    assert (first.attack.lock, second.attack.lock) == (0, 1)
    assert {(line.attacks, line.hull, line.shields) for line in (first, second)} == {(2, 3, 1)}


def test_without_words_there_is_one_and_a_hull_among_the_defenders_words_counts() -> None:
    ((name, only),) = typed.line_ups(
        [None, None], shots=1, hull=None, shields=0, dice=2, agility=1, theirs="hull 5, shields 2"
    )
    assert name == "no tokens"
    assert (only.attacks, only.hull, only.shields) == (1, 5, 2)

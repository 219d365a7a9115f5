"""Dice keep their history: nothing is overwritten, and chance is only what was handed in."""

from collections import Counter

import pytest

from bot.rules.dice import DieStep, Rolled, enter_physical_dice, reroll, roll


def test_a_roll_asks_once_for_each_die_and_in_order() -> None:
    asked: list[int] = []

    def rng(sides: int) -> int:
        asked.append(sides)
        return len(asked) - 1

    dice = roll("d6", (1, 2, 3, 4, 5, 6), 3, rng)
    assert asked == [6, 6, 6]
    assert dice == tuple(Rolled("d6", (DieStep("rolled", face),)) for face in (1, 2, 3))


def test_each_face_comes_for_its_own_answer() -> None:
    fell = Counter(roll("red", "abca", 1, lambda _, at=at: at)[0].face for at in range(4))  # type: ignore[misc]  # at is the answer
    assert fell == {"a": 2, "b": 1, "c": 1}


def test_no_dice_ask_nothing() -> None:
    def rng(sides: int) -> int:
        raise AssertionError(sides)

    assert roll("d6", (1, 2), 0, rng) == ()


def test_dice_of_a_real_table_are_as_they_lie() -> None:
    (die,) = enter_physical_dice("green", ["evade"], "attacker")
    assert die == Rolled("green", (DieStep("entered", "evade", "attacker"),))
    assert die.counts
    assert not die.was_rerolled


def test_a_reroll_adds_a_step_and_keeps_the_old_face_in_the_trail() -> None:
    (die,) = enter_physical_dice("d6", [1], "attacker")
    again = reroll(die, (1, 2, 3), "lock", lambda sides: sides - 1)
    assert again.trail == (DieStep("entered", 1, "attacker"), DieStep("rerolled", 3, "lock"))
    assert (again.face, again.was_rerolled) == (3, True)
    assert die.trail == (DieStep("entered", 1, "attacker"),)


def test_a_changed_die_shows_the_new_face_and_was_not_rerolled() -> None:
    die = enter_physical_dice("red", ["focus"], "attacker")[0].after_step("changed", "focus", "hit")
    assert (die.face, die.counts, die.was_rerolled) == ("hit", True, False)


@pytest.mark.parametrize("how", ["cancelled", "spent"])
def test_a_die_out_of_play_keeps_its_face_and_counts_no_more(how: str) -> None:
    die = enter_physical_dice("red", ["hit"], "attacker")[0].after_step(how, "evade")  # type: ignore[arg-type]  # one of the two
    assert die.trail[-1] == DieStep(how, "hit", "evade")  # type: ignore[arg-type]  # as above
    assert (die.face, die.counts) == ("hit", False)


def test_a_die_changed_to_a_falsy_face_shows_it() -> None:
    assert enter_physical_dice("albion", [7], "attacker")[0].after_step("changed", "card", 0).face == 0

"""The oracle itself, on questions whose answers are plain."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from bot.rules.dice import Rng, Rolled, reroll, roll
from bot.rules.xwing.dice.faces import Pool
from tests.every_way import Unordered, every_end, every_way


def test_nothing_to_roll_has_one_way() -> None:
    assert every_way(lambda _: "sure") == {"sure": Fraction(1)}


def test_two_dice_of_six_sum_to_seven_in_a_sixth_of_the_ways() -> None:
    chances = every_way(lambda rng: rng(6) + rng(6) + 2)
    assert chances[7] == Fraction(1, 6)
    assert chances[2] == chances[12] == Fraction(1, 36)
    assert sum(chances.values()) == 1


def test_a_way_that_asks_more_weighs_less() -> None:
    def once_more_on_tails(rng: Rng) -> str:
        return "heads" if rng(2) or rng(3) == 2 else "tails"

    assert every_way(once_more_on_tails) == {"heads": Fraction(2, 3), "tails": Fraction(1, 3)}


def test_each_way_is_run_once() -> None:
    runs: list[tuple[int, int, int]] = []
    every_way(lambda rng: runs.append((rng(2), rng(3), rng(2))))
    assert len(runs) == len(set(runs)) == 12


def test_sides_with_the_same_face_are_one_way_that_weighs_as_much() -> None:
    """Against the same play with chance that does not say what it is for, so that each side is a way."""
    runs = list[None]()

    def play(rng: Rng) -> tuple[Rolled, ...]:
        runs.append(None)
        dice = roll("red", Pool.RED.faces, 2, rng)
        return (reroll(dice[0], Pool.RED.faces, "", rng), dice[1]) if dice[0].face == "blank" else dice

    by_face, few = every_way(play), len(runs)
    by_side = every_way(lambda rng: play(lambda sides: rng(sides)))
    assert by_face == by_side
    assert (few, len(runs) - few) == (3 * 4 + 4 * 4, 6 * 8 + 2 * 8 * 8)


def test_dice_thrown_at_once_fall_in_one_order_that_weighs_as_much_as_all() -> None:
    """One of them is thrown again, then two more dice of another kind."""
    runs = list[None]()

    def play(rng: Rng) -> tuple[tuple[object, ...], ...]:
        runs.append(None)
        red = sorted(roll("red", Pool.RED.faces, 3, rng), key=lambda die: str(die.face))
        again = reroll(red[0], Pool.RED.faces, "", rng)
        green = roll("green", Pool.GREEN.faces, 1 + (again.face == "crit"), rng)
        return tuple(tuple(sorted(str(die.face) for die in dice)) for dice in ((again, *red[1:]), green))

    in_any_order, all_of_them = every_way(play), len(runs)
    assert every_way(play, Unordered) == in_any_order
    assert (all_of_them, len(runs) - all_of_them) == (64 * (3 * 3 + 9), 20 * (3 * 3 + 6))


def test_a_play_that_asks_otherwise_after_the_same_answers_is_refused() -> None:
    sides = iter([3, 1])
    with pytest.raises(AssertionError, match="question 0"):
        every_way(lambda rng: rng(next(sides)))


def test_in_steps_the_chances_are_the_same_as_in_one() -> None:
    """Throw a die, then as many more as it shows: how many of these show a six."""

    def at_once(rng: Rng) -> int:
        return sum(rng(6) == 5 for _ in range(rng(4)))

    def follow(state: tuple[int, int]) -> Callable[[Rng], tuple[int, int]] | None:
        left, sixes = state
        return None if left == 0 else lambda rng: (left - 1, sixes + (rng(6) == 5))

    ends = every_end(lambda rng: (rng(4), 0), follow)
    assert {sixes: chance for (_, sixes), chance in ends.items()} == every_way(at_once)

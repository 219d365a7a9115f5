"""The turn order: who comes first, ties, rounds, and who leaves in the middle."""

from collections import deque
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import PlayerError
from bot.rules.turn_order import (
    MAX_COMBATANTS,
    NAME,
    TurnOrder,
    advance,
    join,
    read_roll,
    remove_combatant,
    running_order,
)


def rng(*faces: int) -> "Rolls":
    return Rolls(deque(face - 1 for face in faces))


class Rolls:
    """Chance as the test says; every face must be used."""

    def __init__(self, waiting: deque[int]) -> None:
        self.waiting = waiting

    def __call__(self, sides: int) -> int:
        drawn = self.waiting.popleft()
        assert 0 <= drawn < sides
        return drawn


def never(sides: int) -> int:
    raise AssertionError(f"a die of {sides} sides fell")


def order_of(*totals: int, lowest: bool = False) -> TurnOrder:
    """An order of players 1, 2, 3 ... who join with plain numbers; ties would need dice."""
    turn_order = TurnOrder(owner=1, lowest=lowest)
    for owner, number in enumerate(totals, start=1):
        turn_order = join(turn_order, read_roll(str(number)), owner, never)
    return turn_order


def ranks(order: TurnOrder) -> list[int]:
    return [combatant.owner for combatant in order.in_order]


def test_the_highest_acts_first_or_the_lowest() -> None:
    assert ranks(order_of(12, 19, 7)) == [2, 1, 3]
    assert ranks(order_of(12, 19, 7, lowest=True)) == [3, 1, 2]


def test_dice_fall_as_in_any_roll() -> None:
    turn_order = join(TurnOrder(owner=1), read_roll("1d20+3"), 1, rng(14))
    (combatant,) = turn_order.combatants
    assert (combatant.total, combatant.dice, combatant.ties) == (17, "1d20+3", ())


def test_a_tie_is_rolled_off_by_both_until_they_differ() -> None:
    dice = rng(9, 9, 4, 6)
    turn_order = join(order_of(15), read_roll("15"), 2, dice)
    assert not dice.waiting
    assert [combatant.ties for combatant in turn_order.combatants] == [(9, 4), (9, 6)]
    assert ranks(turn_order) == [2, 1]


def test_who_ties_later_rolls_against_all_and_they_only_where_they_must() -> None:
    turn_order = join(order_of(15), read_roll("15"), 2, rng(9, 3))
    third = rng(9, 12, 8)
    turn_order = join(turn_order, read_roll("15"), 3, third)
    assert not third.waiting
    assert [combatant.ties for combatant in turn_order.combatants] == [(9, 12), (3,), (9, 8)]
    assert ranks(turn_order) == [1, 3, 2]


def test_a_tie_that_never_ends_goes_to_who_joined_first() -> None:
    turn_order = join(order_of(15), read_roll("15"), 2, lambda _: 0)
    assert ranks(turn_order) == [1, 2]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.booleans(), st.integers(0, 2**32))
def test_every_order_is_strict_and_goes_by_the_totals(totals: list[int], lowest: bool, seed: int) -> None:
    turn_order, chance = TurnOrder(owner=1, lowest=lowest), Random(seed)
    for owner, number in enumerate(totals, start=1):
        turn_order = join(turn_order, read_roll(str(number)), owner, chance.randrange)
    first = [combatant.total for combatant in turn_order.in_order]
    assert first == sorted(totals, reverse=not lowest)
    assert len({(combatant.total, combatant.ties) for combatant in turn_order.combatants}) == len(totals), (
        "no tie is left"
    )
    shared = {number for number in totals if totals.count(number) > 1}
    assert all(bool(combatant.ties) == (combatant.total in shared) for combatant in turn_order.combatants), (
        "only ties are rolled off"
    )


def test_rounds_are_counted_and_everybody_acts_once_in_each() -> None:
    turn_order, seen = order_of(12, 19, 7), []
    for _ in range(7):
        turn_order = advance(turn_order)
        assert turn_order.current_combatant is not None
        seen.append((turn_order.round, turn_order.current_combatant.owner))
    assert seen == [(1, 2), (1, 1), (1, 3), (2, 2), (2, 1), (2, 3), (3, 2)]


def test_who_joins_in_the_middle_takes_no_turn_away() -> None:
    turn_order = advance(advance(order_of(12, 19, 7)))
    turn_order = join(turn_order, read_roll("30"), 4, never)
    assert turn_order.current_combatant is not None
    assert turn_order.current_combatant.owner == 1
    assert [advance(turn_order).current_combatant, advance(advance(turn_order)).current_combatant] == [
        turn_order.combatants[2],
        turn_order.combatants[3],
    ]
    assert advance(advance(turn_order)).round == 2


def test_who_leaves_hands_the_turn_on() -> None:
    turn_order = advance(order_of(12, 19, 7))
    second = remove_combatant(turn_order, turn_order.current)
    assert second.current_combatant is not None
    assert (second.current_combatant.owner, second.round) == (1, 1)
    last = advance(second)
    assert last.current_combatant is not None
    after = remove_combatant(last, last.current)
    assert after.current_combatant is not None
    assert (after.current_combatant.owner, after.round) == (1, 2), "after the last one a new round begins"
    alone = remove_combatant(after, after.current)
    assert (alone.combatants, alone.current_combatant, alone.round) == ((), None, 2)
    again = advance(join(alone, read_roll("5"), 9, never))
    assert (again.round, again.current_combatant is not None) == (3, True)


def test_a_number_is_never_given_twice() -> None:
    turn_order = order_of(12, 19)
    turn_order = join(remove_combatant(turn_order, 2), read_roll("3"), 2, never)
    assert [combatant.number for combatant in turn_order.combatants] == [1, 3]


def test_each_player_and_each_name_is_in_it_once() -> None:
    turn_order = order_of(12)
    with pytest.raises(PlayerError, match="You're already in the turn order"):
        join(turn_order, read_roll("5"), 1, never)
    turn_order = join(turn_order, read_roll("5"), 1, never, name="Ork")
    with pytest.raises(PlayerError, match="ork is already in the turn order"):
        join(turn_order, read_roll("6"), 2, never, name="ork")
    assert turn_order.owners == (1, 1, 1)


def test_an_order_has_room_for_so_many() -> None:
    turn_order = TurnOrder(owner=1)
    for number in range(MAX_COMBATANTS):
        turn_order = join(turn_order, read_roll(str(number)), 1, never, name=f"Ork {number}")
    with pytest.raises(PlayerError, match="at most 25"):
        join(turn_order, read_roll("99"), 2, never)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(PlayerError, match="`roll` was `3#1d20`"):
        read_roll("3#1d20")
    with pytest.raises(PlayerError, match="roll"):
        read_roll("somehow")
    with pytest.raises(PlayerError, match="Nobody is in the turn order"):
        advance(TurnOrder(owner=1))
    with pytest.raises(PlayerError, match="/initiative start"):
        running_order({})
    order = order_of(3)
    assert running_order({NAME: order}) is order
    assert replace(order, current=99).current_combatant is None

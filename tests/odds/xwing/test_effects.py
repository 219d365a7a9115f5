"""X-Wing odds: range, costs, card effects of both sides, and the policy's ties, on dice that add up by hand."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import pytest

from bot.odds.xwing import distribution, odds
from bot.rules.errors import BadInputError, UnpayableCostError
from bot.rules.game import Side
from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.declared import Declared, LineUp
from tests.odds.xwing.by_die import by_die
from tests.rows import for_each_row


def declared(dice: int, agility: int, with_: str = "", against: str = "", **more: Any) -> Declared:
    """Both sides in the words that players type."""
    attack = typed_sides.parse(with_, Side.ATTACKER, "with")
    defense = typed_sides.parse(against, Side.DEFENDER, "against")
    return Declared(
        attack=replace(attack.line_up, dice=dice),
        defense=replace(defense.line_up, dice=agility),
        cost_lock=attack.cost_lock,
        **more,
    )


def mean(whole: Declared) -> Fraction:
    return distribution(whole).mean(sum)


def chances(whole: Declared) -> dict[tuple[int, int], Fraction]:
    result = distribution(whole)
    return {results: Fraction(weight, result.total) for results, weight in result.weights.items()}


@for_each_row(
    ("dice", "agility", "with_", "against", "damage"),
    [
        # The attack window. A red die: 4/8 hit or crit, 2/8 focus, 2/8 blank.
        (1, 0, "change 1 focus to crit", "", Fraction(3, 4)),
        (1, 0, "change 1 blank to focus", "", Fraction(1, 2)),
        (1, 0, "change 1 blank to focus, force", "", Fraction(1)),
        (1, 0, "change 1 hit to blank, cancel 1 red hit, spend 1 hit", "", Fraction(1, 2)),  # nobody harms themselves
        (1, 0, "reroll 1 hit", "", Fraction(1, 2)),  # a hit is never rerolled
        (1, 0, "reroll 1", "", Fraction(3, 4)),
        (1, 0, "reroll 1 blank", "", Fraction(5, 8)),
        (1, 0, "reroll 1 focus, focus", "", Fraction(3, 4)),
        (1, 0, "add 1 hit, add 1 crit", "", Fraction(5, 2)),
        (1, 0, "+1 dice", "", Fraction(1)),
        (1, 0, "set red blank, lock", "", Fraction(1, 2)),
        # A free change of a blank is kept for the blank that stays, so the focus result is rerolled.
        (0, 0, "add 1 blank, add 1 focus, reroll 1, change 1 blank to hit", "", Fraction(3, 2)),
        # The other one goes to the focus result, so both effects find a die.
        (0, 0, "add 1 blank, add 1 focus, reroll 1, reroll 1 blank", "", Fraction(1)),
        # The defender in the attack window.
        (1, 0, "set red hit", "reroll 1 red hit", Fraction(1, 2)),
        (1, 0, "set red hit, lock", "reroll 1 red hit", Fraction(1, 2)),  # each die at most once, whoever asks
        (1, 0, "set red hit, focus", "reroll 1 red hit", Fraction(3, 4)),
        (1, 0, "set red focus, focus", "reroll 1 red focus", Fraction(3, 4)),
        (1, 0, "set red focus", "reroll 1 red focus", Fraction(0)),  # a focus result without tokens is no danger
        (1, 0, "set red blank", "reroll 1 red blank", Fraction(0)),  # a blank is never rerolled for the other side
        (2, 0, "set red crit", "reroll 1 red crit, reroll 1 red", Fraction(1)),
        (2, 0, "set red crit", "reroll 1 red, reroll 1 red", Fraction(1)),
        (1, 0, "set red hit, focus", "change 1 hit to focus", Fraction(1)),
        (1, 0, "set red hit, lock", "change 1 red hit to blank", Fraction(1, 2)),  # changed, but not yet rerolled
        (1, 0, "set red hit", "cancel 1 red hit", Fraction(0)),
        (1, 0, "set red focus", "change 1 red focus to hit, add 1 red hit", Fraction(0)),  # no gift to the attacker
        (1, 0, "reroll 1 blank", "change 1 red focus to blank", Fraction(5, 8)),  # it would hand over a reroll
        # The defense window: one fixed hit against green dice of 3/8 evade, 2/8 focus, 3/8 blank.
        (1, 1, "set red hit", "change 1 blank to evade", Fraction(1, 4)),
        (1, 1, "set red hit", "change 1 blank to focus, calculate", Fraction(0)),
        (1, 1, "set red hit", "change 1 blank to evade, reroll 1 green", Fraction(1, 16)),
        (1, 1, "set red hit", "add 1 evade", Fraction(0)),
        (1, 1, "set red hit", "reroll 1 green", Fraction(25, 64)),
        (1, 1, "set red hit", "set green focus, reroll 1 focus", Fraction(5, 8)),
        # The attacker in the defense window.
        (1, 1, "set red hit, cancel 1 evade", "", Fraction(1)),
        (1, 1, "set red hit, change 1 evade to blank", "focus", Fraction(3, 4)),
        (1, 1, "set red hit, change 1 evade to focus", "focus", Fraction(3, 8)),
        (1, 1, "set red hit, reroll 1 evade", "set green evade", Fraction(5, 8)),
        (1, 1, "set red hit, reroll 1 evade", "set green evade, reroll 1 green", Fraction(5, 8)),
        (1, 1, "set red hit, add 1 evade", "", Fraction(5, 8)),
        (1, 1, "set red hit, change 1 green focus to blank", "reroll 1 blank", Fraction(31, 64)),
        # An evade token needs a die; an added evade does not.
        (1, 0, "set red hit", "evade", Fraction(1)),
        (1, 0, "set red hit", "add 1 evade", Fraction(0)),
        # Reinforce leaves one, however many tokens.
        (3, 0, "set red hit", "reinforce", Fraction(2)),
        (3, 0, "set red hit", "reinforce 6", Fraction(1)),
        (1, 0, "set red hit", "reinforce 6", Fraction(1)),
    ],
)
def test_effects(dice: int, agility: int, with_: str, against: str, damage: Fraction) -> None:
    whole = declared(dice, agility, with_, against)
    assert mean(whole) == damage
    assert chances(whole) == by_die(whole)


LATE: Final = [
    ("set red crit, every crit to hit", (1, 0)),
    ("set red hit, every hit to crit", (0, 1)),
    ("set red hit, every hit to blank", (0, 0)),
    ("set red focus, every focus to hit", (1, 0)),
    ("set red blank, every blank to crit", (0, 1)),
    ("set red blank, every blank to focus", (0, 0)),
    ("set red focus, focus, every focus to crit", (0, 1)),  # the token would gain nothing
    ("set red focus, every focus to hit, change 1 hit to crit", (1, 0)),  # after both windows it is too late
    ("set red crit, every crit to hit, every hit to crit", (0, 1)),  # one after the other
]


@pytest.mark.parametrize(("with_", "results"), LATE)
def test_what_holds_after_both_windows(with_: str, results: tuple[int, int]) -> None:
    assert chances(declared(1, 0, with_)) == {results: 1}


def test_what_will_be_a_hit_is_not_rerolled() -> None:
    assert mean(declared(1, 0, "lock, every focus to hit")) == Fraction(15, 16)
    assert mean(declared(1, 0, "lock, every blank to hit")) == Fraction(15, 16)


def test_the_defender_says_what_becomes_of_attack_dice_too() -> None:
    assert chances(declared(1, 0, "set red crit", "every red crit to hit")) == {(1, 0): 1}


@pytest.mark.parametrize(
    ("with_", "against"),
    [
        ("force 2, lock", "reroll 1 red hit or crit, cancel 1 red crit"),
        ("", "reroll 1 red, change 2 crit to blank"),
        ("calculate, lock", "reroll 2 red, reroll 2 red focus or hit, cancel 1 red hit"),
        ("cancel 1 green focus, reroll 1 evade or focus, change 1 evade to focus", "focus, evade, reroll 1 green"),
    ],
)
def test_rerolls_beside_changes_search_every_set_of_dice(with_: str, against: str) -> None:
    """Best results first is not the best when another effect takes one of them."""
    whole = declared(2, 2, with_, against)
    assert chances(whole) == by_die(whole)


@pytest.mark.parametrize(
    ("more", "damage"),
    [
        ({}, Fraction(3)),
        ({"range": 1}, Fraction(4)),
        ({"range": 1, "ordnance": True}, Fraction(3)),
        ({"range": 3}, 3 - Fraction(3, 8)),
        ({"range": 2, "obstructed": True}, 3 - Fraction(3, 8)),
    ],
)
def test_range_counts(more: dict[str, Any], damage: Fraction) -> None:
    assert mean(declared(3, 0, "set red hit", **more)) == damage


def test_at_range_0_the_attacker_gains_and_modifies_nothing() -> None:
    assert mean(declared(1, 0, "focus, lock, +1 dice, add 1 hit, change 1 blank to hit", range=0)) == Fraction(1, 2)


def test_at_range_0_the_attacker_does_nothing_to_the_defense_dice() -> None:
    words = "set red hit, cancel 1 evade, change 1 evade to blank, -1 green dice"
    assert mean(declared(1, 1, words, range=0)) == 1 - Fraction(3, 8)


@pytest.mark.parametrize("more", [{"ruleset": "2.0"}, {"ordnance": True}])
def test_range_0_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=r"^`range` was `0`"):
        odds(declared(3, 2, range=0, **more))


def test_a_lock_that_pays_for_the_weapon_rerolls_nothing() -> None:
    assert mean(declared(2, 0, "lock, cost lock")) == 1
    with pytest.raises(UnpayableCostError, match="costs 1 lock"):
        distribution(declared(2, 0, "cost lock"))


def test_one_strain_token_goes_with_each_attack() -> None:
    """One green die; the first of two attacks finds it missing."""
    assert mean(declared(1, 1, "set red hit", "strain", attacks=2)) == 1 + Fraction(5, 8)
    assert mean(declared(1, 1, "set red hit", "strain 2", attacks=2)) == 2


def test_each_attacker_of_a_row_is_fresh() -> None:
    assert mean(declared(2, 0, "focus, lock", attacks=3)) == 3 * 2 * Fraction(15, 16)
    assert mean(declared(2, 0, "set red hit, deplete", attacks=3)) == 3


def test_evades_turned_into_focus_results_cost_the_defender_the_focus_token() -> None:
    """First attack: 3/8 damage, and the token stays only then. Second: with it 3/8, without it always one."""
    whole = declared(1, 1, "set red hit, change 1 evade to focus", "focus", attacks=2)
    assert mean(whole) == Fraction(3, 8) + Fraction(5, 8) + Fraction(3, 8) ** 2


def test_of_equal_choices_the_free_reroll_comes_before_the_token() -> None:
    """A blank, an evade token: rerolling first saves the token in 3 of 8."""
    whole = declared(1, 1, "set red hit", "set green blank, reroll 1 green, evade", attacks=2)
    assert mean(whole) == Fraction(5, 8) * Fraction(5, 8)


def test_focus_for_two_results_calculate_for_one() -> None:
    """Two focus results, two hits: the focus token turns both; the next attack finds one calculate for one of them."""
    whole = declared(2, 2, "set red hit", "set green focus, focus, calculate", attacks=2)
    assert mean(whole) == 1
    item = declared(1, 1, "set red hit", "set green focus, focus, force, calculate", attacks=4)
    assert chances(item) == {(1, 0): 1}


def test_evade_tokens_come_after_focus_results() -> None:
    """A focus result and a blank against one hit: the calculate goes, so the second attack meets the evade token."""
    whole = declared(1, 1, "set red hit", "set green focus, calculate, evade", attacks=2)
    assert chances(whole) == {(0, 0): 1}


def test_nothing_is_spent_that_reinforce_makes_useless() -> None:
    """Two hits, one blank die: with reinforce one result stays whether or not the evade token is spent."""
    spends = declared(2, 1, "set red hit", "set green blank, evade", attacks=2)
    keeps = declared(2, 1, "set red hit", "set green blank, evade, reinforce", attacks=2)
    assert mean(spends) == 3
    assert mean(keeps) == 2


def test_a_defender_who_has_not_answered_yet_counts_as_none() -> None:
    assert mean(Declared(attack=LineUp(dice=1))) == Fraction(1, 2)


def test_faces_that_lie_already_are_ignored() -> None:
    lying = declare({"attack": {"dice": 1}, "defense": {"dice": 1}, "red": ["hit"], "green": ["evade"]})
    assert chances(lying) == chances(declared(1, 1))

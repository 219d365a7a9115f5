"""The rules page's table Modifying dice, row by row."""

import pytest

from bot.rules.errors import NotOfferedError
from bot.rules.game import Choice, Side
from bot.rules.xwing.attack import attack
from bot.rules.xwing.dice.faces import Face, Pool
from tests.rules.xwing.play import Falls, begin, faces, keys, labels, open_offers, press
from tests.starts import pick_of

# Focus: all focus results, and not without one


def test_focus_turns_all_focus_results() -> None:
    state = begin(4, 0, "focus hit focus blank", "focus 2")
    assert labels(state) == ["Focus: 2 to hits", "Done"]
    state = press(state, "focus")
    assert faces(state.red) == "hit hit hit blank"
    assert state.attack.focus == 1


def test_the_defender_turns_them_to_evades() -> None:
    state = begin(3, 3, "hit hit hit focus focus blank", "", "focus")
    assert labels(state) == ["Focus: 2 to evades", "Done"]
    state = press(state, "focus")
    assert faces(state.green) == "evade evade blank"
    assert faces(state.red) == "(hit) (hit) hit"


@pytest.mark.parametrize("tokens", ["focus", "calculate", "force"])
def test_without_a_focus_result_these_tokens_do_nothing(tokens: str) -> None:
    assert keys(begin(2, 0, "hit blank", tokens)) == []


def test_a_canceled_focus_result_is_none() -> None:
    state = begin(1, 0, "focus", "focus", "cancel 1 red focus")
    state = press(state, "effect-0")
    assert (faces(state.red), keys(state)) == ("(focus)", [])


@pytest.mark.parametrize(("effect", "shown"), [("change 1 hit to crit", Face.CRIT), ("cancel 1 red hit", Face.HIT)])
def test_a_button_shows_the_new_result_or_the_one_that_goes(effect: str, shown: Face) -> None:
    assert open_offers(begin(1, 0, "hit", effect))[0].shows == (Pool.RED, shown)


# Calculate and force: one each, any number


@pytest.mark.parametrize("token", ["calculate", "force"])
def test_calculate_and_force_turn_one_each_any_number_of_times(token: str) -> None:
    state = begin(4, 0, "focus focus focus blank", f"{token} 2")
    assert labels(state) == [f"{token.capitalize()}: 1 focus to hit (2 left)", "Done"]
    state = press(state, token)
    assert faces(state.red) == "hit focus focus blank"
    assert labels(state) == [f"{token.capitalize()}: 1 focus to hit", "Done"]
    state = press(state, token)
    assert faces(state.red) == "hit hit focus blank"
    assert keys(state) == []


def test_calculate_and_force_together_for_the_defender() -> None:
    state = begin(2, 2, "hit hit focus focus", "", "calculate, force")
    assert keys(state) == ["calculate", "force", "done"]
    state = press(press(state, "force"), "calculate")
    assert faces(state.green) == "evade evade"
    assert (state.defense.calculate, state.defense.force) == (0, 0)


def test_a_rerolled_focus_result_is_turned_first_so_that_the_other_may_still_be_rerolled() -> None:
    state = begin(2, 0, "focus blank", "calculate, lock, reroll 1 focus")
    state = press(state, "effect-0", "focus", pick=[0])
    state = press(state, "calculate")
    assert faces(state.red) == "hit blank"
    state = begin(2, 0, "focus blank", "calculate, lock")
    state = press(state, "lock", "focus", pick=[1])
    state = press(state, "calculate")
    assert faces(state.red) == "focus hit"


# Evade: one blank or focus result, any number, nothing with no dice


def test_an_evade_token_takes_the_blank_first() -> None:
    state = begin(3, 2, "hit hit hit focus blank", "", "evade 2")
    assert labels(state) == ["Evade: 1 blank to evade (2 left)", "Done"]
    state = press(state, "evade")
    assert faces(state.green) == "focus evade"
    assert labels(state) == ["Evade: 1 focus to evade", "Done"]
    state = press(state, "evade")
    assert faces(state.green) == "evade evade"


def test_an_evade_token_does_nothing_with_no_dice() -> None:
    state = begin(1, 0, "hit", "", "evade")
    assert attack.outcome(state)["hits"] == 1
    assert state.defense.evade == 1


def test_an_evade_token_does_nothing_for_evades() -> None:
    assert keys(begin(1, 1, "hit evade", "", "evade")) == []


# Lock: any number, one or more, chosen by the player


def test_the_player_picks_the_dice_of_a_lock() -> None:
    state = begin(3, 0, "blank hit focus", "lock")
    (offer, _) = open_offers(state)
    assert (offer.key, pick_of(offer).least, pick_of(offer).most) == ("lock", 1, 3)
    assert [(option.value, option.label) for option in offer.options] == [
        ("0", "Die 1: hit"),
        ("1", "Die 2: focus"),
        ("2", "Die 3: blank"),
    ]
    state = press(state, "lock", "crit hit", pick=[1, 2])
    assert faces(state.red) == "hit crit hit"
    assert state.attack.lock == 0
    assert keys(state) == []


def test_even_a_hit_may_be_rerolled() -> None:
    state = press(begin(1, 0, "hit", "lock"), "lock", "blank", pick=[0])
    assert faces(state.red) == "blank"


def test_a_lock_without_dice_is_not_offered() -> None:
    assert keys(begin(0, 0, "", "lock")) == []


# Reroll: each die at most once in an attack, whoever asks


def test_a_die_is_rerolled_once_whoever_asks() -> None:
    state = begin(2, 0, "hit blank", "lock, reroll 1 blank", "reroll 1 hit")
    state = press(state, "effect-0", "blank", pick=[0])
    assert [option.value for option in open_offers(state)[0].options] == ["1"]
    assert [option.value for option in open_offers(state)[1].options] == ["1"]
    with pytest.raises(NotOfferedError, match="One of those dice can't be chosen now"):
        press(state, "lock", pick=[0])
    state = press(state, "lock", "blank", pick=[1])
    assert faces(state.red) == "blank blank"
    assert keys(state) == []


def test_a_reroll_takes_up_to_so_many_dice_of_its_faces() -> None:
    state = begin(4, 0, "hit focus blank blank", "reroll 2 blank or focus")
    (offer, _) = open_offers(state)
    assert offer.label == "Card: reroll up to 2 dice"
    assert [option.value for option in offer.options] == ["1", "2", "3"]
    with pytest.raises(NotOfferedError, match="Choose 1 to 2, not 3"):
        press(state, "effect-0", pick=[1, 2, 3])
    state = press(state, "effect-0", "crit", pick=[3])
    assert faces(state.red) == "hit focus blank crit"
    assert keys(state) == []  # fewer than it might have been, and it is used up all the same


def test_a_reroll_without_faces_takes_any_die() -> None:
    state = begin(2, 0, "hit blank", "reroll 1")
    (offer, _) = open_offers(state)
    assert (offer.label, len(offer.options)) == ("Card: reroll 1 die", 2)


def test_a_reroll_offers_no_more_dice_than_there_are() -> None:
    state = begin(2, 0, "hit blank", "reroll 3 blanks")
    (offer, _) = open_offers(state)
    assert (offer.label, pick_of(offer).most) == ("Card: reroll 1 die", 1)


def test_two_rerolls_alike_are_used_one_after_the_other() -> None:
    state = begin(3, 0, "blank blank blank", "reroll 1 blank, reroll 1 blank")
    assert keys(state) == ["effect-0", "done"]
    state = press(state, "effect-0", "blank", pick=[0])
    assert keys(state) == ["effect-0", "done"]
    state = press(state, "effect-0", "hit", pick=[2])
    assert (faces(state.red), keys(state)) == ("blank blank hit", [])


def test_each_side_may_reroll_the_others_dice_in_its_window() -> None:
    state = begin(1, 1, "crit", "reroll 1 evade", "reroll 1 crit")
    state = press(state, "effect-0", "hit evade", pick=[0])
    state = press(state, "effect-0", "blank", pick=[0])
    assert (faces(state.red), faces(state.green)) == ("hit", "blank")
    assert [state.red[0].trail[-1].by, state.green[0].trail[-1].by] == ["defender's card", "attacker's card"]


# Add: from then on a normal die; may take the pool past 6


def test_an_added_die_may_be_rerolled_once() -> None:
    state = begin(1, 0, "hit", "add blank, lock")
    state = press(state, "effect-0")
    assert faces(state.red) == "hit blank"
    (offer, _) = open_offers(state)
    assert offer.options[1].detail == "added"
    state = press(state, "lock", "crit", pick=[1])
    assert (faces(state.red), keys(state)) == ("hit crit", [])


def test_an_added_die_may_be_changed_and_canceled() -> None:
    state = press(begin(1, 0, "hit", "add 1 focus, focus"), "effect-0")
    assert faces(press(state, "focus").red) == "hit hit"
    state = begin(4, 2, "crit crit hit hit evade evade", "", "add 1 evade")
    state = press(state, "effect-0")
    assert faces(state.green) == "evade evade evade"
    state = press(begin(2, 1, "hit hit blank", "", "add evade"), "effect-0")
    assert (faces(state.red), faces(state.green)) == ("(hit) hit", "blank evade")


def test_added_dice_go_past_six() -> None:
    state = begin(6, 0, "hit hit hit hit hit hit", "add 2 focus, focus")
    assert "Card: add 1 focus (2 left)" in labels(state)
    state = press(press(press(state, "effect-0"), "effect-0"), "focus")
    assert attack.outcome(state)["hits"] == 8


def test_an_evade_token_works_on_an_added_die_of_a_ship_without_agility() -> None:
    state = begin(1, 0, "hit", "", "add 1 blank, evade")
    assert keys(state) == ["effect-0", "done"]
    state = press(press(state, "effect-0"), "evade")
    assert faces(state.red) == "(hit)"


# Change: one result at a time, up to n


def test_a_change_turns_up_to_so_many_results() -> None:
    state = begin(4, 0, "focus hit focus focus", "change 2 focus to hit")
    assert labels(state) == ["Card: 1 focus to hit (2 left)", "Done"]
    state = press(state, "effect-0")
    assert labels(state) == ["Card: 1 focus to hit", "Done"]
    state = press(state, "effect-0")
    assert (faces(state.red), keys(state)) == ("hit hit hit focus", [])


def test_changes_alike_are_one_button() -> None:
    """So that no line-up can push Done off the message."""
    state = begin(2, 0, "focus focus", "change 2 focus to hit, change 1 focus to hit, change 1 hit to crit")
    assert labels(state) == ["Card: 1 focus to hit (3 left)", "Done"]
    state = press(press(state, "effect-0"), "effect-0")
    assert labels(state) == ["Card: 1 hit to crit", "Done"]


def test_a_changed_die_may_still_be_rerolled() -> None:
    state = press(begin(1, 0, "focus", "calculate, lock"), "calculate")
    state = press(state, "lock", "crit", pick=[0])
    assert faces(state.red) == "crit"


def test_the_attacker_may_change_defense_dice_before_the_defender_acts() -> None:
    state = begin(2, 2, "hit hit evade focus", "change 1 evade to focus", "focus")
    assert labels(state) == ["Card: 1 evade to focus", "Done"]
    state = press(state, "effect-0")
    assert labels(state) == ["Focus: 2 to evades", "Done"]


def test_the_player_picks_which_of_equal_dice_a_change_takes_where_the_other_side_may_reroll() -> None:
    state = begin(2, 2, "hit hit evade focus", "reroll 1 evade, change 1 green focus to blank", "evade, reroll 1 focus")
    state = press(state, "effect-0", "focus", pick=[0])
    assert labels(state) == [
        "Card: 1 focus to blank, on a rerolled die",
        "Card: 1 focus to blank, on a die not yet rerolled",
        "Done",
    ]
    rerolled, fresh = press(state, "effect-0"), press(state, "effect-0-fresh")
    assert (faces(rerolled.green), keys(rerolled)) == ("blank focus", ["evade", "effect-0", "done"])
    assert (faces(fresh.green), keys(fresh)) == ("focus blank", ["evade", "done"])


def test_the_player_picks_which_of_equal_dice_is_canceled() -> None:
    state = begin(2, 0, "hit hit", "lock", "reroll 1 red hit, cancel 1 red hit")
    state = press(state, "effect-0", "hit", pick=[1])
    assert keys(state) == ["effect-0", "effect-0-fresh", "done"]
    assert faces(press(state, "effect-0").red) == "hit (hit)"
    assert faces(press(state, "effect-0-fresh").red) == "(hit) hit"


def test_where_nobody_can_reroll_any_more_equal_dice_are_one_button() -> None:
    state = begin(2, 2, "hit hit evade focus", "reroll 1 evade, change 1 green focus to blank", "evade, focus")
    state = press(state, "effect-0", "focus", pick=[0])
    assert labels(state) == ["Card: 1 focus to blank", "Done"]


# Spend and cancel: the die counts no more, but stays in sight


def test_a_spent_result_leaves_the_pool() -> None:
    state = begin(2, 0, "hit crit", "spend 1 hit")
    assert labels(state) == ["Card: spend 1 hit", "Done"]
    state = press(state, "effect-0")
    assert faces(state.red) == "(hit) crit"
    assert state.red[0].trail[-1].how == "spent"
    assert (attack.outcome(state)["hits"], attack.outcome(state)["crits"]) == (0, 1)


def test_a_canceled_result_counts_no_more() -> None:
    state = press(begin(2, 2, "hit hit evade blank", "cancel 1 evade"), "effect-0")
    assert (faces(state.red), faces(state.green)) == ("hit hit", "(evade) blank")
    assert state.green[0].trail[-1].how == "cancelled"


def test_a_die_out_of_the_pool_is_not_rerolled() -> None:
    state = press(begin(2, 0, "hit blank", "lock, spend 1 blank"), "effect-0")
    assert [option.value for option in open_offers(state)[0].options] == ["0"]


# Set and become: fixed dice, and what holds after both windows


def test_fixed_dice_leave_nothing_to_roll_but_may_be_changed() -> None:
    state = begin(2, 0, "", "set hit, change 1 hit to crit")
    assert faces(press(state, "effect-1").red) == "crit hit"


def test_every_crit_is_a_hit_after_both_windows() -> None:
    state = begin(2, 1, "crit focus", "every crit to hit, focus, change 1 hit to crit", "focus")
    state = press(state, "focus", "focus")
    assert faces(state.red) == "hit hit"  # so that the defender knows what comes
    assert state.idle_red == (Side.ATTACKER,), "a crit would be a hit again"
    state = press(state, "done")
    assert attack.outcome(state)["crits"] == 0


def test_the_defender_may_bring_that_too() -> None:
    state = begin(1, 0, "crit", "", "every crit to hit")
    assert faces(state.red) == "hit"
    assert state.red[0].trail[-1].by == "defender's card after both players' steps"


# What was done is kept in the order in which it was done


def test_the_causes_stand_in_the_order_of_the_presses() -> None:
    state = begin(3, 1, "focus focus blank", "lock, force, focus, cancel evade", "evade")
    state = press(press(state, "force"), "lock", "hit", pick=[2])
    assert state.causes == ((Pool.RED, "changed", "force"), (Pool.RED, "rerolled", "lock"))
    state = press(press(state, "focus", "evade"), "effect-0")
    assert state.causes[2:] == ((Pool.RED, "changed", "focus"), (Pool.GREEN, "cancelled", "attacker's card"))


def test_an_added_die_has_a_cause_too() -> None:
    state = press(begin(1, 0, "hit", "add crit"), "effect-0")
    assert state.causes == ((Pool.RED, "added", "attacker's card"),)


# Tokens ask no chance


def test_a_token_choice_asks_no_chance() -> None:
    state = begin(2, 0, "focus focus", "focus, calculate")
    state = attack.choose(state, Choice("calculate"), Falls())
    assert faces(state.red) == "hit focus"


# Of several equal dice the player takes one where it matters


def test_ones_own_dice_are_told_apart_where_a_change_opens_a_reroll() -> None:
    """A rerolled blank made a focus result stays one; a fresh one may be rerolled as a focus result."""
    state = begin(2, 0, "focus blank", "reroll 1 focus, reroll 2 focus, change 1 blank to focus")
    state = press(state, "effect-0", "blank", pick=[0])
    assert keys(state) == ["effect-1", "effect-1-fresh", "done"]
    assert faces(press(state, "effect-1").red) == "focus blank"
    state = press(state, "effect-1-fresh")
    assert faces(state.red) == "blank focus"
    assert faces(press(state, "effect-0", "crit", pick=[1]).red) == "blank crit"


def test_equal_dice_are_not_told_apart_where_it_does_not_matter() -> None:
    state = begin(2, 0, "focus blank", "reroll 1 focus, change 1 blank to hit, calculate")
    state = press(state, "effect-0", "blank", pick=[0])
    assert keys(state) == ["effect-0", "done"]


# Dice are laid out as people read them


def test_dice_are_laid_out_hits_first_and_keep_their_places() -> None:
    state = begin(4, 0, "blank focus crit hit", "lock")
    assert faces(state.red) == "hit crit focus blank"
    assert faces(press(state, "lock", "blank", pick=[0]).red) == "blank crit focus blank"

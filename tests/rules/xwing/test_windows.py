"""The attack, step by step: the order of its windows, who acts, and how they close."""

import pytest

from bot.rules.errors import BadInputError, NotOfferedError, UnknownWordError
from bot.rules.game import AfterOffer, Choice, Side
from bot.rules.text import english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import AFTERMATH, Attack, AttackWindow
from tests.rules.xwing.play import Falls, begin, faces, keys, press

BOTH_ON_BOTH = (
    "change 1 hit to crit, change 1 evade to focus",  # the attacker, on red and on green
    "change 1 crit to hit, change 1 focus to evade",  # the defender, on red and on green
)


def whose(state: Attack) -> Side:
    (side,) = {offer.side for offer in attack.offers(state) if offer.is_awaited}
    return side


def test_the_windows_come_in_the_order_of_the_rules() -> None:
    state = begin(2, 2, "hit crit", *BOTH_ON_BOTH)
    walked = [(state.window, whose(state))]
    state = press(state, "done")
    walked.append((state.window, whose(state)))
    state = press(state, "done", "evade focus")
    walked.append((state.window, whose(state)))
    state = press(state, "done")
    walked.append((state.window, whose(state)))
    state = press(state, "done")
    assert walked == [
        (AttackWindow.DEFENDER_MODIFIES_ATTACK, Side.DEFENDER),
        (AttackWindow.ATTACKER_MODIFIES_ATTACK, Side.ATTACKER),
        (AttackWindow.ATTACKER_MODIFIES_DEFENSE, Side.ATTACKER),
        (AttackWindow.DEFENDER_MODIFIES_DEFENSE, Side.DEFENDER),
    ]
    assert state.window is AttackWindow.OVER
    assert [(offer.key, offer.then) for offer in attack.offers(state)] == [("again", AfterOffer.REOPENS)]


def test_defense_dice_fall_only_after_the_attack_dice_are_modified() -> None:
    state = begin(1, 1, "focus", "focus")
    assert (faces(state.red), faces(state.green)) == ("focus", "")
    state = press(state, "focus", "blank")
    assert (faces(state.red), faces(state.green)) == ("hit", "blank")


def test_two_bare_ships_resolve_at_once() -> None:
    state = begin(3, 2, "hit crit blank evade focus")
    assert state.window is AttackWindow.OVER
    assert attack.outcome(state) == {
        "hits": 0,
        "crits": 1,
        "red": ["hit", "crit", "blank"],
        "green": ["evade", "focus"],
    }


def test_a_window_closes_by_itself_once_its_side_can_do_nothing_more() -> None:
    state = begin(1, 1, "focus", "calculate", "focus")
    assert state.window is AttackWindow.ATTACKER_MODIFIES_ATTACK
    state = press(state, "calculate", "focus")
    assert state.window is AttackWindow.DEFENDER_MODIFIES_DEFENSE
    state = press(state, "focus")
    assert state.window is AttackWindow.OVER


def test_with_nothing_to_cancel_the_windows_on_the_defense_dice_close_by_themselves() -> None:
    state = begin(2, 2, "blank focus evade focus", "change 1 evade to focus", "focus, evade")
    assert (state.window, state.idle) == (AttackWindow.OVER, (Side.ATTACKER, Side.DEFENDER))
    assert (state.defense.focus, state.defense.evade) == (1, 1), "nothing is spent"


def test_the_defenders_window_closes_as_soon_as_every_hit_is_canceled() -> None:
    state = begin(2, 3, "hit hit evade focus blank", "change 1 evade to focus", "evade 2, calculate")
    assert state.window is AttackWindow.ATTACKER_MODIFIES_DEFENSE, "the attacker can still take an evade away"
    state = press(state, "done")
    assert state.window is AttackWindow.DEFENDER_MODIFIES_DEFENSE
    state = press(state, "calculate")
    assert (state.window, state.idle, state.defense.evade) == (AttackWindow.OVER, (Side.DEFENDER,), 2)


def test_a_result_that_a_card_spends_keeps_the_window_open() -> None:
    state = begin(1, 1, "blank evade", "", "spend 1 evade")
    assert keys(state) == ["effect-0", "done"]


def test_a_side_that_could_do_nothing_anyway_is_not_spoken_of() -> None:
    assert begin(2, 2, "blank focus evade focus").idle == ()


def test_done_leaves_what_could_still_be_done() -> None:
    state = press(begin(1, 0, "focus", "focus"), "done")
    assert state.window is AttackWindow.OVER
    assert (faces(state.red), state.attack.focus) == ("focus", 1)


@pytest.mark.parametrize(
    "choice",
    [
        Choice("focus"),
        Choice("done", ("0",)),
        Choice("lock", ("0", "0")),
        Choice("lock", ("2",)),
        Choice("lock", ("-1",)),
        Choice("lock"),
        Choice("effect-1"),
        Choice("effect-x"),
        Choice("defend", filled={"agility": "2"}),
        Choice("withdraw"),
        Choice(""),
    ],
    ids=str,
)
def test_nothing_but_what_is_offered_can_be_chosen(choice: Choice) -> None:
    """The attacker holds a focus token without a focus result, a lock, and an effect on the green dice."""
    state = begin(2, 1, "hit blank", "focus, lock, reroll 1 hit, cancel 1 evade", "focus")
    assert keys(state) == ["lock", "effect-0", "done"]
    with pytest.raises(NotOfferedError):
        attack.choose(state, choice, Falls())


def test_nobody_acts_in_the_other_sides_window() -> None:
    state = begin(2, 2, "focus crit", "focus", "focus, change 1 crit to hit")
    assert whose(state) is Side.DEFENDER
    with pytest.raises(NotOfferedError):
        press(state, "focus")


def test_when_it_is_over_nothing_can_be_chosen() -> None:
    state = begin(1, 0, "hit")
    with pytest.raises(NotOfferedError, match="newest card"):
        press(state, "done")


def test_the_defender_says_what_they_bring_before_any_die_falls() -> None:
    state = begin(2, None, "", "focus")
    assert state.window is AttackWindow.DECLARE_DEFENSE
    assert [(offer.key, offer.side) for offer in attack.offers(state)] == [
        ("defend", Side.DEFENDER),
        ("camera", Side.ATTACKER),
        ("withdraw", Side.ATTACKER),
    ]
    filled = {"agility": "1 ", "tokens": "evade, strain, hull 4, shields 2"}
    state = attack.choose(state, Choice("defend", filled=filled), Falls("hit hit"))
    assert state.window is AttackWindow.OVER
    assert faces(state.green) == ""
    assert (state.defense.dice, state.defense.evade, state.defense.strain) == (1, 1, 0)
    assert attack.outcome(state)["shields_lost"] == 2
    assert attack.outcome(state)["destroyed"] is False


def test_the_defender_may_bring_nothing_but_agility() -> None:
    state = attack.choose(begin(1, None, ""), Choice("defend", filled={"agility": "0"}), Falls("crit"))
    assert attack.outcome(state) == {"hits": 0, "crits": 1, "red": ["crit"], "green": []}


@pytest.mark.parametrize(
    ("filled", "kind", "sentence"),
    [
        ({"agility": "7"}, BadInputError, "`agility` was `7`. Use a whole number from 0 to 6."),
        ({"agility": "x"}, BadInputError, "`agility` was `x`"),
        ({"agility": ""}, BadInputError, "Enter a value"),
        ({"agility": "2", "tokens": "fokus"}, UnknownWordError, "Did you mean `focus`?"),
        ({"agility": "2", "tokens": "focus, " * 40}, BadInputError, "at most 200 characters"),
    ],
)
def test_a_form_filled_wrongly_rolls_nothing(filled: dict[str, str], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as refused:
        attack.choose(begin(2, None, ""), Choice("defend", filled=filled), Falls())
    assert sentence in str(refused.value)


def test_an_attack_may_be_withdrawn_before_the_defender_speaks() -> None:
    state = press(begin(2, None, "", "focus"), "withdraw")
    assert state.window is AttackWindow.WITHDRAWN
    assert attack.offers(state) == ()
    assert attack.outcome(state) == {"hits": 0, "crits": 0, "red": [], "green": []}


def test_the_aftermath_names_its_four_windows_in_order() -> None:
    assert [english(line).split()[1] for line in AFTERMATH] == ["defender's", "attacker's", "defender's", "attacker's"]
    assert ["no bonus attack" in english(line) for line in AFTERMATH] == [True, True, False, False]

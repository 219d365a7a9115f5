"""Tokens that lie on the mat alone: a press claims one, and each side's window ends by itself.

What a token can do is written here from the rules page (Modifying dice), not read from the code.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement as multisets

import pytest

from bot.odds.xwing import advice, partner, roll_results
from bot.rules.errors import BadInputError, NotOfferedError
from bot.rules.game import Choice, Offer, OpenTo, Side
from bot.rules.text import english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack, AttackWindow
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.tokens import TOKENS
from tests.rules.xwing.play import Falls, begin, faces, keys, labels, press

RED, GREEN = ("hit", "crit", "focus", "blank"), ("evade", "focus", "blank")
TURNS = {"focus": ("focus",), "calculate": ("focus",), "force": ("focus",), "evade": ("focus", "blank")}
"""What one of each token changes, on the dice of its side."""
ATTACKER, DEFENDER = ("focus", "calculate", "force"), ("focus", "calculate", "force", "evade")
NOT_TOKENS = {"done", "both"}
MAX_PRESSES = 20


def bare(dice: int, agility: int, falls: str, with_: str = "", against: str = "", **more: object) -> Attack:
    return begin(dice, agility, falls, with_, against, **{"tokens": "press", **more})


def useful(state: Attack) -> set[str]:
    """The tokens that could change something in this window, by the rules page."""
    red, green = ([str(die.face) for die in dice if die.counts] for dice in (state.red, state.green))
    if state.window is AttackWindow.ATTACKER_MODIFIES_ATTACK:
        fresh = [str(die.face) for die in state.red if not die.was_rerolled]
        turned = {token for token in ATTACKER if set(TURNS[token]) & set(red)}
        locked = (Side.ATTACKER, "lock") in state.claimed
        return turned | ({"lock"} if {"focus", "blank"} & set(fresh) and not locked else set())
    coming = sum(face in ("hit", "crit") for face in red) - green.count("evade")
    turned = {token for token in DEFENDER if coming > 0 and set(TURNS[token]) & set(green)}
    said = (Side.DEFENDER, "reinforce") in state.claimed
    return turned | ({"reinforce"} if coming > 1 and not said else set())


def every_roll(dice: int, sides: tuple[str, ...]) -> Iterator[str]:
    return (" ".join(faces_) for faces_ in multisets(sides, dice))


@pytest.mark.parametrize(("dice", "agility"), [(1, 0), (1, 1), (2, 1), (2, 2), (3, 2)])
def test_a_window_is_open_exactly_while_a_token_could_change_something(dice: int, agility: int) -> None:
    """All rolls, and after each of them every press: what is shown is what the page allows, else nobody is asked."""
    seen, open_windows = 0, 0
    for red in every_roll(dice, RED):
        for green in every_roll(agility, GREEN):
            waiting = [attack_with(dice, agility, red, green)]
            while waiting:
                state, rest = waiting.pop()
                seen += 1
                if state.window is AttackWindow.OVER:
                    continue
                open_windows += 1
                shown = set(keys(state)) - NOT_TOKENS
                assert shown == useful(state) != set(), (red, green, faces(state.red), faces(state.green))
                assert "done" in keys(state)
                assert len(state.claimed) < MAX_PRESSES, "it ends"
                # Only some ways go on, so that all rolls are seen: the first token, and Done.
                waiting += [after(state, key, rest) for key in ("done", sorted(shown)[0])]
    assert seen > open_windows > 0


def attack_with(dice: int, agility: int, red: str, green: str) -> tuple[Attack, str]:
    """A bare attack on which these dice fall; the second is what has not fallen yet."""
    rng = Falls(f"{red} {green}")
    return attack.start(bare_declared(dice, agility), rng), " ".join(rng.left)


def bare_declared(dice: int, agility: int) -> Declared:
    return replace(begin(dice, agility, "blank " * (dice + agility)).declared, tokens="press")


def after(state: Attack, key: str, rest: str) -> tuple[Attack, str]:
    """The attack after a press; a lock rerolls every die that isn't a hit or crit, and they fall as blanks."""
    pick = [at for at, die in enumerate(state.red) if die.face in ("focus", "blank")] if key == "lock" else []
    rng = Falls(f"{'blank ' * len(pick)}{rest}")
    return attack.choose(state, Choice(key, tuple(map(str, pick))), rng), " ".join(rng.left)


def test_a_bare_attack_says_what_may_be_spent_in_the_plainest_words() -> None:
    state = bare(3, 2, "hit focus blank")
    assert labels(state) == ["Lock: reroll", "Focus", "Calculate", "Force", "Done"]
    state = press(state, "done", "focus blank")
    assert labels(state) == ["Focus", "Calculate", "Force", "Evade", "Done"]


def test_a_side_without_tokens_is_one_press_and_one_that_spends_a_token_two() -> None:
    state = bare(3, 2, "hit focus blank")
    state = press(press(state, "done", "blank blank"), "done")
    assert state.window is AttackWindow.OVER
    state = bare(3, 2, "hit focus blank")
    state = press(press(state, "focus"), "done", "focus blank")
    state = press(press(state, "evade"), "done")
    assert (state.window, attack.outcome(state)["hits"]) == (AttackWindow.OVER, 1)


def test_one_focus_on_one_focus_result_ends_the_window() -> None:
    state = press(bare(2, 1, "hit focus"), "focus", "evade")
    assert state.window is AttackWindow.OVER, "an evade token would change nothing: the only die is an evade"
    assert faces(state.red) == "(hit) hit"


def test_no_tokens_closes_the_windows_as_they_were() -> None:
    for tokens in ("none", ""):
        state = begin(3, 2, "hit focus blank focus blank", tokens=tokens)
        assert state.window is AttackWindow.OVER
    assert keys(begin(3, 2, "hit focus blank", "focus", tokens="none")) == ["focus", "done"]


def test_what_was_typed_hides_its_button_once_it_is_used_up() -> None:
    state = bare(3, 1, "focus focus blank", "calculate")
    assert labels(state) == ["Calculate: 1 focus to hit", "Lock: reroll", "Focus", "Force", "Done"]
    state = press(state, "calculate")
    assert labels(state) == ["Lock: reroll", "Focus", "Force", "Done"]
    state = press(bare(3, 1, "hit focus blank", "focus"), "focus")
    assert labels(state) == ["Lock: reroll", "Done"]


def test_a_token_that_is_said_to_stay_out_is_not_claimed() -> None:
    assert keys(bare(2, 1, "focus blank", "focus 0, lock 0")) == ["calculate", "force", "done"]


def test_a_ship_of_the_table_claims_nothing() -> None:
    """Its tokens are known; the other side's still lie on the mat."""
    state = bare(2, 1, "focus focus blank", attacker="Wedge")
    assert (state.window, faces(state.red)) == (AttackWindow.OVER, "focus focus")
    state = bare(1, 1, "hit blank", attacker="Wedge")
    assert (state.acting, state.window) == (Side.DEFENDER, AttackWindow.DEFENDER_MODIFIES_DEFENSE)


def test_what_forbids_a_token_hides_its_claim() -> None:
    assert bare(2, 1, "focus blank evade", range=0).window is AttackWindow.OVER, "at range 0 nothing is modified"


def test_a_reinforce_token_counts_by_its_press_and_not_for_the_last_result() -> None:
    state = bare(3, 0, "hit hit crit")
    assert labels(state) == ["Reinforce", "Done"]
    state = press(state, "reinforce")
    assert state.window is AttackWindow.OVER
    assert (attack.outcome(state)["hits"], attack.outcome(state)["crits"]) == (1, 1)
    assert bare(1, 0, "hit").window is AttackWindow.OVER


@pytest.mark.parametrize("presses", [("focus",), ("calculate",), ("force", "force"), ("lock", "focus"), ()])
def test_a_claimed_attack_is_the_same_as_one_that_was_typed(presses: tuple[str, ...]) -> None:
    """Dice, damage, what is left, and the declaration that odds and luck read."""
    typed = ", ".join(f"{token} {presses.count(token)}" for token in dict.fromkeys(presses))
    words = typed.replace("lock 1", "lock"), "reinforce 0"
    claimed, written = bare(3, 0, "hit focus focus", against=words[1]), begin(3, 0, "hit focus focus", *words)
    for key in presses:
        falls, pick = ("focus", (2,)) if key == "lock" else ("", ())
        claimed, written = press(claimed, key, falls, pick), press(written, key, falls, pick)
    claimed = press(claimed, "done") if "done" in keys(claimed) else claimed
    assert (claimed.window, written.window) == (AttackWindow.OVER, AttackWindow.OVER)
    assert attack.outcome(claimed) == attack.outcome(written)
    assert replace(claimed.declared, tokens="") == written.declared
    assert claimed.attack == written.attack


def test_luck_assumes_no_more_than_was_typed_or_pressed() -> None:
    done = press(bare(2, 1, "focus blank"), "done", "evade")
    (unclaimed,) = roll_results(done)
    (alone,) = roll_results(begin(2, 1, "focus blank evade"))
    assert unclaimed.distribution == alone.distribution
    spent = press(press(bare(2, 1, "focus blank"), "focus"), "done", "evade")
    (claimed,) = roll_results(spent)
    (typed,) = roll_results(press(begin(2, 1, "focus blank", "focus"), "focus", "evade"))
    assert claimed.distribution == typed.distribution != alone.distribution


def test_there_is_no_advice_on_tokens_that_nobody_said_are_there() -> None:
    state = bare(3, 1, "hit focus blank")
    assert not advice.aims(state)
    assert [move.choice.offer for move in partner.moves(state)] == ["done"]
    typed = bare(3, 1, "hit focus blank", "focus")
    plain = begin(3, 1, "hit focus blank", "focus")
    assert [(one.offer, one.numbers) for one in advice.advise(typed)] == [
        (one.offer, one.numbers) for one in advice.advise(plain)
    ]


def test_the_attacker_may_press_for_a_silent_defender() -> None:
    state = press(bare(1, 1, "hit blank"), "both")
    assert "both" not in keys(state)
    assert {offer.who for offer in mine(state)} == {attack.FOR_BOTH}
    assert attack.FOR_BOTH.may is OpenTo.EITHER, "a defender who comes late still may"
    assert press(state, "evade").window is AttackWindow.OVER


def test_before_the_dice_the_attacker_says_what_a_silent_defender_brings() -> None:
    state = begin(1, None, "", tokens="press")
    state = attack.choose(state, Choice("both", filled={"agility": "1", "tokens": ""}), Falls("hit blank"))
    assert (state.plays_both, state.acting) == (True, Side.DEFENDER)
    with pytest.raises(NotOfferedError):
        press(begin(1, None, ""), "both")


def mine(state: Attack) -> list[Offer]:
    return [offer for offer in attack.offers(state) if offer.is_awaited]


# The same again


def over(with_: str = "", against: str = "", **more: object) -> Attack:
    state = bare(2, 1, "hit focus", with_, against, **more)
    return press(press(state, "focus", "blank"), "evade")


def test_the_same_attack_again_asks_for_tokens_anew() -> None:
    state = press(over(), "again", "focus focus")
    assert state.declared.attack.focus == 0
    assert "Focus" in labels(state)


def test_range_target_and_tokens_change_without_a_form() -> None:
    state = over(range=2)
    offer = next(offer for offer in attack.offers(state) if offer.key == "again-but")
    assert [english(option.label) for option in offer.options] == [
        "Range 1",
        "Range 3",
        "Range 0",
        *(f"Another target: agility {agility}" for agility in range(4)),
    ]
    again = but(state, "range-1", "agility-3", falls="hit hit hit")
    assert (again.declared.range, again.defense.dice, len(again.green)) == (1, 3, 3)


def test_another_target_has_neither_the_hull_nor_the_tokens_of_the_last_one() -> None:
    state = press(bare(1, 1, "hit blank", against="evade, hull 4, shields 2"), "evade")
    again = but(state, "agility-2", falls="hit blank blank")
    assert (again.declared.hull, again.declared.shields, again.defense.evade) == (None, 0, 0)
    assert "evade" in keys(again), "it may have some: they are claimed"


def test_tokens_that_were_typed_may_be_left_out() -> None:
    state = press(bare(2, 1, "hit focus", "focus, reroll 1 blank"), "focus", "evade")
    assert "tokens-none" in {option.value for offer in attack.offers(state) for option in offer.options}
    again = but(state, "tokens-none", falls="hit focus")
    assert (again.declared.attack.focus, len(again.declared.attack.effects)) == (0, 1)
    assert "tokens-none" not in {option.value for offer in attack.offers(over()) for option in offer.options}


def test_two_ranges_at_once_are_refused() -> None:
    with pytest.raises(BadInputError):
        but(over(), "range-1", "range-3")


def but(state: Attack, *values: str, falls: str = "") -> Attack:
    return attack.choose(state, Choice("again-but", values), Falls(f"{falls} {'blank ' * 6}"))


def test_every_token_that_dice_feel_is_claimed_or_is_none_to_spend() -> None:
    """The whole kind: what turns dice or rerolls them, and reinforce; the others change the number of dice."""
    offered = {"lock", "reinforce", *ATTACKER, *DEFENDER}
    spent = {name for name, token in TOKENS.items() if token.turns or token.rerolls or token.adds_evade}
    assert offered == spent

"""(R) A window in which nothing can change the outcome closes by itself, on both pools and for both sides."""

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from bot.rules.game import Choice, Offer, Side
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack, AttackWindow
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.faces import Face, Pool
from tests.every_way import every_way
from tests.examples import share_of
from tests.rules.xwing.play import begin, declared, keys, open_offers
from tests.starts import pick_of

ON_RED, ON_GREEN = AttackWindow.DEFENDER_MODIFIES_ATTACK, AttackWindow.ATTACKER_MODIFIES_DEFENSE


@pytest.mark.parametrize(
    ("red", "with_", "against"),
    [
        ("hit focus", "", "change 1 red focus to blank"),
        ("hit blank", "", "cancel 1 red blank"),
        ("crit hit", "every crit to hit", "change 1 crit to hit"),
        ("focus hit", "lock", "change 1 red focus to blank"),
    ],
)
def test_the_defender_changes_nothing_on_attack_dice_that_count_the_same(red: str, with_: str, against: str) -> None:
    state = begin(2, 0, red, with_, against)
    assert state.idle_red[:1] == (Side.DEFENDER,)


@pytest.mark.parametrize(
    ("red", "with_", "against"),
    [
        ("hit focus", "calculate", "change 1 red focus to blank"),
        ("hit focus", "change 1 focus to hit", "change 1 red focus to blank"),
        ("hit blank", "reroll 1 blank", "cancel 1 red blank"),
        ("crit hit", "", "change 1 crit to hit"),
        ("focus hit", "reroll 1 focus", "change 1 red focus to blank"),
    ],
)
def test_the_defender_is_asked_where_it_matters(red: str, with_: str, against: str) -> None:
    state = begin(2, 0, red, with_, against)
    assert (state.window, keys(state)) == (ON_RED, ["effect-0", "done"])


@pytest.mark.parametrize(
    ("red", "with_"),
    [
        ("hit crit", "every crit to hit, change 1 hit to crit"),
        ("hit blank", "change 1 blank to focus"),
        ("hit", "add blank"),
    ],
)
def test_the_attacker_changes_no_attack_dice_to_no_effect(red: str, with_: str) -> None:
    state = begin(len(red.split()), 0, red, with_)
    assert (state.window, state.idle_red) == (AttackWindow.OVER, (Side.ATTACKER,))


def test_a_change_of_no_use_by_itself_matters_before_a_token() -> None:
    assert begin(2, 0, "hit blank", "change 1 blank to focus, focus").window is AttackWindow.ATTACKER_MODIFIES_ATTACK


@pytest.mark.parametrize(
    ("dice", "with_", "against"),
    [
        ("hit evade evade evade", "cancel 1 evade", ""),
        ("hit blank focus blank", "change 1 green focus to blank", ""),
        ("hit evade evade blank", "change 1 evade to blank", "evade"),
        ("hit focus focus blank", "change 1 green focus to blank", "evade 3"),
    ],
)
def test_the_attacker_is_not_asked_where_enough_evades_are_left_or_none_comes(
    dice: str, with_: str, against: str
) -> None:
    """The last one: an evade token takes a blank as well as a focus result."""
    assert begin(1, 3, dice, with_, against).idle[:1] == (Side.ATTACKER,)


@pytest.mark.parametrize(
    ("dice", "with_", "against"),
    [
        ("hit evade blank blank", "cancel 1 evade", ""),
        ("hit focus blank blank", "change 1 green focus to blank", "focus"),
        ("hit evade evade blank", "cancel 2 evades", ""),
    ],
)
def test_the_attacker_is_asked_where_an_evade_matters(dice: str, with_: str, against: str) -> None:
    assert begin(1, 3, dice, with_, against).window is ON_GREEN


def test_no_token_is_asked_for_what_a_reinforce_token_cancels_anyway() -> None:
    """2 hits and 1 reinforce: one evade leaves one, and no evade leaves one too."""
    state = begin(2, 1, "hit hit focus", "", "calculate, reinforce")
    assert (state.window, state.idle) == (AttackWindow.OVER, (Side.DEFENDER,))
    assert attack.outcome(state)["hits"] == 1
    assert state.defense.calculate == 1


def test_the_defender_is_asked_while_it_is_open_where_the_attacker_is() -> None:
    state = begin(2, 1, "hit hit focus", "", "calculate", in_arc=None)
    assert keys(state) == ["calculate", "done"]


def test_more_than_a_reinforce_token_cancels_keeps_the_window_open() -> None:
    assert keys(begin(3, 1, "hit hit hit focus", "", "calculate, reinforce")) == ["calculate", "done"]


# Against all ways to play: a window that closed by itself would have changed nothing

ATTACKERS = (
    *("", "focus", "lock", "calculate", "reroll 1 blank", "change 1 focus to hit", "change 1 hit to crit", "add focus"),
    *("every crit to hit", "change 1 blank to focus", "cancel 1 evade", "change 1 evade to focus", "spend 1 hit"),
    *("change 1 green focus to blank", "reroll 1 evade", "change 1 green blank to focus", "every hit to crit"),
)
DEFENDERS = (
    *("", "focus", "calculate", "evade", "evade 2", "reinforce", "reinforce 2", "reroll 1 blank", "add evade"),
    *("change 1 focus to evade", "change 1 crit to hit", "change 1 red focus to blank", "cancel 1 crit", "add focus"),
    *("change 1 hit to focus", "cancel 1 red blank", "reroll 1 hit", "change 1 blank to focus"),
)


def value(state: Attack) -> float:
    """The average damage, with a crit a little more, if both sides play their best; both see everything."""
    offers = open_offers(state)
    if not offers or state.window is AttackWindow.OVER:
        result = attack.outcome(state)
        return float(1000 * (result["hits"] + result["crits"]) + result["crits"])  # type: ignore[operator]  # numbers
    best = max if offers[0].side is Side.ATTACKER else min
    return best(expected(state, choice) for offer in offers for choice in choices(offer))


def expected(state: Attack, choice: Choice) -> float:
    ways = every_way(lambda rng: attack.choose(state, choice, rng))
    return sum(float(chance) * value(after) for after, chance in ways.items())


def choices(offer: Offer) -> Iterator[Choice]:
    if not offer.options:
        yield Choice(offer.key)
        return
    values = [option.value for option in offer.options]
    for count in range(pick_of(offer).least, pick_of(offer).most + 1):
        for picked in combinations(values, count):
            yield Choice(offer.key, picked)


def lying(red: list[Face], green: list[Face], with_: str, against: str) -> Declared:
    return declared(len(red), len(green), with_, against, red=tuple(red), green=tuple(green))


@settings(max_examples=share_of(150), deadline=None)
@given(
    red=st.lists(st.sampled_from(Pool.RED.results), min_size=1, max_size=3),
    green=st.lists(st.sampled_from(Pool.GREEN.results), max_size=2),
    with_=st.lists(st.sampled_from(ATTACKERS), max_size=2, unique=True),
    against=st.lists(st.sampled_from(DEFENDERS), max_size=2, unique=True),
)
def test_whoever_plays_their_best_loses_nothing_by_windows_that_close_themselves(
    red: list[Face], green: list[Face], with_: list[str], against: list[str]
) -> None:
    whole = lying(red, green, ", ".join(filter(None, with_)), ", ".join(filter(None, against)))
    closing = value(attack.start(whole, lambda _: 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attack, "is_of_use", lambda _, offered: offered)
        open_ = value(attack.start(whole, lambda _: 0))
    assert closing == pytest.approx(open_)


def test_a_window_that_stays_open_can_change_the_outcome() -> None:
    """One die and one effect: whoever is asked can change something."""
    effects = [
        attacker
        for attacker in ATTACKERS
        if attacker and "reroll" not in attacker and attacker != "lock" and "spend" not in attacker
    ]
    for red, with_ in product(Pool.RED.results, effects):
        state = attack.start(lying([red], [], with_, ""), lambda _: 0)
        if state.window is AttackWindow.OVER:
            continue
        done = value(attack.choose(state, Choice("done"), lambda _: 0))
        acted = {value(attack.choose(state, Choice(key), lambda _: 0)) for key in keys(state) if key != "done"}
        assert acted != {done}, (red, with_, keys(state))

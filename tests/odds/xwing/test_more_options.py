"""One option more never makes its holder worse off: in the odds, in luck, which is counted from them, and in advice."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from bot.odds.xwing import advice, distribution
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import ACTS, Attack
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.tokens import ON_SIDE
from tests.examples import share_of
from tests.odds.xwing.by_die import by_die
from tests.odds.xwing.questions import effects, maybe
from tests.odds.xwing.test_effects import chances, declared
from tests.rules.xwing.play import begin, press

pytestmark = pytest.mark.slow

FREE = effects().filter(lambda effect: effect.verb in ("reroll", "change", "cancel"))
"""What a side may use or leave; `set` and more or fewer dice are no choice."""
TOKENS = {
    Side.ATTACKER: ("focus", "calculate", "force", "lock"),
    Side.DEFENDER: ("focus", "calculate", "force", "evade", "reinforce"),
}


def mean(whole: Declared) -> Fraction:
    return distribution(whole).mean(sum)


@st.composite
def line_ups(draw: st.DrawFn, side: Side) -> LineUp:
    held = {name: draw(maybe(min(2, ON_SIDE[side][name].most))) for name in TOKENS[side]}
    chosen = tuple(draw(st.lists(FREE, max_size=2)))
    return LineUp(dice=draw(st.integers(0, 3)), effects=chosen).with_tokens(held)


@st.composite
def with_one_more(draw: st.DrawFn, side: Side) -> tuple[Declared, Declared]:
    """An attack, and the same in which one side has an effect or a token more."""
    attack, defense = draw(line_ups(Side.ATTACKER)), draw(line_ups(Side.DEFENDER))
    fewer = attack if side is Side.ATTACKER else defense
    more = draw(
        st.one_of(FREE, st.sampled_from([token for token in TOKENS[side] if not fewer.has(token)] or ["focus"]))
    )
    if isinstance(more, DiceEffect):
        richer = replace(fewer, effects=(*fewer.effects, more))
    else:
        richer = fewer.with_tokens({more: fewer.has(more) + 1})
    whole = Declared(attack=attack, defense=defense)
    return whole, replace(whole, attack=richer) if side is Side.ATTACKER else replace(whole, defense=richer)


@settings(max_examples=share_of(300), deadline=None)
@given(with_one_more(Side.ATTACKER))
def test_for_the_attacker(both: tuple[Declared, Declared]) -> None:
    fewer, more = both
    assert mean(more) >= mean(fewer)


@settings(max_examples=share_of(300), deadline=None)
@given(with_one_more(Side.DEFENDER))
def test_for_the_defender(both: tuple[Declared, Declared]) -> None:
    fewer, more = both
    assert mean(more) <= mean(fewer)


def test_a_change_that_would_hand_over_a_reroll_is_not_made() -> None:
    assert mean(declared(1, 0, "reroll 1 blank")) == Fraction(5, 8)
    assert mean(declared(1, 0, "reroll 1 blank", "change 1 red focus to blank")) == Fraction(5, 8)


def test_a_change_takes_the_die_that_is_best_for_who_makes_it_rerolled_already_or_not() -> None:
    """Of two focus results the attacker turns the one that the defender could still reroll."""
    whole = declared(3, 2, "force, change 1 green focus to blank, reroll 1 green evade", "evade, reroll 1 green focus")
    assert mean(whole) == Fraction(6785, 8192)
    assert f"{float(mean(whole)):.4f}" == "0.8282"


def test_a_cancel_takes_the_die_that_could_still_be_rerolled() -> None:
    """A hit rerolled to a focus result is done, the other focus result could still be rerolled with the lock."""
    whole = declared(2, 0, "lock", "reroll 1 red hit, cancel 1 red focus")
    assert chances(whole) == by_die(whole)


def open_window() -> Attack:
    """An evade rerolled to a focus result, beside a focus result that the defender may still reroll."""
    state = begin(
        2, 2, "hit hit evade focus", "reroll 1 evade, change 1 green focus to blank", "evade, reroll 1 green focus"
    )
    return press(state, "effect-0", "focus", pick=[0])


def test_advice_names_the_better_of_two_equal_dice() -> None:
    state = open_window()
    assert ACTS[state.window][0] is Side.ATTACKER
    first, *others = advice.advise(state)
    damage = {item.offer: item.numbers[0].value for item in (first, *others) if item.offer}
    assert first.offer == "effect-0-fresh"
    assert damage["effect-0-fresh"] > damage["effect-0"] == damage["done"]


@pytest.mark.parametrize("effect", [", cancel 1 green evade", ", change 1 green evade to blank"])
def test_advice_with_one_option_more_is_no_worse(effect: str) -> None:
    best = [
        advice.advise(begin(2, 2, "hit hit evade focus", f"reroll 1 evade{more}", "evade, reroll 1 green focus"))[0]
        for more in ("", effect)
    ]
    assert best[1].numbers[0].value >= best[0].numbers[0].value

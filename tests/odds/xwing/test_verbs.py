"""A law for each verb of the rows: the odds with it equal the walk through the real rules, and not those without it.

The walk presses every button of every window, on every way in which the dice can fall (``xwing/by_choice.py``).
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.odds.xwing import distribution
from bot.rules import xwing
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.dice.costs import CardId, OfCard, OfShip, SpentResult
from bot.rules.xwing.dice.declared import Declared, DiceEffect, DiceWindow, LineUp, at_range
from bot.rules.xwing.dice.faces import Face, Pool
from tests.every_way import Unordered, every_way
from tests.odds.xwing.by_choice import Oracle
from tests.rows import for_each_row
from tests.rules.xwing.play import declared

A, D = Side.ATTACKER, Side.DEFENDER


def walked(whole: Declared, side: Side) -> tuple[Fraction, Fraction]:
    """The mean damage, and the chance of a crit, when a side plays for the damage and the other by the policy."""
    oracle, damage, crit = Oracle(side, "damage"), Fraction(0), Fraction(0)
    for state, chance in every_way(lambda rng: xwing.start(whole, rng), Unordered).items():
        assert isinstance(state, Attack)
        worth = oracle.worth(state)
        damage, crit = damage + chance * worth["damage"], crit + chance * worth["crit"]
    return damage, crit


def counted(whole: Declared) -> tuple[Fraction, Fraction]:
    law = distribution(whole)
    return law.mean(sum), law.probability(lambda results: results[1] > 0)


Case = tuple[Side, str, str, str, dict[str, Any]]
"""Whose row, its words, the tokens of the attacker and of the defender, and the circumstances."""

CASES: list[Case] = [
    # One's own dice
    (A, "reroll 1", "", "", {}),
    (A, "reroll 2 blank", "focus", "", {}),
    (A, "reroll any", "", "", {}),
    (A, "reroll any blank if only blanks", "", "", {}),
    (A, "reroll 1 focus, reroll any blank if only blanks", "", "", {}),
    (A, "reroll 1 instead of lock, change 1 hit to crit while locked", "lock", "", {}),
    (A, "change 1 blank to hit", "", "", {}),
    (A, "change 1 any to crit", "", "", {}),
    (A, "change all focus to hit", "", "", {}),
    (A, "change 2 focus to hit for 1 force", "force", "", {}),
    (A, "add 1 focus", "calculate", "", {}),
    (A, "add 1 hit", "", "", {}),
    (A, "every crit to hit", "", "", {}),
    (A, "set red hit", "", "", {}),
    (D, "reroll 1", "", "", {}),
    (D, "reroll any", "", "focus", {}),
    (D, "change 1 any to evade", "", "", {}),
    (D, "change 2 focus to evade for 1 force", "", "force", {"agility": 2}),
    (D, "add 1 evade", "", "", {}),
    # The other side's dice
    (A, "reroll 1 green", "", "", {}),
    (A, "reroll 2 green", "", "", {"agility": 2}),
    (A, "change 1 green evade to blank", "", "", {}),
    (A, "cancel 1 evade", "", "", {}),
    (D, "reroll 1 red hit", "", "", {}),
    (D, "change 1 red hit to focus", "", "", {}),
    (D, "change 1 crit to hit", "", "", {}),
    # Around neutralize
    (A, "cancel 1 evade before neutralize", "", "", {}),
    (A, "cancel 1 evade before neutralize for 1 force", "force", "", {}),
    (A, "change 1 hit to crit after neutralize", "", "", {}),
    (A, "add 1 crit after neutralize", "", "", {}),
    (D, "cancel 1 hit before neutralize", "", "", {}),
    (D, "cancel 1 crit before neutralize", "", "", {}),
    (D, "cancel 1 hit after neutralize", "", "", {}),
    (D, "add 1 evade before neutralize", "", "", {}),
    (A, "crits first", "", "", {}),
    (A, "crits stay", "", "", {}),
    # At the roll
    (A, "+1 dice", "", "", {}),
    (A, "-1 dice green", "", "", {}),
    (A, "at most 0 dice green", "", "", {}),
    (A, "at most results dice green", "", "", {"agility": 2}),
    (D, "+1 dice", "", "", {}),
    (D, "-1 dice red", "", "", {}),
    (D, "at most 1 dice red", "", "", {}),
    (A, "range bonus off green", "", "", {"range": 3}),
    (D, "range bonus off red", "", "", {"range": 1}),
    (A, "range 1 bonus on", "", "", {"range": 2}),
    (A, "counts as range 1", "", "", {"range": 0}),
    # What may not be done
    (D, "forbid modify red", "focus", "", {}),
    (D, "forbid reroll red", "lock", "", {}),
    (A, "forbid modify green", "", "evade", {}),
    (A, "forbid green tokens green", "", "evade, force", {}),
    (A, "forbid focus green", "", "focus", {}),
    (A, "forbid all but force red", "focus, force", "", {}),
    (D, "at most 1 rerolled red", "lock", "", {}),
    (D, "at most 1 focus modified red", "focus", "", {}),
    (A, "at most 0 focus modified green", "", "focus", {}),
    (D, "at most 1 focus modified red", "lock", "", {}),
    (A, "at most 0 rerolled green", "", "reroll 1", {}),
]


def line_up(case: Case, text: str) -> Declared:
    side, _, mine, theirs, around = case
    brought = {A: mine, D: theirs}
    brought[side] = ", ".join(filter(None, (brought[side], text)))
    more = dict(around)
    return replace(declared(2, more.pop("agility", 1), brought[A], brought[D]), **more)


@for_each_row("case", CASES, ids=[f"{case[0]} {case[1]}" for case in CASES])
def test_the_odds_of_a_verb_are_what_the_rules_give(case: Case) -> None:
    whole, without = line_up(case, case[1]), line_up(case, "")
    result = counted(whole)
    assert result == walked(whole, case[0])
    assert result != counted(without)


def test_every_verb_that_acts_on_dice_has_a_law() -> None:
    shown = {effect.verb for case in CASES for effect in line_up(case, case[1]).attack.effects}
    shown |= {effect.verb for case in CASES for effect in (line_up(case, case[1]).defense or LineUp()).effects}
    paid = {effect.verb for _, effect, _ in PRICES}
    assert shown | paid >= {
        "reroll",
        "change",
        "add",
        "cancel",
        "set",
        "become",
        "dice",
        "limit",
        "bonus",
        "forbid",
        "allow",
        "crits",
    }


# Prices that people do not type

A_CHARGE = OfCard(CardId("upgrade", "x"))
CHANGE = DiceEffect(verb="change", pool=Pool.RED, faces=(Face.FOCUS,), to=Face.HIT)
CRIT, FORCE, EVADE = SpentResult(Face.CRIT), OfShip("force", "Kanan"), OfShip("evade", "Howl")
PRICES: list[tuple[Side, DiceEffect, str]] = [
    (A, replace(CHANGE, cost=((A_CHARGE, 1),)), "one charge"),
    (A, replace(CHANGE, most=2, cost=((OfShip("focus", "Howl"), 1),)), "a friend's token"),
    (
        A,
        DiceEffect(verb="add", pool=Pool.RED, most=2, to=Face.HIT, when=DiceWindow.AFTER_NEUTRALIZE, cost=((CRIT, 1),)),
        "a crit for two hits",
    ),
    (A, DiceEffect(verb="reroll", pool=Pool.RED, most=2, cost=((A_CHARGE, 1),)), "a charge for a reroll"),
    (
        D,
        DiceEffect(
            verb="cancel",
            pool=Pool.RED,
            faces=(Face.CRIT,),
            when=DiceWindow.BEFORE_NEUTRALIZE,
            cost=((FORCE, 1),),
        ),
        "a friend's force",
    ),
    (
        D,
        DiceEffect(
            verb="change",
            pool=Pool.GREEN,
            faces=(Face.BLANK, Face.FOCUS),
            to=Face.EVADE,
            cost=((EVADE, 1),),
        ),
        "a friend's evade",
    ),
]


@pytest.mark.parametrize(("side", "effect", "name"), PRICES, ids=[name for *_, name in PRICES])
def test_a_price_is_paid_once(side: Side, effect: DiceEffect, name: str) -> None:
    """Two such rows and one price: one of them acts. ``name`` says what is paid."""
    stock = tuple((item, 1) for item, _ in effect.cost if not isinstance(item, SpentResult))
    twice = tuple(replace(effect, group=group, name=name) for group in ("x[1]", "x[2]"))
    base = declared(2, 1)
    line = base.attack if side is A else base.defense
    assert line is not None
    whole, once = ((replace(line, effects=effects, stock=stock)) for effects in (twice, twice[:1]))
    both = [replace(base, attack=item) if side is A else replace(base, defense=item) for item in (whole, once)]
    result = counted(both[0])
    assert result == walked(both[0], side)
    if stock:
        assert result[0] == counted(both[1])[0], "the price of one"
    assert result != counted(base)


def test_what_is_lifted_at_range_0_is_walked_too() -> None:
    near = replace(declared(2, 1, "counts as range 1"), range=0)
    assert at_range(near).range == 1


def test_who_pays_for_dice_keeps_what_its_other_cards_do() -> None:
    """The first of two decisions at the roll leaves the second one, and the effects of windows."""
    more = DiceEffect(verb="dice", pool=Pool.RED, most=1, cost=((OfShip("focus", "Howl"), 1),), group="x[1]")
    fewer = DiceEffect(verb="dice", pool=Pool.GREEN, most=-1, cost=((OfShip("focus", "Wedge"), 1),), group="y[1]")
    base = declared(1, 1, "add 1 hit, change 1 focus to hit")
    stock = tuple((effect.cost[0][0], 1) for effect in (more, fewer))
    line = replace(base.attack, effects=(more, fewer, *base.attack.effects), stock=stock)
    whole = replace(base, attack=line)
    assert counted(whole) == walked(whole, A)
    assert counted(whole)[0] > counted(replace(base, attack=replace(line, effects=(more, fewer))))[0]

"""A law for every row of every card: the odds with it equal the walk through the real rules, and differ from those
without it, if it touches dice. Rows that come to the same effects are walked once.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from bot.rules.game import Side
from bot.rules.xwing.cards.effects import Holding, acting, settled
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.cards.rows import ROWS, Row, worsens
from bot.rules.xwing.dice.costs import OfShip, Spendable, Spent
from bot.rules.xwing.dice.declared import Declared, Effect, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL
from tests.odds.test_xwing_verbs import counted, walked
from tests.rules.xwing_play import declared

A, D = Side.ATTACKER, Side.DEFENDER

SCENES: list[tuple[str, str, dict[str, Any]]] = [
    ("", "", {}),
    ("focus", "focus", {}),
    ("lock", "evade", {}),
    ("calculate", "force", {"agility": 2}),
    ("", "", {"range": 1}),
    ("", "", {"range": 3}),
    ("", "", {"agility": 2}),
    ("", "reroll 1", {}),
    ("", "calculate, force", {}),
    ("lock, focus, force", "", {"range": 0}),
    ("lock, focus, force", "change 1 blank to evade", {}),
    ("add 2 hit", "", {"agility": 2}),
    ("+2 dice", "", {"agility": 0}),
    ("add 1 crit", "add 1 evade", {"agility": 0}),
    ("", "focus", {"agility": 2}),
    ("add 1 hit", "calculate", {}),
    ("+3 dice", "", {"agility": 0}),
]
"""Tokens of the attacker and of the defender, and the circumstances; a row is walked where it first matters."""


def acts(row: Row, side: Side) -> tuple[Effect, ...]:
    """What a row brings to a side that may use it, its conditions apart, and what it asks being so."""
    me = Fighter()
    facts = Facts(fighters={A: Fighter(), D: Fighter(), side.other if row.theirs else side: me})
    found = acting(Holding(row, me, side, facts), (), 1, is_played=False)
    return tuple(paid_by_another(replace(one, by="", name="", group="row")) for one in found if one.verb != "deed")


def paid_by_another(effect: Effect) -> Effect:
    """The effect with tokens of a ship that does not fight as its price: nothing else competes for them."""
    cost = tuple((OfShip(what, "Howl") if isinstance(what, str) else what, count) for what, count in effect.cost)
    return replace(effect, cost=cost)


def every() -> list[tuple[str, Side, tuple[Effect, ...]]]:
    """The rows that touch dice by what they come to: one card of each, the side that uses it, its effects."""
    found: dict[object, tuple[str, Side, tuple[Effect, ...]]] = {}
    for card, rows in ROWS.items():
        for row in (one for one in rows if one.touches_dice):
            for on in row.on:
                side = on.other if row.theirs else on
                effects = acts(row, side)
                if effects and not any(is_price(one, side) for one in effects):
                    found.setdefault((side, effects), (f"{card}[{row.place}]", side, effects))
    return list(found.values())


def is_price(effect: Effect, side: Side) -> bool:
    """Whether it is what its row costs: a result of one's own that is spent, or becomes a lesser one."""
    return effect.verb == "spend" or (effect.verb == "change" and effect.pool is OWN_POOL[side] and worsens(effect))


def with_row(whole: Declared, side: Side, effects: tuple[Effect, ...]) -> Declared:
    """The declaration with a row, which is paid for out of what there is once."""
    line = (whole.attack if side is A else whole.defense) or LineUp()
    stock: dict[Spendable, int] = {}
    for what, count in (one for effect in effects for one in effect.cost if not isinstance(one[0], Spent)):
        stock[what] = stock.get(what, 0) + count
    line = replace(line, effects=(*line.effects, *effects), stock=tuple(stock.items()))
    line = settled(line, side, 1)
    return replace(whole, attack=line) if side is A else replace(whole, defense=line)


def scene(at: int) -> Declared:
    mine, theirs, around = SCENES[at]
    more = dict(around)
    return replace(declared(2, more.pop("agility", 1), mine, theirs), **more)


@cache
def law_of(whole: Declared) -> tuple[Fraction, Fraction]:
    return counted(whole)


@pytest.mark.slow
@pytest.mark.parametrize(("card", "side", "effects"), every(), ids=lambda one: one if isinstance(one, str) else "")
def test_the_odds_with_a_row_are_what_the_rules_give(card: str, side: Side, effects: tuple[Effect, ...]) -> None:
    pairs = ((with_row(scene(at), side, effects), with_row(scene(at), side, ())) for at in range(len(SCENES)))
    changed = next((whole for whole, without in pairs if law_of(whole) != law_of(without)), None)
    assert changed is not None, f"{card} changes nothing anywhere"
    if not any(one.exactly and one.pool is not OWN_POOL[side] for one in effects):
        assert law_of(changed) == walked(changed, side)
    else:  # the policy has them all rerolled for fewer results, the walk for less damage: where one evade is left
        assert law_of(changed) >= walked(changed, side)


def test_a_result_that_must_become_a_lesser_one_is_counted_before_both_windows() -> None:
    """Arliz Hadrassian, damaged, while defending: a focus result becomes blank before anybody can spend a token."""
    effects = acts(ROWS["pilot:arlizhadrassian"][1], D)
    whole, without = (replace(with_row(scene(1), D, one), range=3) for one in (effects, ()))
    assert counted(whole) == walked(whole, D)
    assert counted(whole) > counted(without), "the defender's focus has less to turn"

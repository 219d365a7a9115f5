"""A law for every row of every card, with its conditions: the odds equal the walk through the real rules.

Where what a row asks of tokens is so, the law differs from the one without it; where it is not so, both doors have the
law without it. Rows that come to the same effects are walked once.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import pytest

from bot.rules import xwing
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.cards.effects import ActiveRow, row_effects, without_sure_costs
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.cards.rows import ROWS, CardRow, is_worse
from bot.rules.xwing.dice.conditions import EffectCondition, FewDice, Has, Outcome, Results, ShipRole, tokens_in
from bot.rules.xwing.dice.costs import NO_CARD, OfShip, Spendable, SpentResult, TokenGroup
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL
from bot.rules.xwing.dice.modify import UseEffect
from tests.every_way import every_way
from tests.odds.xwing.test_verbs import counted, walked
from tests.rules.xwing.play import declared

A, D = Side.ATTACKER, Side.DEFENDER

SLICES = 8
SCENES: list[tuple[str, str, dict[str, Any]]] = [
    ("", "", {}),
    ("focus", "focus", {}),
    ("lock", "evade", {"agility": 0}),
    ("lock", "evade", {}),
    ("calculate", "force", {"agility": 2}),
    ("", "", {"range": 1}),
    ("", "", {"range": 3}),
    ("", "", {"agility": 2}),
    ("", "reroll 1", {}),
    ("", "calculate, force", {}),
    ("focus", "", {"range": 0}),
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


def givens(row: CardRow, side: Side) -> tuple[EffectCondition, ...]:
    """What a row asks when it acts; the rest is decided at the declaration. Of ``or`` the first."""
    conditions = list[EffectCondition]()
    for first, *_ in row.conditions:
        of = side.other if (first.whose is ShipRole.THEIR) is not row.theirs else side
        if first.whose is ShipRole.ME or first.side not in (None, side):
            continue
        if isinstance(first.test, Has):
            conditions.append(EffectCondition(first.test, first.no, of))
        elif isinstance(first.test, Results | FewDice | Outcome) and first.test not in (MODIFIED, OVER_SHIELDS):
            conditions.append(EffectCondition(first.test, first.no))
    return tuple(conditions)


MODIFIED, OVER_SHIELDS = Outcome.MODIFIED, Outcome.OVER_SHIELDS
"""Odds name a row with the first as not counted; the second is so many results once the shields are known."""


def acts(row: CardRow, side: Side) -> tuple[DiceEffect, ...]:
    """What a row brings to a side that may use it, with what it asks later, the other questions being so."""
    me = Fighter()
    facts = Facts(fighters={A: Fighter(), D: Fighter(), side.other if row.theirs else side: me})
    effects = row_effects(ActiveRow(row, me, side, facts), givens(row, side), 1, is_played=False)
    return tuple(
        paid_by_another(replace(effect, by=NO_CARD, name="", group="row"))
        for effect in effects
        if effect.verb != "deed"
    )


def paid_by_another(effect: DiceEffect) -> DiceEffect:
    """The effect with tokens of a ship that does not fight as its price: nothing else competes for them."""
    cost = tuple((OfShip(what, "Howl") if isinstance(what, str) else what, count) for what, count in effect.cost)
    return replace(effect, cost=cost)


@cache
def every() -> list[tuple[str, Side, tuple[DiceEffect, ...]]]:
    """The rows that touch dice by what they come to: one card of each, the side that uses it, its effects."""
    result: dict[object, tuple[str, Side, tuple[DiceEffect, ...]]] = {}
    for card, rows in ROWS.items():
        for row in (item for item in rows if item.touches_dice):
            for on in row.on:
                side = on.other if row.theirs else on
                effects = acts(row, side)
                if effects and not any(is_price(effect, side) for effect in effects):
                    result.setdefault((side, effects), (f"{card}[{row.place}]", side, effects))
    return list(result.values())


def is_price(effect: DiceEffect, side: Side) -> bool:
    """Whether it is what its row costs: a result of one's own that is spent, or becomes a lesser one."""
    return effect.verb == "spend" or (effect.verb == "change" and effect.pool is OWN_POOL[side] and is_worse(effect))


def with_row(whole: Declared, side: Side, effects: tuple[DiceEffect, ...]) -> Declared:
    """The declaration with a row, which is paid for out of what there is once."""
    line = (whole.attack if side is A else whole.defense) or LineUp()
    stock: dict[Spendable, int] = {}
    for what, count in (item for effect in effects for item in effect.cost if not isinstance(item[0], SpentResult)):
        stock[what] = stock.get(what, 0) + count
    line = replace(line, effects=(*line.effects, *effects), stock=tuple(stock.items()))
    line = without_sure_costs(line, side, 1)
    return replace(whole, attack=line) if side is A else replace(whole, defense=line)


def holding(whole: Declared, effects: tuple[DiceEffect, ...], *, is_so: bool) -> Declared:
    """The declaration with the tokens that effects ask for, or with those that they must not find."""
    asked = [given for effect in effects for given in effect.given if isinstance(given.test, Has)]
    for given in dict.fromkeys(asked):
        assert isinstance(given.test, Has)
        wants = given.no is not is_so
        for kind in tokens_in(given.test.token) if not wants else PLAIN_KIND.get(given.test.token, (given.test.token,)):
            line = whole.line(given.side)
            change = given.test.least - line.count(kind) if wants else -line.count(kind)
            whole = whole.with_line(given.side, line.with_token_count(kind, change))
    return whole


PLAIN_KIND = {TokenGroup.GREEN: ("focus",), TokenGroup.RED_OR_ORANGE: ("stress",), "reinforce": ("reinforce",)}


def scene(at: int) -> Declared:
    mine, theirs, around = SCENES[at]
    more = dict(around)
    return replace(declared(2, more.pop("agility", 1), mine, theirs), **more)


@cache
def law_of(whole: Declared) -> tuple[Fraction, Fraction]:
    return counted(whole)


@pytest.mark.slow
@pytest.mark.parametrize("at", range(SLICES))
def test_the_odds_with_a_row_are_what_the_rules_give(at: int) -> None:
    for row in every()[at::SLICES]:
        compare(*row)


def compare(card: str, side: Side, effects: tuple[DiceEffect, ...]) -> None:
    """Hold the odds with a row to the walk where it first matters."""
    scenes = (holding(scene(at), effects, is_so=True) for at in range(len(SCENES)))
    pairs = ((with_row(item, side, effects), with_row(item, side, ())) for item in scenes)
    changed = next((whole for whole, without in pairs if law_of(whole) != law_of(without)), None)
    assert changed is not None, f"{card} changes nothing anywhere"
    if not any(effect.exactly and effect.pool is not OWN_POOL[side] for effect in effects):
        assert law_of(changed) == walked(changed, side), card
    else:  # the policy has them all rerolled for fewer results, the walk for less damage: where one evade is left
        assert law_of(changed) >= walked(changed, side), card


def asking() -> list[tuple[str, Side, tuple[DiceEffect, ...]]]:
    """The rows that ask for tokens which nothing in their scene brings or takes."""
    return [
        item
        for item in every()
        if any(isinstance(given.test, Has) for effect in item[2] for given in effect.given)
        and not any(given.no and given.asks_tokens(given.side) for effect in item[2] for given in effect.given)
    ]


def test_where_what_a_row_asks_is_not_so_it_does_nothing() -> None:
    for card, side, effects in asking():
        whole = holding(declared(2, 2, "focus", "focus"), effects, is_so=False)
        there, without = with_row(whole, side, effects), with_row(whole, side, ())
        assert counted(there) == counted(without), card
        for state in every_way(partial(xwing.start, there)):
            assert isinstance(state, Attack)
            offers = [offer for offer in xwing.offers(state) if isinstance(offer.act, UseEffect)]
            assert not [offer for offer in offers if offer.side is side], card


def test_a_result_that_must_become_a_lesser_one_is_counted_before_both_windows() -> None:
    """Arliz Hadrassian, damaged, while defending: a focus result becomes blank before anybody can spend a token."""
    effects = acts(ROWS["pilot:arlizhadrassian"][1], D)
    whole, without = (replace(with_row(scene(1), D, item), range=3) for item in (effects, ()))
    assert counted(whole) == walked(whole, D)
    assert counted(whole) > counted(without), "the defender's focus has less to turn"

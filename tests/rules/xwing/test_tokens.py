"""The table of tokens, and what follows from an entry."""

from dataclasses import fields

import pytest

from bot.rules.game import Side
from bot.rules.text import Noun, english
from bot.rules.xwing.dice.declared import WEAPON_COSTS, Declared, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL
from bot.rules.xwing.dice.tokens import (
    CIRCULAR,
    COUNTED,
    KINDS,
    ON_SIDE,
    STAYING,
    TABLE,
    TOKENS,
    HeldTokens,
    Token,
    TokenShape,
)
from bot.rules.xwing.table.ship import Ship


def test_what_dice_feel_is_a_field_of_each_side_in_an_attack() -> None:
    """A field makes a token one that dice feel: an entry without one brings nothing to an attack."""
    assert {field.name for field in fields(HeldTokens)} == {token.name for token in TABLE if token.sides}
    assert Token(name="aim", noun=Noun("aim token", "aim tokens"), kind=TokenShape.GREEN).sides == ()


def test_every_token_stands_there_once() -> None:
    assert len(TOKENS) == len(TABLE)
    assert sorted(KINDS) == sorted(TOKENS.keys() - {"lock"}), "a lock comes with `/xwing lock`"


def test_a_side_turns_only_results_that_its_dice_show() -> None:
    for side, tokens in ON_SIDE.items():
        for token in tokens.values():
            assert set(token.turns) <= set(OWN_POOL[side].results)


def test_what_a_ship_counts_is_a_field_of_the_ship() -> None:
    known = {field.name for field in fields(Ship)}
    assert {token.left for token in COUNTED.values()} <= known
    assert {token.capacity for token in COUNTED.values() if token.capacity} <= known


def test_what_a_weapon_costs_is_a_token_of_the_attacker_and_a_field_of_the_declaration() -> None:
    known = {field.name for field in fields(Declared)}
    assert {f"cost_{token}" for token in WEAPON_COSTS} <= known
    assert set(WEAPON_COSTS) <= ON_SIDE[Side.ATTACKER].keys()


def test_which_tokens_leave_in_the_end_phase() -> None:
    assert {"focus", "calculate", "evade", "reinforce", "jam", "disarm", "tractor"} <= set(CIRCULAR)
    assert {"stress", "strain", "deplete", "ion"} <= set(STAYING)
    assert not set(CIRCULAR) & set(STAYING)


@pytest.mark.parametrize(
    ("name", "none", "one", "two"),
    [
        ("focus", "no focus token", "1 focus token", "2 focus tokens"),
        ("force", "no force charge", "1 force charge", "2 force charges"),
        ("faceup damage", "no faceup damage card", "1 faceup damage card", "2 faceup damage cards"),
        ("shield", "no shield", "1 shield", "2 shields"),
    ],
)
def test_so_many_of_a_token_in_words(name: str, none: str, one: str, two: str) -> None:
    counted = TOKENS[name].count_text
    assert [english(counted(count)) for count in range(3)] == [none, one, two]


def test_one_die_less_however_many_tokens_and_one_leaves() -> None:
    held = LineUp(strain=3, deplete=1)
    assert [held.more_dice(side) for side in Side] == [((-1, "deplete"),), ((-1, "strain"),)]
    assert [LineUp().more_dice(side) for side in Side] == [(), ()]
    assert held.after_roll(Side.DEFENDER) == LineUp(strain=2, deplete=1)
    assert LineUp().after_roll(Side.ATTACKER) == LineUp()

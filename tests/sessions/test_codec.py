"""States and choices as text, and what happens to the text of another version. Every game's states: test_house.py."""

import json
from types import SimpleNamespace
from typing import cast

import pytest

from bot.rules import xwing
from bot.rules.game import Choice, Rules
from bot.rules.xwing.cards.deck import Decks
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.table import pieces
from bot.rules.xwing.table.match import Match
from bot.rules.xwing.table.ship import launch
from bot.sessions import codec
from bot.sessions.chance import REAL, Draw, recorder
from tests.conftest import Dice

EFFECT = DiceEffect(verb="reroll", pool=Pool.RED, most=2, faces=(Face.BLANK, Face.FOCUS))
DECLARED = Declared(attack=LineUp(dice=2, focus=1, effects=(EFFECT,)), defense=LineUp(dice=1), hull=3)


def test_a_state_comes_back_as_it_was_with_every_die_and_its_trail(dice: Dice) -> None:
    dice.red("blank focus")
    state = xwing.start(DECLARED, dice)
    dice.red("crit")
    state = xwing.choose(state, Choice("effect-0", ("1",)), dice)
    again = codec.read_state(xwing, xwing.SCHEMA, codec.write_state(xwing, state))
    assert again == state
    assert type(again) is type(state)
    assert xwing.offers(again) == xwing.offers(state)


def test_what_is_as_always_is_not_stored(dice: Dice) -> None:
    """Two thirds of an attack would say that there is nothing."""
    dice.red("blank focus")
    text = codec.write_state(xwing, xwing.start(DECLARED, dice))
    assert text.startswith('{"kind":"attack","declared":')
    assert "ordnance" not in text
    assert len(text) < 500


def test_of_several_classes_the_right_one_comes_back() -> None:
    """Also where all their fields have defaults."""
    kind = pieces.Body
    for body in (Match(), Match(round=2), launch("Luke", hull=3), Decks(piles={})):
        again = codec.read_body(kind, codec.write_body(kind, body))
        assert (again, type(again)) == (body, type(body))


def test_a_state_of_another_version_is_refused_with_a_sentence(dice: Dice) -> None:
    dice.red("hit hit")
    dice.green("blank")
    text = codec.write_state(xwing, xwing.start(DECLARED, dice))
    newer = cast("Rules", SimpleNamespace(SCHEMA=2, State=xwing.State))
    with pytest.raises(codec.OutdatedStateError, match="please start a new one"):
        codec.read_state(newer, 1, text)


def test_an_attack_that_was_stored_with_its_damage_is_still_read(dice: Dice) -> None:
    """Versions before stored the damage; now it follows from the dice, the hull and the shields."""
    dice.red("hit hit")
    state = xwing.start(Declared(attack=LineUp(dice=2), defense=LineUp(), hull=3), dice)
    stored = {**json.loads(codec.write_state(xwing, state)), "damage": {"hits": 2, "facedown": 2, "destroyed": False}}
    assert codec.read_state(xwing, xwing.SCHEMA, json.dumps(stored)) == state


def test_a_choice_is_kept_with_what_was_picked_and_filled() -> None:
    assert codec.write_choice(None) == "{}"
    assert json.loads(codec.write_choice(Choice("lock", ("0", "2")))) == {"picked": ["0", "2"], "filled": {}}
    filled = json.loads(codec.write_choice(Choice("defend", filled={"agility": "2"})))
    assert filled == {"picked": [], "filled": {"agility": "2"}}


def test_draws_are_kept_with_their_pool_and_whether_they_came_again(dice: Dice) -> None:
    dice.will_show(3, 0)
    rng = recorder(dice, [Draw(6, 5, "d6 saved")])
    assert [rng.in_pool("red rolled", "abcdefgh")(8), rng(6), rng.in_pool("d6 saved")(6)] == [3, 5, 0]
    text = '[[8,3,"red rolled"],[6,5,"",true],[6,0,"d6 saved"]]'
    assert codec.write_draws(rng.draws) == text
    assert codec.read_draws(text) == tuple(rng.draws)
    assert [draw.face for draw in rng.draws] == ["d", "", ""]


def test_the_real_source_gives_every_face_and_no_other() -> None:
    assert {REAL(6) for _ in range(2000)} == set(range(6))

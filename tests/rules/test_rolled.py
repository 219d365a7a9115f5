"""``rolled`` names every die on the table, and dice typed in by hand carry the side that typed them."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given, strategies as st

from bot.games import GAMES, Game
from bot.rules import albion, infinity, warsurge, xwing
from bot.rules.dice import Rolled, enter_physical_dice, list_typists
from bot.rules.game import Choice, Rules, Side
from bot.rules.text import Name
from tests.conftest import Dice
from tests.starts import every_game, walk


def dice_in(state: Any) -> Iterator[Rolled]:
    """Every die in a state, found by looking into all its fields."""
    if isinstance(state, Rolled):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from dice_in(part)
    elif is_dataclass(state):
        for field in fields(state):
            yield from dice_in(getattr(state, field.name))


@every_game
@given(data=st.data())
def test_every_die_of_a_state_is_named_once_and_no_other(game: Game, data: st.DataObject) -> None:
    for state in walk(data, game):
        assert sorted(map(repr, game.rules.rolled(state))) == sorted(map(repr, dice_in(state)))


def sides_that_typed(rules: Rules, state: Any) -> list[str]:
    return list_typists(rules.rolled(state))


def test_the_faces_of_a_declaration_were_typed_by_the_attacker(dice: Dice) -> None:
    for rules, raw, count in (
        (infinity, {"sv": 12, "burst": 2, "dice": [3, 9]}, 2),
        (infinity, {"hits": 1, "ammo": "N", "ps": 7, "arm": 3, "dice": [5]}, 1),
        (warsurge, {"method": "casual", "power": 3, "defence": 3, "attack_dice": 1, "faces": [[5]]}, 1),
        (albion, {**dict(GAMES["albion"].samples[0]), "faces": [72, 0, 1]}, 3),
        (
            xwing,
            {"attack": {"dice": 1}, "defense": {"dice": 1}, "red": ["hit"], "green": ["blank"]},
            2,
        ),
    ):
        state = rules.start(rules.declare(raw), dice)
        assert sides_that_typed(rules, state) == ["attacker"] * count, rules.KEY


def test_the_faces_of_a_choice_were_typed_by_the_side_that_chose(dice: Dice) -> None:
    opened = infinity.start(infinity.declare({"a": {"sv": 12, "dice": [3]}, "open": True}), dice)
    form = {"sv": "11", "mods": "b1", "kind": "", "dice": "9"}
    answered = infinity.choose(opened, Choice("react", filled=form, by=Side.DEFENDER), dice)
    assert sides_that_typed(infinity, answered) == ["attacker", "defender"]


def test_what_happens_later_to_an_entered_die_is_not_typed() -> None:
    (die,) = enter_physical_dice("d20", (9,), Side.ATTACKER)
    assert list_typists([die.after_step("cancelled", "7")]) == ["attacker"]
    assert type(die.trail[0].by) is Name, "a side is said in no language here: its person is"


def test_each_face_of_a_chain_counts() -> None:
    (die,) = enter_physical_dice("d6", (6,), Side.ATTACKER)
    assert list_typists([die.after_step("entered", "attacker", 5)]) == ["attacker", "attacker"]

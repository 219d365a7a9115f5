"""Whom a roll is about, for its line in the history."""

from random import Random
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.warsurge.units import Unit

NUMBERS = {"attack": {"dice": 3}, "defense": {"dice": 2}}


@pytest.mark.parametrize(
    ("game", "words", "names"),
    [
        ("xwing", NUMBERS, ()),
        ("xwing", {"red": 2, "green": 0}, ()),
        ("infinity", {"order": "Angus 12 vs Ortega 11; Diaz 10 dodge vs Angus"}, ("Angus", "Ortega", "Diaz")),
        ("infinity", {"sv": 12}, ()),
        ("infinity", {"hits": 1, "ps": 7, "arm": 1, "name": "Ortega"}, ("Ortega",)),
        ("infinity", {"order": "Angus 12 vs Ortega", "open": True}, ()),
        ("warsurge", {"power": 4, "defence": 4}, ()),
    ],
)
def test_the_names_of_a_roll(game: str, words: dict[str, Any], names: tuple[str, ...]) -> None:
    rules, about = GAMES[game].rules, GAMES[game].table.about
    assert about(rules.start(rules.declare(words), Random(1).randrange)) == names


def test_the_units_of_an_attack() -> None:
    warsurge = GAMES["warsurge"]
    target = Unit(name="Ortega", defence=4)
    declared = warsurge.declare({"target": "Ortega", "power": 4}, {"Ortega": target})
    assert warsurge.table.about(warsurge.rules.start(declared, Random(1).randrange)) == ("Ortega",)

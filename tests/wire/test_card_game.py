"""Games of squads with cards over the wire, with a bot that is killed: each token and charge is where it should be."""

import json
from typing import Any

import pytest

from tests import books as kept
from tests.wire.card_game import DROIDS, EMPIRE, TOKENS, CardBooked, CardGame
from tests.wire.skirmish import Books
from tests.wire.wire import Wire


def agree(wire: Wire, books: Books) -> None:
    """The ships as they are stored, against the books of who played."""
    stored = {name: json.loads(body) for name, body in wire.rows("SELECT name, body FROM piece")}
    ships = {name: item for name, item in stored.items() if item["kind"] == "ship"}
    assert ships.keys() == books.keys()
    for name, ship in ships.items():
        booked = books[name]
        assert isinstance(booked, CardBooked)
        assert {token: ship.get("tokens", {}).get(token, 0) for token in TOKENS} == {
            token: booked.tokens[token] for token in TOKENS
        }, name
        damage = (ship.get("shields_left", 0), len(ship.get("facedown", ())), len(ship.get("faceup", ())))
        assert damage == (booked.shields, booked.facedown, len(booked.faceup)), name
        assert ship.get("force_left", 0) == booked.force, name
        assert [item for item in ship.get("upgrade_charges", ()) if item] == [
            charge for charge in booked.charges.values() if charge
        ], name
        assert ship.get("locks", []) == ([booked.lock] if booked.lock else []), name
        assert (ship.get("engaged", False), ship.get("attacks", 0)) == (booked.engaged, booked.attacks), name


async def played(wire: Wire, seed: int, foe: dict[str, Any], *wanted: str) -> CardGame:
    game = CardGame(wire, seed, foe, wanted, lambda books: agree(wire, books))
    await game.play()
    assert kept.wrong(wire.stored) == []
    assert game.is_seen or game.is_won
    return game


async def test_rebels_against_howlrunner_and_her_friends(wire: Wire) -> None:
    game = await played(wire, 3, EMPIRE, "Predator", "Howlrunner", "ion")
    assert game.bot.kills >= 3


@pytest.mark.long
async def test_rebels_against_droids_that_calculate_for_each_other(wire: Wire) -> None:
    game = await played(wire, 5, DROIDS, "Networked Calculations")
    assert game.bot.kills >= 3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
async def test_many_games_with_cards(wire: Wire, seed: int) -> None:
    """``python -m pytest -m long tests/wire/test_card_game.py``"""
    await played(wire, seed, DROIDS if seed % 2 else EMPIRE)

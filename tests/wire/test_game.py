"""A whole game over the wire with a bot that is killed again and again: nothing is lost, and nothing counts twice."""

import json
from typing import Any

import pytest

from tests import books
from tests.wire.skirmish import TOKENS, Books, Skirmish
from tests.wire.wire import Wire

GAMES = 200


async def played(wire: Wire, seed: int) -> Skirmish:
    """A game whose books are compared after every step and every attack, not only when round tokens have gone."""
    game = Skirmish(wire, seed, lambda books: agree(wire, books))
    await game.play()
    return game


def agree(wire: Wire, books: Books) -> None:
    """Every token, shield and lock lies where the books say."""
    pieces = {name: json.loads(body) for name, body in wire.rows("SELECT name, body FROM piece")}
    ships = {name: piece for name, piece in pieces.items() if piece["kind"] == "ship"}
    assert ships.keys() == books.keys()
    for name, ship in ships.items():
        booked = books[name]
        assert {kind: ship["tokens"].get(kind, 0) for kind in TOKENS} == {kind: booked.tokens[kind] for kind in TOKENS}
        damage = (ship.get("shields_left", 0), len(ship.get("facedown", ())), len(ship.get("faceup", ())))
        assert damage == (booked.shields, booked.facedown, len(booked.faceup))
        assert ship.get("force_left", 0) == booked.force
        assert ship.get("locks", []) == ([booked.lock] if booked.lock else [])
        assert (ship.get("engaged", False), ship.get("attacks", 0)) == (booked.engaged, booked.attacks)


def check(wire: Wire, game: Skirmish) -> None:
    """Every ply is one that somebody saw to count, in their order, and the table is as their books say."""
    names = {person.id: name for name, person in game.people.items()}
    plies = wire.rows("SELECT person_id, offer, choice FROM ply ORDER BY id")
    assert [
        (names[person], offer, tuple(json.loads(choice).get("picked", ()))) for person, offer, choice in plies
    ] == game.journal
    agree(wire, game.books)
    assert books.wrong(wire.stored) == []


@pytest.mark.both
async def test_a_game_of_two_people_four_ships_and_two_rounds_survives_every_kill(wire: Wire) -> None:
    game = await played(wire, 20)
    assert game.bot.kills >= 3
    check(wire, game)


@pytest.mark.long
@pytest.mark.both
@pytest.mark.parametrize("seed", range(GAMES))
async def test_many_random_games(wire: Wire, seed: int, record_property: Any) -> None:
    """``python -m pytest -m long tests/wire/test_game.py`` · the report counts presses, kills and lost answers."""
    game = await played(wire, seed)
    for what in ("tried", "kills", "unseen"):
        record_property(what, getattr(game.bot, what))
    print(f"seed {seed}: {game.bot.tried} presses, {game.bot.kills} kills, {game.bot.unseen} answers lost")  # noqa: T201 - the report
    check(wire, game)

"""What a match to keep says of pieces: as everybody may see them, and not that a secret has changed."""

from dataclasses import replace

from bot.rules.infinity.table.pieces import SCHEMA, Body
from bot.rules.infinity.troopers.trooper import Trooper, parse
from bot.sessions import codec
from bot.sessions.codec import PieceChange
from bot.sessions.pieces import public_bodies
from bot.store.pieces import Piece

LOU = replace(parse("Lou", "BS 12, WIP 13, W 1"), points=21, owner=1)


def change(before: Trooper, after: Trooper) -> PieceChange:
    piece, other = (Piece("infinity", "lou", "Lou", codec.write_body(Body, body), SCHEMA) for body in (before, after))
    return PieceChange(piece, other)


def test_a_new_lieutenant_and_costs_are_not_in_the_match() -> None:
    assert public_bodies([change(LOU, replace(LOU, skills=("Lieutenant",)))]) == {}
    hurt = public_bodies([change(LOU, replace(LOU, skills=("Lieutenant",), lost=1))])
    assert hurt["Lou"]["lost"] == 1
    assert "points" not in hurt["Lou"]
    assert "Lieutenant" not in str(hurt)

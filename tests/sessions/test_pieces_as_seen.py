"""What a match to keep says of pieces: as everybody may see them, and not that a secret has changed."""

from dataclasses import replace

from bot.rules.infinity.pieces import SCHEMA, Body
from bot.rules.infinity.trooper import Trooper, parse
from bot.sessions import codec
from bot.sessions.codec import Change
from bot.sessions.pieces import as_seen
from bot.store.pieces import Piece

LOU = replace(parse("Lou", "BS 12, WIP 13, W 1"), points=21, owner=1)


def change(before: Trooper, after: Trooper) -> Change:
    one, other = (Piece("infinity", "lou", "Lou", codec.write_body(Body, body), SCHEMA) for body in (before, after))
    return Change(one, other)


def test_a_new_lieutenant_and_costs_are_not_in_the_match() -> None:
    assert as_seen([change(LOU, replace(LOU, skills=("Lieutenant",)))]) == {}
    hurt = as_seen([change(LOU, replace(LOU, skills=("Lieutenant",), lost=1))])
    assert hurt["Lou"]["lost"] == 1
    assert "points" not in hurt["Lou"]
    assert "Lieutenant" not in str(hurt)

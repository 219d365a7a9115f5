"""The faces as emoji: which there are, what they are called, how large they are."""

import re
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.games import Game
from bot.render.card import Tile
from bot.render.faces import FACES, Face, face_of, painted
from bot.render.paint import sprite
from tests.starts import every_game, walk


def test_there_are_as_many_as_discord_keeps_with_room_for_other_drawings() -> None:
    assert len(FACES) == len(set(FACES)) == len(painted(FACES)) == 186
    assert 2000 // len(FACES) >= 10


def test_every_name_is_one_for_discord_and_tells_the_face() -> None:
    names = {face: name for name, (face, _) in painted(FACES).items()}
    assert all(re.fullmatch(r"[A-Za-z0-9_]{2,32}", name) for name in names.values())
    assert re.fullmatch(r"red_hit_[0-9a-f]{8}", names[Face("red", "hit")])
    assert re.fullmatch(r"d20a_17_cut_[0-9a-f]{8}", names[Face("d20-attacker", "17", "cancelled")])
    assert re.fullmatch(r"d6_2_off_[0-9a-f]{8}", names[Face("d6", "2", "failed")])


def test_every_picture_is_small_and_filled_by_its_die() -> None:
    for name, (face, png) in painted(FACES).items():
        assert len(png) < 16_000, name
        picture = Image.open(BytesIO(png))
        assert picture.size == (84, 84)
        assert picture.format == "PNG"
        if face.fate == "stands":
            left, top, right, bottom = picture.getchannel("A").getbbox() or (0, 0, 0, 0)
            assert max(right - left, bottom - top) >= 78, name


def test_no_two_faces_look_alike() -> None:
    digests = [name.rsplit("_", 1)[1] for name in painted(FACES)]
    assert len(set(digests)) == len(digests)


def test_another_drawing_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    hit = (Face("red", "hit"),)
    (before,) = painted(hit)
    monkeypatch.setattr("bot.render.faces.sprite", lambda _, size: sprite(Tile("red", "crit"), size))
    painted.cache_clear()
    (after,) = painted(hit)
    painted.cache_clear()
    assert before.startswith("red_hit_")
    assert after.startswith("red_hit_")
    assert before != after


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_die_on_every_card_has_a_face(game: Game, data: st.DataObject) -> None:
    """All faces of a body are emoji, or none: dice of the other bodies (d4, d8, d100) are in words."""
    bodies = {face.body for face in FACES}
    assert bodies == {"red", "green", "d20-attacker", "d20-defender", "d6", "dx36"}
    for state in walk(data, game):
        for strip in game.card(state, {}).strips:
            shown = {face_of(tile) for tile in strip.tiles if tile.body != "sum"}
            assert {face for face in shown if face.body in bodies or not game.is_general} <= set(FACES)


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_face_that_a_choice_speaks_of_is_one(game: Game, data: st.DataObject) -> None:
    for state in walk(data, game):
        for offer in game.rules.offers(state):
            shows = [offer.shows, *(option.shows for option in offer.options)]
            assert {Face(*one) for one in shows if one} <= set(FACES)

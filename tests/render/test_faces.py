"""The faces as emoji: which there are, what they are called, how large they are."""

import re
from hashlib import sha256
from io import BytesIO

import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

from bot.games import Game
from bot.render import paint, prewarm
from bot.render.art.dice import text_glyph
from bot.render.art.sheet import Stencil
from bot.render.card import Tile
from bot.render.faces import DRAWINGS, FACES, Face, crop_die, face_of, name, png_of
from tests.examples import share_of
from tests.starts import every_game, walk


def test_there_are_as_many_as_discord_keeps_with_room_for_other_drawings() -> None:
    assert len(FACES) == len(set(FACES)) == len({name(face) for face in FACES}) == 198
    assert 2000 // len(FACES) >= 10


def test_every_name_is_one_for_discord_and_tells_the_face() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_]{2,32}", name(face)) for face in FACES)
    assert name(Face("red", "hit")) == f"red_hit_{DRAWINGS['red']}"
    assert name(Face("d20-attacker", "17", "cancelled")) == f"d20a_17_cut_{DRAWINGS['d20-attacker']}"
    assert name(Face("d6", "2", "failed")) == f"d6_2_off_{DRAWINGS['d6']}"


def test_every_picture_is_small_and_filled_by_its_die() -> None:
    for face in FACES:
        png = png_of(face)
        assert len(png) < 16_000, face
        picture = Image.open(BytesIO(png))
        assert picture.size == (84, 84)
        assert picture.format == "PNG"
        if face.fate == "stands":
            left, top, right, bottom = picture.getchannel("A").getbbox() or (0, 0, 0, 0)
            assert max(right - left, bottom - top) >= 78, face


def test_no_two_faces_look_alike() -> None:
    assert len({crop_die(face).tobytes() for face in FACES}) == len(FACES)


@pytest.mark.parametrize("body", dict.fromkeys(face.body for face in FACES))
def test_another_drawing_has_another_name(body: str) -> None:
    """If this fails, write the new digest down; then the application gets emoji of the new drawing."""
    pixels = b"".join(crop_die(face).tobytes() for face in FACES if face.body == body)
    assert DRAWINGS[body] == sha256(pixels).hexdigest()[:8]


@every_game
@settings(max_examples=share_of(25), deadline=None)
@given(data=st.data())
def test_every_die_on_every_card_has_a_face(game: Game, data: st.DataObject) -> None:
    """All faces of a body are emoji, or none: dice of the other bodies (d4, d8, d100) are in words."""
    bodies = {face.body for face in FACES}
    assert bodies == {"red", "green", "d20-attacker", "d20-defender", "d6", "d6-defender", "dx36"}
    for state in walk(data, game):
        for strip in game.card(state, {}).strips:
            shown = {face_of(tile) for tile in strip.tiles if tile.body != "sum"}
            if game.is_general:  # a d6 that explodes into one die shows 11, or 0 where each one more counts less
                shown = {face for face in shown if (face.body, face.face) in {(item.body, item.face) for item in FACES}}
            assert shown <= set(FACES)


@every_game
@settings(max_examples=share_of(25), deadline=None)
@given(data=st.data())
def test_every_face_that_a_choice_speaks_of_is_one(game: Game, data: st.DataObject) -> None:
    for state in walk(data, game):
        for offer in game.rules.offers(state):
            shows = [offer.shows, *(option.shows for option in offer.options)]
            assert {Face(*show) for show in shows if show} <= set(FACES)


def test_totals_of_one_and_of_two_digits_have_one_size_and_begin_in_line() -> None:
    def box(text: str) -> tuple[int, int, int, int]:
        hole = Stencil(96)
        text_glyph(text)(hole, 48, 48, 30)
        result = hole.image.getbbox()
        assert result is not None
        return result

    (left, top, right, bottom), (begin, high, _, low) = box("= 8"), box("= 88")
    assert (left, top, bottom) == (begin, high, low)
    assert right > left
    _, smaller, _, end = box("= 888")
    assert end - smaller < bottom - top


def test_every_face_is_drawn_ahead() -> None:
    paint.packed_cell.cache_clear()
    for piece in prewarm.pieces():
        piece()
    drawn = paint.packed_cell.cache_info().misses
    for face in FACES:
        paint.packed_cell(Tile(face.body, face.face, face.fate), False)
    assert paint.packed_cell.cache_info().misses == drawn

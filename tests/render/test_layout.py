"""Where the strips of a picture lie: labels above them, the two that meet beside each other."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.render import caption, layout, paint
from bot.render.art.sheet import CELL
from bot.render.card import Card, Strip, Tile

ONE = Strip("Angus, SV 12", (Tile("d20-attacker", "9"),))
TWO = Strip("Ortega, SV 11", (Tile("d20-defender", "5"),) * 2, beside=True)


def picture(*strips: Strip) -> Image.Image:
    png = paint.picture(Card("Infinity", "Angus wins.", strips=strips))
    assert png is not None
    return Image.open(BytesIO(png)).convert("RGBA")


def inked(image: Image.Image) -> tuple[int, int, int, int] | None:
    return image.getchannel("A").getbbox()


def test_two_that_meet_lie_beside_each_other() -> None:
    left, right = layout.blocks((ONE, TWO))
    assert (left.top, right.top) == (0, 0)
    assert right.left >= left.right
    assert picture(ONE, TWO).height == caption.HIGH + CELL


def test_others_lie_beneath_each_other() -> None:
    one, two = layout.blocks((ONE, replace(TWO, beside=False)))
    assert two.left == 0
    assert two.top >= one.bottom


@pytest.mark.parametrize("dice", range(1, 13))
def test_what_does_not_fit_goes_beneath_and_nothing_is_too_wide(dice: int) -> None:
    one, two = layout.blocks((replace(ONE, tiles=ONE.tiles * dice), TWO))
    assert (two.left > 0) == (dice < 5)
    assert two.top == (0 if dice < 5 else one.bottom + layout.GAP)
    assert max(one.right, two.right) <= layout.WIDEST


def test_second_strips_stand_in_one_column() -> None:
    blocks = layout.blocks((ONE, TWO, ONE, replace(TWO, label="Li, SV 9")))
    assert blocks[1].left == blocks[3].left
    assert blocks[2].top > blocks[1].bottom


def test_only_several_strips_are_labelled() -> None:
    assert picture(ONE).height == CELL
    both = picture(ONE, replace(TWO, beside=False))
    assert both.height == 2 * (caption.HIGH + CELL) + layout.GAP
    assert inked(both.crop((0, 0, both.width, caption.HIGH))) is not None, "the words are there"


def test_a_label_that_the_font_cannot_write_is_left_out() -> None:
    strange = replace(ONE, label="Мурат, SV 13")
    assert picture(strange, TWO).height == caption.HIGH + CELL, "the other one still has its label"
    assert caption.drawn("Мурат, SV 13", 600) is None
    assert caption.drawn("Who?", 600) is not None


def test_a_label_too_long_is_cut() -> None:
    line = caption.drawn("Long John Silver against the Seven Seas, SV 12 and more", 6 * CELL)
    assert line is not None
    assert line.width <= 6 * CELL


def test_a_strip_without_dice_takes_no_room() -> None:
    assert picture(ONE, Strip("Nothing", ())).size == picture(ONE).size

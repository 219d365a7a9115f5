"""Where the strips of a picture lie: labels above them, the two that meet beside each other."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.render import paint
from bot.render.art import letters
from bot.render.art.palette import GOLD, MUTED
from bot.render.card import Card, Strip, Tile
from bot.render.figures.panel import PAD, WIDTH
from bot.render.paint import CELL, GAP, INDENT, LABEL, LABEL_HIGH, LABEL_SIZES
from bot.rules.text import Text

ONE = Strip(Text("Angus, SV 12"), (Tile("d20-attacker", "9"),))
TWO = Strip(Text("Ortega, SV 11"), (Tile("d20-defender", "5"),) * 2, beside=True)


def picture(*strips: Strip) -> Image.Image:
    png = paint.picture(Card(Text("Infinity"), Text("Angus wins."), strips=strips))
    assert png is not None
    return Image.open(BytesIO(png)).convert("RGBA").convert("RGB")


def inks(image: Image.Image) -> set[object]:
    return {color for _, color in image.getcolors(image.width * image.height) or []}


def test_two_that_meet_lie_beside_each_other() -> None:
    ((left, right),) = paint.lines((ONE, TWO))
    assert (left.left, right.left) == (PAD, WIDTH // 2)
    assert picture(ONE, TWO).height == LABEL_HIGH + CELL + 2 * PAD


def test_others_lie_below_each_other() -> None:
    (block,), (two,) = paint.lines((ONE, replace(TWO, beside=False)))
    assert block.left == two.left == PAD


@pytest.mark.parametrize("dice", range(1, 13))
def test_what_does_not_fit_goes_below_and_nothing_is_too_wide(dice: int) -> None:
    lines = paint.lines((replace(ONE, tiles=ONE.tiles * dice), TWO))
    assert len(lines) == (1 if dice < 5 else 2), "six dice fit beside each other"
    assert max(block.right for line in lines for block in line) <= WIDTH - PAD


def test_a_label_too_long_for_two_is_cut_so_that_they_lie_beside_each_other() -> None:
    long = "A name of many words, SV 12, and more of it"
    for strips in (
        (replace(ONE, label=Text(long)), TWO),
        (ONE, replace(TWO, label=Text(long))),
        (replace(ONE, label=Text(long)),) * 2,
    ):
        ((left, right),) = paint.lines((strips[0], replace(strips[1], beside=True)))
        assert left.right <= right.left == WIDTH // 2
        assert right.right <= WIDTH - PAD // 2
        assert any(block.label.endswith("…") for block in (left, right))


def test_a_label_that_is_a_little_too_long_is_smaller() -> None:
    """As the German one of two defense dice beside four attack dice."""
    two = replace(TWO, label=Text("Verteidigungswürfel"), tiles=TWO.tiles[:1] * 2, beside=True)
    ((left, right),) = paint.lines((replace(ONE, label=Text("Angriffswürfel"), tiles=ONE.tiles[:1] * 4), two))
    assert (left.size, right.size) == (LABEL, LABEL_SIZES[-1])
    assert right.label == two.label
    assert right.right <= WIDTH - PAD // 2


def test_the_label_of_the_winner_is_gold() -> None:
    shown = picture(replace(ONE, label=Text("Angus wins, SV 12"), won=True), TWO)
    assert GOLD in inks(shown.crop((0, PAD, WIDTH // 2, PAD + LABEL_HIGH)))
    assert GOLD not in inks(shown.crop((WIDTH // 2, PAD, WIDTH, PAD + LABEL_HIGH)))


def test_second_strips_stand_in_one_column() -> None:
    (_, first), (_, second) = paint.lines((ONE, TWO, ONE, replace(TWO, label=Text("Li, SV 9"))))
    assert first.left == second.left


def test_only_several_strips_are_labeled() -> None:
    assert picture(ONE).height == CELL + 2 * PAD
    both = picture(ONE, replace(TWO, beside=False))
    assert both.height == 2 * (LABEL_HIGH + CELL) + GAP + 2 * PAD
    assert MUTED in inks(both.crop((0, PAD, WIDTH, PAD + LABEL_HIGH))), "the words are there"


def test_a_label_that_the_font_cannot_write_is_left_out() -> None:
    strange = replace(ONE, label=Text("☃, SV 13"))
    assert paint.label(strange.label) == ""
    assert paint.label("Who?") == "Who?"
    shown = picture(strange, TWO)
    assert MUTED not in inks(shown.crop((0, PAD, WIDTH // 2, PAD + LABEL_HIGH)))
    assert MUTED in inks(shown.crop((WIDTH // 2, PAD, WIDTH, PAD + LABEL_HIGH))), "the other one still has its label"


def test_a_label_too_long_is_cut() -> None:
    line = paint.label("Long John Silver against the Seven Seas, SV 12 and much more")
    assert line.endswith("…")
    assert letters.width(line, LABEL) <= WIDTH - 2 * PAD - 2 * INDENT


@pytest.mark.parametrize(
    "strips", [(), (ONE,), (TWO,), (ONE, TWO), (replace(TWO, tiles=TWO.tiles * 20),), (ONE, ONE, TWO, TWO)]
)
def test_every_picture_has_one_width_and_dice_of_one_size(strips: tuple[Strip, ...]) -> None:
    """The same pixels show a die wherever it lies."""
    shown = Image.open(BytesIO(paint.compose_picture(strips)))
    assert shown.width == WIDTH
    top = PAD
    for number, line in enumerate(paint.lines(strips)):
        top += LABEL_HIGH + (GAP if number else 0)
        for block in line:
            for row, tiles in enumerate(block.rows):
                for column, tile in enumerate(tiles):
                    left, upper = block.left + column * CELL, top + row * CELL
                    die = shown.crop((left, upper, left + CELL, upper + CELL))
                    assert die.tobytes() == paint.cached_cell(tile, False).tobytes()
        top += CELL * max(len(block.rows) for block in line)


def test_a_strip_without_dice_takes_no_room() -> None:
    assert picture(ONE, Strip(Text("Nothing"), ())).size == picture(ONE).size

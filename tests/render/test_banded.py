"""Pictures joined from bands that were deflated before are the same as those that were painted whole."""

import zlib
from io import BytesIO
from itertools import product
from random import Random

from hypothesis import given, settings, strategies as st
from PIL import Image

from bot.render import paint
from bot.render.art.palette import ALPHAS, COLORS
from bot.render.card import Strip, Tile
from bot.render.figures import panel
from bot.render.paint import band, combine_checksums, join_bands

TILES = [
    Tile(body, face, fate="cancelled" if face == "hit" else "stands", linked=linked)
    for body, face, linked in product(("red", "green", "d20-attacker", "sum"), ("hit", "blank", "4"), (False, True))
]
LABELS = ("", "Attack dice", "A label that is too long for a picture of any width that there may be on a phone")
STRIPS = st.lists(
    st.builds(
        Strip, st.sampled_from(LABELS), st.lists(st.sampled_from(TILES), max_size=8).map(tuple), beside=st.booleans()
    ),
    max_size=4,
).map(tuple)


@given(st.binary(max_size=5000), st.binary(max_size=5000))
def test_the_checksum_of_two_texts_joined(first: bytes, second: bytes) -> None:
    assert combine_checksums(zlib.adler32(first), zlib.adler32(second), len(second)) == zlib.adler32(first + second)


def test_the_checksum_of_long_texts_of_large_bytes() -> None:
    first, second = b"\xff" * 300_000, b"\xfe" * 700_000
    assert combine_checksums(zlib.adler32(first), zlib.adler32(second), len(second)) == zlib.adler32(first + second)


@settings(deadline=None)
@given(STRIPS)
def test_a_joined_picture_is_its_rows_below_each_other(strips: tuple[Strip, ...]) -> None:
    with Image.open(BytesIO(paint.compose_picture(strips))) as shown:
        shown.load()
        assert shown.mode == "P"
        assert shown.info["transparency"] == ALPHAS
        assert (bytes(shown.getpalette() or ()) + COLORS)[: len(COLORS)] == COLORS
        top = panel.PAD
        lines = list(paint.lines(strips))
        wide = paint.width_of_tray(lines, "", "")
        for number, line in enumerate(lines):
            between = tuple(block.left - (paint.APART + paint.THIN) // 2 for block in line[1:])
            top += paint.GAP if number else 0
            top += paint.LABEL_HIGH if any(block.label for block in line) else 0
            for at in range(max(len(block.rows) for block in line)):
                places = tuple((block.left, block.rows[at]) for block in line if at < len(block.rows))
                whole = paint.row(places, between, wide)
                assert shown.crop((0, top, panel.WIDTH, top + paint.CELL)).tobytes() == whole.tobytes()
                top += paint.CELL
        assert shown.size == (panel.WIDTH, top + panel.PAD)


@given(STRIPS)
def test_each_strip_with_dice_is_in_one_line(strips: tuple[Strip, ...]) -> None:
    blocks = [block for line in paint.lines(strips) for block in line]
    assert [tile for block in blocks for row in block.rows for tile in row] == [
        tile for strip in strips for tile in strip.tiles
    ]


def test_bands_of_one_row_and_of_many_join() -> None:
    """Any decoder reads the whole, and its checksums are right: Pillow refuses a PNG where they are not."""
    images = [Image.new("L", (7, rows), rows) for rows in (1, 300, 2)]
    png = join_bands(7, [band(image) for image in images], COLORS, ALPHAS)
    with Image.open(BytesIO(png)) as shown:
        shown.load()
        assert shown.tobytes() == b"".join(image.tobytes() for image in images)
    start = png.index(b"IDAT") + 4
    (length,) = (int.from_bytes(png[start - 8 : start - 4], "big"),)
    rows = b"".join(b"\0" + image.tobytes()[at * 7 : at * 7 + 7] for image in images for at in range(image.height))
    assert zlib.decompress(png[start : start + length]) == rows, "zlib checks the Adler-32 of it all"


@given(st.integers(1, 200), st.integers(1, 40), st.integers(0, 2**32))
def test_a_band_of_any_height_keeps_its_pixels(high: int, wide: int, seed: int) -> None:
    """Rows are copied some at a time, and the last time fewer."""
    chance = Random(seed)
    image = Image.frombytes("L", (wide, high), bytes(chance.randrange(len(COLORS) // 3) for _ in range(wide * high)))
    with Image.open(BytesIO(join_bands(wide, [band(image), band(image)], COLORS, ALPHAS))) as shown:
        assert shown.size == (wide, 2 * high)
        assert shown.tobytes() == image.tobytes() * 2

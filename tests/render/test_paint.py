"""The pictures of dice: what the eye must be able to tell apart, measured in pixels and contrasts."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from bot.render import paint
from bot.render.art import letters
from bot.render.art.dice import BODIES as ALL_BODIES, DX, OTHER
from bot.render.art.palette import GOLD, RULE, TRAY, WHITE, dim, pale
from bot.render.card import Strip, Tile
from bot.render.figures.panel import PAD, WIDTH
from bot.render.paint import APART, CELL, GAP, LABEL_HIGH, MAX_ROW
from bot.rules.text import Text
from docs.themes import contrast
from tests.rows import for_each_row

PLAIN = Tile("red", "hit")
STATES = {
    "failed": replace(PLAIN, fate="failed"),
    "cancelled": replace(PLAIN, fate="cancelled"),
    "changed": replace(PLAIN, badge="focus"),
    "rerolled": replace(PLAIN, ghost="blank"),
    "added": replace(PLAIN, added=True),
    "critical": replace(PLAIN, critical=True),
    "framed": replace(PLAIN, framed=True),
    "linked": replace(PLAIN, linked=True),
}
BODIES = ("red", "green", "d20-attacker", "d20-defender", "d6", "dx36", "never-heard-of")


def strip(*tiles: Tile) -> tuple[Strip, ...]:
    return (Strip(Text("Dice"), tiles),)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def painted(*tiles: Tile) -> Image.Image:
    """The dice on the tray, without the tray around them."""
    whole = opened(paint.compose_picture((Strip(Text(""), tiles),))).convert("RGBA").convert("RGB")
    across = min(len(tiles), MAX_ROW)
    return whole.crop((PAD, PAD, PAD + across * CELL, whole.height - PAD))


def shape(picture: Image.Image) -> Image.Image:
    """White where anything but the tray is."""
    return ImageChops.difference(picture, Image.new("RGB", picture.size, TRAY)).convert("L").point([0] + [255] * 255)


def seen(picture: Image.Image) -> Image.Image:
    """As somebody sees it who sees no colors."""
    return picture.convert("L")


def differing(image: Image.Image, other: Image.Image, by: int = 40) -> float:
    """The share of pixels of two gray pictures that differ clearly."""
    histogram = ImageChops.difference(image, other).histogram()
    return sum(histogram[by:]) / (image.width * image.height)


def is_drawn(picture: Image.Image, x: int, y: int) -> bool:
    return picture.getpixel((x, y)) != TRAY


def inks(picture: Image.Image) -> list[tuple[int, int, int]]:
    """The colors on the tray, the most frequent first."""
    counted = sorted(picture.getcolors(picture.width * picture.height) or [], reverse=True)
    return [color for _, color in counted if isinstance(color, tuple) and color != TRAY]


def test_a_die_is_sharp_at_three_times_the_css_pixels_of_a_phone() -> None:
    """A phone shows a picture 330 CSS pixels wide: the die is 43 of them, each of three pixels."""
    left, top, right, bottom = shape(painted(PLAIN)).getbbox() or (0, 0, 0, 0)
    assert (right - left, bottom - top) == pytest.approx((129, 129), abs=4)
    assert WIDTH >= 3 * 330


def test_the_picture_is_an_indexed_png_on_an_opaque_tray_with_clear_corners() -> None:
    png = paint.compose_picture(strip(*[PLAIN] * 6))
    picture = opened(png)
    assert (picture.format, picture.mode) == ("PNG", "P")
    assert len(png) < 20_000
    alpha = picture.convert("RGBA").getchannel("A")
    wide = 2 * PAD + 6 * CELL
    corners = [(x, y) for x in (0, wide - 1) for y in (0, picture.height - 1)]
    assert [alpha.getpixel(corner) for corner in corners] == [0] * 4
    assert alpha.crop((PAD, 0, wide - PAD, picture.height)).getextrema() == (255, 255)
    assert alpha.crop((0, PAD, wide, picture.height - PAD)).getextrema() == (255, 255)
    assert alpha.crop((wide, 0, WIDTH, picture.height)).getextrema() == (0, 0), "the tray is as wide as its dice"


@pytest.mark.parametrize(
    ("count", "wide", "high"), [(1, 1, 1), (3, 3, 1), (6, 6, 1), (7, 6, 2), (12, 6, 2), (13, 6, 3), (100, 6, 17)]
)
def test_six_dice_to_a_row_and_more_wrap(count: int, wide: int, high: int) -> None:
    assert painted(*[PLAIN] * count).size == (wide * CELL, high * CELL)


def test_each_strip_has_its_own_row() -> None:
    red, green = Strip(Text("Attack dice"), (PLAIN,) * 2), Strip(Text("Defense dice"), (Tile("green", "evade"),) * 3)
    both = opened(paint.compose_picture((red, green))).convert("RGBA").convert("RGB")
    assert both.size == (WIDTH, 2 * (LABEL_HIGH + CELL) + GAP + 2 * PAD)
    top = PAD + LABEL_HIGH
    assert both.crop((PAD, top, PAD + 2 * CELL, top + CELL)) == painted(*red.tiles)
    top += CELL + GAP + LABEL_HIGH
    assert both.crop((PAD, top, PAD + 3 * CELL, top + CELL)) == painted(*green.tiles)


def test_strips_without_dice_take_no_room() -> None:
    assert paint.compose_picture((Strip(Text("None"), ()), *strip(PLAIN))) == paint.compose_picture(strip(PLAIN))
    assert opened(paint.compose_picture(())).size == (WIDTH, 2 * PAD)


@pytest.mark.parametrize("tile", [PLAIN, *STATES.values()], ids=["plain", *STATES])
def test_there_is_room_between_the_dice(tile: Tile) -> None:
    single = painted(replace(tile, linked=False))
    assert not is_drawn(single, CELL - 1, CELL * 3 // 10)
    share = shape(single).histogram()[0] / (single.width * single.height)
    assert 0.05 < share < 0.6


def test_red_and_green_differ_in_shape_alone() -> None:
    red, green = (shape(painted(Tile(body, "focus"))) for body in ("red", "green"))
    left, top, right, bottom = red.getbbox() or (0, 0, 0, 0)
    for x in (left + 6, right - 7):
        for y in (top + 6, bottom - 7):
            assert (red.getpixel((x, y)), green.getpixel((x, y))) == (255, 0)


@pytest.mark.parametrize(
    ("one", "other"), list(combinations(["red", "green", "d20-attacker", "d20-defender", "d6"], 2))
)
def test_bodies_differ_in_shape_alone(one: str, other: str) -> None:
    shapes = [shape(painted(Tile(body, ""))) for body in (one, other)]
    assert differing(shapes[0], shapes[1]) > 0.01


@pytest.mark.parametrize(
    ("body", "faces"),
    [
        ("red", ("hit", "crit", "focus", "blank")),
        ("green", ("evade", "focus", "blank")),
        ("d6", ("1", "2", "3", "4", "5", "6")),
        ("d20-attacker", tuple(str(face) for face in range(1, 21))),
    ],
)
def test_faces_differ_without_color_at_a_third_of_the_size(body: str, faces: tuple[str, ...]) -> None:
    pictures = [seen(painted(Tile(body, face)).reduce(3)) for face in faces]
    assert min(differing(*pair) for pair in combinations(pictures, 2)) > 0.012, "a pip is the least of differences"


@pytest.mark.parametrize("body", BODIES)
def test_states_differ_without_color_at_a_third_of_the_size(body: str) -> None:
    tiles = [replace(tile, body=body, face="5" if body[0] in "da" else "hit") for tile in (PLAIN, *STATES.values())]
    pictures = [seen(painted(tile).reduce(3)) for tile in tiles]
    assert min(differing(*pair, by=24) for pair in combinations(pictures, 2)) > 0.02


@for_each_row("fate", ["failed", "unused", "cancelled"])
@for_each_row("body", BODIES)
def test_a_die_that_counts_for_nothing_is_dimmed_and_still_legible(body: str, fate: str) -> None:
    tile = Tile(body, "5", fate=fate)  # type: ignore[arg-type]  # each is a fate
    ink = ALL_BODIES.get(body, OTHER).ink
    dead, alive = (dict.fromkeys(inks(painted(item))) for item in (tile, replace(tile, fate="stands")))
    assert next(iter(dead)) == dim(ink)
    assert next(iter(alive)) == ink
    assert {pale(ink), ink} <= set(dead), "the glyph and the edge"
    assert contrast(dim(ink), TRAY) < 2 < contrast(ink, TRAY)
    assert contrast(pale(ink), dim(ink)) >= 4.5


@pytest.mark.parametrize("tile", [Tile("red", "blank"), Tile("green", "blank"), Tile("df", "blank")])
def test_an_empty_face_counts_for_nothing_and_is_dimmed(tile: Tile) -> None:
    assert inks(painted(tile))[0] == dim(ALL_BODIES[tile.body].ink)


@pytest.mark.parametrize(
    ("state", "x", "y"),
    [("changed", 97, 16), ("rerolled", 6, 16), ("rerolled", 6, 88), ("cancelled", 11, 11), ("cancelled", 93, 93)],
    ids=["badge", "turn-arrow", "ghost", "stroke's start", "stroke's end"],
)
def test_marks_stand_out_beyond_the_body(state: str, x: int, y: int) -> None:
    """At these cell units there is a mark, and no die without one."""
    without = painted(STATES["failed"] if state == "cancelled" else PLAIN)
    at = x * CELL // 104, y * CELL // 104
    assert (is_drawn(painted(STATES[state]), *at), is_drawn(without, *at)) == (True, False)


def test_a_die_that_does_not_count_steps_back() -> None:
    plain, failed = (shape(painted(tile)).getbbox() or (0,) * 4 for tile in (PLAIN, STATES["failed"]))
    assert failed[2] - failed[0] < 0.95 * (plain[2] - plain[0])


def test_badges_differ_without_color() -> None:
    tiles = [Tile("green", "evade", badge=badge) for badge in ("focus", "calculate", "force", "evade", "card", "new")]
    pictures = [seen(painted(tile)) for tile in tiles]
    assert min(differing(*pair) for pair in combinations(pictures, 2)) > 0.005


def test_a_ghost_shows_the_old_face() -> None:
    pictures = [painted(Tile("red", "hit", ghost=face)) for face in ("blank", "focus", "hit", "crit")]
    right, top = 42 * CELL // 104, 62 * CELL // 104
    corner = [seen(picture.crop((0, top, right, CELL))) for picture in pictures]
    assert min(differing(*pair) for pair in combinations(corner, 2)) > 0.03
    rest = [seen(picture.crop((right, 0, CELL, CELL))) for picture in pictures]
    assert max(differing(*pair, by=1) for pair in combinations(rest, 2)) == 0


def test_an_empty_face_is_an_empty_die_not_a_missing_one() -> None:
    blank, hit = painted(Tile("red", "blank")), painted(PLAIN)
    assert differing(shape(blank), shape(hit)) < 0.01
    assert contrast(ALL_BODIES["red"].ink, TRAY) >= 3, "its edge"


@pytest.mark.parametrize("body", sorted(ALL_BODIES))
def test_contrast_of_dice(body: str) -> None:
    """WCAG 2: 4.5 to 1 of the glyph to the body, for it may be a number (1.4.3); 3 of the body to the tray (1.4.11)."""
    ink = ALL_BODIES[body].ink
    assert contrast(WHITE, ink) >= 4.5
    assert contrast(ink, TRAY) >= 3


def test_the_ring_of_a_critical_is_gold() -> None:
    result = set(inks(painted(replace(PLAIN, critical=True)))) - set(inks(painted(PLAIN)))
    assert GOLD in result


def test_a_link_joins_two_dice() -> None:
    cell = CELL
    loose, joined = (painted(Tile("d6", "6"), Tile("d6", "4", linked=linked)) for linked in (False, True))
    rows = range(cell // 2 - 18, cell // 2 + 18)
    assert not any(is_drawn(loose, cell + side, y) for side in (-1, 0) for y in rows)
    for side in (-1, 0):
        assert any(is_drawn(joined, cell + side, y) for y in rows)


def test_a_chain_is_not_torn_by_the_end_of_a_row() -> None:
    cell = painted(PLAIN).width
    chain = (Tile("d6", "6"), Tile("d6", "6", linked=True), Tile("d6", "2", linked=True))
    picture = painted(*[Tile("d6", "1")] * 5, *chain)
    assert shape(picture.crop((5 * cell, 0, 5 * cell + PAD, cell))).getbbox() is None
    assert picture.crop((0, cell, 3 * cell, 2 * cell)) == painted(*chain)


def test_a_chain_longer_than_a_row_wraps_all_the_same() -> None:
    cell = painted(PLAIN).width
    assert painted(Tile("d6", "6"), *[Tile("d6", "6", linked=True)] * 7).size == (6 * cell, 2 * cell)


def test_albion_has_three_dice_of_one_size_and_a_sum_can_stand_beside_them() -> None:
    cell = painted(PLAIN).width
    picture = painted(*(Tile(body, "0") for body in DX), Tile("sum", "= 109"))
    boxes = [shape(picture.crop((at * cell, 0, (at + 1) * cell, cell))).getbbox() for at in range(4)]
    widths = [box[2] - box[0] for box in boxes if box]
    assert widths[0] == widths[1] == widths[2]
    assert contrast(inks(picture.crop((3 * cell, 0, 4 * cell, cell)))[0], TRAY) >= 4.5


@pytest.mark.parametrize("face", ["Heads", "a face with far too many letters", "two\nlines", " ", "0", "-12", "☃"])
def test_an_unknown_body_is_a_neutral_tile_with_the_face_as_text(face: str) -> None:
    tile = painted(Tile("never-heard-of", face))
    fill = inks(tile)[0]
    assert max(fill) - min(fill) < 60
    corner = next(x for x in range(tile.width) if is_drawn(tile, x, x))
    edge = (shape(tile).getbbox() or (0,))[0]
    assert corner - edge > 3, "its corners are rounded"
    if face.strip():
        assert differing(seen(tile), seen(painted(Tile("never-heard-of", "")))) > 0.005


@pytest.mark.parametrize("size", [48, 128])
def test_a_sprite_is_the_same_die_at_any_size(size: int) -> None:
    die = paint.sprite(STATES["rerolled"], size)
    assert (die.mode, die.size) == ("RGBA", (size, size))
    same = painted(STATES["rerolled"]).resize((size, size), Image.Resampling.LANCZOS)
    assert differing(seen(on_tray(die)), seen(same), by=64) < 0.02


@pytest.mark.parametrize("tile", [PLAIN, *STATES.values()], ids=["plain", *STATES])
def test_the_palette_loses_nothing_to_be_seen(tile: Tile) -> None:
    indexed, true = painted(tile), paint.sprite(tile, CELL)
    assert differing(seen(indexed), seen(on_tray(true)), by=24) < 0.001


def on_tray(picture: Image.Image) -> Image.Image:
    laid = Image.new("RGBA", picture.size, TRAY)
    laid.alpha_composite(picture)
    return laid.convert("RGBA").convert("RGB")


def test_equal_strips_give_equal_bytes_whatever_was_drawn_before() -> None:
    tiles = [*STATES.values(), Tile("d20-attacker", "17"), Tile("d6", "4"), Tile("green", "evade", badge="force")]
    pictures = [strip(tile) for tile in tiles]
    first = [paint.compose_picture(picture) for picture in pictures]
    forget()
    backwards = [paint.compose_picture(picture) for picture in reversed(pictures)]
    assert backwards[::-1] == first


def test_several_threads_paint_the_same() -> None:
    pictures = [strip(Tile("d20-attacker", str(face)), *STATES.values()) for face in range(1, 9)] * 3
    alone = [paint.compose_picture(picture) for picture in pictures]
    forget()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(paint.compose_picture, pictures)) == alone


def forget() -> None:
    paint.compose_picture.cache_clear()
    paint.row_band.cache_clear()
    paint.cached_cell.cache_clear()
    paint.packed_cell.cache_clear()


def test_the_number_is_the_largest_thing_and_its_unit_stands_beside_it() -> None:
    """Higher than any letter and any face; below the dice, so that dice lie where they did without it."""
    dice = strip(PLAIN, PLAIN)
    without, plain, large = (
        opened(paint.compose_picture(dice, None, *said)) for said in ((), ("40",), ("40", "damage"))
    )
    assert plain.size == large.size == (WIDTH, without.height + paint.NUMBER_HIGH)
    assert letters.rise(paint.NUMBER) > 2 * letters.rise(paint.UNIT)
    assert letters.rise(paint.NUMBER) > CELL * 2 // 3
    row = (PAD, 0, PAD + 2 * CELL, PAD + CELL)
    assert large.convert("RGBA").crop(row).tobytes() == without.convert("RGBA").crop(row).tobytes()


def test_a_line_stands_between_two_pools() -> None:
    both = (*strip(PLAIN, PLAIN), replace(strip(PLAIN)[0], beside=True))
    shown = opened(paint.compose_picture(both)).convert("RGBA").convert("RGB")
    (line,) = list(paint.lines(both))
    x = line[1].left - APART // 2
    assert line[0].right_of_dice < x < line[1].left
    assert {shown.getpixel((x, y)) for y in range(PAD, PAD + CELL)} == {RULE}

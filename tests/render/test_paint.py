"""The pictures of dice: what the eye must be able to tell apart, measured in pixels and contrasts."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from bot.render import paint
from bot.render.art.bodies import DX
from bot.render.card import Strip, Tile

DARK, LIGHT = (0x31, 0x33, 0x38), (0xFF, 0xFF, 0xFF)
"""The two grounds on which Discord shows a picture."""
GROUNDS = pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])

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
    return (Strip("Dice", tiles),)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def painted(*tiles: Tile) -> Image.Image:
    return opened(paint.strips(strip(*tiles))).convert("RGBA")


def on(ground: tuple[int, int, int], picture: Image.Image) -> Image.Image:
    """As somebody sees it who sees no colours: grey, on a ground of Discord's."""
    seen = Image.new("RGBA", picture.size, ground)
    seen.alpha_composite(picture)
    return seen.convert("L")


def differing(one: Image.Image, other: Image.Image, by: int = 40) -> float:
    """The share of pixels of two grey pictures that differ clearly."""
    histogram = ImageChops.difference(one, other).histogram()
    return sum(histogram[by:]) / (one.width * one.height)


def alpha(picture: Image.Image, x: int, y: int) -> int:
    return picture.getchannel("A").tobytes()[y * picture.width + x]


def luminance(colour: Iterable[int]) -> float:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    shares = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Iterable[int], other: Iterable[int]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def inks(picture: Image.Image) -> list[tuple[int, int, int]]:
    """The opaque colours, the most frequent first."""
    counted = sorted(picture.getcolors(picture.width * picture.height) or [], reverse=True)
    opaque = [colour for _, colour in counted if isinstance(colour, tuple) and colour[3] == 255]
    return [(colour[0], colour[1], colour[2]) for colour in opaque]


def test_a_die_has_forty_css_pixels_at_two_pixels_each() -> None:
    left, top, right, bottom = painted(PLAIN).getchannel("A").getbbox() or (0, 0, 0, 0)
    assert (right - left, bottom - top) == pytest.approx((82, 82), abs=4)


def test_the_picture_is_an_indexed_png_with_transparency() -> None:
    png = paint.strips(strip(*[PLAIN] * 6))
    picture = opened(png)
    assert (picture.format, picture.mode) == ("PNG", "P")
    assert "transparency" in picture.info
    assert len(png) < 10_000


@pytest.mark.parametrize(
    ("count", "wide", "high"), [(1, 1, 1), (3, 3, 1), (6, 6, 1), (7, 6, 2), (12, 6, 2), (13, 6, 3), (100, 6, 17)]
)
def test_six_dice_to_a_row_and_more_wrap(count: int, wide: int, high: int) -> None:
    cell = painted(PLAIN).width
    assert painted(*[PLAIN] * count).size == (wide * cell, high * cell)


def test_each_strip_has_its_own_row() -> None:
    red, green = Strip("Attack dice", (PLAIN,) * 2), Strip("Defense dice", (Tile("green", "evade"),) * 3)
    both = opened(paint.strips((red, green))).convert("RGBA")
    cell = painted(PLAIN).width
    assert both.width == 3 * cell
    assert both.height > 2 * cell
    assert both.crop((0, 0, 2 * cell, cell)) == painted(*red.tiles)
    assert both.crop((0, both.height - cell, 3 * cell, both.height)) == painted(*green.tiles)


def test_strips_without_dice_take_no_room() -> None:
    assert paint.strips((Strip("None", ()), *strip(PLAIN))) == paint.strips(strip(PLAIN))
    assert opened(paint.strips(())).convert("RGBA").getchannel("A").getextrema() == (0, 0)


@pytest.mark.parametrize("tile", [PLAIN, *STATES.values()], ids=["plain", *STATES])
def test_the_ground_is_transparent_between_the_dice(tile: Tile) -> None:
    single = painted(replace(tile, linked=False))
    assert alpha(single, single.width - 1, 30) == 0
    share = single.getchannel("A").histogram()[0] / (single.width * single.height)
    assert 0.05 < share < 0.6


def test_red_and_green_differ_in_shape_alone() -> None:
    red, green = (painted(Tile(body, "focus")).getchannel("A") for body in ("red", "green"))
    left, top, right, bottom = red.getbbox() or (0, 0, 0, 0)
    for x in (left + 4, right - 5):
        for y in (top + 4, bottom - 5):
            assert (red.getpixel((x, y)), green.getpixel((x, y))) == (255, 0)


@pytest.mark.parametrize(
    ("one", "other"), list(combinations(["red", "green", "d20-attacker", "d20-defender", "d6"], 2))
)
def test_bodies_differ_in_shape_alone(one: str, other: str) -> None:
    shapes = [painted(Tile(body, "")).getchannel("A") for body in (one, other)]
    assert differing(shapes[0], shapes[1]) > 0.01


@GROUNDS
@pytest.mark.parametrize(
    ("body", "faces"),
    [
        ("red", ("hit", "crit", "focus", "blank")),
        ("green", ("evade", "focus", "blank")),
        ("d6", ("1", "2", "3", "4", "5", "6")),
        ("d20-attacker", tuple(str(face) for face in range(1, 21))),
    ],
)
def test_faces_differ_without_colour_at_half_size(
    body: str, faces: tuple[str, ...], ground: tuple[int, int, int]
) -> None:
    seen = [on(ground, painted(Tile(body, face)).reduce(2)) for face in faces]
    assert min(differing(*pair) for pair in combinations(seen, 2)) > 0.012, "a pip is the least of differences"


@GROUNDS
@pytest.mark.parametrize("body", BODIES)
def test_states_differ_without_colour_at_half_size(body: str, ground: tuple[int, int, int]) -> None:
    tiles = [replace(tile, body=body, face="5" if body[0] in "da" else "hit") for tile in (PLAIN, *STATES.values())]
    seen = [on(ground, painted(tile).reduce(2)) for tile in tiles]
    assert min(differing(*pair, by=24) for pair in combinations(seen, 2)) > 0.02


@pytest.mark.parametrize("fate", ["failed", "cancelled"])
@pytest.mark.parametrize("body", BODIES)
def test_a_die_that_does_not_count_is_grey(body: str, fate: str) -> None:
    tile = Tile(body, "5", fate="failed" if fate == "failed" else "cancelled")
    assert max(max(ink) - min(ink) for ink in inks(painted(tile))[:2]) < 12
    assert max(max(ink) - min(ink) for ink in inks(painted(replace(tile, fate="stands")))[:2]) > 40


@pytest.mark.parametrize(
    ("state", "x", "y"),
    [("changed", 97, 16), ("rerolled", 6, 16), ("rerolled", 6, 88), ("cancelled", 11, 11), ("cancelled", 93, 93)],
    ids=["badge", "turn-arrow", "ghost", "stroke's start", "stroke's end"],
)
def test_marks_stand_out_beyond_the_body(state: str, x: int, y: int) -> None:
    without = painted(STATES["failed"] if state == "cancelled" else PLAIN)
    assert (alpha(painted(STATES[state]), x, y), alpha(without, x, y)) == (255, 0)


def test_a_die_that_does_not_count_steps_back() -> None:
    plain, failed = (painted(tile).getchannel("A").getbbox() or (0,) * 4 for tile in (PLAIN, STATES["failed"]))
    assert failed[2] - failed[0] < 0.95 * (plain[2] - plain[0])


@GROUNDS
def test_badges_differ_without_colour(ground: tuple[int, int, int]) -> None:
    tiles = [Tile("green", "evade", badge=badge) for badge in ("focus", "calculate", "force", "evade", "card", "new")]
    seen = [on(ground, painted(tile)) for tile in tiles]
    assert min(differing(*pair) for pair in combinations(seen, 2)) > 0.005


def test_a_ghost_shows_the_old_face() -> None:
    seen = [painted(Tile("red", "hit", ghost=face)) for face in ("blank", "focus", "hit", "crit")]
    corner = [on(LIGHT, picture.crop((0, 62, 42, 104))) for picture in seen]
    assert min(differing(*pair) for pair in combinations(corner, 2)) > 0.03
    rest = [on(LIGHT, picture.crop((42, 0, 104, 104))) for picture in seen]
    assert max(differing(*pair, by=1) for pair in combinations(rest, 2)) == 0


def test_an_empty_face_is_an_empty_die_not_a_missing_one() -> None:
    blank, hit = painted(Tile("red", "blank")), painted(PLAIN)
    assert ImageChops.difference(blank.getchannel("A"), hit.getchannel("A")).getbbox() is None
    panel = [ink for ink in inks(blank) if contrast(ink, inks(blank)[0]) > 1.6]
    assert panel


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("fate", ["stands", "failed"])
def test_contrast(body: str, fate: str) -> None:
    """WCAG 2, 1.4.11: graphics have 3 to 1, here of the glyph to the body and of the body to both grounds."""
    tile = Tile(body, "5", fate="stands" if fate == "stands" else "failed")
    fill, glyph = inks(painted(tile))[:2]
    assert contrast(fill, glyph) >= 3
    assert contrast(fill, DARK) >= 3
    assert contrast(fill, LIGHT) >= 3


def test_the_ring_of_a_critical_is_gold_and_holds_on_both_grounds() -> None:
    found = set(inks(painted(replace(PLAIN, critical=True)))) - set(inks(painted(PLAIN)))
    gold = [ink for ink in found if ink[0] > ink[1] > 2 * ink[2]]
    assert max(contrast(ink, DARK) for ink in gold) >= 7
    assert max(contrast(ink, LIGHT) for ink in gold) >= 3


def test_a_link_joins_two_dice() -> None:
    cell = painted(PLAIN).width
    loose, joined = (painted(Tile("d6", "6"), Tile("d6", "4", linked=linked)) for linked in (False, True))
    rows = range(cell // 2 - 12, cell // 2 + 12)
    assert max(alpha(loose, cell + side, y) for side in (-1, 0) for y in rows) == 0
    for side in (-1, 0):
        assert max(alpha(joined, cell + side, y) for y in rows) == 255


def test_a_chain_is_not_torn_by_the_end_of_a_row() -> None:
    cell = painted(PLAIN).width
    chain = (Tile("d6", "6"), Tile("d6", "6", linked=True), Tile("d6", "2", linked=True))
    picture = painted(*[Tile("d6", "1")] * 5, *chain)
    assert picture.crop((5 * cell, 0, picture.width, cell)).getbbox() is None
    assert picture.crop((0, cell, 3 * cell, 2 * cell)) == painted(*chain)


def test_a_chain_longer_than_a_row_wraps_all_the_same() -> None:
    cell = painted(PLAIN).width
    assert painted(Tile("d6", "6"), *[Tile("d6", "6", linked=True)] * 7).size == (6 * cell, 2 * cell)


def test_albion_has_three_sizes_of_value_and_the_sum_beside_them() -> None:
    cell = painted(PLAIN).width
    picture = painted(*(Tile(body, "0") for body in DX), Tile("sum", "= 109"))
    boxes = [picture.crop((at * cell, 0, (at + 1) * cell, cell)).getchannel("A").getbbox() for at in range(4)]
    widths = [box[2] - box[0] for box in boxes if box]
    assert widths[0] > widths[1] + 6 > widths[2] + 12
    assert contrast(inks(picture.crop((3 * cell, 0, 4 * cell, cell)))[0], DARK) >= 3


@pytest.mark.parametrize("face", ["Heads", "a face with far too many letters", "two\nlines", " ", "0", "-12", "☃"])
def test_an_unknown_body_is_a_neutral_tile_with_the_face_as_text(face: str) -> None:
    tile = painted(Tile("never-heard-of", face))
    fill = inks(tile)[0]
    assert max(fill) - min(fill) < 60
    corner = next(x for x in range(tile.width) if alpha(tile, x, x) == 255)
    edge = (tile.getchannel("A").getbbox() or (0,))[0]
    assert corner - edge > 3, "its corners are rounded"
    if face.strip():
        assert differing(on(DARK, tile), on(DARK, painted(Tile("never-heard-of", "")))) > 0.005


@pytest.mark.parametrize("size", [48, 128])
def test_a_sprite_is_the_same_die_at_any_size(size: int) -> None:
    die = paint.sprite(STATES["rerolled"], size)
    assert (die.mode, die.size) == ("RGBA", (size, size))
    same = painted(STATES["rerolled"]).resize((size, size), Image.Resampling.LANCZOS)
    assert differing(on(DARK, die), on(DARK, same), by=64) < 0.02


@GROUNDS
@pytest.mark.parametrize("tile", [PLAIN, *STATES.values()], ids=["plain", *STATES])
def test_the_palette_loses_nothing_to_be_seen(tile: Tile, ground: tuple[int, int, int]) -> None:
    indexed, true = painted(tile), paint.sprite(tile, painted(tile).width)
    assert differing(on(ground, indexed), on(ground, true), by=24) < 0.001


def test_equal_strips_give_equal_bytes_whatever_was_drawn_before() -> None:
    tiles = [*STATES.values(), Tile("d20-attacker", "17"), Tile("d6", "4"), Tile("green", "evade", badge="force")]
    pictures = [strip(tile) for tile in tiles]
    first = [paint.strips(picture) for picture in pictures]
    forget()
    backwards = [paint.strips(picture) for picture in reversed(pictures)]
    assert backwards[::-1] == first


def test_several_threads_paint_the_same() -> None:
    pictures = [strip(Tile("d20-attacker", str(face)), *STATES.values()) for face in range(1, 9)] * 3
    alone = [paint.strips(picture) for picture in pictures]
    forget()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(paint.strips, pictures)) == alone


def forget() -> None:
    paint.painted.cache_clear()
    paint.kept_band.cache_clear()
    paint.kept.cache_clear()

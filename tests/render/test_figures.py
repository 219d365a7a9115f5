"""The pictures of figures: read back from their pixels, and what is written in them from where it was written."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from io import BytesIO
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFont

from bot import languages
from bot.languages import LANGUAGES
from bot.languages.translate import using_language
from bot.render import paint
from bot.render.art import letters, palette
from bot.render.art.palette import BLUE, GOLD, GRAY, INDEX, KINDS, ORANGE, RULE, SERIES, TEAL, TEXT, TRAY, Ink
from bot.render.card import Bar, Bars, Card, Figure, Grid, Scale, Section, Strip, Tile
from bot.render.figures import bars, grid
from bot.render.figures.panel import MARGIN, PAD, SIGN, WIDTH, Align, Panel
from bot.render.paint import CELL, GAP
from bot.rules.text import Text
from bot.ui.core import card_messages
from docs.themes import contrast


def binomial(dice: int, chance: Fraction) -> list[Fraction]:
    return [comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(dice + 1)]


def chart(*laws: list[Fraction]) -> Bars:
    """Laws side by side, their bars labeled 0, 1, 2, ..."""
    rows = tuple(Bar(Text(str(at)), chances) for at, chances in enumerate(zip(*laws, strict=True)))
    return Bars((Text("focus"), Text("lock"), Text("force"), Text("none"))[: len(laws)], rows)


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
ONE = chart(binomial(4, HALF))
TWO = chart(binomial(5, HALF), binomial(5, THIRD))
FORTY = chart(binomial(39, HALF), binomial(39, THIRD))
ALBION = Scale(
    0,
    (Section(Text("miss"), 72, "bad"), Section(Text("hit"), 198, "good"), Section(Text("focus point"), 215, "best")),
    129,
)
TABLE = Grid(
    *(Text("Power"), Text("Defence")),
    rows=tuple(Text(f"r{row}") for row in range(20)),
    columns=tuple(Text(f"c{column}") for column in range(16)),
    cells=tuple(
        tuple(Text(("A", "4+", "6/2", "6/6/2")[(row + column) % 4]) for column in range(16)) for row in range(20)
    ),
    marked=(6, 2),
    kinds=(Text("automatic"), Text("one die"), Text("chain of two"), Text("chain of three")),
    cell_kinds=tuple(tuple((row + column) % 4 for column in range(16)) for row in range(20)),
)
ALL: dict[str, Figure] = {"one": ONE, "two": TWO, "forty": FORTY, "scale": ALBION, "grid": TABLE}
EACH = pytest.mark.parametrize("figure", ALL.values(), ids=ALL)
DICE = Strip(Text("Dice"), (Tile("dx36", "108"), Tile("dx6", "18"), Tile("dx1", "3"), Tile("sum", "= 129")))


def card(*strips: Strip, figure: Figure | None = None) -> Card:
    return Card(Text("Title"), Text("Outcome."), strips, figure=figure)


def painted(shown: Card) -> Image.Image:
    png = paint.picture(shown)
    assert png is not None
    return Image.open(BytesIO(png))


def picture(figure: Figure) -> Image.Image:
    """The figure without the edges of the tray above and below it."""
    whole = painted(card(figure=figure)).convert("RGBA")
    return whole.crop((0, PAD, whole.width, whole.height - PAD))


def where(shown: Image.Image, ink: Ink) -> Image.Image:
    """White where the picture has exactly this color."""
    same = [
        channel.point([255 * (value == part) for value in range(256)])
        for channel, part in zip(shown.split()[:3], ink, strict=True)
    ]
    return ImageChops.darker(ImageChops.darker(same[0], same[1]), same[2])


def lengths(row: Image.Image) -> list[tuple[int, int]]:
    """The white stretches of a picture one pixel high or wide, as (start, end)."""
    values = [0, *row.tobytes(), 0]
    edges = [at for at, (before, after) in enumerate(pairwise(values)) if before != after]
    return list(zip(edges[::2], edges[1::2], strict=True))


@dataclass(frozen=True)
class Written:
    """A text as it was written on a panel."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    size: int
    ink: Ink
    ground: Ink

    def meets(self, other: "Written") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def uncovered(written: list[Written]) -> list[Written]:
    """Without the headers that were written again on gold."""
    gold = [item for item in written if item.ground == GOLD]
    return [item for item in written if item in gold or not any(map(item.meets, gold))]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Written]]:
    """Everything that is written from now on, in order."""
    result: list[Written] = []
    write = Panel.text

    def noted(
        panel: Panel,
        text: str,
        x: int,
        y: int,
        size: int,
        ink: Ink,
        align: Align = "middle",
        *,
        ground: Ink = TRAY,
    ) -> None:
        width = letters.width(text, size)
        left = {"left": x, "middle": x - width // 2, "right": x - width}[align]
        rise = letters.rise(size)
        result.append(Written(text, left, y - rise // 2, left + width, y + rise // 2, size, ink, ground))
        write(panel, text, x, y, size, ink, align, ground=ground)

    forget()
    monkeypatch.setattr(Panel, "text", noted)
    yield result
    forget()


def forget() -> None:
    for kept in (
        paint.compose_picture,
        paint.row_band,
        paint.cached_cell,
        paint.packed_cell,
        grid.draw_unmarked,
        letters.ink_letter,
        letters.word,
        bars.column,
    ):
        kept.cache_clear()


def test_a_card_without_dice_and_figure_has_no_picture() -> None:
    assert paint.picture(card()) is None
    assert paint.picture(card(Strip(Text("Nothing"), ()))) is None


def test_a_card_without_figure_is_its_strips() -> None:
    assert paint.picture(card(DICE)) == paint.compose_picture(paint.without_labels((DICE,)))


@EACH
def test_a_figure_lies_on_the_tray(figure: Figure) -> None:
    shown = painted(card(figure=figure))
    assert (shown.format, shown.mode, shown.width) == ("PNG", "P", WIDTH)
    alpha = shown.convert("RGBA").getchannel("A")
    assert alpha.getpixel((0, 0)) == 0
    assert alpha.crop((20, 0, shown.width - 20, shown.height)).getextrema() == (255, 255)


@EACH
def test_the_figure_lies_below_the_dice_on_the_same_tray(figure: Figure) -> None:
    dice, alone, both = painted(card(DICE)), painted(card(figure=figure)), painted(card(DICE, figure=figure))
    assert both.size == (WIDTH, dice.height + alone.height - 2 * PAD + GAP)
    lie = (PAD, 0, PAD + len(DICE.tiles) * CELL, dice.height - PAD)
    assert both.crop(lie).tobytes() == dice.crop(lie).tobytes()
    below = both.crop((0, both.height - alone.height + PAD, WIDTH, both.height))
    assert below.tobytes() == alone.crop((0, PAD, WIDTH, alone.height)).tobytes()


def test_all_colors_fit_one_palette() -> None:
    assert len(palette.COLORS) // 3 <= 256
    assert len(set(palette.OPAQUE)) == len(palette.OPAQUE)


@EACH
def test_text_can_be_read_on_its_ground_which_no_other_ground_shines_through(
    figure: Figure, written: list[Written]
) -> None:
    """WCAG 2, 1.4.3: 4.5 to 1. The tray is opaque, so the theme does not matter."""
    shown = picture(figure)
    for item in uncovered(written):
        box = shown.crop((item.left, item.top, item.right, item.bottom))
        colors = {color for _, color in box.getcolors(box.width * box.height) or []}
        assert {(*item.ground, 255), (*item.ink, 255)} <= colors, f"{item.text} is there"
        assert (*RULE, 255) not in colors, f"no line crosses {item.text}"
        assert contrast(item.ink, item.ground) >= 4.5
        assert min(color[3] for color in colors if isinstance(color, tuple)) == 255


@EACH
def test_nothing_is_written_over_anything_else_or_over_the_edge(figure: Figure, written: list[Written]) -> None:
    shown = picture(figure)
    meeting = [pair for pair in combinations(uncovered(written), 2) if pair[0].meets(pair[1])]
    assert not [(one.text, other.text) for one, other in meeting]
    for item in written:
        assert 8 <= item.left < item.right <= shown.width - 8, item.text
        assert 8 <= item.top < item.bottom <= shown.height - 8, item.text


@EACH
def test_letters_are_eleven_css_pixels_high_on_a_phone(figure: Figure, written: list[Written]) -> None:
    """Only a table of 320 cells needs smaller letters."""
    picture(figure)
    assert min(item.size for item in written) >= (17 if figure == TABLE else letters.LEAST)


@pytest.mark.parametrize("ink", [*SERIES, TEAL, GRAY, GOLD])
def test_shapes_stand_out_from_the_panel(ink: Ink) -> None:
    """WCAG 2, 1.4.11: 3 to 1."""
    assert contrast(ink, TRAY) >= 3


@EACH
def test_equal_figures_give_equal_bytes_whatever_was_drawn_before(figure: Figure) -> None:
    first = paint.picture(card(DICE, figure=figure))
    forget()
    for other in ALL.values():
        picture(other)
    assert paint.picture(card(DICE, figure=figure)) == first


def test_several_threads_paint_the_same() -> None:
    cards = [card(DICE, figure=figure) for figure in ALL.values()]
    cards += [card(figure=replace(TABLE, marked=(row, 3))) for row in range(20)]
    alone = [paint.picture(item) for item in cards]
    forget()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(paint.picture, cards)) == alone


@pytest.mark.parametrize(
    "figure",
    [
        Bars((), ()),
        Bars((Text("no outcome"),), ()),
        Bars((Text("impossible"),), (Bar(Text("0"), (Fraction(0),)),)),
        Bars(
            (Text("less than named"), Text("more")),
            (Bar(Text("0"), (HALF,)), Bar(Text("1"), (HALF, HALF, HALF))),
        ),
        Bars((Text("a name that is far too long " * 20),), (Bar(Text("a label that is far too long " * 20), (HALF,)),)),
        Bars(
            tuple(map(Text, "abcdef")),
            tuple(Bar(Text(str(at)), (THIRD,) * 6) for at in range(3)),
        ),
        Bars((Text("many"),), tuple(Bar(Text(str(at)), (Fraction(1, 3000),)) for at in range(3000))),
        Grid(Text(""), Text(""), (), (), ()),
        Grid(
            Text("row " * 30),
            Text("column"),
            (Text("a"), Text("b")),
            (Text("long " * 30),) * 3,
            ((Text("text " * 30),), (Text("x"), Text("y"), Text("z"))),
        ),
        Scale(0, ()),
        Scale(0, (), 7),
        Scale(5, (Section(Text("none"), 4, "bad"), Section(Text("all " * 60), 6, "best")), 99),
        Scale(
            -2,
            (Section(Text("one"), -2, "bad"), Section(Text("another"), -1, "good"), Section(Text("third"), 0, "best")),
            -2,
        ),
    ],
)
def test_no_figure_is_refused(figure: Figure) -> None:
    shown = picture(figure)
    assert shown.width >= 40
    assert shown.height >= 40
    assert shown.getpixel((shown.width // 2, 3)) == (*TRAY, 255)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Jäger – 3×", "Jäger – 3×"),
        ("Ja\u0308ger", "Jäger"),
        ("≥ 2", "≥ 2"),
        ("Straße „Łódź“ Ωμέγα Жуков", "Straße „Łódź“ Ωμέγα Жуков"),
        ("two\nlines", "two lines"),
        ("☃!", "?!"),
        ("a\u200db", "ab"),
    ],
)
def test_text_is_composed_and_a_letter_that_no_font_has_is_a_question_mark(typed: str, shown: str) -> None:
    assert letters.printable(typed) == shown


ACCENTED = "äöüÄÖÜáéíóúñÁÉÍÓÚÑàâçèêëîïôûùÀÇÈÊìòÌÒãõÃÕąćęłńóśźżĄĆĘŁŃŚŹŻ"


@pytest.mark.parametrize("size", [24, 40])
def test_accents_of_our_languages_are_not_cut_off(size: int) -> None:
    every = set()
    for letter in ACCENTED:
        shape, _, _, top = letters.ink_letter(letter, size, TEXT, TRAY)
        assert ImageChops.difference(shape, Image.new("L", shape.size, INDEX[TRAY])).getbbox() is not None, letter
        assert top >= 0, letter
        assert top + shape.height <= size + letters.fall(letter, size), letter
        every.add((shape.size, shape.tobytes()))
    assert len(every) == len(set(ACCENTED)), "no two look the same"


def test_the_font_has_every_letter_of_our_languages() -> None:
    catalogs = (Path(languages.__file__).parent).glob("*/LC_MESSAGES/*.po")
    used = {letter for catalog in catalogs for letter in catalog.read_text(encoding="utf-8") if letter.isalpha()}
    assert len(used) > 100
    assert letters.printable("".join(sorted(used))).count("?") == 0


def test_a_font_put_beside_another_gives_the_letters_that_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here Pillow's own, which has little more than ASCII, comes first, and ours beside it."""
    small = ImageFont.load_default(24)
    assert isinstance(small, ImageFont.FreeTypeFont)
    assert isinstance(small.path, BytesIO)
    (tmp_path / "small.ttf").write_bytes(small.path.getvalue())
    monkeypatch.setattr(letters, "FILES", (tmp_path / "small.ttf", letters.OWN))
    assert letters.font(24, "Zoe").getname() == small.getname()
    assert letters.font(24, "Жук").getname() == letters.open_font(letters.OWN, 24).getname() != small.getname()
    assert letters.is_known("Ж")
    assert not letters.is_known("☃")


def test_the_font_is_small_and_its_license_lies_beside_it() -> None:
    assert letters.OWN.stat().st_size <= 200_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (letters.FOLDER / "OFL.txt").read_text()


def stretches(shown: Image.Image, ink: Ink, y: int | None = None) -> list[tuple[int, int]]:
    """Where this color lies in a row of the picture, as (left, right); without ``y`` in the lowest row that has it."""
    image = where(shown, ink)
    box = image.getbbox()
    assert box is not None
    row = box[3] - 1 if y is None else y
    return lengths(image.crop((0, row, shown.width, row + 1)))


def middles(shown: Image.Image, ink: Ink, y: int | None = None) -> list[int]:
    return [(left + right) // 2 for left, right in stretches(shown, ink, y)]


def unnamed(figure: Bars) -> Image.Image:
    """Without a legend, so that bars and marks are the only shapes."""
    return picture(replace(figure, series=()))


def test_bars_are_as_high_as_their_chances() -> None:
    shown = unnamed(chart([HALF, HALF / 2, Fraction(0), HALF / 4, HALF / 4]))
    feet = stretches(shown, BLUE)
    assert len(feet) == 4, "a chance of 0 has no bar"
    assert len({right - left for left, right in feet}) == 1
    at = middles(shown, BLUE)
    assert at[2] - at[1] == 2 * (at[1] - at[0])
    columns = [where(shown, BLUE).crop((x, 0, x + 1, shown.height)) for x in at]
    highs = [column.histogram()[255] for column in columns]
    assert [high / highs[0] for high in highs] == pytest.approx([1, 1 / 2, 1 / 4, 1 / 4], abs=0.01)


def test_labels_cover_no_bar() -> None:
    """The percent of a low bar with all its decimals is wider than the bar and would reach into the high one beside."""
    blue = where(unnamed(chart([THIRD] * 3, [THIRD / 3] * 3)), BLUE)
    _, top, _, bottom = blue.getbbox() or (0,) * 4
    left, right = lengths(blue.crop((0, bottom - 1, blue.width, bottom)))[0]
    assert blue.crop((left, top, right, bottom)).histogram()[255] > 0.995 * (right - left) * (bottom - top)


def test_percents_of_steep_bars_cover_no_higher_bar_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    steep = chart([HALF**number for number in range(1, 30)])
    forget()
    with_percents = where(unnamed(steep), BLUE).histogram()
    forget()
    monkeypatch.setattr(bars, "fit_labels", lambda *_, **__: [])
    assert where(unnamed(steep), BLUE).histogram() == with_percents


def test_a_chance_that_is_not_0_can_be_seen() -> None:
    tiny = Fraction(1, 10**9)
    assert len(stretches(unnamed(chart([1 - tiny, tiny])), BLUE)) == 2


def test_series_stand_side_by_side() -> None:
    shown = unnamed(chart([THIRD] * 3, [THIRD] * 3))
    blue, orange = stretches(shown, BLUE), stretches(shown, ORANGE)
    assert all(item[1] <= other[0] for item, other in zip(blue, orange[:: len(orange) // 3], strict=True))


def test_series_differ_in_their_pattern_alone() -> None:
    """By the share of ink within a bar, and by how often it changes along a level and a steep line."""
    looks = []
    for series in range(4):
        inner = bars.bar_shape(60, 200, series).shares.crop((10, 10, 50, 190)).point([0] * 128 + [255] * 128)
        lines = inner.crop((0, 90, 40, 91)), inner.crop((20, 0, 21, 180))
        looks.append((round(inner.histogram()[255] / (40 * 180), 1), *(len(lengths(line)) > 1 for line in lines)))
    assert len(set(looks)) == 4


def texts(written: list[Written]) -> list[str]:
    return [item.text for item in written]


def test_every_bar_has_its_percent_and_its_label(written: list[Written]) -> None:
    picture(chart([Fraction(1, 16), Fraction(4, 16), Fraction(11, 16)]))
    assert {"6%", "25%", "69%", "0", "1", "2"} <= set(texts(written))


def test_the_axis_has_a_decimal_only_below_one_percent(written: list[Written]) -> None:
    picture(chart([Fraction(1, 40)] * 40))
    assert {"0%", "1%", "2%", "3%"} <= set(texts(written))
    picture(chart([Fraction(1, 200)] * 200))
    assert {"0.1%", "0.3%", "0.5%"} <= set(texts(written))


def test_percents_of_two_series_lose_their_sign_before_they_are_left_out(written: list[Written]) -> None:
    picture(TWO)
    assert {"3", "16", "31", "13", "33", "4", "0.4"} <= set(texts(written))


def test_of_forty_bars_the_likeliest_have_percents_and_some_their_labels(written: list[Written]) -> None:
    picture(FORTY)
    said = texts(written)
    assert {"13", "0", "39"} <= set(said)
    assert not [text for text in said if text.startswith("<")]
    labels = [item.text for item in written if item.top == max(other.top for other in written)]
    assert labels[:3] == ["0", "5", "10"]
    assert labels[-1] == "39"


def test_labels_of_few_bars_are_written_in_full(written: list[Written]) -> None:
    names = ("Angus wins", "nothing happens", "Ortega wins")
    picture(Bars((), tuple(Bar(Text(name), (THIRD,)) for name in names)))
    assert set(names) <= set(texts(written))


def test_the_legend_is_said_and_measured_in_the_language_that_is_spoken(written: list[Written]) -> None:
    with using_language(LANGUAGES["fr"]):
        picture(TWO)
    row = [item for item in written if item.top == written[0].top]
    assert row[0].text == "concentration"
    assert all(item.right + SIGN < other.left for item, other in pairwise(row)), "there is room for the next sign"


@pytest.mark.parametrize("figure", [TWO, FORTY, chart(binomial(2, HALF))])
def test_no_line_goes_through_a_percent(figure: Bars, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, fit_labels = list[bars.Label](), bars.fit_labels

    def recorded(*given: Any, **more: Any) -> list[bars.Label]:
        labels[:] = fit_labels(*given, **more)
        return labels

    monkeypatch.setattr(bars, "fit_labels", recorded)
    image = bars.draw_figure(figure)
    crossed = [label.text for label in labels if INDEX[RULE] in {*crop(image, label).tobytes()}]
    assert labels
    assert crossed == []


def crop(image: Image.Image, label: bars.Label) -> Image.Image:
    return image.crop((label.left, label.head, label.right, label.foot))


def test_the_legend_names_series(written: list[Written]) -> None:
    picture(TWO)
    assert texts(written)[:2] == ["focus", "lock"]


def cell(written: list[Written], row: int, column: int) -> tuple[int, int]:
    """The middle of a cell of ``TABLE``, from where its headers are written."""
    at = {item.text: item for item in written}
    return (at[f"c{column}"].left + at[f"c{column}"].right) // 2, (at[f"r{row}"].top + at[f"r{row}"].bottom) // 2


def far_to_gold(shown: Image.Image, x: int, y: int) -> list[int]:
    """How many pixels from here to gold: to the left, to the right, up and down; 999 for none."""
    gold = where(shown, GOLD)
    row, column = gold.crop((0, y, shown.width, y + 1)).tobytes(), gold.crop((x, 0, x + 1, shown.height)).tobytes()
    ways = row[:x][::-1], row[x:], column[:y][::-1], column[y:]
    return [way.index(255) if 255 in way else 999 for way in ways]


def test_the_whole_table_is_written_and_fits_a_phone(written: list[Written]) -> None:
    shown = picture(TABLE)
    assert 1000 <= shown.width <= 1200
    for row, column in ((0, 0), (6, 2), (19, 15), (3, 12)):
        x, y = cell(written, row, column)
        text = TABLE.cells[row][column]
        assert [item.text for item in written if item.left <= x <= item.right and item.top <= y <= item.bottom] == [
            text
        ]
    assert {"Power", "Defence", *TABLE.kinds} <= set(texts(written))


def test_the_marked_cell_is_framed_and_its_headers_emphasised(written: list[Written]) -> None:
    shown = picture(TABLE)
    assert max(far_to_gold(shown, *cell(written, 6, 2))) < 36
    assert min(far_to_gold(shown, *cell(written, 8, 9))) > 36
    assert {item.text for item in written if item.ground == GOLD} == {"r6", "c2"}


def test_a_mark_without_column_frames_the_row(written: list[Written]) -> None:
    shown = picture(replace(TABLE, marked=(6, None)))
    assert {item.text for item in written if item.ground == GOLD} == {"r6"}
    for column in (1, 9, 14):
        assert max(far_to_gold(shown, *cell(written, 6, column))[2:]) < 24
    assert min(far_to_gold(shown, *cell(written, 6, 8))[:2]) > 350


def test_a_mark_does_not_stay_on_the_table() -> None:
    plain = replace(TABLE, marked=None)
    first = picture(plain).tobytes()
    picture(TABLE)
    paint.compose_picture.cache_clear()
    assert picture(plain).tobytes() == first


def test_kinds_of_cells_differ_without_color() -> None:
    assert min(contrast(*pair) for pair in combinations(KINDS, 2)) > 1.2


def test_sections_are_as_long_as_they_have_values() -> None:
    shown = picture(replace(ALBION, mark=None))
    (teal,), (gold,) = stretches(shown, TEAL, 50), stretches(shown, GOLD, 50)
    whole = gold[1] - teal[0] + (teal[0] - MARGIN)
    assert (teal[1] - teal[0]) / whole == pytest.approx(126 / 216, abs=0.01)
    assert (gold[1] - gold[0]) / whole == pytest.approx(17 / 216, abs=0.01)


def test_what_is_bad_is_striped() -> None:
    shown = picture(replace(ALBION, mark=None))
    assert len(stretches(shown, GRAY, 50)) > 8


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0 miss"), (72, "72 miss"), (73, "73 hit"), (199, "199 focus point"), (215, "215 focus point")],
)
def test_the_rolled_value_is_marked_and_said(value: int, said: str, written: list[Written]) -> None:
    shown = picture(replace(ALBION, mark=value))
    flag = next(item for item in written if item.text == said)
    (staff,) = middles(shown, TEXT, flag.bottom + 50)
    first, last = MARGIN, shown.width - MARGIN
    assert staff == pytest.approx(first + (last - first) * (value + 0.5) / 216, abs=2)
    assert flag.left - 16 <= staff <= flag.right + 16
    if 60 < value < 150:
        assert (flag.left + flag.right) / 2 == pytest.approx(staff, abs=2)


def test_the_thresholds_are_labeled_in_order(written: list[Written]) -> None:
    picture(ALBION)
    ticks = sorted((item for item in written if item.text.isdigit()), key=lambda item: item.left)
    assert texts(ticks) == ["0", "73", "199", "215"]
    assert {"miss 0-72", "hit 73-198", "focus point 199-215"} <= set(texts(written))


def test_thresholds_that_lie_close_do_not_meet(written: list[Written]) -> None:
    picture(
        Scale(
            0,
            (
                Section(Text("miss"), 213, "bad"),
                Section(Text("hit"), 214, "good"),
                Section(Text("focus point"), 215, "best"),
            ),
        )
    )
    ticks = [item for item in written if item.text.isdigit()]
    assert texts(ticks) == ["0", "214", "215", "215"]
    assert not any(item.meets(other) for item, other in combinations(ticks, 2))


def test_a_card_with_a_figure_alone_is_shown_with_its_picture() -> None:
    shown = card(figure=ALBION)
    file = card_messages.picture(shown)
    assert file is not None
    assert file.fp.read() == paint.picture(shown)
    assert card_messages.embed(shown).image.url == f"attachment://{file.filename}"

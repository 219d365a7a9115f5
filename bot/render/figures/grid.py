"""A printed table: headers, cells tinted by kind, and a gold frame around the marked one."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import cycle
from typing import Final

from PIL import Image

from bot.languages.translate import translate
from bot.render.art import letters
from bot.render.art.palette import GOLD, KINDS, MUTED, NEUTRAL, TEXT, TRAY, Ink
from bot.render.card import Grid
from bot.render.figures.panel import SIGN, TILE_ROUND, WIDTH, Legend, LegendEntry, Panel, box, tile
from bot.rules.text import Shown

SIZES: Final = (44, 40, 36, 32, 28, 24, 20, 17)
"""Font sizes; the largest that fits its cell is used."""
TITLE: Final = 34
EDGE: Final = 28
"""Around the table."""
MAX_SIDE: Final = 180
"""Maximum width of the row headers."""
HIGH, MAX_HIGH = 37, 76
"""A cell's height with its gap: limited by ``ROOM_HIGH`` and these two."""
ROOM_HIGH: Final = 560
HEAD: Final = 52
"""Height of each of the two header lines."""
GAP: Final = 3
PAD: Final = 4
FRAME: Final = 5
"""A frame's thickness, mostly over the gap."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, the last two exclusive."""


@dataclass(frozen=True, slots=True)
class GridLayout:
    """``left`` and ``top`` of the first cell, ``wide`` and ``high`` per cell, and their numbers."""

    left: int
    top: int
    wide: int
    high: int
    rows: int
    columns: int

    @property
    def right(self) -> int:
        return self.left + self.wide * self.columns

    @property
    def bottom(self) -> int:
        return self.top + self.high * self.rows

    def cell(self, row: int, column: int) -> Box:
        """A cell without its gap; row or column -1 is the header."""
        left = EDGE if column < 0 else self.left + self.wide * column
        top = self.top - HEAD if row < 0 else self.top + self.high * row
        right, bottom = self.left if column < 0 else left + self.wide, self.top if row < 0 else top + self.high
        return left, top, right - GAP, bottom - GAP


def draw_figure(figure: Grid) -> Image.Image:
    """Draw the table: unmarked once and cached, then marked."""
    table = draw_unmarked(replace(figure, marked=None))
    panel = Panel(*table.size)
    panel.image.paste(table)
    if figure.marked is not None:
        draw_mark(panel, figure, lay_out(figure), *figure.marked)
    return panel.image


def lay_out(figure: Grid) -> GridLayout:
    side = max(letters.width(name, TITLE) for name in (figure.row_title, *figure.rows))
    left = EDGE + min(MAX_SIDE, side) + 2 * PAD + GAP
    wide = (WIDTH - EDGE - left) // max(1, len(figure.columns))
    high = max(HIGH, min(MAX_HIGH, ROOM_HIGH // max(1, len(figure.rows))))
    return GridLayout(left, 2 * HEAD, wide, high, len(figure.rows), len(figure.columns))


@lru_cache(maxsize=8)
def draw_unmarked(figure: Grid) -> Image.Image:
    """Draw the unmarked table. Cached: don't draw on it."""
    at = lay_out(figure)
    entries = [
        [LegendEntry(tile(SIGN, SIGN), ink, kind)] for kind, ink in zip(figure.kinds, cycle(KINDS), strict=False)
    ]
    legend = Legend(entries, WIDTH - 2 * EDGE)
    panel = Panel(WIDTH, at.bottom + EDGE // 2 + legend.height)
    legend.draw(panel, EDGE, at.bottom + EDGE // 2)
    panel.text(translate(figure.column_title), (at.left + at.right) // 2, at.top - HEAD * 3 // 2 + PAD, TITLE, TEXT)
    write(panel, figure.row_title, at.cell(-1, -1), TEXT, TRAY)
    for row, name in enumerate(figure.rows):
        write(panel, name, at.cell(row, -1), MUTED, TRAY)
    for column, name in enumerate(figure.columns):
        write(panel, name, at.cell(-1, column), MUTED, TRAY)
    for row, texts in enumerate(figure.cells):
        kinds = figure.cell_kinds[row] if row < len(figure.cell_kinds) else ()
        for column, text in enumerate(texts):
            ground = KINDS[kinds[column] % len(KINDS)] if column < len(kinds) else NEUTRAL
            draw_tile(panel, text, at.cell(row, column), TEXT, ground)
    return panel.image


def draw_mark(panel: Panel, figure: Grid, at: GridLayout, row: int | None, column: int | None) -> None:
    """Draw gold headers, a frame around the cell, and lines to it; or a frame around a row or column."""
    if row is not None:
        draw_tile(panel, figure.rows[row], at.cell(row, -1), TRAY, GOLD)
    if column is not None:
        draw_tile(panel, figure.columns[column], at.cell(-1, column), TRAY, GOLD)
    left, top, _, _ = at.cell(row or 0, column or 0)
    _, _, right, bottom = at.cell(at.rows - 1 if row is None else row, at.columns - 1 if column is None else column)
    if row is not None:
        panel.box(at.left, top - GAP, left, top, GOLD)
        panel.box(at.left, bottom, left, bottom + GAP, GOLD)
    if column is not None:
        panel.box(left - GAP, at.top, left, top, GOLD)
        panel.box(right, at.top, right + GAP, top, GOLD)
    frame = box(right - left + 2 * GAP, bottom - top + 2 * GAP, TILE_ROUND + GAP, FRAME)
    panel.stamp(frame, left - GAP, top - GAP, GOLD)


def draw_tile(panel: Panel, text: Shown, place: Box, ink: Ink, ground: Ink) -> None:
    left, top, right, bottom = place
    panel.stamp(tile(right - left, bottom - top), left, top, ground)
    write(panel, text, place, ink, ground)


def write(panel: Panel, text: Shown, place: Box, ink: Ink, ground: Ink) -> None:
    """Draw text centered in a box, as large as fits."""
    left, top, right, bottom = place
    fitting = (size for size in SIZES if size <= bottom - top and letters.width(text, size) <= right - left - PAD)
    size = next(fitting, SIZES[-1])
    shown = letters.fit_text(text, size, right - left)
    panel.text(shown, (left + right) // 2, (top + bottom) // 2, size, ink, ground=ground)

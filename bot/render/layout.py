"""Where the dice of a picture are: every picture is as wide as every other, and its dice are of one size.

Strips lie below each other, or beside the one before if that is asked for and fits. A row holds six dice, and more dice
wrap. A chain is not split if it fits into a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.render.card import Strip, Tile, chains
from bot.render.figures import letters
from bot.render.figures.panel import PAD, WIDTH

CELL: Final = 160
"""Pixels of a die with its margin: 53 CSS pixels on a phone, and 64 where Discord shows a picture 400 wide."""
ROW_MOST: Final = (WIDTH - 2 * PAD) // CELL
"""Dice of a row."""
GAP: Final = 16
"""Pixels between two strips, on top of the margins that cells have."""
LABEL: Final = 40
"""How high the letters of a label are: 13 CSS pixels on a phone."""
LABEL_HIGH: Final = 56
INDENT: Final = 15
"""From the left of a cell to the die in it, where a label begins."""


@dataclass(frozen=True, slots=True)
class Block:
    """A strip wrapped into rows, its left edge at ``left``; the label is empty if there is none."""

    rows: tuple[tuple[Tile, ...], ...]
    label: str
    left: int = PAD

    @property
    def right(self) -> int:
        label = 2 * INDENT + letters.width(self.label, LABEL) if self.label else 0
        return self.left + max(label, *(len(row) * CELL for row in self.rows))


Line = tuple[Block, ...]
"""Strips beside each other, from left to right."""


def lines(strips: tuple[Strip, ...]) -> list[Line]:
    """Every strip in its place, from top to bottom. A strip without dice takes no room.

    A strip beside another begins in the middle of the picture, or after the other if that is longer.
    """
    found: list[Line] = []
    for strip in strips:
        if not strip.tiles:
            continue
        block = Block(tuple(rows(strip.tiles)), label(strip.label))
        if found and strip.beside:
            next_to = replace(block, left=max(found[-1][-1].right, WIDTH // 2))
            if next_to.right <= WIDTH - PAD:
                found[-1] = (*found[-1], next_to)
                continue
        found.append((block,))
    return found


def label(text: str) -> str:
    """The label as it is drawn, cut to the width of a picture; empty if the font lacks a letter of it."""
    if letters.plain(text).count("?") > text.count("?"):
        return ""
    return letters.fitting(text, LABEL, WIDTH - 2 * PAD - 2 * INDENT)


def rows(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """Rows of at most ``ROW_MOST`` tiles. A chain starts a new row rather than split, unless no row could hold it."""
    row: tuple[Tile, ...] = ()
    for chain in chains(tiles):
        if row and len(row) + len(chain) > ROW_MOST:
            yield row
            row = ()
        row += chain
        while len(row) > ROW_MOST:
            yield row[:ROW_MOST]
            row = row[ROW_MOST:]
    yield row

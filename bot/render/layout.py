"""Where the dice of a picture are: every picture is as wide as every other, and its dice are of one size.

Strips lie below each other, or beside the one before if that is asked for and fits. A row holds six dice, and more dice
wrap. A chain is not split if it fits into a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.languages.say import say
from bot.render.art import letters
from bot.render.card import Strip, Tile, chains
from bot.render.figures.panel import PAD, WIDTH
from bot.rules.text import Shown

CELL: Final = 156
"""Pixels of a die with its margin: 51 CSS pixels on a phone, and 62 where Discord shows a picture 400 wide."""
ROW_MOST: Final = (WIDTH - 2 * PAD) // CELL
"""Dice of a row."""
APART: Final = WIDTH - 2 * PAD - ROW_MOST * CELL
"""Pixels between two strips beside each other, with a line in their middle, on top of the margins that cells have."""
GAP: Final = 16
"""Pixels between two strips, on top of the margins that cells have."""
LABEL: Final = 40
"""How high the letters of a label are: 13 CSS pixels on a phone."""
LABEL_SIZES: Final = (LABEL, 34, 28)
"""Where a label has little room it is smaller, and cut only if that is not enough."""
LABEL_HIGH: Final = 56
INDENT: Final = 15
"""From the left of a cell to the die in it, where a label begins."""


@dataclass(frozen=True, slots=True)
class Block:
    """A strip wrapped into rows, its left edge at ``left``; the label is empty if there is none, gold if it ``won``."""

    rows: tuple[tuple[Tile, ...], ...]
    label: str
    left: int = PAD
    won: bool = False
    size: int = LABEL

    @property
    def right(self) -> int:
        label = 2 * INDENT + letters.width(self.label, self.size) if self.label else 0
        return max(self.left + label, self.right_of_dice)

    @property
    def right_of_dice(self) -> int:
        return self.left + max(len(row) * CELL for row in self.rows)

    def cut(self, right: int) -> "Block":
        """The same with its label smaller or cut, so that it ends before ``right``."""
        room = right - self.left - 2 * INDENT
        size = next((one for one in LABEL_SIZES if letters.width(self.label, one) <= room), LABEL_SIZES[-1])
        return replace(self, label=letters.fitting(self.label, size, room), size=size)


Line = tuple[Block, ...]
"""Strips beside each other, from left to right."""


def lines(strips: tuple[Strip, ...]) -> list[Line]:
    """Every strip in its place, from top to bottom. A strip without dice takes no room.

    A strip beside another begins in the middle of the picture, or after the other if that is longer. Where only the
    labels are too long for that, they are smaller or cut.
    """
    found: list[Line] = []
    for strip in strips:
        if not strip.tiles:
            continue
        block = Block(tuple(rows(strip.tiles)), label(strip.label), won=strip.won)
        beside = next_to(found[-1], block) if found and strip.beside else None
        if beside is None:
            found.append((block,))
        else:
            found[-1] = beside
    return found


def next_to(line: Line, block: Block) -> Line | None:
    """The line with one block more at its end; None where its dice have no room there."""
    *before, last = line
    for right in (last.right, last.right_of_dice):
        left = max(right + APART, WIDTH // 2)
        moved = replace(block, left=left)
        if moved.right <= WIDTH - PAD:
            return (*before, last.cut(left - APART), moved)
    whole = (*before, last.cut(left - APART), moved.cut(WIDTH - PAD))
    return whole if moved.right_of_dice <= WIDTH - PAD else None


def label(text: Shown) -> str:
    """The label as it is drawn, cut to the width of a picture; empty if the font lacks a letter of it."""
    said = say(text)
    if letters.plain(said).count("?") > said.count("?"):
        return ""
    return letters.fitting(said, LABEL, WIDTH - 2 * PAD - 2 * INDENT)


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

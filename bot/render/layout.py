"""Where the strips of a picture are: one below the other, or beside the one before if that is asked for and fits.

A row holds six dice, and more dice wrap. A chain is not split if it fits into a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from PIL import Image

from bot.render import caption
from bot.render.art.sheet import CELL
from bot.render.card import Strip, Tile, chains

ROW_MOST: Final = 6
WIDEST: Final = 7 * CELL
"""The widest that two strips side by side may be; the second starts in the middle, or after the first."""
GAP: Final = 12
"""Pixels between two strips, on top of the margins that cells have."""
BESIDE: Final = 20


@dataclass(frozen=True, slots=True)
class Block:
    """A strip wrapped into rows, with its label above it if it has one; its top left corner is at (left, top)."""

    rows: tuple[tuple[Tile, ...], ...]
    label: Image.Image | None
    left: int = 0
    top: int = 0

    @property
    def under_label(self) -> int:
        return self.top + (caption.HIGH if self.label else 0)

    @property
    def right(self) -> int:
        return self.left + max([self.label.width if self.label else 0, *(len(row) * CELL for row in self.rows)])

    @property
    def bottom(self) -> int:
        return self.under_label + len(self.rows) * CELL


def blocks(strips: tuple[Strip, ...]) -> list[Block]:
    """Every strip in its place. A strip without dice takes no room; an empty label is not drawn."""
    lying: list[Block] = []
    for strip in strips:
        if not strip.tiles:
            continue
        label = caption.drawn(strip.label, ROW_MOST * CELL) if strip.label else None
        block = replace(Block(tuple(rows(strip.tiles)), label), top=max((one.bottom + GAP for one in lying), default=0))
        if lying and strip.beside:
            next_to = replace(block, left=max(lying[-1].right + BESIDE, WIDEST // 2), top=lying[-1].top)
            block = next_to if next_to.right <= WIDEST else block
        lying.append(block)
    return lying


def bands(strips: tuple[Strip, ...]) -> list[tuple[Strip, ...]]:
    """The strips that have dice, those that lie beside each other together, from top to bottom."""
    shown = [strip for strip in strips if strip.tiles]
    lying = groupby(zip(shown, blocks(strips), strict=True), key=lambda pair: pair[1].top)
    return [tuple(strip for strip, _ in pairs) for _, pairs in lying]


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

"""Paints the strips of a card as one PNG: each die drawn once and kept, then only pasted."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from typing import Final

from PIL import Image, ImageChops

from bot.render.art import marks
from bot.render.art.bodies import ALBION_PLACES, BODIES, MIDDLE, OTHER, Body
from bot.render.art.glyphs import FACES, PIPS, Glyph, pips, written
from bot.render.art.palette import ALPHAS, COLOURS, GREY, TRANSPARENT, WHITE, Ink, faint, indexed, pale, shade
from bot.render.art.sheet import CELL, DRAWING, Sheet
from bot.render.card import Strip, Tile

ROW_MOST: Final = 6
STRIP_GAP: Final = 12
"""Pixels between two strips, on top of the margins that cells have."""
LIP: Final = 4.0
"""How much of the lower edge is in shade, in cell units."""
REACH: Final = 31.0
"""How far a glyph reaches from the middle of a die."""


def strips(strips: tuple[Strip, ...]) -> bytes:
    """A PNG of the strips, one row each, at twice the CSS pixels, on a transparent ground.

    A row holds six dice, more wrap; a chain is not torn apart while it fits a row. A strip without dice takes no room;
    without any dice the picture is one empty cell.
    """
    return painted(tuple(strip.tiles for strip in strips))


@lru_cache(maxsize=256)
def painted(pools: tuple[tuple[Tile, ...], ...]) -> bytes:
    """The picture of ``strips``; the labels are not in it."""
    pools = tuple(pool for pool in pools if pool)
    wrapped = [list(rows(placed(pool))) for pool in pools]
    width = max((len(row) for pool in wrapped for row in pool), default=1) * CELL
    height = max(1, sum(map(len, wrapped))) * CELL + STRIP_GAP * max(0, len(pools) - 1)
    canvas = Image.new("L", (width, height), TRANSPARENT)
    top = 0
    for pool in wrapped:
        for row in pool:
            for column, tile in enumerate(row):
                holds = column + 1 < len(row) and row[column + 1].linked
                canvas.paste(kept(tile, holds), (column * CELL, top))
            top += CELL
        top += STRIP_GAP
    return encoded(canvas)


def rows(tiles: tuple[Tile, ...]) -> Iterator[list[Tile]]:
    """At most ``ROW_MOST`` tiles each; a chain starts a new row rather than be torn, unless it is longer than a row."""
    row: list[Tile] = []
    for chain in chains(tiles):
        if row and len(row) + len(chain) > ROW_MOST:
            yield row
            row = []
        row += chain
        while len(row) > ROW_MOST:
            yield row[:ROW_MOST]
            row = row[ROW_MOST:]
    yield row


def chains(tiles: tuple[Tile, ...]) -> Iterator[list[Tile]]:
    """Each die with those that are linked to it."""
    starts = [index for index, tile in enumerate(tiles) if index == 0 or not tile.linked]
    for start, end in pairwise([*starts, len(tiles)]):
        yield list(tiles[start:end])


def placed(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Albion's dice in three sizes, the most valuable first; other tiles as they are."""
    places = iter(ALBION_PLACES)
    return tuple(replace(tile, body=next(places, tile.body)) if tile.body == "albion" else tile for tile in tiles)


def encoded(canvas: Image.Image) -> bytes:
    canvas.putpalette(COLOURS)
    out = BytesIO()
    canvas.save(out, "PNG", transparency=ALPHAS, compress_level=3)
    return out.getvalue()


@lru_cache(maxsize=512)
def kept(tile: Tile, holds: bool) -> Image.Image:
    """One cell in palette indices, ``L``; ``holds`` when the next die is chained to it. Never drawn on again."""
    with DRAWING:
        return indexed(drawn(tile, CELL, holds))


def sprite(tile: Tile, size: int) -> Image.Image:
    """One die with its marks, RGBA on a transparent ground, ``size`` pixels wide and high."""
    with DRAWING:
        return drawn(tile, size)


def drawn(tile: Tile, size: int, holds: bool = False) -> Image.Image:
    body = BODIES.get(tile.body, OTHER)
    ink, scale = (body.ink, 1.0) if tile.fate == "stands" else (GREY, 0.9)
    sheet = Sheet(size)
    if not body.bare:
        draw_body(sheet, body, ink, scale, tile.added)
    if tile.fate == "cancelled":
        marks.stroke(sheet)
    draw_face(sheet, body, ink, scale, tile)
    if tile.critical:
        marks.gold_ring(sheet, body, scale)
    if tile.framed:
        marks.frame(sheet, body)
    if tile.linked:
        marks.link(sheet, body, 0)
    if holds:
        marks.link(sheet, body, CELL)
    if tile.ghost:
        marks.rerolled(sheet, body, ink, glyph(tile.body, tile.ghost))
    if tile.badge:
        marks.badge(sheet, ink, tile.badge)
    return sheet.reduced()


def draw_body(sheet: Sheet, body: Body, ink: Ink, scale: float, added: bool) -> None:
    """The body with a darker lip at its lower edge; an added one smaller, within its dashes."""
    shape = body.outline(-8.0 if added else 0.0, scale=scale)
    whole, upper = sheet.stencil().polygon(shape), sheet.stencil().polygon([(x, y - LIP) for x, y in shape])
    upper.image = ImageChops.darker(upper.image, whole.image)
    sheet.ink(shade(ink), whole).ink(ink, upper)
    if added:
        marks.dashed_edge(sheet, body, ink, scale)


def draw_face(sheet: Sheet, body: Body, ink: Ink, scale: float, tile: Tile) -> None:
    """The glyph, smaller where marks need room; for an empty face a panel that shows it to be one."""
    face, hole, middle = glyph(tile.body, tile.face), sheet.stencil(), MIDDLE - LIP / 2
    if face is None:
        scale *= 0.84 if tile.added else 1.0
        panel = body.outline(-11, y=middle, scale=scale), body.outline(-14.5, y=middle, scale=scale)
        sheet.ink(faint(ink), hole.polygon(panel[0]).polygon(panel[1], shut=True))
        return
    crowded = tile.added or tile.badge or tile.ghost or tile.fate == "cancelled"
    face(hole, MIDDLE, middle, REACH * body.scale * scale * (0.8 if crowded else 1.0))
    if tile.fate == "cancelled":
        sheet.ink(ink, hole.halo(3, 7))
    sheet.ink(body.ink if body.bare else WHITE if tile.fate == "stands" else pale(ink), hole)


def glyph(body: str, face: str) -> Glyph | None:
    """How a face is drawn; None when it is empty."""
    if face in ("blank", ""):
        return None
    return pips(face) if body == "d6" and face in PIPS else FACES.get(face) or written(face)

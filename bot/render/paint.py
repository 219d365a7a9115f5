"""Paints the dice and the figure of a card as one PNG, on a tray. Each die is drawn once, cached, and then only pasted.

A picture is a stack of bands, each as wide as the picture: the edge of the tray, labels, rows of dice, gaps, the
number, the figure. Bands are deflated once, cached, and joined. All pictures are equally wide, so that their dice are
of one size wherever they are shown; the tray is as wide as what lies on it, and what is beside it is clear.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageChops

from bot.languages import ENGLISH, Language
from bot.languages.say import SPOKEN
from bot.render import figures, layout
from bot.render.art import dice, letters
from bot.render.art.banded import Band, band, joined
from bot.render.art.dice import BODIES, COLOURED, D6, FACES, MIDDLE, OTHER, PIPS, Body, Glyph, pips, together, written
from bot.render.art.letters import DRAWING
from bot.render.art.palette import (
    ALPHAS,
    CLEAR,
    COLOURS,
    GOLD,
    MUTED,
    RULE,
    TEXT,
    TRAY,
    WHITE,
    Ink,
    dim,
    indexed,
    pale,
    shade,
    solid,
)
from bot.render.art.sheet import CELL as UNITS
from bot.render.art.sheet import Sheet
from bot.render.card import Card, Figure, Strip, Tile
from bot.render.figures.panel import PAD, WIDTH, corners
from bot.render.layout import APART, CELL, GAP, INDENT, LABEL_HIGH, Line
from bot.rules.text import EMPTY

LIP: Final = 4.0
"""How much of the lower edge is in shade, in cell units."""
REACH: Final = 31.0
"""How far a glyph reaches from the middle of a die."""
RIM: Final = 4.0
"""How thick the edge of a die is that does not count."""
NUMBER: Final = 168
"""How high the letters of a number are: nothing else in a picture is as large."""
NUMBER_HIGH: Final = 148
UNIT: Final = 52
THIN: Final = 3
"""Of a line between two pools."""

Places = tuple[tuple[int, tuple[Tile, ...]], ...]
"""The dice of one row of a picture: each strip's, with its left edge."""


def picture(card: Card) -> bytes | None:
    """A PNG of the strips and, below them, the figure; None for a card that has neither dice nor a figure.

    If there are several strips, each has its label above it.
    """
    if not is_pictured(card):
        return None
    return composed(shown(card.strips), card.figure, card.number, card.unit, SPOKEN.get())


def is_pictured(card: Card) -> bool:
    """Whether there is anything to draw."""
    return card.figure is not None or any(strip.tiles for strip in card.strips)


def shown(strips: Sequence[Strip]) -> tuple[Strip, ...]:
    """The strips that have dice; a single one needs no label."""
    found = tuple(strip for strip in strips if strip.tiles)
    return found if len(found) > 1 else unlabelled(found)


def unlabelled(strips: tuple[Strip, ...]) -> tuple[Strip, ...]:
    return tuple(replace(strip, label=EMPTY) for strip in strips)


@lru_cache(maxsize=256)
def composed(
    strips: tuple[Strip, ...],
    figure: Figure | None = None,
    number: str = "",
    unit: str = "",
    _language: Language = ENGLISH,
) -> bytes:
    """The picture of a card, of each language one; ``layout`` places the strips."""
    lines = list(layout.lines(strips))
    wide = WIDTH if figure is not None else width_of_tray(lines, number, unit)
    bands = [edge("top", wide)]
    for at, line in enumerate(lines):
        bands += [space(wide)] if at else []
        bands += line_bands(line, wide)
    bands += [number_band(number, unit, wide)] if number else []
    if figure is not None:
        bands += [space(wide)] if strips else []
        bands.append(band(figures.drawn(figure)))
    return joined(WIDTH, [*bands, edge("bottom", wide)], COLOURS, ALPHAS)


def width_of_tray(lines: Sequence[Line], number: str, unit: str) -> int:
    """As wide as the widest of what lies on it."""
    rights = [block.right for line in lines for block in line]
    if number:
        beside = GAP + letters.width(unit, UNIT) if unit else 0
        rights.append(PAD + 2 * INDENT + letters.width(number, NUMBER) + beside)
    return min(WIDTH, max(rights, default=WIDTH) + PAD)


def line_bands(line: Line, wide: int) -> list[Band]:
    """The labels of strips that lie beside each other, then their dice row by row."""
    labels = tuple((block.left, block.label, block.size, GOLD if block.won else MUTED) for block in line if block.label)
    deepest = max(len(block.rows) for block in line)
    between = tuple(block.left - (APART + THIN) // 2 for block in line[1:])
    places = [tuple((block.left, block.rows[at]) for block in line if at < len(block.rows)) for at in range(deepest)]
    above = [label_band(labels, between, wide)] if labels else []
    return [*above, *(row_band(one, between, wide) for one in places)]


@lru_cache(maxsize=512)
def row_band(places: Places, between: tuple[int, ...], wide: int) -> Band:
    """A row of dice; four red dice alone have 256 different ones."""
    return band(row(places, between, wide))


def row(places: Places, between: tuple[int, ...], wide: int) -> Image.Image:
    """The dice in palette indices, a line at each of ``between``."""
    canvas = bare(CELL, wide, between)
    for left, tiles in places:
        for at, tile in enumerate(tiles):
            holds = at + 1 < len(tiles) and tiles[at + 1].linked
            canvas.paste(kept(tile, holds), (left + at * CELL, 0))
    return canvas


@lru_cache(maxsize=512)
def label_band(labels: tuple[tuple[int, str, int, Ink], ...], between: tuple[int, ...], wide: int) -> Band:
    """The labels of one line, each with the left edge of its strip, its size and its ink."""
    canvas = bare(LABEL_HIGH, wide, between)
    for left, text, size, ink in labels:
        shape, covered = letters.word(text, size, ink, TRAY)
        canvas.paste(shape, (left + INDENT, LABEL_HIGH // 2 - letters.above(size)), covered)
    return band(canvas)


@lru_cache(maxsize=512)
def number_band(number: str, unit: str, wide: int) -> Band:
    """What came out, large, and what it is a number of."""
    canvas, line = bare(NUMBER_HIGH, wide), (NUMBER_HIGH + letters.rise(NUMBER)) // 2
    x = PAD + INDENT
    for text, size, ink in ((number, NUMBER, TEXT), (unit, UNIT, MUTED)):
        if text:
            shape, covered = letters.word(text, size, ink, TRAY)
            canvas.paste(shape, (x, line - size), covered)
            x += letters.width(text, size) + GAP
    return band(canvas)


@lru_cache(maxsize=64)
def space(wide: int) -> Band:
    return band(bare(GAP, wide))


@lru_cache(maxsize=64)
def edge(side: Literal["top", "bottom"], wide: int) -> Band:
    """The upper or the lower edge of the tray, with its rounded corners."""
    canvas = bare(PAD, wide)
    top_left, top_right, bottom_right, bottom_left = corners()
    left, right = (top_left, top_right) if side == "top" else (bottom_left, bottom_right)
    y = 0 if side == "top" else PAD - left.height
    canvas.paste(left, (0, y))
    canvas.paste(right, (wide - right.width, y))
    return band(canvas)


def bare(high: int, wide: int, between: Sequence[int] = ()) -> Image.Image:
    """A piece of a picture with nothing but the lines ``between`` pools: the tray, and what is clear beside it."""
    canvas = Image.new("L", (WIDTH, high), CLEAR)
    canvas.paste(solid(TRAY), (0, 0, wide, high))
    for x in between:
        canvas.paste(solid(RULE), (x, 0, x + THIN, high))
    return canvas


@lru_cache(maxsize=512)
def kept(tile: Tile, holds: bool) -> Image.Image:
    """One cell in palette indices, ``L``; ``holds``: the next die is chained to it. Nobody may draw on it again."""
    with DRAWING:
        return indexed(drawn(tile, CELL, holds))


def sprite(tile: Tile, size: int) -> Image.Image:
    """One die with its marks, RGBA on a transparent background, ``size`` pixels wide and high."""
    with DRAWING:
        return drawn(tile, size)


def drawn(tile: Tile, size: int, holds: bool = False) -> Image.Image:
    body = body_of(tile)
    dead = tile.fate != "stands" or glyph_of(tile) is None  # it failed, it was cancelled, or its face is empty
    scale = 1.0 if tile.fate == "stands" else 0.9
    ground, ink = (dim(body.ink), pale(body.ink)) if dead else (body.ink, WHITE)
    sheet = Sheet(size)
    if not body.bare:
        draw_body(sheet, body, scale, tile.added, dead)
    if tile.fate == "cancelled":
        dice.stroke(sheet, ink)
    draw_face(sheet, body, pale(body.ink) if body.bare else ink, scale, tile)
    if tile.critical:
        dice.gold_ring(sheet, body, scale)
    if tile.framed:
        dice.frame(sheet, body)
    if tile.linked:
        dice.link(sheet, body, 0)
    if holds:
        dice.link(sheet, body, UNITS)
    if tile.ghost:
        dice.rerolled(sheet, body, ground, ink, glyph(tile.body, tile.ghost))
    if tile.badge:
        dice.badge(sheet, ground, ink, tile.badge)
    return sheet.reduced()


def is_bare(tile: Tile) -> bool:
    """Whether a tile is a number beside the dice, with no die under it."""
    return body_of(tile).bare


def body_of(tile: Tile) -> Body:
    return BODIES.get(tile.body) or COLOURED.get(tile.body, OTHER)


def draw_body(sheet: Sheet, body: Body, scale: float, added: bool, dead: bool) -> None:
    """The body with a darker lip at its lower edge; of a dead die only an edge. An added die lies within dashes."""
    ink = body.ink
    shape = body.outline(-8.0 if added else 0.0, scale=scale)
    whole, upper = sheet.stencil().polygon(shape), sheet.stencil().polygon([(x, y - LIP) for x, y in shape])
    upper.image = ImageChops.darker(upper.image, whole.image)
    if dead:
        inner = sheet.stencil().polygon(body.outline(-RIM - (8.0 if added else 0.0), scale=scale))
        sheet.ink(ink, whole).ink(dim(ink), inner)
    else:
        sheet.ink(shade(ink), whole).ink(ink, upper)
    if added:
        dice.dashed_edge(sheet, body, ink, scale)


def draw_face(sheet: Sheet, body: Body, ink: Ink, scale: float, tile: Tile) -> None:
    """The glyph, smaller if marks need room; for an empty face, an inset panel."""
    face, hole, middle = glyph_of(tile), sheet.stencil(), MIDDLE - LIP / 2 + body.down * scale
    if face is None:
        scale *= 0.84 if tile.added else 1.0
        panel = body.outline(-13, y=MIDDLE, scale=scale), body.outline(-16.5, y=MIDDLE, scale=scale)
        sheet.ink(body.ink, hole.polygon(panel[0]).polygon(panel[1], shut=True))
        return
    crowded = tile.added or tile.badge or tile.ghost or tile.fate == "cancelled"
    face(hole, MIDDLE, middle, REACH * body.scale * body.room * scale * (0.8 if crowded else 1.0))
    if tile.fate == "cancelled":
        sheet.ink(dim(body.ink), hole.halo(3, 7))
    sheet.ink(ink, hole)


def glyph_of(tile: Tile) -> Glyph | None:
    return together(tile.shapes) if tile.shapes else glyph(tile.body, tile.face)


def glyph(body: str, face: str) -> Glyph | None:
    """The glyph of a face; None if the face is empty."""
    if face in ("blank", ""):
        return None
    return pips(face) if body in D6 and face in PIPS else FACES.get(face) or written(face)

"""Paints the strips and the figure of a card as one PNG. Each die is drawn once, cached, and then only pasted."""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops

from bot.render import figures, layout
from bot.render.art import marks
from bot.render.art.banded import Band, band, joined
from bot.render.art.bodies import BODIES, MIDDLE, OTHER, Body
from bot.render.art.glyphs import FACES, PIPS, Glyph, pips, written
from bot.render.art.indexed import Indexed, png, stacked
from bot.render.art.palette import ALPHAS, COLOURS, GREY, TRANSPARENT, WHITE, Ink, faint, indexed, pale, shade
from bot.render.art.sheet import CELL, DRAWING, Sheet
from bot.render.card import Card, Figure, Strip, Tile
from bot.render.layout import GAP

LIP: Final = 4.0
"""How much of the lower edge is in shade, in cell units."""
REACH: Final = 31.0
"""How far a glyph reaches from the middle of a die."""


def picture(card: Card) -> bytes | None:
    """A PNG of the strips and, below them, the figure; None for a card that has neither dice nor a figure.

    If there are several strips, each has its label above it.
    """
    if not is_pictured(card):
        return None
    shown = tuple(strip for strip in card.strips if strip.tiles)
    return composed(shown if len(shown) > 1 else unlabelled(shown), card.figure)


def is_pictured(card: Card) -> bool:
    """Whether there is anything to draw."""
    return card.figure is not None or any(strip.tiles for strip in card.strips)


def strips(strips: tuple[Strip, ...]) -> bytes:
    """A PNG of the strips without their labels, at twice the CSS pixels, on a transparent background.

    ``layout`` places them. Without any dice the picture is one empty cell.
    """
    return painted(unlabelled(strips))


def unlabelled(strips: tuple[Strip, ...]) -> tuple[Strip, ...]:
    return tuple(replace(strip, label="") for strip in strips)


@lru_cache(maxsize=256)
def composed(strips: tuple[Strip, ...], figure: Figure | None) -> bytes:
    """The picture of a card."""
    if figure is None:
        return painted(strips)
    if not strips:
        return png(figures.drawn(figure))
    return stacked([Indexed(arranged(strips), COLOURS, ALPHAS), figures.drawn(figure)], GAP)


@lru_cache(maxsize=256)
def painted(strips: tuple[Strip, ...]) -> bytes:
    """The picture of these strips."""
    width = max((block.right for block in layout.blocks(strips)), default=CELL)
    bands = layout.bands(strips) or [()]
    gaps = [GAP] * (len(bands) - 1) + [0]
    return joined(width, [kept_band(one, width, gap) for one, gap in zip(bands, gaps, strict=True)], COLOURS, ALPHAS)


@lru_cache(maxsize=1024)
def kept_band(strips: tuple[Strip, ...], width: int, gap: int) -> Band:
    """Strips that lie beside each other, with the gap below them; four red dice alone have 256 different ones."""
    return band(arranged(strips, width, gap))


def arranged(strips: tuple[Strip, ...], width: int = CELL, gap: int = 0) -> Image.Image:
    """The dice and labels in palette indices, at least so wide, above a gap."""
    blocks = layout.blocks(strips)
    right, bottom = (max((getattr(block, edge) for block in blocks), default=CELL) for edge in ("right", "bottom"))
    canvas = Image.new("L", (max(right, width), bottom + gap), TRANSPARENT)
    for block in blocks:
        if block.label:
            canvas.paste(block.label, (block.left, block.top))
        for at, row in enumerate(block.rows):
            for column, tile in enumerate(row):
                holds = column + 1 < len(row) and row[column + 1].linked
                canvas.paste(kept(tile, holds), (block.left + column * CELL, block.under_label + at * CELL))
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
    """The body with a darker lip at its lower edge. An added die is smaller, inside its dashed edge."""
    shape = body.outline(-8.0 if added else 0.0, scale=scale)
    whole, upper = sheet.stencil().polygon(shape), sheet.stencil().polygon([(x, y - LIP) for x, y in shape])
    upper.image = ImageChops.darker(upper.image, whole.image)
    sheet.ink(shade(ink), whole).ink(ink, upper)
    if added:
        marks.dashed_edge(sheet, body, ink, scale)


def draw_face(sheet: Sheet, body: Body, ink: Ink, scale: float, tile: Tile) -> None:
    """The glyph, smaller if marks need room; for an empty face, an inset panel."""
    face, hole, middle = glyph(tile.body, tile.face), sheet.stencil(), MIDDLE - LIP / 2 + body.down * scale
    if face is None:
        scale *= 0.84 if tile.added else 1.0
        panel = body.outline(-11, y=middle, scale=scale), body.outline(-14.5, y=middle, scale=scale)
        sheet.ink(faint(ink), hole.polygon(panel[0]).polygon(panel[1], shut=True))
        return
    crowded = tile.added or tile.badge or tile.ghost or tile.fate == "cancelled"
    face(hole, MIDDLE, middle, REACH * body.scale * body.room * scale * (0.8 if crowded else 1.0))
    if tile.fate == "cancelled":
        sheet.ink(ink, hole.halo(3, 7))
    sheet.ink(body.ink if body.bare else WHITE if tile.fate == "stands" else pale(ink), hole)


def glyph(body: str, face: str) -> Glyph | None:
    """The glyph of a face; None if the face is empty."""
    if face in ("blank", ""):
        return None
    return pips(face) if body == "d6" and face in PIPS else FACES.get(face) or written(face)

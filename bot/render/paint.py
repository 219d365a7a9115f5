"""Lays out a card's dice and paints them, with its figure, as a PNG on a tray. Dice pictures are cached and pasted.

All pictures are equally wide, so that dice have one size everywhere; the tray is as wide as its contents, and the rest
is clear. Strips are stacked, or next to the previous one if requested and possible. A row holds six dice; more wrap. A
chain is not split if it fits into a row.

A picture is a stack of bands of full width: the tray's edge, labels, rows of dice, gaps, the number, the figure. Most
strips of dice occur repeatedly, so bands are deflated once, cached, and joined.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from struct import pack
from typing import Final, Literal, NamedTuple, assert_never

from PIL import Image, ImageChops

from bot.languages import ENGLISH, Language
from bot.languages.translate import CURRENT_LANGUAGE, translate
from bot.render.art import dice, letters, palette
from bot.render.art.dice import BODIES, COLORED, D6, FACES, MIDDLE, OTHER, PIPS, Body, Glyph, pips, text_glyph
from bot.render.art.letters import DRAWING
from bot.render.art.palette import Ink
from bot.render.art.sheet import CELL as UNITS, Sheet
from bot.render.card import Bars, Card, Dials, Figure, Grid, Meters, Roster, Scale, Strip, Tile, chains
from bot.render.figures import bars, dials, grid, meters, roster, scale
from bot.render.figures.panel import PAD, WIDTH, corners
from bot.rules.dice import OUT
from bot.rules.text import EMPTY, Shown

# Positions of dice

CELL: Final = 156
"""Pixels of a die with its margin: 51 CSS pixels on a phone, and 62 if Discord shows a picture 400 wide."""
MAX_ROW: Final = (WIDTH - 2 * PAD) // CELL
"""Maximum dice per row."""
APART: Final = WIDTH - 2 * PAD - MAX_ROW * CELL
"""Pixels between two strips side by side, with a line in the middle, besides the cells' margins."""
GAP: Final = 16
"""Pixels between two strips, on top of the margins that cells have."""
LABEL: Final = 40
"""Height of a label's letters: 13 CSS pixels on a phone."""
LABEL_SIZES: Final = (LABEL, 34, letters.LEAST)
"""Font sizes for tight labels; a label is shortened only if the smallest doesn't fit."""
LABEL_HIGH: Final = 56
INDENT: Final = 15
"""Distance from a cell's left edge to its die, where a label begins."""


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
        label = INDENT + letters.width(self.label, self.size) if self.label else 0
        return max(self.left + label, self.right_of_dice)

    @property
    def right_of_dice(self) -> int:
        return self.left + max(len(row) * CELL for row in self.rows)

    def cut(self, right: int) -> "Block":
        """Return the block with its label reduced or shortened, so that it ends before ``right``."""
        room = right - self.left - INDENT
        size = next((item for item in LABEL_SIZES if letters.width(self.label, item) <= room), LABEL_SIZES[-1])
        return replace(self, label=letters.fit_text(self.label, size, room), size=size)


Line = tuple[Block, ...]
"""Strips side by side, from left to right."""


def lines(strips: tuple[Strip, ...]) -> list[Line]:
    """Return every strip's position, top to bottom, without empty ones. A strip beside another starts in the middle of
    the picture, or after the other if longer. If only labels are too long, they are reduced or cut.
    """
    result: list[Line] = []
    for strip in strips:
        if not strip.tiles:
            continue
        block = Block(tuple(rows(strip.tiles)), label(strip.label), won=strip.won)
        beside = append_block(result[-1], block) if result and strip.beside else None
        if beside is None:
            result.append((block,))
        else:
            result[-1] = beside
    return result


def append_block(line: Line, block: Block) -> Line | None:
    """Append a block to the line; None if its dice don't fit."""
    *before, last = line
    for right in (last.right, last.right_of_dice):
        left = max(right + APART, WIDTH // 2)
        moved = replace(block, left=left)
        if moved.right <= WIDTH - PAD:
            return (*before, last.cut(left - APART), moved)
    whole = (*before, last.cut(left - APART), moved.cut(WIDTH - PAD // 2))
    return whole if moved.right_of_dice <= WIDTH - PAD else None


def label(text: Shown) -> str:
    """Return the label as drawn, cut to the picture's width; empty if the font lacks a letter."""
    said = translate(text)
    if letters.printable(said).count("?") > said.count("?"):
        return ""
    return letters.fit_text(said, LABEL, WIDTH - 2 * PAD - 2 * INDENT)


def rows(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """Rows of at most ``MAX_ROW`` tiles. A chain starts a new row rather than split, unless no row could hold it."""
    row: tuple[Tile, ...] = ()
    for chain in chains(tiles):
        if row and len(row) + len(chain) > MAX_ROW:
            yield row
            row = ()
        row += chain
        while len(row) > MAX_ROW:
            yield row[:MAX_ROW]
            row = row[MAX_ROW:]
    yield row


# Bands
# A PNG's image data is one zlib stream: a header, deflated blocks, and the Adler-32 checksum of all uncompressed bytes.
# A band ends in a full flush, so its blocks start and end at a byte and refer to nothing before them (RFC 1951): bands
# can be joined in any picture of the same width. Only the checksums must be combined.

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
INDEXED: Final = (8, 3, 0, 0, 0)
"""Bits of an index, and color type 3: indices into a palette (PNG specification, 11.2.2)."""
ZLIB_HEADER: Final = b"\x78\x9c"
LAST_BLOCK: Final = b"\x03\x00"
"""An empty final block."""
LEVEL: Final = 1
"""Compression level. The next two save a sixth of the size and take twice as long; higher ones take far longer."""
MEMORY: Final = 6
"""zlib's memory level: more is slower for these pictures and saves less than 1%."""
ADLER: Final = 65521


class ImageBand(NamedTuple):
    """Full-width rows of pixels: their number, deflated data, checksum, and uncompressed size."""

    rows: int
    deflated: bytes
    adler: int
    size: int


def band(image: Image.Image) -> ImageBand:
    """Deflate an ``L`` image of palette indices."""
    width = image.width + 1  # each row of a PNG begins with its filter: 0, none
    filtered = Image.new("L", (width, image.height))
    filtered.paste(image, (1, 0))
    rows = filtered.tobytes()
    packer = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, memLevel=MEMORY)
    deflated = packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH)
    return ImageBand(image.height, deflated, zlib.adler32(rows), len(rows))


def join_bands(width: int, bands: Sequence[ImageBand], colors: bytes, alphas: bytes) -> bytes:
    """Join bands to a PNG; colors and opacities as in ``palette``."""
    adler = 1
    for item in bands:
        adler = combine_checksums(adler, item.adler, item.size)
    data = b"".join((ZLIB_HEADER, *(one.deflated for one in bands), LAST_BLOCK, pack(">I", adler)))
    head = pack(">II5B", width, sum(one.rows for one in bands), *INDEXED)
    chunks = ((b"IHDR", head), (b"PLTE", colors), (b"tRNS", alphas), (b"IDAT", data), (b"IEND", b""))
    checked = ((kind, body, zlib.crc32(body, zlib.crc32(kind))) for kind, body in chunks)
    return SIGNATURE + b"".join(pack(">I", len(body)) + kind + body + pack(">I", crc) for kind, body, crc in checked)


def combine_checksums(first: int, second: int, size: int) -> int:
    """Return the Adler-32 of two joined byte strings, from each one's and the second's size.

    An Adler-32's low half is 1 + the sum of all bytes; the high half is the sum of the low halves after each byte (RFC
    1950). Joined, the second's low halves are higher by the first's final one: (its low half - 1) at each of ``size``
    bytes.
    """
    left = (first & 0xFFFF) - 1
    low = (left + (second & 0xFFFF)) % ADLER
    high = ((first >> 16) + (second >> 16) + left * size) % ADLER
    return high << 16 | low


# Painting

LIP: Final = 4.0
"""Height of the shaded lower edge, in cell units."""
REACH: Final = 31.0
"""Maximum distance of a glyph from the center of a die."""
RIM: Final = 4.0
"""Thickness of an uncounted die's edge."""
STRUCK_OUT: Final = OUT - {"spent"}
NUMBER: Final = 168
"""Height of the large number, the largest item in a picture."""
WORD: Final = 112
NUMBER_HIGH: Final = 148
UNIT: Final = 52
UNIT_ROOM: Final = WIDTH * 7 // 10
"""Pixels for the unit, which leave room for a number at its full height."""
THIN: Final = 3
"""Thickness of a line between two pools."""

Places = tuple[tuple[int, tuple[Tile, ...]], ...]
"""One row's dice: each strip's, with its left edge."""


def picture(card: Card) -> bytes | None:
    """Return a PNG of the labeled strips and the figure below; None for a card with neither."""
    if not is_pictured(card):
        return None
    return compose_picture(strips_with_dice(card.strips), card.figure, card.number, card.unit, CURRENT_LANGUAGE.get())


def is_pictured(card: Card) -> bool:
    return card.figure is not None or any(strip.tiles for strip in card.strips)


def strips_with_dice(strips: Sequence[Strip]) -> tuple[Strip, ...]:
    """Return the nonempty strips; a single one needs no label."""
    result = tuple(strip for strip in strips if strip.tiles)
    return result if len(result) > 1 else without_labels(result)


def without_labels(strips: tuple[Strip, ...]) -> tuple[Strip, ...]:
    return tuple(replace(strip, label=EMPTY) for strip in strips)


@lru_cache(maxsize=256)
def compose_picture(
    strips: tuple[Strip, ...],
    figure: Figure | None = None,
    number: str = "",
    unit: str = "",
    _language: Language = ENGLISH,
) -> bytes:
    """Return a card's picture, cached by language."""
    stack, unit = lines(strips), letters.fit_text(unit, UNIT, UNIT_ROOM)
    wide = WIDTH if figure is not None else width_of_tray(stack, number, unit)
    bands = [edge("top", wide)]
    for at, line in enumerate(stack):
        bands += [blank_band(wide)] if at else []
        bands += line_bands(line, wide)
    bands += [number_band(number, unit, wide)] if number else []
    if figure is not None:
        bands += [blank_band(wide)] if strips else []
        bands.append(band(figure_image(figure)))
    return join_bands(WIDTH, [*bands, edge("bottom", wide)], palette.COLORS, palette.ALPHAS)


def figure_image(figure: Figure) -> Image.Image:
    """Return a figure in palette indices, as wide as a picture."""
    match figure:
        case Bars():
            return bars.draw_figure(figure)
        case Grid():
            return grid.draw_figure(figure)
        case Scale():
            return scale.draw_figure(figure)
        case Roster():
            return roster.draw_figure(figure)
        case Meters():
            return meters.draw_figure(figure)
        case Dials():
            return dials.draw_figure(figure)
        case _:
            assert_never(figure)


def width_of_tray(lines: Sequence[Line], number: str, unit: str) -> int:
    rights = [block.right for line in lines for block in line]
    if number:
        beside = GAP + letters.width(unit, UNIT) if unit else 0
        rights.append(PAD + 2 * INDENT + letters.width(number, number_size(number, unit)) + beside)
    return min(WIDTH, max(rights, default=WIDTH) + PAD)


def line_bands(line: Line, wide: int) -> list[ImageBand]:
    """Return adjacent strips' labels, then their dice row by row."""
    inks = ((block, palette.GOLD if block.won else palette.MUTED) for block in line if block.label)
    labels = tuple((block.left, block.label, block.size, ink) for block, ink in inks)
    deepest = max(len(block.rows) for block in line)
    between = tuple(block.left - (APART + THIN) // 2 for block in line[1:])
    places = [tuple((block.left, block.rows[at]) for block in line if at < len(block.rows)) for at in range(deepest)]
    above = [label_band(labels, between, wide)] if labels else []
    return [*above, *(row_band(place, between, wide) for place in places)]


@lru_cache(maxsize=512)
def row_band(places: Places, between: tuple[int, ...], wide: int) -> ImageBand:
    """Return a row of dice; four red dice have only 256 variants."""
    return band(row(places, between, wide))


def row(places: Places, between: tuple[int, ...], wide: int) -> Image.Image:
    """Return the dice in palette indices, with lines at ``between``."""
    canvas = blank_piece(CELL, wide, between)
    for left, tiles in places:
        for at, tile in enumerate(tiles):
            holds = at + 1 < len(tiles) and tiles[at + 1].linked
            canvas.paste(cached_cell(tile, holds), (left + at * CELL, 0))
    return canvas


@lru_cache(maxsize=512)
def label_band(labels: tuple[tuple[int, str, int, Ink], ...], between: tuple[int, ...], wide: int) -> ImageBand:
    """Return a line's labels, each with left edge, size, and ink."""
    canvas = blank_piece(LABEL_HIGH, wide, between)
    for left, text, size, ink in labels:
        shape, covered = letters.word(text, size, ink, palette.TRAY)
        canvas.paste(shape, (left + INDENT, LABEL_HIGH // 2 - letters.reach_above_middle(size)), covered)
    return band(canvas)


@lru_cache(maxsize=512)
def number_size(number: str, unit: str) -> int:
    """Return the size of a result in large type. A word is smaller than a number; long ones leave room for ``unit``."""
    size = NUMBER if any(letter.isdigit() for letter in number) else WORD
    room = WIDTH - 2 * (PAD + INDENT) - (letters.width(unit, UNIT) + GAP if unit else 0)
    size = min(size, max(UNIT, size * room // letters.width(number, size)))
    while size > UNIT and letters.width(number, size) > room:  # letters don't shrink evenly
        size -= 1
    return size


@lru_cache(maxsize=512)
def number_band(number: str, unit: str, wide: int) -> ImageBand:
    """Return the band with the result in large type, and its unit."""
    large = number_size(number, unit)
    canvas, line = blank_piece(NUMBER_HIGH, wide), (NUMBER_HIGH + letters.rise(large)) // 2
    x = PAD + INDENT
    number = letters.fit_text(number, large, WIDTH - 2 * x)
    for text, size, ink in ((number, large, palette.TEXT), (unit, UNIT, palette.MUTED)):
        if text:
            shape, covered = letters.word(text, size, ink, palette.TRAY)
            canvas.paste(shape, (x, line - size), covered)
            x += letters.width(text, size) + GAP
    return band(canvas)


@lru_cache(maxsize=64)
def blank_band(wide: int) -> ImageBand:
    return band(blank_piece(GAP, wide))


@lru_cache(maxsize=64)
def edge(side: Literal["top", "bottom"], wide: int) -> ImageBand:
    """Return the tray's upper or lower edge, with rounded corners."""
    canvas = blank_piece(PAD, wide)
    top_left, top_right, bottom_right, bottom_left = corners()
    left, right = (top_left, top_right) if side == "top" else (bottom_left, bottom_right)
    y = 0 if side == "top" else PAD - left.height
    canvas.paste(left, (0, y))
    canvas.paste(right, (wide - right.width, y))
    return band(canvas)


def blank_piece(high: int, wide: int, between: Sequence[int] = ()) -> Image.Image:
    """Return an empty piece of the tray with the lines ``between`` pools."""
    canvas = Image.new("L", (WIDTH, high), palette.CLEAR)
    canvas.paste(palette.INDEX[palette.TRAY], (0, 0, wide, high))
    for x in between:
        canvas.paste(palette.INDEX[palette.RULE], (x, 0, x + THIN, high))
    return canvas


@lru_cache(maxsize=64)
def cached_cell(tile: Tile, holds: bool) -> Image.Image:
    """One cell in palette indices, ``L``; ``holds``: the next die is chained to it. Nobody may draw on it again."""
    return Image.frombytes("L", (CELL, CELL), zlib.decompress(packed_cell(tile, holds)))


@lru_cache(maxsize=512)
def packed_cell(tile: Tile, holds: bool) -> bytes:
    """Return the same cell deflated, which takes a twentieth of its memory."""
    with DRAWING:
        return zlib.compress(palette.to_indices(draw_cell(tile, CELL, holds)).tobytes(), LEVEL)


def sprite(tile: Tile, size: int) -> Image.Image:
    """Return one die with its marks, RGBA on a transparent background, ``size`` pixels wide and high."""
    with DRAWING:
        return draw_cell(tile, size)


def draw_cell(tile: Tile, size: int, holds: bool = False) -> Image.Image:
    body = body_of(tile)
    dead = tile.fate != "stands" or glyph_of(tile) is None  # failed, out, or with an empty face
    scale = 1.0 if tile.fate == "stands" else 0.9
    ground, ink = (palette.dim(body.ink), palette.pale(body.ink)) if dead else (body.ink, palette.WHITE)
    sheet = Sheet(size)
    if not body.bare:
        draw_body(sheet, body, scale, tile.added, dead)
    if tile.fate in STRUCK_OUT:
        dice.stroke(sheet, ink)
    draw_face(sheet, body, palette.pale(body.ink) if body.bare else ink, scale, tile)
    if tile.critical:
        sheet.ink(palette.GOLD, dice.ring(sheet, body, 8.0, 3.2, scale))
    if tile.framed:
        dice.frame(sheet, body)
    if tile.linked:
        dice.link(sheet, body, 0)
    if holds:
        dice.link(sheet, body, UNITS)
    if tile.ghost:
        is_legible = tile.ghost in (*FACES, "blank") or len(tile.ghost) <= 2
        dice.draw_reroll(sheet, body, ground, ink, glyph(tile.body, tile.ghost), is_legible)
    if badge := "spent" if tile.fate == "spent" else tile.badge:
        dice.badge(sheet, ground, ink, badge)
    return sheet.finish()


def body_of(tile: Tile) -> Body:
    return BODIES.get(tile.body) or COLORED.get(tile.body, OTHER)


def draw_body(sheet: Sheet, body: Body, scale: float, added: bool, dead: bool) -> None:
    """Draw the body with a darker lower lip; of a dead die only an edge; of an added die, dashes around it."""
    ink = body.ink
    shape = body.outline(-8.0 if added else 0.0, scale=scale)
    whole, upper = sheet.stencil().polygon(shape), sheet.stencil().polygon([(x, y - LIP) for x, y in shape])
    upper.image = ImageChops.darker(upper.image, whole.image)
    if dead:
        inner = sheet.stencil().polygon(body.outline(-RIM - (8.0 if added else 0.0), scale=scale))
        sheet.ink(ink, whole).ink(palette.dim(ink), inner)
    else:
        sheet.ink(palette.shade(ink), whole).ink(ink, upper)
    if added:
        dice.dashed_edge(sheet, body, ink, scale)


def draw_face(sheet: Sheet, body: Body, ink: Ink, scale: float, tile: Tile) -> None:
    """Draw the glyph, smaller if marks need room; for an empty face, an inset panel."""
    face, hole, middle = glyph_of(tile), sheet.stencil(), MIDDLE - LIP / 2 + body.down * scale
    if face is None:
        scale *= 0.84 if tile.added else 1.0
        panel = body.outline(-13, y=MIDDLE, scale=scale), body.outline(-16.5, y=MIDDLE, scale=scale)
        sheet.ink(body.ink, hole.polygon(panel[0]).polygon(panel[1], shut=True))
        return
    crowded = tile.added or tile.badge or tile.ghost or tile.fate in OUT
    face(hole, MIDDLE, middle, REACH * body.scale * body.room * scale * (0.8 if crowded else 1.0))
    if tile.fate in STRUCK_OUT:
        sheet.ink(palette.dim(body.ink), hole.halo(3, 7))
    sheet.ink(ink, hole)


def glyph_of(tile: Tile) -> Glyph | None:
    return dice.combine_marks(tile.shapes) if tile.shapes else glyph(tile.body, tile.face)


def glyph(body: str, face: str) -> Glyph | None:
    if face in ("blank", ""):
        return None
    return pips(face) if body in D6 and face in PIPS else FACES.get(face) or text_glyph(face)

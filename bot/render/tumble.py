"""A throw as a short animation: newly rolled dice fly, turn, and land as on the card.

It is a GIF: Discord plays one wherever it shows a picture, and it is encoded eight times as fast as a lossless WebP. It
is made from the finished picture, without chance; in flight, faces are the same for every throw. Its first and last
frames are that picture: the first is shown if Discord does not play it (in a background window, or with reduced
motion), and the last one stays, because the GIF does not repeat. A GIF has no half-transparent pixels; only the edge of
the tray's rounded corners differs.
"""

import cmath
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import chain
from struct import pack
from typing import Final, NamedTuple

from PIL import GifImagePlugin, Image

from bot.render import paint
from bot.render.art.dice import BODIES, MIDDLE, OTHER
from bot.render.art.letters import DRAWING
from bot.render.art.palette import BODY_INKS, CLEAR, COLORS, GOLD, STEPS, TRAY, WHITE, dim, mix_inks, pale, quantize
from bot.render.art.sheet import CELL as UNITS
from bot.render.card import Card, Strip, Tile
from bot.render.figures.panel import PAD
from bot.render.paint import CELL, GAP, LABEL_HIGH
from bot.rules.text import Shown

MAX_BYTES: Final = 150_000
"""Maximum file size. A larger throw is still."""
MAX_TUMBLING: Final = 12
"""Maximum animated dice; more would need a larger file."""
MAX_SMOOTH: Final = 6
"""Maximum dice animated with every position; with more, every second one."""
POSITIONS: Final = 10
"""Positions of a die from the first frame until it rests."""
WAVE: Final = 6
"""Number of dice that land one frame apart; the next lands with the first of them."""
TURNS: Final = 1.7
HOPS: Final = ((-1.0, 0.55, 0.17), (0.55, 0.85, 0.07), (0.85, 1.0, 0.02))
"""Start and end of each hop as shares of the flight, and its height in cells."""
AWAY: Final = 0.36
"""Size reduction in flight if corners would leave the cell."""
COMES: Final = 0.35
"""Share of the flight after which it grows again."""
OWN_FACE: Final = 75.0
"""Degrees before rest from which a die shows its own face."""
SPARE: Final = 2.0
"""Minimum distance of its corners from the cell's edge, in cell units."""
FIRST: Final = 20
"""Milliseconds of the first frame: the minimum that every browser respects."""
SMOOTH, COARSE = 60, 90
"""Milliseconds of a frame with every position, and with every second."""
LAST: Final = 100

IN_FLIGHT: Final[dict[str, tuple[str, ...]]] = {
    "red": ("hit", "blank", "crit", "focus"),
    "green": ("focus", "blank", "evade"),
    "df": ("+", "blank", "−"),
    "dx36": ("36", "0", "72"),
    "dx6": ("6", "0", "12"),
    **dict.fromkeys(("d20-attacker", "d20-defender"), ("7", "18", "3", "12")),
    **dict.fromkeys(("d4", "d6", "d6-defender", "d8", "d10", "d12", "d100"), ("3", "1", "4", "2")),
}
"""Faces shown in flight."""
ON_ALL: Final = ("2", "1")
"""Faces of every kind of die."""
MADE: Final = ((ink, dim(ink), pale(ink), mix_inks(TRAY, ink, 0.5), mix_inks(ink, WHITE, 0.5)) for ink in BODY_INKS)
INKS: Final = tuple(dict.fromkeys((TRAY, WHITE, GOLD, *chain.from_iterable(MADE))))
"""Colors of dice in flight. Fewer than at rest, which makes the file a sixth smaller."""
WHOLE: Final = tuple(CLEAR if at < STEPS / 2 else max(at, STEPS) for at in range(256))
"""Maps palette indices to ones without half-transparent pixels; ``STEPS``: the tray's index."""


class FlightPosition(NamedTuple):
    """A die's pose in flight: rotation in degrees, size, and height above its place in cells."""

    angle: float
    scale: float
    height: float


class FlyingDie(NamedTuple):
    """A die with its cell's left and top in the picture."""

    tile: Tile
    left: int
    top: int


def picture(card: Card, before: Card | None = None) -> bytes | None:
    """Return the throw as a GIF, or None. ``before``: the earlier card; without it all dice were rolled."""
    dice = [die for die, fell in zip(place_dice(card.strips), just_rolled(card, before), strict=True) if fell]
    still = paint.picture(card) if 0 < len(dice) <= MAX_TUMBLING else None
    gif = animate(still, dice) if still is not None else b""
    return gif if 0 < len(gif) <= MAX_BYTES else None


def just_rolled(card: Card, before: Card | None = None) -> list[bool]:
    """Return for each die whether it was rolled since the card was ``before``: new or rerolled."""
    old = defaultdict[Shown, list[Sequence[Tile]]](list)
    for strip in before.strips if before is not None else ():
        old[strip.label].append(strip.tiles)
    result: list[bool] = []
    for strip in card.strips:
        was = old[strip.label].pop(0) if old[strip.label] else ()  # strips with the same label are matched in order
        for at, tile in enumerate(strip.tiles):
            lay = at < len(was) and not has_fallen(was[at], tile)
            result.append(not (lay or tile.added or paint.body_of(tile).bare))
    return result


def has_fallen(old: Tile, new: Tile) -> bool:
    """Whether a die was rolled between two cards, rather than changed by an effect."""
    if (new.ghost, new.body) != (old.ghost, old.body):
        return True
    return new.face != old.face and new.badge == old.badge


def place_dice(strips: Sequence[Strip]) -> Iterator[FlyingDie]:
    """Yield every die's position, strip by strip, as ``paint.compose_picture`` stacks them."""
    top = PAD
    for at, line in enumerate(paint.lines(paint.strips_with_dice(strips))):
        top += (GAP if at else 0) + (LABEL_HIGH if any(block.label for block in line) else 0)
        for block in line:
            for row, tiles in enumerate(block.rows):
                yield from (
                    FlyingDie(tile, block.left + nth * CELL, top + row * CELL) for nth, tile in enumerate(tiles)
                )
        top += CELL * max(len(block.rows) for block in line)


def animate(still: bytes, dice: Sequence[FlyingDie]) -> bytes:
    """Return a GIF of dice tumbling to their places in the PNG ``still``; later frames draw the moving cells only."""
    every, time = (1, SMOOTH) if len(dice) <= MAX_SMOOTH else (2, COARSE)
    flight = POSITIONS // every
    opened = Image.open(BytesIO(still))
    lying = Image.frombytes("L", opened.size, opened.tobytes()).point(WHOLE)
    frames = [frame(lying, FIRST)]
    last = flight + min(WAVE, len(dice)) - 1
    for now in range(last + 1):
        cells = list[tuple[Image.Image, int, int]]()
        for nth, die in enumerate(dice):
            at = now - nth % WAVE
            if at < flight:
                cells.append((flight_frame(die.tile, at * every, nth), die.left, die.top))
            elif at == flight:
                cell = (die.left, die.top, die.left + CELL, die.top + CELL)
                cells.append((lying.crop(cell), die.left, die.top))
        left, top = min(x for _, x, _ in cells), min(y for _, _, y in cells)
        right, bottom = max(x for _, x, _ in cells) + CELL, max(y for _, _, y in cells) + CELL
        moving = Image.new("L", (right - left, bottom - top), CLEAR)
        for cell_picture, x, y in cells:
            moving.paste(cell_picture, (x - left, y - top))
        frames.append(frame(moving, LAST if now == last else time, left, top))
    every_color = 0b1_111_0_111  # a table for all frames: 8 bits per color, 2 ** 8 colors
    head = b"GIF89a" + pack("<HHBBB", *opened.size, every_color, CLEAR, 0)
    return b"".join((head, COLORS.ljust(3 * 256, b"\0"), *frames, b";"))


def flight_frame(tile: Tile, at: int, nth: int) -> Image.Image:
    """Return the ``nth`` die in frame ``at`` of its flight: a cell of the tray in palette indices."""
    faces, angle = IN_FLIGHT.get(tile.body, ON_ALL), position(at).angle
    face = tile.face if angle <= OWN_FACE else faces[int(angle // 90 + nth) % len(faces)]
    return turn_die(tile.body, face, at, nth % 2 > 0)


def position(at: int) -> FlightPosition:
    """Return a die's pose in frame ``at`` (negative: shaken): it turns more slowly, with lower hops."""
    share = (at + 1) / (POSITIONS + 1)
    hops = (item for item in HOPS if item[0] < share < item[1])
    height = sum(4 * high * (share - begin) * (end - share) / (end - begin) ** 2 for begin, end, high in hops)
    comes = max(0.0, share - COMES) / (1 - COMES)
    return FlightPosition(360 * TURNS * (1 - share) ** 1.6, 1 - AWAY * (1 - comes**1.5), height)


@lru_cache(maxsize=256)
def turn_die(body: str, face: str, at: int, left: bool) -> Image.Image:
    """Return a die in frame ``at``, turning left or right. Cached: don't draw on it."""
    where, middle = position(at), CELL / 2
    angle = math.radians(where.angle if left else -where.angle)
    scale = min(where.scale, largest_scale(body, angle, where.height))
    across, down = math.cos(angle) / scale, math.sin(angle) / scale
    y = middle - where.height * CELL
    source = (across, down, middle - across * middle - down * y, -down, across, middle + down * middle - across * y)
    how = Image.Transform.AFFINE, source, Image.Resampling.BICUBIC
    moved = flat_die(body, face).transform((CELL, CELL), *how, fillcolor=TRAY)
    with DRAWING:
        return quantize(moved, INKS)


def largest_scale(body: str, angle: float, height: float) -> float:
    """Return the largest size at which a die's corners stay inside the cell, turned by radians and raised."""
    turn = cmath.rect(1, -angle)
    corners = [complex(x - MIDDLE, y - MIDDLE) * turn for x, y in BODIES.get(body, OTHER).outline()]
    room = MIDDLE - SPARE
    sideways, up = max(abs(corner.real) for corner in corners), max(-corner.imag for corner in corners)
    return min(room / sideways, room / max(corner.imag for corner in corners), (room - height * UNITS) / up)


@lru_cache(maxsize=64)
def flat_die(body: str, face: str) -> Image.Image:
    """Return a die at rest on the tray, RGB."""
    laid = Image.new("RGBA", (CELL, CELL), TRAY)
    laid.alpha_composite(paint.sprite(Tile(body, face), CELL))
    return laid.convert("RGB")


def frame(indices: Image.Image, milliseconds: int, left: int = 0, top: int = 0) -> bytes:
    """Encode palette indices as a GIF frame that keeps the previous one where clear."""
    return b"".join(GifImagePlugin.getdata(indices, (left, top), duration=milliseconds, disposal=1, transparency=CLEAR))

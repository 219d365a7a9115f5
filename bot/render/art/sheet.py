"""A sheet for drawing one die, stencils for its ink, and point arithmetic. Coordinates are cell units at any output
size: a cell is ``CELL`` wide and high, origin top left. Both are ``OVERSAMPLE`` times larger and reduced once at the
end, which is the only anti-aliasing.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from bot.render.art.letters import font
from bot.render.art.palette import Ink

# Points on a plane: pure arithmetic, y grows downward

Point = tuple[float, float]


def arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 24) -> list[Point]:
    """Return points along a circle from ``start`` to ``end`` degrees; 0 is right, 90 is down."""
    turns = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def box(x: float, y: float, half_width: float, half_height: float) -> list[Point]:
    """Return the four corners of a rectangle around (x, y)."""
    return [(x + across * half_width, y + down * half_height) for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def transform_points(points: Iterable[Point], x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> list[Point]:
    """Scale and turn points (degrees) about the origin, then move it to (x, y)."""
    cos, sin = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
    return [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in points]


def ease_corners(corners: Sequence[Point], length: float, steps: int = 8) -> list[Point]:
    """Round a closed polygon's corners from ``length`` before to ``length`` after each."""
    points: list[Point] = []
    for index, corner in enumerate(corners):
        start = point_toward(corner, corners[index - 1], length)
        points += curve_points(start, corner, point_toward(corner, corners[(index + 1) % len(corners)], length), steps)
    return points


def curve_points(start: Point, over: Point, end: Point, steps: int = 20) -> list[Point]:
    """Return a curve's points from one point to another, pulled toward a third."""
    shares = [step / steps for step in range(steps + 1)]
    return [mix(mix(start, over, share), mix(over, end, share), share) for share in shares]


def even_points(outline: Sequence[Point], count: int) -> list[Point]:
    """Return ``count`` equidistant points along a closed outline, from its first point."""
    edges = [edge for edge in pairwise([*outline, outline[0]]) if edge[0] != edge[1]]
    step = sum(math.dist(a, b) for a, b in edges) / count
    points: list[Point] = []
    walked = 0.0
    for a, b in edges:
        length = math.dist(a, b)
        while len(points) < count and len(points) * step <= walked + length:
            points.append(mix(a, b, (len(points) * step - walked) / length))
        walked += length
    return points


def point_toward(start: Point, goal: Point, distance: float) -> Point:
    """Return the point ``distance`` along the way, at most half of it, so that neighboring corners never cross."""
    return mix(start, goal, min(0.5, distance / math.dist(start, goal)))


def mix(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# A sheet and its stencils

CELL: Final = 104
"""The die in it is 84 units wide; ``paint`` sets a cell's pixels."""
OVERSAMPLE: Final = 3

OPEN: Final = 255
SHUT: Final = 0


class Stencil:
    """Shapes to be filled. Later shapes cover earlier ones; ``shut`` closes what was open."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.scale = size * OVERSAMPLE / CELL
        self.image = Image.new("L", (size * OVERSAMPLE, size * OVERSAMPLE), SHUT)
        self._draw = ImageDraw.Draw(self.image)

    def polygon(self, points: Iterable[Point], *, shut: bool = False) -> "Stencil":
        self._draw.polygon(self._pixels(points), fill=SHUT if shut else OPEN)
        return self

    def disc(self, x: float, y: float, radius: float, *, shut: bool = False) -> "Stencil":
        corners = self._pixels([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.ellipse(corners, fill=SHUT if shut else OPEN)
        return self

    def line(self, points: Sequence[Point], width: float) -> "Stencil":
        """Add a line of even width with round bends and flat ends."""
        self._draw.line(self._pixels(points), fill=OPEN, width=round(width * self.scale))
        for x, y in points[1:-1]:
            self.disc(x, y, width / 2)
        return self

    def pen(self, points: Sequence[Point], width: float) -> "Stencil":
        return self.line(points, width).disc(*points[0], width / 2).disc(*points[-1], width / 2)

    def text(self, text: str, x: float, y: float, height: float, width: float, least: str = "") -> "Stencil":
        """Add bold text centered on (x, y), ``height`` high, smaller if ``width`` requires. It is at most as large as
        ``least`` would be and starts there, so that similar texts align.
        """
        pixels = round(height * self.scale)
        length = max(1, *(font(pixels, written).getlength(written) for written in (text, least)))
        pixels = max(1, min(pixels, int(pixels * width * self.scale / length)))
        drawn = font(pixels, text)
        _, top, _, bottom = drawn.getbbox(text)
        left, _, right, _ = max(drawn.getbbox(text), drawn.getbbox(least), key=lambda box: box[2])
        if text.removeprefix("= ").isdigit():  # numbers share a baseline, whatever their digits
            _, top, _, bottom = drawn.getbbox("0")
        at = (x * self.scale - (left + right) / 2, y * self.scale - (top + bottom) / 2)
        self._draw.text(at, text, fill=OPEN, font=drawn)
        return self

    def halo(self, margin: float, fill: float) -> "Stencil":
        """Return the same shapes, gaps narrower than twice ``fill`` closed, and ``margin`` larger on every side."""
        around = Stencil(self.size)
        wide = self.image.filter(ImageFilter.BoxBlur((fill + margin) * self.scale)).point([SHUT] * 8 + [OPEN] * 248)
        around.image = wide.filter(ImageFilter.BoxBlur(fill * self.scale)).point([SHUT] * 248 + [OPEN] * 8)
        return around

    def _pixels(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]


class Sheet:
    """One die's picture in progress. Every mark first cuts a gap, so inks never touch."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._image = Image.new("RGBA", (size * OVERSAMPLE, size * OVERSAMPLE))

    def stencil(self) -> Stencil:
        return Stencil(self.size)

    def ink(self, ink: Ink, stencil: Stencil) -> "Sheet":
        return self._fill((*ink, 255), stencil)

    def cut(self, stencil: Stencil) -> "Sheet":
        """Erase that shape, down to the background."""
        return self._fill((0, 0, 0, 0), stencil)

    def _fill(self, color: tuple[int, int, int, int], stencil: Stencil) -> "Sheet":
        touched = stencil.image.getbbox()
        if touched:  # most marks are small, and filling a whole sheet is slow
            self._image.paste(color, touched, stencil.image.crop(touched))
        return self

    def finish(self) -> Image.Image:
        """Return the RGBA picture, ``size`` pixels wide and high."""
        return self._image.reduce(OVERSAMPLE)

"""A scale of values in sections, with thresholds below and the rolled value above."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.languages.translate import translate
from bot.render.art import letters
from bot.render.art.palette import GOLD, GRAY, MUTED, TEAL, TEXT, TRAY, Ink
from bot.render.card import Scale, Section
from bot.render.figures.panel import MARGIN, SIGN, WIDTH, Legend, LegendEntry, Panel, Shape, smooth, striped_tile, tile
from bot.rules.text import EMPTY, Code

HIGH: Final = 68
ROOM: Final = WIDTH - 2 * MARGIN
GAP: Final = 4
APART: Final = 14
"""Between the texts of two ticks."""
TICK, TICK_SIZE = 10, 34
SIZE: Final = 40
FLAG_HIGH, FLAG_PAD, POINT = 62, 20, 16
"""The value's flag, and its tip."""
THICK: Final = 6

TONES: Final[Mapping[str, Ink]] = {"bad": GRAY, "good": TEAL, "best": GOLD}


@dataclass(frozen=True, slots=True)
class PlacedSection:
    """A positioned section: its first value, and the pixels from ``left`` to ``right``."""

    section: Section
    first: int
    left: int
    right: int

    def ground(self, width: int, height: int) -> Shape:
        """Return a box, striped for bad values."""
        return striped_tile(width, height) if self.section.tone == "bad" else tile(width, height)

    @property
    def entry(self) -> LegendEntry:
        """Return ``hit 73-198``."""
        last = "" if self.first == self.section.last else f"-{self.section.last}"
        words = Code(f"{translate(self.section.label)} {self.first}{last}")
        return LegendEntry(self.ground(SIGN, SIGN), TONES[self.section.tone], words)


def draw_figure(figure: Scale) -> Image.Image:
    parts = list(place_sections(figure))
    legend = Legend(([part.entry] for part in parts), ROOM)
    top = MARGIN + (FLAG_HIGH + POINT if figure.mark is not None else 0)
    under = top + HIGH + 2 * TICK + TICK_SIZE
    panel = Panel(WIDTH, under + legend.height + MARGIN // 2)
    for part in parts:
        panel.stamp(part.ground(part.right - part.left, HIGH), part.left, top, TONES[part.section.tone])
    draw_ticks(panel, parts, top + HIGH)
    if figure.mark is not None:
        draw_flag(panel, figure, parts, figure.mark)
    legend.draw(panel, MARGIN, under)
    return panel.image


def place_sections(figure: Scale) -> Iterator[PlacedSection]:
    """Yield the nonempty sections from the left."""
    first = figure.least
    for section in figure.sections:
        if section.last >= first:
            left, right = x(figure, first), x(figure, section.last + 1)
            yield PlacedSection(section, first, left, right if right == MARGIN + ROOM else max(left + 1, right - GAP))
            first = section.last + 1


def x(figure: Scale, value: int) -> int:
    """Return a value's left edge; off the scale, the nearer end."""
    end = max([figure.least, *(section.last for section in figure.sections)]) + 1
    return MARGIN + ROOM * (max(figure.least, min(value, end)) - figure.least) // (end - figure.least)


def draw_ticks(panel: Panel, parts: list[PlacedSection], top: int) -> None:
    """Draw each section's first value at its start, and the last value of all."""
    if not parts:
        return
    ticks = [(part.left, str(part.first)) for part in parts] + [(parts[-1].right, str(parts[-1].section.last))]
    for x, _ in ticks[1:-1]:
        panel.box(x - GAP, top, x, top + TICK, MUTED)
    for left, (_, text) in zip(spread_ticks(ticks), ticks, strict=True):
        panel.text(text, left, top + TICK + TICK_SIZE // 2, TICK_SIZE, MUTED, "left")


def spread_ticks(ticks: list[tuple[int, str]]) -> list[int]:
    """Return the left edge of each tick's text: centered, moved aside where it would overlap another."""
    widths = [letters.width(text, TICK_SIZE) for _, text in ticks]
    lefts: list[int] = []
    least = MARGIN
    for (middle, _), width in zip(ticks, widths, strict=True):
        lefts.append(max(least, middle - width // 2))
        least = lefts[-1] + width + APART
    most = WIDTH - MARGIN
    for at in reversed(range(len(ticks))):
        lefts[at] = min(lefts[at], most - widths[at])
        most = lefts[at] - APART
    return lefts


def draw_flag(panel: Panel, figure: Scale, parts: list[PlacedSection], mark: int) -> None:
    """Draw the value and its section's name on a flag, whose staff crosses the scale."""
    name = next((part.section.label for part in parts if part.first <= mark <= part.section.last), EMPTY)
    text = letters.fit_text(f"{mark} {translate(name)}".strip(), SIZE, ROOM - 2 * FLAG_PAD)
    wide = letters.width(text, SIZE) + 2 * FLAG_PAD
    middle = (x(figure, mark) + x(figure, mark + 1)) // 2
    left = max(MARGIN // 2, min(middle - wide // 2, WIDTH - MARGIN // 2 - wide))
    top, foot = MARGIN // 2, MARGIN + FLAG_HIGH + POINT + HIGH + TICK // 2
    for edge, ink in ((THICK, TRAY), (THICK // 2, TEXT)):
        panel.box(middle - edge, top + FLAG_HIGH, middle + edge, foot, ink)
    panel.stamp(point(), middle - POINT, top + FLAG_HIGH - 1, TEXT)
    panel.stamp(tile(wide, FLAG_HIGH), left, top, TEXT)
    panel.text(text, left + FLAG_PAD, top + FLAG_HIGH // 2, SIZE, TRAY, "left", ground=TEXT)


@lru_cache(maxsize=1)
def point() -> Shape:
    """Return the tip of the flag."""

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        large.polygon([(0, 0), (2 * POINT * times, 0), (POINT * times, POINT * times)], fill=255)

    return smooth(2 * POINT, POINT, draw)

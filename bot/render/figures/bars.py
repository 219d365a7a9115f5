"""Laws as a bar chart: each outcome's chance, and as many labels as fit. From the top: the legend, the bars, their
labels, on whole pixels for sharpness.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from bot.languages.translate import translate
from bot.render.art import letters
from bot.render.art.palette import MUTED, RULE, SERIES, TEXT, TRAY, Ink, ramp
from bot.render.art.sheet import OVERSAMPLE
from bot.render.card import Bars
from bot.render.figures.panel import EDGE, MARGIN, SIGN, WIDTH, Legend, LegendEntry, Panel, Shape, draw_stripes, smooth
from bot.render.plain_text import percent
from bot.rules.text import Numeral, english

AXIS: Final = 100
"""Room for the percents beside the plot."""
FOOT: Final = 58
"""Room beneath the plot for the bars' labels."""
MAX_BAR: Final = 150
FEW: Final = 10
"""Up to this many bars all have labels, shortened if necessary."""
GAP: Final = 3
"""Between the bars of one label."""
BARS_HIGH: Final = 260
OVER: Final = 48
"""Room for a label over the highest bar."""
SIZE: Final = 34
"""Font size of the bars' labels."""
SMALL: Final = letters.LEAST
APART: Final = 4
"""Pixels between two labels, and between a label and its bar."""
RULES: Final = tuple(Fraction(step, 1000) for step in (1, 2, 10, 20, 50, 100, 200))
"""Candidate distances of gridlines, as chances: whole percents, or below one."""
MAX_RULES: Final = 5
EVERY: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Candidate intervals for crowded labels: every second, fifth, … is shown."""


Percent = tuple[int, str]
"""A way to write a percent: the size of its letters, and its sign."""
SHAPES: Final[tuple[Percent, ...]] = ((SIZE, "%"), (SMALL, "%"), (SMALL, ""))
"""The first shape in which all labels fit is used."""


@dataclass(frozen=True, slots=True)
class PlacedBar:
    """A positioned bar: from ``left`` to ``right``, with its upper end at ``top``."""

    chance: Fraction
    series: int
    left: int
    right: int
    top: int


@dataclass(frozen=True, slots=True)
class Plot:
    """The plot's ``left`` and ``top``, the bars' ``base``, ``pitch`` between labels; ``rules``: gridlines above the
    base, ``step`` of chance apart.
    """

    left: int
    top: int
    base: int
    count: int
    pitch: int
    rules: int
    step: Fraction

    @property
    def right(self) -> int:
        return self.left + self.pitch * self.count

    def middle(self, at: int) -> int:
        return self.left + self.pitch * at + self.pitch // 2


def draw_figure(figure: Bars) -> Image.Image:
    """The chart in palette indices. Its scale begins at 0."""
    named = enumerate(figure.series, figure.color)
    entries = [[LegendEntry(bar_shape(SIGN, SIGN, at), style(at)[0], name)] for at, name in named]
    legend = Legend(entries, WIDTH - 2 * MARGIN)
    plot = plan_plot(figure, MARGIN // 2 + legend.height)
    panel = Panel(WIDTH, plot.base + FOOT + MARGIN // 2)
    legend.draw(panel, MARGIN, MARGIN // 2)
    for rule in range(plot.rules + 1):
        y, chance = plot.base - BARS_HIGH * rule // plot.rules, plot.step * rule
        panel.box(plot.left, y - 1, plot.right, y + 1, RULE)
        panel.text(translate(percent(chance)), plot.left - 12, y, SMALL, MUTED, "right")
    bars = place_bars(plot, figure)
    for bar in bars:
        whole = column(bar.right - bar.left, BARS_HIGH, bar.series)
        panel.image.paste(whole.crop((0, 0, bar.right - bar.left, plot.base - bar.top)), (bar.left, bar.top))
    draw_percents(panel, plot, bars)
    draw_names(panel, plot, figure)
    return panel.image


def plan_plot(figure: Bars, top: int) -> Plot:
    """Lay out a figure's plot below its legend."""
    left, count = MARGIN + AXIS, max(1, len(figure.bars))
    most = max((chance for bar in figure.bars for chance in bar.chances), default=Fraction(0))
    step = next((step for step in RULES if most <= step * MAX_RULES), RULES[-1])
    base = top + OVER + BARS_HIGH
    pitch = max(1, (WIDTH - MARGIN - left) // count)
    return Plot(left, top, base, count, pitch, rules=max(1, ceil(most / step)), step=step)


def place_bars(plot: Plot, figure: Bars) -> list[PlacedBar]:
    """Return all bars with their positions; each is at least two pixels high unless its chance is 0."""
    series = max(1, len(figure.series), *(len(bar.chances) for bar in figure.bars))
    gap = GAP if plot.pitch >= 8 * series else 0
    wide = max(1, min(MAX_BAR, (plot.pitch * 7 // 8 - gap * (series - 1)) // series))
    least, full = plot.left + (plot.pitch - (wide + gap) * series + gap) // 2, plot.step * plot.rules
    bars: list[PlacedBar] = []
    for at, bar in enumerate(figure.bars):
        for nth, chance in enumerate(bar.chances):
            left = least + plot.pitch * at + (wide + gap) * nth
            high = max(2, round_to_pixels(chance, full, BARS_HIGH)) if chance else 0
            bars.append(PlacedBar(chance, figure.color + nth, left, left + wide, plot.base - high))
    return bars


def round_to_pixels(chance: Fraction, full: Fraction, pixels: int) -> int:
    """Scale a chance to pixels, where ``full`` is ``pixels``; rounded in integer arithmetic, which is fast."""
    whole, part = chance.numerator * full.denominator * pixels, chance.denominator * full.numerator
    return (2 * whole + part) // (2 * part)


# Series differ in ink and in the pattern of their bars

Pattern = Callable[[ImageDraw.ImageDraw, int, int], object]
"""Function that removes ink (0 on 255) inside a bar's outline; sizes in pixels of the large drawing."""
TOP: Final = 6
"""Radius of a bar's upper corners."""


def solid(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """Leave all ink: a solid fill."""


def hollow(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    draw.rectangle((0, 0, width, height), fill=0)


def draw_bars(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    for y in range(8 * OVERSAMPLE, height, 12 * OVERSAMPLE):
        draw.rectangle((0, y, width, y + 4 * OVERSAMPLE - 1), fill=0)


STYLES: Final[tuple[tuple[Ink, Pattern], ...]] = tuple(
    zip(SERIES, (solid, draw_stripes, hollow, draw_bars), strict=True)
)


def style(series: int) -> tuple[Ink, Pattern]:
    """Return a series' ink and pattern; the fifth looks like the first again."""
    return STYLES[series % len(STYLES)]


@lru_cache(maxsize=64)
def column(width: int, height: int, series: int) -> Image.Image:
    """Return a full bar in palette indices; a lower bar is its upper part."""
    return bar_shape(width, height, series).shares.point(ramp(style(series)[0]))


@lru_cache(maxsize=64)
def bar_shape(width: int, height: int, series: int) -> Shape:
    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        across, down, corner = width * times, height * times, min(TOP, width // 2) * times
        shape = (0, 0, across - 1, down + corner)
        large.rounded_rectangle(shape, corner, fill=255)
        style(series)[1](large, across, down)
        large.rounded_rectangle(shape, corner, outline=255, width=min(EDGE, width // 3) * times)

    return smooth(width, height, draw)


# Labels


@dataclass(frozen=True, slots=True)
class Label:
    """A text above a bar: from ``left`` to ``right``, its bottom at ``foot``."""

    text: str
    size: int
    left: int
    right: int
    foot: int

    @property
    def head(self) -> int:
        return self.foot - self.size

    def meets(self, other: "Label") -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not beside and self.head < other.foot and other.head < self.foot


def draw_percents(panel: Panel, plot: Plot, bars: list[PlacedBar]) -> None:
    """Draw the chance above each bar; if not all fit, the likeliest, and none below 1%."""
    wanted = sorted((bar for bar in bars if bar.chance), key=lambda bar: bar.top)
    sky = [plot.base] * (plot.right - plot.left)  # the top y for each pixel from the left of the plot
    for bar in bars:
        sky[bar.left - plot.left : bar.right - plot.left] = [bar.top] * (bar.right - bar.left)
    for shape in SHAPES:
        labels = fit_labels(plot, sky, wanted, shape)
        if len(labels) == len(wanted):
            break
    else:
        labels = [label for label in fit_labels(plot, sky, wanted, SHAPES[-1], thin=True) if label.text[0] != "<"]
    for label in labels:
        middle = (label.left + label.right) // 2, (label.head + label.foot) // 2
        panel.box(label.left, label.head, label.right, label.foot, TRAY)  # keep lines off the number
        panel.text(label.text, *middle, label.size, TEXT)


def fit_labels(
    plot: Plot, sky: list[int], wanted: list[PlacedBar], shape: Percent, *, thin: bool = False
) -> list[Label]:
    """The labels up to the first that would meet a bar, another label or the axis; with ``thin`` all others too."""
    labels: list[Label] = []
    for bar in wanted:
        size, sign = shape
        text = translate(Numeral(english(percent(bar.chance)).replace("%", sign))).replace(" ", "")
        half, middle = letters.width(text, size) // 2 + 1, (bar.left + bar.right) // 2
        label = Label(text, size, middle - half, middle + half, bar.top - APART)
        under = sky[label.left - plot.left : label.right - plot.left]
        is_clear = plot.left <= label.left and label.right <= plot.right and min(under) >= label.foot
        if is_clear and not any(map(label.meets, labels)):
            labels.append(label)
        elif not thin:
            break
    return labels


def draw_names(panel: Panel, plot: Plot, figure: Bars) -> None:
    """Draw the bars' own labels below: of many every second, fifth, ... and always the last; of few all, shortened."""
    names = [bar.label for bar in figure.bars]
    widest = max((letters.width(name, SIZE) for name in names), default=0) + 4 * APART
    every = next((every for every in EVERY if every * plot.pitch >= widest or plot.count <= FEW), plot.count)
    last, y = len(names) - 1, plot.base + FOOT // 2
    for at, name in enumerate(names):
        if at == last or (at % every == 0 and last - at >= every):
            panel.text(letters.fit_text(name, SIZE, every * plot.pitch - APART), plot.middle(at), y, SIZE, MUTED)

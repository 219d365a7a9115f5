"""The lines of a bar chart: the means, and the chance of at least so much as steps. All are level or steep: sharp."""

from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final

from bot.languages.say import say
from bot.render.art.palette import TEXT, TRAY
from bot.render.card import Bars
from bot.render.figures import letters
from bot.render.figures.panel import Panel
from bot.render.figures.plot import APART, MEAN, STEPS_HIGH, Plot, rounded
from bot.render.figures.style import MARK, THICK, dashes, mark, style
from bot.render.text import percent

THIN: Final = 3
EDGE: Final = 2
SMALL: Final = 30

Line = tuple[int, int, int, int]
"""From (left, top) to (right, bottom), one of the two pairs equal."""


def draw_means(panel: Panel, plot: Plot, figure: Bars) -> None:
    """A mark in a row of its own, and a line from it down to the base."""
    for series, mean in enumerate(figure.means):
        if mean is not None:
            x, y = plot.mean(mean), plot.top + MEAN * series
            draw(panel, [(x, y + MARK // 2, x, plot.base)], series, THIN)
            panel.stamp(mark(series), x - MARK // 2, y, style(series).pale)


def draw_steps(panel: Panel, plot: Plot, figure: Bars) -> None:
    """A step for each bar: the chance of it or any later one; its percent over it where there is but one series."""
    for series in range(plot.series):
        chances = [bar.chances[series] if series < len(bar.chances) else Fraction(0) for bar in figure.bars]
        reached = list(accumulate(reversed(chances)))[::-1]
        heights = [plot.floor - rounded(chance, Fraction(1), STEPS_HIGH) for chance in reached]
        sides = [plot.left + plot.pitch * at for at in range(plot.count + 1)]
        level = [(left, y, right, y) for y, (left, right) in zip(heights, pairwise(sides), strict=False)]
        steep = [(x, high, x, low) for x, (high, low) in zip(sides[1:], pairwise(heights), strict=False) if high < low]
        draw(panel, [*level, *steep], series, THICK, edge=0)
        if plot.series == 1:
            draw_percents(panel, plot, reached, heights)


def draw_percents(panel: Panel, plot: Plot, reached: list[Fraction], heights: list[int]) -> None:
    """Over each step, if all fit."""
    words = [say(percent(chance, 0)) for chance in reached]
    if max((letters.width(word, SMALL) for word in words), default=0) + 3 * APART < plot.pitch:
        for at, (word, y) in enumerate(zip(words, heights, strict=True)):
            panel.text(word, plot.middle(at), y - APART - SMALL * 2 // 3, SMALL, TEXT)


def draw(panel: Panel, parts: list[Line], series: int, thick: int, edge: int = EDGE) -> None:
    """Lines in the ink and the dashes of a series, with a dark edge to hold on bars."""
    look, half = style(series), thick // 2
    dashed = [
        (left + start, top, left + end, top) if left < right else (left, top + start, left, top + end)
        for left, top, right, bottom in parts
        for start, end in dashes(max(right - left, bottom - top), look.dash)
    ]
    for ink, wide, pieces in ((TRAY, half + edge, parts if edge else []), (look.pale, half, dashed)):
        for left, top, right, bottom in pieces:
            panel.box(left - wide, top - wide, right + wide, bottom + wide, ink)

"""Laws as a bar chart: each outcome's chance, the means, and the chance of at least so much."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from PIL import Image

from bot.languages.say import say
from bot.render.art.palette import MUTED, RULE
from bot.render.card import Bars
from bot.render.figures import labels, legend, lines
from bot.render.figures.legend import SIGN, Entry
from bot.render.figures.panel import MARGIN, WIDTH, Panel
from bot.render.figures.plot import BARS_HIGH, STEPS_HIGH, Placed, Plot, planned
from bot.render.figures.style import bar_shape, column, line, mark, style
from bot.render.text import mean_of, percent
from bot.rules.text import Code, Text

AXIS: Final = 100
"""Room for the percents beside the plot."""
AXIS_SIZE: Final = 30
FOOT: Final = 58
"""Room beneath the plot for the bars' labels."""


def drawn(figure: Bars) -> Image.Image:
    """The chart in palette indices. The bars' scale begins at 0, that of the steps goes from 0 to 100 %."""
    plot = planned(figure, MARGIN + AXIS, MARGIN // 2)
    entries = legend.rows([list(signs(figure, series)) for series in range(len(figure.series))], WIDTH - 2 * MARGIN)
    plot = replace(plot, top=plot.top + len(entries) * legend.ROW)
    panel = Panel(WIDTH, plot.base + FOOT + MARGIN // 2)
    legend.draw(panel, entries, MARGIN, MARGIN // 2)
    draw_rules(panel, plot)
    bars = plot.placed(figure)
    draw_bars(panel, plot, bars)
    lines.draw_means(panel, plot, figure)
    if figure.cumulative:
        lines.draw_steps(panel, plot, figure)
    labels.draw_percents(panel, plot, bars)
    labels.draw_names(panel, plot, figure, plot.base + FOOT // 2)
    return panel.image


def signs(figure: Bars, series: int) -> Iterator[Entry]:
    """A series by its bars, its mean, and its line."""
    look = style(series)
    yield Entry(bar_shape(SIGN, SIGN, series), look.ink, figure.series[series])
    if series < len(figure.means) and (mean := figure.means[series]) is not None:
        yield Entry(
            mark(series),
            look.pale,
            Text("mean {mean}", mean=Code(shown)) if (shown := mean_of(figure, mean)) else Text("mean"),
        )
    if figure.cumulative:
        yield Entry(line(series), look.pale, Text("at least"))


def draw_rules(panel: Panel, plot: Plot) -> None:
    """Level lines with their percents; the lowest is the one on which the bars stand."""
    levels = [(plot.base - BARS_HIGH * rule // plot.rules, plot.step * rule) for rule in range(plot.rules + 1)]
    if plot.cumulative:
        levels += [(plot.floor - STEPS_HIGH * half // 2, Fraction(half, 2)) for half in range(3)]
    for y, chance in levels:
        panel.box(plot.left, y - 1, plot.right, y + 1, RULE)
        words = say(percent(chance, 0 if (chance * 100).denominator == 1 else 1))
        panel.text(words, plot.left - 12, y, AXIS_SIZE, MUTED, "right")


def draw_bars(panel: Panel, plot: Plot, bars: list[Placed]) -> None:
    for bar in bars:
        whole = column(plot.bar, BARS_HIGH, bar.series)
        panel.image.paste(whole.crop((0, 0, plot.bar, plot.base - bar.top)), (bar.left, bar.top))

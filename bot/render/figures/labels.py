"""The labels of a bar chart, as many as fit."""

from dataclasses import dataclass
from typing import Final

from bot.render.card import Bars
from bot.render.figures import letters
from bot.render.figures.inks import MUTED, TEXT
from bot.render.figures.panel import Panel
from bot.render.figures.plot import APART, FEW, SIZE, Plot
from bot.render.text import percent

SMALL: Final = 21
EVERY: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Of crowded labels each second, fifth, ... is shown."""
SHAPES: Final = ((SIZE, 2, " %"), (SIZE, 1, " %"), (SMALL, 1, " %"), (SMALL, 1, ""), (SMALL, 0, ""))
"""Ways to write a percent: the size, decimals, and sign; the first in which all of a chart's fit."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text over a bar: from ``left`` to ``right``, its foot at ``foot``."""

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


def draw_percents(panel: Panel, plot: Plot, figure: Bars) -> None:
    """The chance over each bar; where not all fit, those of the likeliest."""
    found: list[Label] = []
    for shape in SHAPES:
        found, full = percents(plot, figure, *shape)
        if full:
            break
    else:
        found = [label for label in found if not label.text.startswith("<")]
    for label in found:
        panel.text(
            label.text, (label.left + label.right) // 2, (label.head + label.foot) // 2, label.size, TEXT, bare=True
        )


def percents(plot: Plot, figure: Bars, size: int, decimals: int, sign: str) -> tuple[list[Label], bool]:
    """The labels that fit, the likeliest bars first, and whether these are all."""
    sky = skyline(plot, figure)
    bars = [(chance, at, series) for at, bar in enumerate(figure.bars) for series, chance in enumerate(bar.chances)]
    found: list[Label] = []
    wanted = sorted((bar for bar in bars if bar[0]), key=lambda bar: -bar[0])
    for chance, at, series in wanted:
        text = percent(chance, decimals).replace(" %", sign).replace("< ", "<")
        half = letters.width(text, size) // 2 + 1
        middle = plot.x(at, series) + plot.bar // 2
        label = Label(text, size, middle - half, middle + half, plot.base - plot.rise(chance) - APART)
        under = sky[max(0, label.left - plot.left) : label.right - plot.left]
        if min(under, default=plot.base) >= label.foot and not any(map(label.meets, found)):
            found.append(label)
    return found, len(found) == len(wanted)


def skyline(plot: Plot, figure: Bars) -> list[int]:
    """For each pixel from the left of the plot on the y of what stands there."""
    sky = [plot.base] * (plot.right - plot.left)
    for at, bar in enumerate(figure.bars):
        for series, chance in enumerate(bar.chances):
            x = plot.x(at, series) - plot.left
            sky[x : x + plot.bar] = [plot.base - plot.rise(chance)] * plot.bar
    return sky


def draw_names(panel: Panel, plot: Plot, figure: Bars, y: int) -> None:
    """The bars' own labels beneath them: of many each second, fifth, ... and always the last; of few all, cut short."""
    names = [bar.label for bar in figure.bars]
    widest = max((letters.width(name, SIZE) for name in names), default=0) + 4 * APART
    every = next((every for every in EVERY if every * plot.pitch >= widest or plot.count <= FEW), plot.count)
    last = len(names) - 1
    for at, name in enumerate(names):
        if at == last or (at % every == 0 and last - at >= every):
            panel.text(letters.fitting(name, SIZE, every * plot.pitch - APART), plot.middle(at), y, SIZE, MUTED)

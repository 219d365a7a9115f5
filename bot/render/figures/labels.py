"""The labels of a bar chart, as many as fit."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.languages.say import say
from bot.render.art.palette import MUTED, TEXT
from bot.render.card import Bars
from bot.render.figures import letters
from bot.render.figures.panel import Panel
from bot.render.figures.plot import APART, FEW, SIZE, Placed, Plot
from bot.render.text import percent
from bot.rules.text import Numeral, english

SMALL: Final = 30
EVERY: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Of crowded labels each second, fifth, ... is shown."""


class Shape(NamedTuple):
    """A way to write a percent."""

    size: int
    decimals: int
    sign: str


SHAPES: Final = (
    Shape(SIZE, 0, " %"),
    Shape(SMALL, 0, " %"),
    Shape(SMALL, 0, ""),
)
"""The first in which all of a chart's labels fit is taken."""


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


def draw_percents(panel: Panel, plot: Plot, bars: list[Placed]) -> None:
    """The chance over each bar; where not all fit, those of the likeliest, and none that is less than 1 %."""
    wanted = sorted((bar for bar in bars if bar.chance), key=lambda bar: bar.top)
    sky = skyline(plot, bars)
    for shape in SHAPES:
        found = fitted(plot, sky, wanted, shape)
        if len(found) == len(wanted):
            break
    else:
        found = [label for label in fitted(plot, sky, wanted, SHAPES[-1], thin=True) if label.text[0] != "<"]
    for label in found:
        middle = (label.left + label.right) // 2, (label.head + label.foot) // 2
        panel.text(label.text, *middle, label.size, TEXT)


def fitted(plot: Plot, sky: list[int], wanted: list[Placed], shape: Shape, *, thin: bool = False) -> list[Label]:
    """The labels up to the first that would meet a bar, another label or the axis; with ``thin`` all others too."""
    found: list[Label] = []
    for bar in wanted:
        label = written(bar, shape)
        under = sky[label.left - plot.left : label.right - plot.left]
        is_clear = plot.left <= label.left and label.right <= plot.right and min(under) >= label.foot
        if is_clear and not any(map(label.meets, found)):
            found.append(label)
        elif not thin:
            break
    return found


def written(bar: Placed, shape: Shape) -> Label:
    """The label of a bar, where it would stand."""
    text = say(Numeral(english(percent(bar.chance, shape.decimals)).replace(" %", shape.sign))).replace("< ", "<")
    half = letters.width(text, shape.size) // 2 + 1
    return Label(text, shape.size, bar.middle - half, bar.middle + half, bar.top - APART)


def skyline(plot: Plot, bars: list[Placed]) -> list[int]:
    """For each pixel from the left of the plot on the y of what stands there."""
    sky = [plot.base] * (plot.right - plot.left)
    for bar in bars:
        sky[bar.left - plot.left : bar.right - plot.left] = [bar.top] * (bar.right - bar.left)
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

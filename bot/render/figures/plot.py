"""The lie of a bar chart in whole pixels, from the top: marks of the means, steps of the chance of at least, bars."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final

from bot.render.card import Bars
from bot.render.figures import letters

LEAST_WIDE, MOST_WIDE = 560, 920
"""Pixels of all bars; where there are more bars than that each gets one pixel."""
PITCH: Final = 64
"""Pixels from one bar to the next, where there is room."""
BAR_MOST: Final = 92
FEW: Final = 10
"""So many bars get the room that their labels need, if there is any."""
GAP: Final = 3
"""Between the bars of one label."""

BARS_HIGH: Final = 270
STEPS_HIGH: Final = 120
OVER: Final = 36
"""Room for a label over the highest bar or step."""
MEAN: Final = 26
"""Room for the mark of each mean."""
SIZE: Final = 24
"""Of the bars' labels."""
APART: Final = 4
"""Pixels between two labels, and between a label and its bar."""

RULES: Final = tuple(Fraction(step, 1000) for step in (1, 2, 5, 10, 20, 50, 100, 200))
"""What chance may lie between two rules."""
RULES_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Plot:
    """``left`` and ``top`` of it all, ``pitch`` from one label to the next; ``rules`` with ``step`` of chance between."""

    left: int
    top: int
    count: int
    series: int
    means: int
    cumulative: bool
    pitch: int
    step: Fraction
    rules: int

    @property
    def right(self) -> int:
        return self.left + self.pitch * self.count

    @property
    def floor(self) -> int:
        """The line on which the steps end."""
        return self.top + MEAN * self.means + (OVER + STEPS_HIGH if self.cumulative else 0)

    @property
    def base(self) -> int:
        """The line on which the bars stand."""
        return self.floor + OVER + BARS_HIGH

    @property
    def gap(self) -> int:
        return GAP if self.pitch >= 8 * self.series else 0

    @property
    def bar(self) -> int:
        """The width of a bar."""
        return max(1, min(BAR_MOST, (self.pitch * 4 // 5 - self.gap * (self.series - 1)) // self.series))

    def x(self, at: int, series: int) -> int:
        """The left side of a bar."""
        group = (self.bar + self.gap) * self.series - self.gap
        return self.left + self.pitch * at + (self.pitch - group) // 2 + (self.bar + self.gap) * series

    def middle(self, at: int) -> int:
        """The middle of a label."""
        return self.left + self.pitch * at + self.pitch // 2

    def mean(self, at: Fraction) -> int:
        """The x of a mean in units of bars; what lies beyond the bars is drawn at the last."""
        return self.middle(0) + round(self.pitch * max(Fraction(0), min(at, Fraction(self.count - 1))))

    def rise(self, chance: Fraction) -> int:
        """How high the bar of a chance is; at least two pixels for any but 0."""
        return max(2, round(BARS_HIGH * chance / (self.step * self.rules))) if chance else 0


def planned(figure: Bars, left: int, top: int) -> Plot:
    """The plot of a figure with its corner at (left, top)."""
    count = max(1, len(figure.bars))
    series = max(1, len(figure.series), *(len(bar.chances) for bar in figure.bars))
    names = [letters.width(bar.label, SIZE) + 2 * APART for bar in figure.bars] if count <= FEW else []
    wide = min(MOST_WIDE, max(LEAST_WIDE, count * max([PITCH * series, *names])))
    most = max((chance for bar in figure.bars for chance in bar.chances), default=Fraction(0))
    step = next((step for step in RULES if most <= step * RULES_MOST), RULES[-1])
    rules = max(1, ceil(most / step))
    return Plot(left, top, count, series, len(figure.means), figure.cumulative, max(1, wide // count), step, rules)

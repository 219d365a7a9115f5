"""The lie of a bar chart in whole pixels, from the top: marks of the means, steps of the chance of at least, bars."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final

from bot.render.card import Bars
from bot.render.figures.panel import MARGIN, WIDTH

BAR_MOST: Final = 150
FEW: Final = 10
"""So many bars all have their labels, cut short where they must be."""
GAP: Final = 3
"""Between the bars of one label."""

BARS_HIGH: Final = 300
STEPS_HIGH: Final = 140
OVER: Final = 48
"""Room for a label over the highest bar or step."""
BETWEEN: Final = 66
"""Room between the steps and the highest bar."""
MEAN: Final = 34
"""Room for the mark of each mean."""
SIZE: Final = 34
"""Of the bars' labels."""
APART: Final = 4
"""Pixels between two labels, and between a label and its bar."""

RULES: Final = tuple(Fraction(step, 1000) for step in (1, 2, 5, 10, 20, 50, 100, 200))
"""What chance may lie between two rules."""
RULES_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Placed:
    """A bar in its place: from ``left`` to ``right``, its upper end at ``top``."""

    chance: Fraction
    series: int
    left: int
    right: int
    top: int

    @property
    def middle(self) -> int:
        return (self.left + self.right) // 2


@dataclass(frozen=True, slots=True)
class Plot:
    """``left`` and ``top`` of it all, ``pitch`` from one label to the next, ``bar`` and ``gap`` within a label.

    ``rules`` is how many there are above the base, with ``step`` of chance between two.
    """

    left: int
    top: int
    count: int
    series: int
    means: int
    cumulative: bool
    pitch: int
    bar: int
    gap: int
    rules: int
    step: Fraction

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
        return self.floor + (BETWEEN if self.cumulative else OVER) + BARS_HIGH

    def middle(self, at: int) -> int:
        """The middle of a label."""
        return self.left + self.pitch * at + self.pitch // 2

    def mean(self, at: Fraction) -> int:
        """The x of a mean in units of bars; what lies beyond the bars is drawn at the last."""
        return self.middle(0) + round(self.pitch * max(Fraction(0), min(at, Fraction(self.count - 1))))

    def placed(self, figure: Bars) -> list[Placed]:
        """All bars in their places; each is at least two pixels high unless its chance is 0."""
        group = (self.bar + self.gap) * self.series - self.gap
        least, full = self.left + (self.pitch - group) // 2, self.step * self.rules
        found: list[Placed] = []
        for at, bar in enumerate(figure.bars):
            for series, chance in enumerate(bar.chances):
                left = least + self.pitch * at + (self.bar + self.gap) * series
                high = max(2, rounded(chance, full, BARS_HIGH)) if chance else 0
                found.append(Placed(chance, series, left, left + self.bar, self.base - high))
        return found


def rounded(chance: Fraction, full: Fraction, pixels: int) -> int:
    """How many pixels a chance is where ``full`` is ``pixels``, rounded; in whole numbers, which is quick."""
    whole, part = chance.numerator * full.denominator * pixels, chance.denominator * full.numerator
    return (2 * whole + part) // (2 * part)


def planned(figure: Bars, left: int, top: int) -> Plot:
    """The plot of a figure with its corner at (left, top)."""
    count = max(1, len(figure.bars))
    series = max(1, len(figure.series), *(len(bar.chances) for bar in figure.bars))
    pitch = max(1, (WIDTH - MARGIN - left) // count)
    gap = GAP if pitch >= 8 * series else 0
    most = max((chance for bar in figure.bars for chance in bar.chances), default=Fraction(0))
    step = next((step for step in RULES if most <= step * RULES_MOST), RULES[-1])
    return Plot(
        left=left,
        top=top,
        count=count,
        series=series,
        means=len(figure.means),
        cumulative=figure.cumulative,
        pitch=pitch,
        bar=max(1, min(BAR_MOST, (pitch * 7 // 8 - gap * (series - 1)) // series)),
        gap=gap,
        rules=max(1, ceil(most / step)),
        step=step,
    )

"""A chart as SVG: distributions as horizontal bars, an outcome per row. Unlike a card's picture
(``bot.render.figures.bars``), it is text and boxes, for screen readers, zooming, and printing.
"""

from fractions import Fraction
from textwrap import wrap
from typing import Final

from bot.html.html import Html, tag
from bot.languages.translate import translate
from bot.render.card import Bars
from bot.render.plain_text import percent
from bot.rules.text import Code

WIDTH: Final = 400
LABEL: Final = 56
"""Left edge of the bars; their labels end just before it."""
ROOM: Final = 190
"""Length of the longest bar; its percentage is printed after it."""
BAR: Final = 20
GAP: Final = 10
LINE: Final = 24
"""Line height of the legend."""
MAX_NAME: Final = 36
"""Maximum characters of a legend line next to its sign."""


def chart(figure: Bars, alt: str) -> Html:
    """Return the figure with its legend; ``alt``: the same in words."""
    count, names = max(1, len(figure.series)), [legend(figure, series) for series in range(len(figure.series))]
    most = max((chance for bar in figure.bars for chance in bar.chances), default=Fraction(1)) or Fraction(1)
    top, pitch = LINE * sum(map(len, names)) + GAP, BAR * count + GAP
    height, parts, y = top + pitch * len(figure.bars), list[Html](), 0
    for series, lines in enumerate(names):
        parts.append(box(LABEL, y + 3, BAR, figure.color + series))
        for line in lines:
            parts.append(text(line, LABEL + BAR + 8, y + LINE / 2, "start", "name"))
            y += LINE
    for at, bar in enumerate(figure.bars):
        y = top + pitch * at
        parts.append(text(translate(bar.label), LABEL - 10, y + BAR * count / 2, "end", "label"))
        for series, chance in enumerate(bar.chances):
            wide = round(float(ROOM * chance / most), 1)
            parts.append(box(LABEL, y + BAR * series, max(wide, 1), figure.color + series, f"{series}-{at}"))
            parts.append(text(translate(percent(chance)), LABEL + wide + 8, y + BAR * (series + 0.5), "start", "value"))
    shown, xmlns = f"0 0 {WIDTH} {height}", "http://www.w3.org/2000/svg"
    return tag("svg", *parts, class_="chart", viewBox=shown, role="img", aria_label=alt, xmlns=xmlns)


def legend(figure: Bars, series: int) -> list[str]:
    """The lines of a series' name; its mean stands in the headline."""
    return wrap(translate(figure.series[series]), MAX_NAME) or [""]


def box(x: float, y: float, wide: float, series: int, bar: str | None = None) -> Html:
    place = {"x": str(x), "y": str(y), "width": str(wide), "height": str(BAR - 2)}
    return tag("rect", rx="3", class_=f"series-{series}", data_bar=bar, **place)


def text(words: str, x: float, y: float, anchor: str, kind: str) -> Html:
    return tag("text", Code(words), x=str(x), y=str(y), text_anchor=anchor, dominant_baseline="central", class_=kind)

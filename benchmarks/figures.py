"""How long a figure takes. Run ``python -m benchmarks.figures`` from the top of the project.

Medians of CPU time, from the figure to its PNG, past every cache of whole pictures: the shapes that are kept are warm,
the chances are new each time. The table is drawn once and kept; then each mark on it is a new picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from math import comb
from statistics import median
from time import process_time
from typing import Final, TypeVar

from bot.render import albion, paint
from bot.render.card import Bar, Bars, Card, Figure, Scale
from bot.render.figures import grid
from bot.render.warsurge import PRINTED
from bot.rules.albion import declare, start
from bot.rules.text import Text

MOST: Final = 5.0
"""Milliseconds that a picture may take which somebody waits for."""
CHARTS: Final = ((6, 1), (6, 2), (12, 2), (8, 3), (40, 1), (40, 2))
"""Bars and series."""
SOLDIER: Final = {"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}}


def main() -> None:
    for bars, series in CHARTS:
        measure(f"{bars} bars, {series} series", [chart(bars, series, at) for at in range(20)], anew)
    measure("WARSURGE chart, a new mark", [replace(PRINTED, marked=(row, 4)) for row in range(20)], anew)
    measure("WARSURGE chart, once per process", [PRINTED], table_anew, times=20, most=100.0)
    measure("Albion scale", list(map(scale, range(0, 200, 10))), anew)
    measure("Albion dice and scale", [action(at) for at in range(5)], card_anew)
    measure("Albion dice and scale, again", [action(0)], paint.picture)


def chart(bars: int, series: int, at: int) -> Bars:
    """Binomial laws side by side, others for each ``at``."""
    laws = [binomial(bars - 1, Fraction(at + 10 * item + 7, 61)) for item in range(series)]
    rows = tuple(Bar(Text(str(count)), chances) for count, chances in enumerate(zip(*laws, strict=True)))
    return Bars((Text("focus"), Text("lock and focus"), Text("nothing"))[:series], rows)


def binomial(dice: int, chance: Fraction) -> list[Fraction]:
    return [comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(dice + 1)]


def action(face: int) -> Card:
    """An Albion action whose last die shows this."""
    return albion.card(start(declare({**SOLDIER, "faces": f"72 6 {face}"}), lambda ways: ways - 1), {})


def scale(value: int) -> Scale:
    figure = action(0).figure
    assert isinstance(figure, Scale)
    return replace(figure, mark=value)


def anew(figure: Figure) -> bytes:
    return paint.compose_picture.__wrapped__((), figure)


def table_anew(figure: Figure) -> bytes:
    grid.draw_unmarked.cache_clear()
    return anew(figure)


def card_anew(card: Card) -> bytes | None:
    paint.compose_picture.cache_clear()
    return paint.picture(card)


T = TypeVar("T")


def measure(
    name: str, inputs: Sequence[T], paint_one: Callable[[T], bytes | None], times: int = 300, most: float = MOST
) -> None:
    """Print the median over so many runs, one input after the other, and the size of the first picture."""
    size = max(len(paint_one(one) or b"") for one in inputs)
    took: list[float] = []
    for item, _ in zip(cycle(inputs), range(times), strict=False):
        began = process_time()
        paint_one(item)
        took.append((process_time() - began) * 1000)
    print(f"{name:36}{median(took):8.3f} ms  at most {size} bytes{'' if median(took) <= most else '  TOO SLOW'}")


if __name__ == "__main__":
    main()

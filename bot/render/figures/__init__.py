"""Figures beneath the dice: laws as bars, a printed table, a scale; each on a panel, at twice the CSS pixels."""

from typing import assert_never

from bot.render.art.indexed import Indexed
from bot.render.card import Bars, Figure, Grid, Scale
from bot.render.figures import bars, grid, scale
from bot.render.figures.inks import ALPHAS, COLOURS


def drawn(figure: Figure) -> Indexed:
    """The picture of a figure."""
    match figure:
        case Bars():
            image = bars.drawn(figure)
        case Grid():
            image = grid.drawn(figure)
        case Scale():
            image = scale.drawn(figure)
        case _:
            assert_never(figure)
    return Indexed(image, COLOURS, ALPHAS)

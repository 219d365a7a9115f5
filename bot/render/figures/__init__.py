"""Figures beneath the dice: laws as bars, a printed table, a scale, ships by side; each on a panel."""

from typing import assert_never

from bot.render.art.indexed import Indexed
from bot.render.card import Bars, Figure, Grid, Roster, Scale
from bot.render.figures import bars, grid, roster, scale
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
        case Roster():
            image = roster.drawn(figure)
        case _:
            assert_never(figure)
    return Indexed(image, COLOURS, ALPHAS)

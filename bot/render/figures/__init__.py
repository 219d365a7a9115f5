"""Figures below the dice: distributions as bars, a printed table, a scale, ships by side, a score, bars, dials."""

from typing import assert_never

from PIL import Image

from bot.render.card import Bars, Dials, Figure, Grid, Meters, Roster, Scale, Scoreboard
from bot.render.figures import bars, dials, grid, meters, roster, scale, scoreboard


def drawn(figure: Figure) -> Image.Image:
    """A figure in palette indices, as wide as a picture."""
    match figure:
        case Bars():
            return bars.drawn(figure)
        case Grid():
            return grid.drawn(figure)
        case Scale():
            return scale.drawn(figure)
        case Roster():
            return roster.drawn(figure)
        case Meters():
            return meters.drawn(figure)
        case Scoreboard():
            return scoreboard.drawn(figure)
        case Dials():
            return dials.drawn(figure)
        case _:
            assert_never(figure)

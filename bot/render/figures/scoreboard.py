"""The score of a match: each side with its points in large figures, what they are made of, and the ships below.

It is what people show to others, so it says in the picture alone who played, who won and how.
"""

from typing import Final

from PIL import Image

from bot.languages.say import say
from bot.render.art import letters
from bot.render.art.palette import GOLD, MUTED, TEXT, Ink
from bot.render.card import Scoreboard, Scored
from bot.render.figures import roster
from bot.render.figures.panel import PAD, Panel
from bot.render.figures.roster import COLUMN, ROOM
from bot.rules.text import Code, Shown

NAME_SIZES: Final = (48, 42, 36)
POINTS_SIZE: Final = 130
LINE_SIZE: Final = 34
LEAD: Final = 14
"""Between two lines of text."""


def drawn(figure: Scoreboard) -> Image.Image:
    """The picture in palette indices: two sides in boxes beside each other, more or fewer in a line each."""
    if len(figure.sides) == 2:
        inside = [within(one) for one in figure.sides]
        high = max(one.height for one in inside)
        sides = roster.beside([framed(part, high, one.wins) for part, one in zip(inside, figure.sides, strict=True)])
    else:
        lines = (Code(f"{say(one.name)}: {one.points}") for one in figure.sides)
        sides = roster.stacked([written(line, ROOM, NAME_SIZES, TEXT) for line in lines])
    below = [written(line, ROOM, (LINE_SIZE,), MUTED) for line in figure.lines]
    return roster.whole(roster.stacked([written(figure.title, ROOM, NAME_SIZES, TEXT), sides, *below]), figure.ships)


def framed(inside: Image.Image, high: int, wins: bool) -> Image.Image:
    """A box around the picture of a side, gold for the winner."""
    panel = Panel(COLUMN, high + 2 * PAD)
    roster.frame(panel, wins)
    panel.image.paste(inside, (PAD, PAD))
    return panel.image


def within(scored: Scored) -> Image.Image:
    """The name of a side, its points, and what they are made of."""
    ink, room = GOLD if scored.wins else TEXT, COLUMN - 2 * PAD
    name, points = written(scored.name, room, NAME_SIZES, ink), written(Code(scored.points), room, (POINTS_SIZE,), ink)
    return roster.stacked([name, points, *(written(line, room, (LINE_SIZE,), MUTED) for line in scored.lines)])


def written(text: Shown, room: int, sizes: tuple[int, ...], ink: Ink) -> Image.Image:
    """A text in the middle, as large as fits into one line, else in several lines of the smallest size."""
    size, lines = letters.lines(text, sizes, room)
    panel = Panel(room, len(lines) * (size + LEAD) - LEAD + size // 4)
    panel.lines(lines, room // 2, 0, size, ink, apart=LEAD)
    return panel.image

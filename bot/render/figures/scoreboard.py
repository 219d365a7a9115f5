"""The score of a match: each side with its points in large figures, what they are made of, and the ships below.

It is what people show to others, so it says in the picture alone who played, who won and how.
"""

from typing import Final

from PIL import Image

from bot.languages.say import say
from bot.render.art.palette import GOLD, MUTED, RULE, TEXT, TRAY, Ink, solid
from bot.render.card import Scoreboard, Scored
from bot.render.figures import letters, roster
from bot.render.figures.panel import PAD, WIDTH, Panel
from bot.render.figures.roster import COLUMN, GAP, ROOM
from bot.rules.text import Code, Words

TITLE_SIZES: Final = (48, 42, 36)
NAME_SIZES: Final = (48, 42, 36)
POINTS_SIZE: Final = 130
LINE_SIZE: Final = 34
LEAD: Final = 14
"""Between two lines of text."""


def drawn(figure: Scoreboard) -> Image.Image:
    """The picture in palette indices."""
    sides = beside(figure.sides) if len(figure.sides) == 2 else listed(figure.sides)
    parts = [written(figure.title, ROOM, TITLE_SIZES, TEXT), sides]
    parts += [written(line, ROOM, (LINE_SIZE,), MUTED) for line in figure.lines]
    canvas = Image.new("L", (WIDTH, sum(part.height + GAP for part in parts) - GAP), solid(TRAY))
    top = 0
    for part in parts:
        canvas.paste(part, (PAD, top))
        top += part.height + GAP
    if figure.ships is None:
        return canvas
    below = roster.drawn(figure.ships)
    whole = Image.new("L", (WIDTH, canvas.height + GAP + below.height), solid(TRAY))
    whole.paste(canvas, (0, 0))
    whole.paste(below, (0, canvas.height + GAP))
    return whole


def beside(sides: tuple[Scored, ...]) -> Image.Image:
    """The boxes of two sides, equally high."""
    inside = [stacked(one) for one in sides]
    high = max(one.height for one in inside)
    return roster.beside([framed(part, high, one.wins) for part, one in zip(inside, sides, strict=True)])


def framed(inside: Image.Image, high: int, wins: bool) -> Image.Image:
    """A box around the picture of a side, gold for the winner."""
    panel = Panel(COLUMN, high + 2 * PAD)
    panel.stamp(roster.frame(panel.width, panel.height, wins), 0, 0, GOLD if wins else RULE)
    panel.image.paste(inside, (PAD, PAD))
    return panel.image


def stacked(scored: Scored) -> Image.Image:
    """The name of a side, its points, and what they are made of."""
    ink = GOLD if scored.wins else TEXT
    parts = [
        written(scored.name, COLUMN - 2 * PAD, NAME_SIZES, ink),
        written(Code(scored.points), COLUMN - 2 * PAD, (POINTS_SIZE,), ink),
        *(written(line, COLUMN - 2 * PAD, (LINE_SIZE,), MUTED) for line in scored.lines),
    ]
    return roster.stacked(parts)


def listed(sides: tuple[Scored, ...]) -> Image.Image:
    """More or fewer than two sides: a line for each."""
    return roster.stacked([written(Code(f"{say(one.name)}: {one.points}"), ROOM, NAME_SIZES, TEXT) for one in sides])


def written(text: Words, room: int, sizes: tuple[int, ...], ink: Ink) -> Image.Image:
    """A text in the middle, as large as fits into one line, else in several lines of the smallest size."""
    size, lines = letters.lines(text, sizes, room)
    panel = Panel(room, len(lines) * (size + LEAD) - LEAD + size // 4)
    for at, line in enumerate(lines):
        panel.text(line, room // 2, size // 2 + at * (size + LEAD), size, ink)
    return panel.image

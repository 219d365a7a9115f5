"""Bars from left to right, one below the other: a label, a value, a line where the bar was to end, small print."""

from typing import Final

from PIL import Image

from bot.languages.say import say
from bot.render.art import letters
from bot.render.art.palette import BLUE, GOLD, MUTED, RULE, TEXT
from bot.render.card import Meter, Meters
from bot.render.figures.panel import MARGIN, WIDTH, Panel

SIZE: Final = 40
SMALL: Final = 32
SIZES: Final = (SIZE, 36, SMALL)
TITLE: Final = 34
ROW: Final = 58
"""A line of words."""
BAR: Final = 40
APART: Final = 24
"""Between a bar and what is below it."""
LINE: Final = 6
BEYOND: Final = 10
"""How far a mark's line extends above and below its bar."""
ROOM: Final = WIDTH - 2 * MARGIN


def drawn(figure: Meters) -> Image.Image:
    """The bars in palette indices."""
    top = ROW if figure.title else 0
    panel = Panel(WIDTH, top + sum(map(height, figure.meters)))
    if figure.title:
        panel.text(letters.fitting(figure.title, TITLE, ROOM), MARGIN, ROW // 2, TITLE, MUTED, "left")
    for one in figure.meters:
        draw(panel, one, top)
        top += height(one)
    return panel.image


def height(one: Meter) -> int:
    return ROW + BAR + APART + len(details(one)) * (SMALL + BEYOND)


def details(one: Meter) -> tuple[str, ...]:
    """The small print in lines."""
    return letters.lines(one.detail, (SMALL,), ROOM)[1] if one.detail else ()


def draw(panel: Panel, one: Meter, top: int) -> None:
    ink = GOLD if one.leads else TEXT
    room = ROOM - letters.width(one.value, SIZE) - APART
    size = next((size for size in SIZES if letters.width(one.label, size) <= room), SMALL)
    panel.text(letters.fitting(one.label, size, room), MARGIN, top + ROW // 2, size, ink, "left")
    panel.text(say(one.value), WIDTH - MARGIN, top + ROW // 2, SIZE, ink, "right")
    y = top + ROW
    panel.box(MARGIN, y, WIDTH - MARGIN, y + BAR, RULE)
    panel.box(MARGIN, y, MARGIN + round(ROOM * one.part), y + BAR, GOLD if one.leads else BLUE)
    if one.mark is not None:
        x = MARGIN + round((ROOM - LINE) * one.mark)
        panel.box(x, y - BEYOND, x + LINE, y + BAR + BEYOND, TEXT)
    panel.lines(details(one), MARGIN, y + BAR + APART - SMALL // 2, SMALL, MUTED, "left", apart=BEYOND)

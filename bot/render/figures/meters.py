"""Stacked horizontal bars: a label, a value, an expected mark, small print."""

from typing import Final

from PIL import Image

from bot.languages.translate import translate
from bot.render.art import letters
from bot.render.art.palette import BLUE, GOLD, MUTED, RULE, TEXT
from bot.render.card import Meter, Meters
from bot.render.figures.panel import MARGIN, WIDTH, Panel

SIZE: Final = 40
SMALL: Final = 34
SIZES: Final = (SIZE, 36, SMALL)
TITLE: Final = 34
ROW: Final = 58
"""A line of words."""
BAR: Final = 40
APART: Final = 24
"""Between a bar and what is below it."""
LINE: Final = 6
BEYOND: Final = 10
"""Length of a mark above and below its bar."""
ROOM: Final = WIDTH - 2 * MARGIN


def draw_figure(figure: Meters) -> Image.Image:
    """The bars in palette indices."""
    top = ROW if figure.title else 0
    panel = Panel(WIDTH, top + sum(map(height, figure.meters)))
    if figure.title:
        panel.text(letters.fit_text(figure.title, TITLE, ROOM), MARGIN, ROW // 2, TITLE, MUTED, "left")
    for meter in figure.meters:
        draw(panel, meter, top)
        top += height(meter)
    return panel.image


def height(meter: Meter) -> int:
    return ROW + BAR + APART + len(details(meter)) * (SMALL + BEYOND)


def details(meter: Meter) -> tuple[str, ...]:
    return letters.lines(meter.detail, (SMALL,), ROOM)[1] if meter.detail else ()


def draw(panel: Panel, meter: Meter, top: int) -> None:
    ink = GOLD if meter.leads else TEXT
    room = ROOM - letters.width(meter.value, SIZE) - APART
    size = next((size for size in SIZES if letters.width(meter.label, size) <= room), SMALL)
    panel.text(letters.fit_text(meter.label, size, room), MARGIN, top + ROW // 2, size, ink, "left")
    panel.text(translate(meter.value), WIDTH - MARGIN, top + ROW // 2, SIZE, ink, "right")
    y = top + ROW
    panel.box(MARGIN, y, WIDTH - MARGIN, y + BAR, RULE)
    panel.box(MARGIN, y, MARGIN + round(ROOM * meter.part), y + BAR, GOLD if meter.leads else BLUE)
    if meter.mark is not None:
        x = MARGIN + round((ROOM - LINE) * meter.mark)
        panel.box(x, y - BEYOND, x + LINE, y + BAR + BEYOND, TEXT)
    panel.lines(details(meter), MARGIN, y + BAR + APART - SMALL // 2, SMALL, MUTED, "left", apart=BEYOND)

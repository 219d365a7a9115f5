"""What the signs of a figure mean: each sign with its words, in as many rows as they need."""

from dataclasses import dataclass, replace
from typing import Final

from bot.languages.say import say
from bot.render.art import letters
from bot.render.art.palette import TEXT, Ink
from bot.render.figures.panel import Panel, Shape
from bot.rules.text import Code, Shown

SIGN: Final = 34
"""How high a sign is at most."""
SIZE: Final = 34
ROW: Final = 54
NEAR, APART = 12, 28
"""Pixels between a sign and its words, and between two entries."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign, its ink, and its words."""

    sign: Shape
    ink: Ink
    text: Shown

    @property
    def width(self) -> int:
        return self.sign.width + NEAR + letters.width(say(self.text), SIZE)


def rows(groups: list[list[Entry]], room: int) -> list[list[Entry]]:
    """The entries in rows of at most ``room`` pixels, a group in one row if it fits; words longer than that are cut."""
    found: list[list[Entry]] = []
    left = 0
    for group in groups:
        whole = sum(entry.width + APART for entry in group) - APART
        if whole > left:
            left = 0
        for entry in group:
            cut = replace(entry, text=Code(letters.fitting(say(entry.text), SIZE, room - entry.sign.width - NEAR)))
            if cut.width > left:
                found.append([])
                left = room
            found[-1].append(cut)
            left -= cut.width + APART
    return found


def draw(panel: Panel, found: list[list[Entry]], left: int, top: int) -> None:
    """The rows, one beneath the other."""
    for row in found:
        x, middle = left, top + ROW // 2
        for entry in row:
            panel.stamp(entry.sign, x, middle - entry.sign.height // 2, entry.ink)
            panel.text(say(entry.text), x + entry.sign.width + NEAR, middle, SIZE, TEXT, "left")
            x += entry.width + APART
        top += ROW

# ruff: noqa: INP001 - a script beside its picture, no package
"""The bot's pictures on the grounds of Discord's themes, and the contrast of everything in them.

``python -m docs.themes [file]`` lays a picture of every kind on each ground, keeps all in one PNG (``themes.png`` in
this folder) and prints the contrasts. Tests check the same numbers.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from bot.render.art.palette import (
    BODY_INKS,
    BRIGHT,
    GOLD,
    GRAY,
    KINDS,
    MUTED,
    NEUTRAL,
    SERIES,
    TEXT,
    TRAY,
    WHITE,
    Ink,
    dim,
    pale,
)
from bot.render.card import Bar, Bars, Card, Roster, RosterShip, Scale, Section, Strip, Team, Tile, TokenMark
from bot.render.paint import picture
from bot.render.warsurge import chart_card

THEMES: Final[Mapping[str, Ink]] = {
    "light": (0xFF, 0xFF, 0xFF),
    "dark": (0x31, 0x33, 0x38),
    "onyx": (0x00, 0x00, 0x00),
}
"""What lies around a picture."""
MIN_TEXT, MIN_SHAPE = 4.5, 3.0
"""WCAG 2, 1.4.3 and 1.4.11."""
SHOWN: Final = 330
"""Pixels of each picture, as many as a phone gives it in CSS pixels."""
EDGE: Final = 16


class Pair(NamedTuple):
    """Something that must stand out from what it lies on."""

    name: str
    ink: Ink
    ground: Ink
    least: float

    @property
    def contrast(self) -> float:
        return contrast(self.ink, self.ground)


def luminance(color: Iterable[int]) -> float:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    shares = [part / 255 for part in color]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(item: Iterable[int], other: Iterable[int]) -> float:
    """From 1 for equal colors to 21 for black on white."""
    low, high = sorted((luminance(item), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def pairs() -> Iterator[Pair]:
    """Everything that is drawn, with what it lies on. All of it lies on the tray, whatever the theme."""
    for name, ink in (("text", TEXT), ("labels", MUTED), ("gold", GOLD)):
        yield Pair(f"{name} on the tray", ink, TRAY, MIN_TEXT)
    yield Pair("a header that is asked for", TRAY, GOLD, MIN_TEXT)
    for ink in BODY_INKS:
        yield Pair("the glyph of a die", WHITE, ink, MIN_TEXT)
        yield Pair("the glyph of a die that counts for nothing", pale(ink), dim(ink), MIN_TEXT)
        yield Pair("a number beside the dice", pale(ink), TRAY, MIN_TEXT)
        yield Pair("a die, and the edge of one that counts for nothing", ink, TRAY, MIN_SHAPE)
    for ink in BRIGHT.values():
        yield Pair("a word cut out of a token", TRAY, ink, MIN_TEXT)
    for ink in (*KINDS, NEUTRAL):
        yield Pair("text in a cell", TEXT, ink, MIN_TEXT)
    for ink in (*SERIES, *map(pale, SERIES), GRAY):
        yield Pair("bars, lines and sections", ink, TRAY, MIN_SHAPE)


def cards() -> Iterator[Card]:
    """A card of every kind of picture."""
    yield dice(
        Strip("Attack dice", (Tile("red", "hit", badge="focus"), Tile("red", "crit", ghost="blank"))),
        Strip("Defense dice", (Tile("green", "evade"), Tile("green", "focus", "unused"), Tile("green", "blank")), True),
    )
    yield dice(
        Strip("Angus, SV 12", (Tile("d20-attacker", "12", critical=True), Tile("d20-attacker", "17", "failed"))),
        Strip("Ortega, SV 11", (Tile("d20-defender", "5", "cancelled"),), True),
    )
    six = Tile("d6", "6"), Tile("d6", "4", framed=True, linked=True)
    yield dice(Strip("Attack dice", (*six, Tile("d6", "5"), Tile("d6", "2", "failed"))))
    albion = (Tile("dx36", "108"), Tile("dx6", "18"), Tile("dx1", "3"), Tile("sum", "= 129"))
    sections = (Section("miss", 72, "bad"), Section("hit", 198, "good"), Section("focus point", 215, "best"))
    yield Card("", "", (Strip("", albion),), figure=Scale(0, sections, 129))
    chances = [(Fraction(1, 8), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 8), Fraction(1, 4))]
    bars = tuple(Bar(str(at), both) for at, both in enumerate(chances))
    yield Card("", "", figure=Bars(("focus", "lock"), bars))
    yield chart_card(3, 6)
    tokens = (TokenMark("focus", "green", 2), TokenMark("stress", "red"), TokenMark("lock", "red", text="Howlrunner"))
    luke = RosterShip("Luke Skywalker", 5, (3, 4), (0, 2), tokens, "next")
    howlrunner = RosterShip("Howlrunner", 5, (3, 3), marks=(TokenMark("calculate", "green"),), state="done")
    yield Card("", "", figure=Roster((Team("Ana", (luke,)), Team("Bo", (howlrunner,)))))


def dice(*strips: Strip) -> Card:
    return Card("", "", strips)


def sheet() -> Image.Image:
    """Every picture on every ground, a column for each."""
    pictures = [Image.open(BytesIO(picture(card) or b"")).convert("RGBA") for card in cards()]
    small = [item.resize((SHOWN, item.height * SHOWN // item.width), Image.Resampling.LANCZOS) for item in pictures]
    wide, high = SHOWN + 2 * EDGE, sum(item.height + EDGE for item in small) + EDGE
    whole = Image.new("RGBA", (wide * len(THEMES), high))
    for column, ground in enumerate(THEMES.values()):
        whole.paste((*ground, 255), (column * wide, 0, (column + 1) * wide, high))
        top = EDGE
        for image in small:
            whole.alpha_composite(image, (column * wide + EDGE, top))
            top += image.height + EDGE
    return whole.convert("RGB")


def main(file: str = "") -> None:
    """Keep the sheet and print the contrasts."""
    sheet().quantize(256, dither=Image.Dither.NONE).save(file or Path(__file__).parent / "themes.png", optimize=True)
    for pair in pairs():
        inks = f"#{bytes(pair.ink).hex()} on #{bytes(pair.ground).hex()}"
        print(f"{pair.name:52}{inks:22}{pair.contrast:5.2f}, at least {pair.least}")  # noqa: T201 - what it is run for


if __name__ == "__main__":
    main(*sys.argv[1:2])

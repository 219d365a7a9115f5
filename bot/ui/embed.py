"""A card as an embed with a picture."""

import io
import textwrap
from collections.abc import Mapping
from typing import Final

import discord

from bot.render import paint
from bot.render.card import Ahead, Card

PICTURE: Final = "dice.png"
TITLE_MOST: Final = 256
TRAIL_MOST: Final = 1200
ALT_MOST: Final = 1024

COLOURS: Final[Mapping[Ahead, int]] = {
    "attacker": 0xD64545,
    "defender": 0x3BA55D,
    "nobody": 0x80848E,
    "open": 0x5865F2,
}


def embed(card: Card) -> discord.Embed:
    """The outcome as the title; Discord draws the picture beneath all text."""
    title = textwrap.shorten(card.outcome, TITLE_MOST, placeholder=" …")
    shown = discord.Embed(title=title, description=description(card), colour=COLOURS[card.ahead])
    shown.set_author(name=card.title)
    for name, value in card.facts:
        shown.add_field(name=name[:256], value=value[:1024] or "none", inline=len(value) < 60)
    if paint.is_pictured(card):
        shown.set_image(url=f"attachment://{PICTURE}")
    if card.small:
        shown.set_footer(text=card.small)
    return shown


def description(card: Card) -> str:
    """Whose turn it is, then the trail as a quotation; a trail too long loses its middle, not its end.

    An outcome too long for the title stands whole above them.
    """
    lines = [f"> {line}" for line in card.trail]
    while len(lines) > 2 and sum(map(len, lines)) > TRAIL_MOST:
        lines = [lines[0], "> …", *lines[3:]]
    whole = [card.outcome] if len(card.outcome) > TITLE_MOST else []
    return "\n".join([*whole, *([f"**{card.turn}**"] if card.turn else []), *lines])[:4096]


def picture(card: Card) -> discord.File | None:
    """The strips of dice and the figure, with their alt text; None for a card that has neither."""
    png = paint.picture(card)
    return discord.File(io.BytesIO(png), PICTURE, description=card.alt[:ALT_MOST]) if png else None

"""A card as an embed with a picture."""

import io
import textwrap
from collections.abc import Mapping
from typing import Final

import discord

from bot.render import paint
from bot.render.card import Ahead, Card
from bot.ui.names import plain

PICTURE: Final = "dice.png"
TITLE_MOST: Final = 256
TRAIL_MOST: Final = 1200
ALT_MOST: Final = 1024
REST_MOST: Final = 300
DESCRIPTION_MOST: Final = 4096
OUTCOME_MOST: Final = 2200
TURN_MOST: Final = 600
EMBED_MOST: Final = 4500
"""Characters of a card with its facts; Discord takes 6000 in all, and some are for what else is added."""
SAID_MOST: Final = 5200
"""Characters of a card with its dice in words or emoji; a few are for the names of the facts."""

COLOURS: Final[Mapping[Ahead, int]] = {
    "attacker": 0xD64545,
    "defender": 0x3BA55D,
    "nobody": 0x80848E,
    "open": 0x5865F2,
}


def embed(card: Card, said: str = "", hint: str = "") -> discord.Embed:
    """Outcome, what is ``said`` of the dice, whose turn; what each side has; then the picture, the trail, small print.

    Discord draws an embed's picture under all its text but the footer, so the story of the dice stands there.
    """
    shown = bare(card)
    shown.description = "\n".join(filter(None, (whole_outcome(card), said, whose_turn(card), hint))) or None
    add_facts(shown, card)
    if paint.is_pictured(card):
        shown.set_image(url=f"attachment://{PICTURE}")
    return shown


def bare(card: Card) -> discord.Embed:
    """What every card has: title, outcome, and beneath all else trail and small print."""
    title = textwrap.shorten(plain(card.outcome), TITLE_MOST, placeholder=" …")
    shown = discord.Embed(title=title, colour=COLOURS[card.ahead])
    shown.set_author(name=card.title[:256])
    if told := footer(card):
        shown.set_footer(text=told)
    return shown


def room(card: Card) -> int:
    """How many characters may be said of the dice."""
    taken = len(whole_outcome(card)) + len(whose_turn(card)) + 3
    return max(0, min(DESCRIPTION_MOST - taken, SAID_MOST - taken - len(bare(card))))


def add_facts(shown: discord.Embed, card: Card) -> None:
    """The facts as fields; once there is no room for more, the rest by name only."""
    for index, (name, value) in enumerate(card.facts):
        title, text = plain(name)[:256], plain(value)[:1024] or "none"
        if len(shown) + len(title) + len(text) > EMBED_MOST:
            rest = ", ".join(plain(one) for one, _ in card.facts[index:])
            shown.add_field(name="And more", value=textwrap.shorten(rest, REST_MOST, placeholder=" …"), inline=False)
            return
        shown.add_field(name=title, value=text, inline=len(value) < 60)


def whole_outcome(card: Card) -> str:
    """An outcome that is too long for the title."""
    outcome = plain(card.outcome)
    return outcome[:OUTCOME_MOST] if len(outcome) > TITLE_MOST else ""


def whose_turn(card: Card) -> str:
    return f"**{plain(card.turn)[:TURN_MOST]}**" if card.turn else ""


def footer(card: Card) -> str:
    """The trail, then the small print; a trail too long loses its middle, not its end.

    A footer knows no Markdown, and some apps run its lines together: each ends with a full stop.
    """
    lines = [line if line.endswith((".", "!", "?", "…")) else f"{line}." for line in card.trail]
    while len(lines) > 2 and sum(map(len, lines)) > TRAIL_MOST:
        lines = [lines[0], "…", *lines[3:]]
    return "\n".join([*(line[:TRAIL_MOST] for line in lines), *([card.small] if card.small else [])])[:2048]


def picture(card: Card) -> discord.File | None:
    """The strips of dice and the figure, with their alt text; None for a card that has neither."""
    png = paint.picture(card)
    return discord.File(io.BytesIO(png), PICTURE, description=card.alt[:ALT_MOST]) if png else None

"""A card as an embed with a picture."""

import io
import re
import textwrap
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.languages import ENGLISH
from bot.languages.say import SPOKEN, said, say
from bot.render import paint
from bot.render.card import Ahead, Card
from bot.rules.text import Text, Words
from bot.ui.names import escape_markdown

PICTURE: Final = "dice.png"
ANIMATED: Final = "dice.gif"
TITLE_MOST: Final = 256
TRAIL_MOST: Final = 1200
ALT_MOST: Final = 1024
REST_MOST: Final = 300
DESCRIPTION_MOST: Final = 4096
OUTCOME_MOST: Final = 2200
TURN_MOST: Final = 600
EMBED_MOST: Final = 4500
"""Characters of a card with its facts; Discord takes 6000 in all, and hints and open rolls need some of them."""
WITH_DICE_MOST: Final = 5200
"""Characters of a card with its dice in words or emoji; the names of the facts need a few more."""
UNIT: Final = re.compile(r"(?<=\d) (?=%|HP\b|: \d)|(?<=\d :) (?=\d)")
"""The space between a number and its unit, and those in the middle of ``2 : 1``."""

COLOURS: Final[Mapping[Ahead, int | None]] = {
    "attacker": 0xD64545,
    "defender": 0x3BA55D,
    "passed": 0x3BA55D,
    "failed": 0xD64545,
    "unchecked": None,
    "nobody": 0x80848E,
    "open": 0x5865F2,
}


def spoken(card: Card) -> Card:
    """A card in the language that is spoken: one in English says itself."""
    return card if SPOKEN.get() is ENGLISH else said(card)


def embed(card: Card, dice: str = "", hint: str = "") -> discord.Embed:
    """A card as it is sent: the outcome, ``dice`` in words, whose turn it is, the facts, the picture, the small print.

    Discord draws an embed's picture under all its text but the footer, so the trail of the dice is in the footer.
    """
    card = spoken(card)
    shown = headline(card, with_picture(card.alt) if paint.is_pictured(card) else discord.Embed())
    shown.description = "\n".join(filter(None, (long_outcome(card), dice, turn_line(card), hint))) or None
    add_facts(shown, card)
    return shown


def unbroken(text: str) -> str:
    """The same with no-break spaces in what belongs together, so that no line ends there."""
    return UNIT.sub("\N{NO-BREAK SPACE}", text)


def with_picture(alt: Words, file: str = PICTURE, shown: Mapping[str, Any] = MappingProxyType({})) -> discord.Embed:
    """An embed with a picture and its alt text, and what ``shown`` has.

    Discord keeps an embed's alt text apart from the attachment's; ``Embed.set_image`` takes none, ``from_dict`` does.
    """
    image = {"url": f"attachment://{file}", **({"description": say(alt)[:ALT_MOST]} if alt else {})}
    return discord.Embed.from_dict({**shown, "image": image})


def headline(card: Card, shown: discord.Embed) -> discord.Embed:
    """Give an embed what every card has: the game's title, the outcome, and at the bottom trail and small print."""
    title = unbroken(" ".join(escape_markdown(say(card.outcome)).split()))
    if len(title) > TITLE_MOST:
        title = textwrap.shorten(title, TITLE_MOST, placeholder=" …")
    shown.title, shown.colour = title, COLOURS[card.ahead]
    shown.set_author(name=say(card.title)[:256])
    if text := footer(card):
        shown.set_footer(text=unbroken(text))
    return shown


def room_for_dice(card: Card) -> int:
    """How many characters are left for the dice in words."""
    taken = len(long_outcome(card)) + len(turn_line(card)) + 3
    return max(0, min(DESCRIPTION_MOST - taken, WITH_DICE_MOST - taken - len(headline(card, discord.Embed()))))


def add_facts(shown: discord.Embed, card: Card) -> None:
    """Add the facts as fields. Once there is no room for more, add the rest by name only."""
    for index, (name, value) in enumerate(card.facts):
        title, text = (
            escape_markdown(say(name))[:256],
            unbroken(escape_markdown(say(value))[:1024]) or say(Text("none")),
        )
        if len(shown) + len(title) + len(text) > EMBED_MOST:
            rest = ", ".join(escape_markdown(say(one)) for one, _ in card.facts[index:])
            shown.add_field(
                name=say(Text("And more")), value=textwrap.shorten(rest, REST_MOST, placeholder=" …"), inline=False
            )
            return
        shown.add_field(name=title, value=text, inline=len(say(value)) < 60)


def long_outcome(card: Card) -> str:
    """The outcome, if it is too long for the title."""
    outcome = unbroken(escape_markdown(say(card.outcome)))
    return outcome[:OUTCOME_MOST] if len(outcome) > TITLE_MOST else ""


def turn_line(card: Card) -> str:
    return f"**{escape_markdown(say(card.turn))[:TURN_MOST]}**" if card.turn else ""


def footer(card: Card) -> str:
    """The trail, then the small print. A trail that is too long loses its middle, not its end.

    A footer shows no Markdown, and some apps join its lines, so each line ends with a full stop.
    """
    said = map(say, card.trail)
    lines = [line if line.endswith((".", "!", "?", "…")) else f"{line}." for line in said]
    while len(lines) > 2 and sum(map(len, lines)) > TRAIL_MOST:
        lines = [lines[0], "…", *lines[3:]]
    return "\n".join([*(line[:TRAIL_MOST] for line in lines), *([say(card.small)] if card.small else [])])[:2048]


def picture(card: Card, png: bytes | None = None) -> discord.File | None:
    """The strips of dice and the figure as a file with alt text, painted if that was not done; None without either."""
    card = spoken(card)
    png = png or paint.picture(card)
    return discord.File(io.BytesIO(png), PICTURE, description=say(card.alt)[:ALT_MOST]) if png else None


def animated(shown: discord.Embed, gif: bytes, alt: Words) -> dict[str, Any]:
    """The parts of a message with a GIF in the place of its picture."""
    file = discord.File(io.BytesIO(gif), ANIMATED, description=say(alt)[:ALT_MOST])
    return {"embed": with_picture(alt, ANIMATED, shown.to_dict()), "file": file}

"""How a card is shown: in the look that a person wants, as far as Discord lets the bot show it there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.render import text
from bot.render.card import Card, Strip, Tile
from bot.render.faces import Face, face_of
from bot.rules.game import Shows
from bot.ruleset.settings import Look
from bot.ui.embed import embed, picture, room
from bot.ui.names import plain

PICTURE: Final[Look] = "picture"
EMOJI: Final[Look] = "emoji"
TEXT: Final[Look] = "text"

FILES_HINT: Final = (
    "Pictures need the permission Attach Files for this bot in this channel; an admin of the server can give it."
)
EMBEDS_HINT: Final = (
    "Cards need the permission Embed Links for this bot in this channel; an admin of the server can give it."
)
REFUSED_HINT: Final = (
    "Cards need the permissions Embed Links and Attach Files for this bot in this channel; "
    "an admin of the server can give them."
)
CONTENT_MOST: Final = 2000
BAR: Final = 14
"""Characters of a chart's longest bar: with its number it fits a phone."""
CUT: Final = "…"

Faces = Mapping[Face, discord.PartialEmoji]


@dataclass(frozen=True, slots=True)
class Dress:
    """How a card is shown: the look, whether files may be attached, and the faces that have emoji.

    ``hints``: it is a first message, which tells an admin what is missing.
    """

    look: Look = PICTURE
    files: bool = True
    faces: Faces = field(default_factory=dict)
    hints: bool = False

    @property
    def emoji(self) -> Faces:
        """The emoji that may stand for faces; none for those who want text."""
        return {} if self.look == TEXT else self.faces


def worn(interaction: Interaction, look: Look) -> Dress:
    """The dress of an answer. Emoji of the application need no permission anywhere."""
    return Dress(look, may_attach(interaction), interaction.client.faces, is_first(interaction))


def may_attach(interaction: Interaction) -> bool:
    """Whether files are shown here, as ``may_embed`` says it of embeds."""
    told = interaction.app_permissions
    return not told or told.attach_files


def may_embed(interaction: Interaction) -> bool:
    """Whether embeds are shown here. Where Discord tells of no permission at all, one has to try."""
    told = interaction.app_permissions
    return not told or told.embed_links


def is_first(interaction: Interaction) -> bool:
    """Whether it comes from a command, or from the form that a command opened, and not from a message."""
    return interaction.message is None


def dressed(card: Card, dress: Dress | None = None) -> dict[str, Any]:
    """The parts of a message that shows a card: an embed, and a picture of what is not said in it."""
    dress = dress or Dress()
    draws_dice = dress.files and dress.look == PICTURE
    draws_figure = dress.files and dress.look != TEXT
    drawn = replace(card, strips=card.strips if draws_dice else (), figure=card.figure if draws_figure else None)
    told = replace(card, strips=() if draws_dice else card.strips, figure=None if draws_figure else card.figure)
    hints = dress.hints and not dress.files and dress.look != TEXT and picture_is_missed(told)
    hint = f"-# {FILES_HINT}" if hints else ""
    file = picture(drawn)
    shown = embed(drawn, said(told, dress.emoji, room(drawn) - len(hint)), hint)
    return {"embed": shown, **({"file": file} if file else {})}


def picture_is_missed(told: Card) -> bool:
    return told.figure is not None or any(strip.tiles for strip in told.strips)


def said(told: Card, emoji: Faces, most: int) -> str:
    """The strips in emoji, where there is room for all of them, else in words; then the figure in a code block."""
    rows = [strip for strip in told.strips if strip.tiles]
    whole = ("\n".join(strip_line(strip, faces) for strip in rows) for faces in (emoji, {}))
    dice = next((lines for lines in whole if len(lines) <= most), None)
    if dice is None:
        dice = shortened("\n".join(strip_line(strip, {}) for strip in rows), most)
    if told.figure is None:
        return dice
    figure = text.figure(told.figure, BAR).replace("`", "'")
    return "\n".join(filter(None, (dice, f"```\n{shortened(figure, most - len(dice) - 9)}\n```")))


def strip_line(strip: Strip, emoji: Faces) -> str:
    """A strip with its label: above emoji, or before words."""
    name = f"**{plain(strip.label)}**" if strip.label else ""
    if any(face_of(tile) in emoji for tile in strip.tiles):
        return "\n".join(filter(None, (name, text.dice(strip.tiles, lambda tile: die(tile, emoji), " "))))
    return ": ".join(filter(None, (name, plain(text.dice(strip.tiles)))))


def die(tile: Tile, emoji: Faces) -> str:
    """A die as an emoji and what the emoji does not show, or in words where there is none."""
    shown = emoji.get(face_of(tile))
    if shown is None:
        return plain(text.spoken(tile))
    marks = ["Critical"] * tile.critical + text.marks(tile) + ["cancelled"] * (tile.fate == "cancelled")
    return f"{shown} ({', '.join(marks)})" if marks else str(shown)


def emoji_of(shows: Shows | None, dress: Dress) -> discord.PartialEmoji | None:
    """The emoji of a face that a choice speaks of. A die's kind in the rules is its body on a card."""
    return dress.emoji.get(Face(*shows)) if shows else None


def plainly(message: Mapping[str, Any], *, files: bool = True, hint: str = "") -> dict[str, Any]:
    """The same message without an embed, in words of at most 2000 characters; without ``files`` also no picture.

    What stands in a picture that is left out is said by its alt text.
    """
    rest = {key: part for key, part in message.items() if key not in ("embed", "file", "content")}
    file = message.get("file")
    lines = [message.get("content"), in_words(message["embed"]) if "embed" in message else None]
    if file is not None and files:
        rest["file"] = file
    elif file is not None:
        lines.insert(1, plain(file.description or ""))
    hint = f"\n-# {hint}" if hint else ""
    return rest | {"content": shortened("\n".join(filter(None, lines)), CONTENT_MOST - len(hint)) + hint}


def in_words(shown: discord.Embed) -> str:
    """An embed as text, in its order of reading."""
    head = [f"-# {plain(shown.author.name)}"] if shown.author.name else []
    head += [f"**{shown.title}**"] if shown.title else []
    fields = [f"**{field.name}**\n{field.value}" for field in shown.fields]
    foot = [plain(shown.footer.text)] if shown.footer.text else []
    return "\n".join([*head, *([shown.description] if shown.description else []), *fields, *foot])


def shortened(text: str, most: int) -> str:
    """At most so many characters, cut at the end of a line if there is one; a code block that is cut is closed."""
    if len(text) <= most:
        return text
    kept = text[: max(0, most - len(f"\n```\n{CUT}"))]
    kept = kept.rsplit("\n", 1)[0]
    closed = f"{kept}\n```" if kept.count("```") % 2 else kept
    return f"{closed}\n{CUT}" if kept else CUT[:most]

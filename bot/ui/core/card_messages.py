"""Cards of rolls, with people's names; and any card as a message. A message is an embed with a picture, in the person's
render mode, as permissions allow. A roll's card also has luck, advice, undo, and How?; a ruleset can disable the first
two.
"""

import asyncio
import io
import re
import textwrap
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.client import Client, Interaction
from bot.languages import ENGLISH
from bot.languages.translate import CURRENT_LANGUAGE, translate, translate_fields
from bot.odds.luck import RollLuck
from bot.render import paint, plain_text, tumble
from bot.render.card import Ahead, Card, Strip, Tile
from bot.render.faces import Face, face_of
from bot.render.luck import line
from bot.resources.quotas import Caller, ServerQuota
from bot.resources.worker_pool import ComputationError
from bot.rules.dice import OUT, list_typists
from bot.rules.game import Shows, Side
from bot.rules.text import EMPTY, Code, Names, Said, Shown, Text, as_text, labeled, with_plain
from bot.ruleset import settings
from bot.ruleset.ruling import Ruling
from bot.sessions.personal_data import SOMEBODY
from bot.sessions.request import NUMBERED
from bot.sessions.roll import Address, Played
from bot.ui.core.components import Component, button, link_to
from bot.ui.core.request_context import allowance_of, asker, clean, escape_markdown, ruling_for

PICTURE: Final[settings.Look] = "picture"
ANIMATED: Final[settings.Look] = "animated"
EMOJI: Final[settings.Look] = "emoji"
TEXT: Final[settings.Look] = "text"

FILES_HINT: Final = Text(
    "I need the Attach Files permission to show pictures in this channel. A server admin can give it to me."
)
EMBEDS_HINT: Final = Text(
    "I need the Embed Links permission to show cards in this channel. A server admin can give it to me."
)
REFUSED_HINT: Final = Text(
    "I need the Embed Links and Attach Files permissions to show cards in this channel. A server "
    "admin can give them to me."
)
AT_ONCE: Final = 24
"""Maximum dice rendered inline; a new one of full size takes five milliseconds."""
PATIENCE: Final = 2.0
"""Seconds for a worker to render more."""
MAX_CONTENT: Final = 2000
BAR: Final = 14
"""Characters of a chart's longest bar, to fit a phone with its number."""
CUT: Final = "…"
PICTURE_FILE: Final = "dice.png"
ANIMATED_FILE: Final = "dice.gif"
MAX_TITLE: Final = 256
MAX_TRAIL: Final = 1200
MAX_ALT: Final = 1024
MAX_REST: Final = 300
MAX_DESCRIPTION: Final = 4096
MAX_OUTCOME: Final = 2200
MAX_TURN: Final = 600
MAX_EMBED: Final = 4500
"""Maximum characters of a card with facts; Discord takes 6000, and hints and open rolls need some."""
MAX_WITH_DICE: Final = 5200
"""Maximum characters of a card with dice as text or emoji; the fact names need some more."""
UNIT: Final = re.compile(r"(?<=\d) (?=%|HP\b|: \d)|(?<=\d :) (?=\d)")
"""Spaces between a number and its unit, and inside ``2 : 1``."""

COLORS: Final[Mapping[Ahead, int | None]] = {
    "attacker": 0xD64545,
    "defender": 0x3BA55D,
    "passed": 0x3BA55D,
    "failed": 0xD64545,
    "unchecked": None,
    "nobody": 0x80848E,
    "open": 0x5865F2,
}

Faces = Mapping[Face, discord.PartialEmoji]


@dataclass(frozen=True, slots=True)
class Display:
    """Display of a card: mode, permission for files, and faces with emoji. ``hints``: the first message of an
    exchange, which tells an admin about missing permissions.
    """

    look: settings.Look = PICTURE
    files: bool = True
    faces: Faces = field(default_factory=dict)
    hints: bool = False
    allowance: ServerQuota | None = None
    """Quota of the server that pays for the picture; None if nobody does."""
    png: bytes | None = None
    """The picture, if already rendered."""

    @property
    def emoji(self) -> Faces:
        return {} if self.look == TEXT else self.faces


def display_for(interaction: Interaction, look: settings.Look) -> Display:
    """Return how to show an answer; emoji need no permission, and only freshly rolled dice are animated."""
    still = PICTURE if look == ANIMATED else look
    faces, allowance = interaction.client.faces, allowance_of(interaction)
    return Display(still, may_attach(interaction), faces, is_first(interaction), allowance)


async def user_display(interaction: Interaction) -> Display:
    """Return how to show an answer to the person who asked: in the look that applies to them here."""
    return display_for(interaction, (await ruling_for(interaction, interaction.user.id))[settings.LOOK])


def may_attach(interaction: Interaction) -> bool:
    """Whether the bot may attach files here; true without permission data, see ``may_embed``."""
    permissions = interaction.app_permissions
    return not permissions or permissions.attach_files


def may_embed(interaction: Interaction) -> bool:
    """Whether Discord shows the bot's embeds here; true without permission data."""
    permissions = interaction.app_permissions
    return not permissions or permissions.embed_links


def is_first(interaction: Interaction) -> bool:
    """Whether this answers a command or its form, not a button."""
    return interaction.message is None


def support_buttons(client: Client) -> list[Component]:
    """Return the buttons for help and legal texts, if configured."""
    addresses = client.addresses
    support, terms = (Text("Support"), addresses.support), (Text("Terms"), addresses.terms)
    privacy, status = (Text("Privacy"), addresses.privacy), (Text("Is it down?"), addresses.status)
    return [link_to(label, address) for label, address in (support, terms, privacy, status) if address]


def card_message(card: Card, display: Display | None = None) -> dict[str, Any]:
    """Return a card's message: an embed, and a picture for what the embed lacks."""
    display, card = display or Display(), translate_card(card)
    drawn, written = divide(card, display)
    is_written = paint.is_pictured(written)
    needs_files = display.hints and not display.files and display.look != TEXT and is_written
    hint = f"-# {translate(FILES_HINT)}" if needs_files else ""
    with display.allowance.painting() if display.allowance is not None else nullcontext():
        file = picture(drawn, display.png)
    dice = partial(picture_text, written, display.emoji) if is_written else None
    return {"embed": embed(drawn, dice, hint), **({"file": file} if file else {})}


async def painted_apart(interaction: Interaction, card: Card, display: Display) -> Display:
    """Render a card of many dice in a worker; on failure, dice are text."""
    drawn, _ = divide(card, display)
    if drawn.figure is not None or sum(len(strip.tiles) for strip in drawn.strips) <= AT_ONCE:
        return display
    question, by = partial(paint.picture, translate_card(drawn)), Caller(None, asker(interaction).payer)
    try:
        async with asyncio.timeout(PATIENCE):
            return replace(display, png=await interaction.client.workers.run_in_process(question, asked_by=by))
    except (TimeoutError, ComputationError):
        return replace(display, look=EMOJI)


def divide(card: Card, display: Display) -> tuple[Card, Card]:
    """Split a card into its drawn dice and figure, and those written as text."""
    may_draw = display.files and (display.allowance is None or display.look == TEXT or display.allowance.may_paint)
    dice, figure = may_draw and display.look == PICTURE, may_draw and display.look != TEXT
    if dice and figure:
        return card, replace(card, strips=(), figure=None)
    drawn = replace(card, strips=card.strips if dice else (), figure=card.figure if figure else None)
    return drawn, replace(card, strips=() if dice else card.strips, figure=None if figure else card.figure)


async def with_throw(parts: dict[str, Any], card: Card, before: Card | None, allowance: ServerQuota) -> dict[str, Any]:
    """Animate the dice rolled since ``before``, if any."""
    now, earlier = translate_card(card), None if before is None else translate_card(before)

    def throw() -> bytes | None:
        with allowance.painting():
            return tumble.picture(now, earlier)

    gif = await asyncio.to_thread(throw)
    if gif is None:
        return parts
    file = discord.File(io.BytesIO(gif), ANIMATED_FILE, description=translate(now.alt)[:MAX_ALT])
    return {**parts, "embed": with_picture(now.alt, ANIMATED_FILE, parts["embed"].to_dict()), "file": file}


def picture_text(card: Card, emoji: Faces, most: int) -> str:
    """Return at most ``most`` characters: dice in emoji if all fit, else in words, and the figure as a code block."""
    rows = [strip for strip in card.strips if strip.tiles]
    whole = ("\n".join(strip_text(strip, faces) for strip in rows) for faces in (emoji, {}))
    dice = next((lines for lines in whole if len(lines) <= most), None)
    if dice is None:
        dice = shorten("\n".join(strip_text(strip, {}) for strip in rows), most)
    if card.figure is None:
        return dice
    figure = translate(plain_text.figure(card.figure, BAR)).replace("`", "'")
    return "\n".join(filter(None, (dice, f"```\n{shorten(figure, most - len(dice) - 9)}\n```")))


def strip_text(strip: Strip, emoji: Faces) -> str:
    """Return a strip with its label, on a line above emoji, or before text."""
    name = f"**{escape_markdown(strip.label)}**" if strip.label else ""
    if any(face_of(tile) in emoji for tile in strip.tiles):
        shown = translate(plain_text.dice(strip.tiles, lambda tile: die_text(tile, emoji), " "))
        return "\n".join(filter(None, (name, shown)))
    dice = Code(escape_markdown(translate(plain_text.dice(strip.tiles))))
    return translate(labeled(Code(name), dice)) if name and dice else name or dice


def die_text(tile: Tile, emoji: Faces) -> Code:
    shown = emoji.get(face_of(tile))
    if shown is None:
        return Code(escape_markdown(plain_text.tile_text(tile)))
    marks = [Text("Critical")] * tile.critical + plain_text.marks(tile)
    marks += [plain_text.FATES[tile.fate]] if tile.fate in OUT else []
    return Code(f"{shown} ({', '.join(map(translate, marks))})" if marks else shown)


def emoji_of(shows: Shows | None, display: Display) -> discord.PartialEmoji | None:
    """Return the emoji of an offer's or option's face. The rules' kind is the card's die body."""
    return display.emoji.get(Face(*shows)) if shows else None


def without_embed(message: Mapping[str, Any], *, files: bool = True, hint: Shown = EMPTY) -> dict[str, Any]:
    """Return the message as text, at most 2,000 characters, with alt text; without ``files`` also no picture."""
    rest = {key: part for key, part in message.items() if key not in ("embed", "file", "content")}
    file = message.get("file")
    lines = [translate(message.get("content") or EMPTY), embed_text(message["embed"]) if "embed" in message else None]
    if file is not None and files:
        rest["file"] = file
    elif file is not None:
        lines.insert(1, escape_markdown(file.description or ""))
    small = f"\n-# {translate(hint)}" if hint else ""
    return rest | {"content": shorten("\n".join(filter(None, lines)), MAX_CONTENT - len(small)) + small}


def embed_text(shown: discord.Embed) -> str:
    head = [f"-# {escape_markdown(shown.author.name)}"] if shown.author.name else []
    head += [f"**{shown.title}**"] if shown.title else []
    fields = [f"**{field.name}**\n{field.value}" for field in shown.fields]
    foot = [escape_markdown(shown.footer.text)] if shown.footer.text else []
    return "\n".join([*head, *([shown.description] if shown.description else []), *fields, *foot])


def shorten(text: str, most: int) -> str:
    """Shorten to ``most`` characters, at the end of a line if possible; an open code block is closed."""
    if len(text) <= most:
        return text
    kept = text[: max(0, most - len(f"\n```\n{CUT}"))]
    kept = kept.rsplit("\n", 1)[0]
    closed = f"{kept}\n```" if kept.count("```") % 2 else kept
    return f"{closed}\n{CUT}" if kept else CUT[:most]


# Its embed and picture


def translate_card(card: Card) -> Card:
    """Translate a card; English needs no change."""
    return card if CURRENT_LANGUAGE.get() is ENGLISH else translate_fields(card)


def embed(card: Card, dice: Callable[[int], str] | None = None, hint: str = "") -> discord.Embed:
    """Return a card's embed: outcome, dice as text, turn, facts, picture, small print. ``dice`` formats them within a
    length. Discord puts the picture below all but the footer, so dice trails are there.
    """
    card = translate_card(card)
    shown = headline(card, with_picture(card.alt) if paint.is_pictured(card) else discord.Embed())
    outcome: str = no_break(escape_markdown(translate(card.outcome)))
    outcome = outcome[:MAX_OUTCOME] if len(outcome) > MAX_TITLE else ""  # otherwise it's in the title
    turn = f"**{escape_markdown(translate(card.turn))[:MAX_TURN]}**" if card.turn else ""
    taken = len(outcome) + len(turn) + 3
    room = max(0, min(MAX_DESCRIPTION - taken, MAX_WITH_DICE - taken - len(shown)))
    words = dice(room - len(hint)) if dice is not None else ""
    shown.description = "\n".join(filter(None, (outcome, words, turn, hint))) or None
    add_facts(shown, card)
    return shown


def no_break(text: str) -> Said:
    """Insert no-break spaces to keep parts together."""
    return Said(UNIT.sub("\N{NO-BREAK SPACE}", text))


def with_picture(
    alt: Shown, file: str = PICTURE_FILE, shown: Mapping[str, Any] = MappingProxyType({})
) -> discord.Embed:
    """Return an embed with picture, alt text, and ``shown``; only ``from_dict`` takes an embed's own alt text."""
    image = {"url": f"attachment://{file}", **({"description": translate(alt)[:MAX_ALT]} if alt else {})}
    return discord.Embed.from_dict({**shown, "image": image})


def headline(card: Card, shown: discord.Embed) -> discord.Embed:
    """Set the common parts: title, outcome, and at the bottom trail and small print."""
    title = no_break(" ".join(escape_markdown(translate(card.outcome)).split()))
    if len(title) > MAX_TITLE:
        title = Said(textwrap.shorten(title, MAX_TITLE, placeholder=" …"))
    shown.title, shown.color = title, COLORS[card.ahead]
    shown.set_author(name=Said(translate(card.title)[:256]))
    if text := footer(card):
        shown.set_footer(text=no_break(text))
    return shown


def add_facts(shown: discord.Embed, card: Card) -> None:
    """Add the facts as fields; without room, the rest by name only."""
    for index, (name, value) in enumerate(card.facts):
        title = Said(escape_markdown(translate(name))[:256])
        text = no_break(escape_markdown(translate(value))[:1024]) or translate(Text("none"))
        if len(shown) + len(title) + len(text) > MAX_EMBED:
            rest = ", ".join(escape_markdown(translate(item)) for item, _ in card.facts[index:])
            rest = textwrap.shorten(rest, MAX_REST, placeholder=" …")
            shown.add_field(name=translate(Text("And more")), value=Said(rest), inline=False)
            return
        shown.add_field(name=title, value=text, inline=len(translate(value)) < 60)


def footer(card: Card) -> str:
    """Return trail and small print as plain sentences, as some apps join lines; a long trail loses its middle."""
    said = map(translate, card.trail)
    lines = [line if line.endswith((".", "!", "?", "…")) else f"{line}." for line in said]
    while len(lines) > 2 and sum(map(len, lines)) > MAX_TRAIL:
        lines = [lines[0], "…", *lines[3:]]
    return "\n".join([*(line[:MAX_TRAIL] for line in lines), *([translate(card.small)] if card.small else [])])[:2048]


def picture(card: Card, png: bytes | None = None) -> discord.File | None:
    """Return the dice and figure as a file with alt text, rendered if needed; None without either."""
    card = translate_card(card)
    png = png or paint.picture(card)
    return discord.File(io.BytesIO(png), PICTURE_FILE, description=translate(card.alt)[:MAX_ALT]) if png else None


# A roll on its card

TEXTS = ("title", "outcome", "turn", "small", "below", "alt")


def names_of(played: Played) -> dict[Side, Shown]:
    return {side: clean(who.name) for side, who in played.seats.items()}


def control(
    played: Played,
    label: Shown,
    offer: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
) -> Component:
    """Return a roll's button; ``offer``: of its rules, or a key of ``bot.ui.dispatch.router``."""
    return button(label, Address(played.session, played.ply, offer), style, emoji)


def card_of(played: Played) -> Card:
    """Return a roll's card, cached."""
    if Card not in played.cache:
        played.cache[Card] = card_in(played, played.state)
    card: Card = played.cache[Card]
    return card


def card_in(played: Played, state: Any) -> Card:
    card = played.game.card(state, names_of(played))
    if not played.named:
        return card
    changed: dict[str, Any] = {name: with_people(getattr(card, name), played) for name in TEXTS}
    strips = tuple(replace(strip, label=with_people(strip.label, played)) for strip in card.strips)
    return replace(card, **changed, strips=strips, trail=tuple(with_people(line, played) for line in card.trail))


def with_people(text: Shown, played: Played) -> Shown:
    """Replace the rules' ``@1`` by people's names."""
    if not played.named:
        return text

    def name(match: re.Match[str]) -> str:
        who = played.named.get(int(match[1]))
        return match[0] if who is None else translate(clean(who.name))

    return as_text(with_plain(text, partial(NUMBERED.sub, name)))


def has_luck(played: Played, ruling: Ruling, *, apart: bool = False) -> bool:
    """Whether a finished roll's card shows its luck; ``apart``: whether How? does."""
    chances = played.game.chances
    return chances.luck is not None and chances.is_luck_apart == apart and ruling[settings.LUCK]


async def count_luck(interaction: Interaction, played: Played) -> RollLuck | None:
    """Return a roll's luck; None if it can't be computed right now: the card matters more."""
    if played.game.has_cached_luck(played.state):
        return played.game.luck_of(played.state)
    try:
        by = asker(interaction)._replace(person=None)
        return await interaction.client.workers.run(partial(played.game.luck_of, played.state), asked_by=by)
    except ComputationError:
        return None


def notes(played: Played, luck: RollLuck | None) -> list[Shown]:
    """Return notes on this roll, one per line: who entered dice, its luck if known, its place in a seal."""
    names, entered_by = names_of(played), set(list_typists(played.game.rules.rolled(played.state)))
    result = list[Shown]()
    if typed := [names.get(side, SOMEBODY) for side in Side if side in entered_by]:  # unless they left the seat since
        result.append(Text("Dice entered by {people}", people=Names(list(dict.fromkeys(typed)))))
    result += played.told
    if luck is not None:
        result.append(line(luck, names))
    if (mark := played.mark) is not None:
        result.append(Text("Sealed table: ply {place}, {digits}", place=mark.place, digits=Code(mark.digits)))
    return result


def has_advice(played: Played, ruling: Ruling) -> bool:
    """Whether the acting player may ask for advice."""
    adviser = played.game.chances.advice
    if adviser is None or not ruling[settings.ADVICE] or played.is_closed:
        return False
    return played.is_waiting and bool(adviser.aims(played.state))


def has_how(played: Played) -> bool:
    return not played.is_closed and bool(played.game.rules.rolled(played.state))


def has_undo(played: Played) -> bool:
    return played.game.has_undo and not played.is_closed

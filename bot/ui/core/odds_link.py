"""The link from an odds card to the same question on the static page, if configured."""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Final

from bot.client import Interaction
from bot.games import GAMES
from bot.games.game import Said, Words
from bot.odds_site.forms import FORMS
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.ui.core import components, request_context

MAX_QUESTION: Final = 20_000
"""Maximum bytes of a question in a URL."""


async def buttons(
    interaction: Interaction, key: str, question: Sequence[object] = (), said: Sequence[Said] = ()
) -> list[components.Component]:
    """Return the link; [] without a page, if it can't ask this, or if the URL is too long. ``question``: of numbers
    only. ``said``: each choice's words that name pieces of a channel.
    """
    page, word = interaction.client.site_url, GAMES[key].commands.terminal or key
    if not page or word not in FORMS:
        return []
    if said:
        asked = await at_table(interaction, key, word, said)
    else:
        asks = GAMES[key].odds_answer.asked
        numbers = asks(*question) if asks is not None else ()
        asked = ({}, numbers) if numbers else None
    page = f"{interaction.client.addresses.odds}/" if interaction.client.addresses.odds else f"{page}#"
    url = f"{page}{fragment(word, *asked)}" if asked is not None else ""
    return [components.link_to(Text("On the odds page"), url)] if 0 < len(url) <= components.MAX_URL else []


async def at_table(
    interaction: Interaction, key: str, word: str, said: Sequence[Said]
) -> tuple[Words, Sequence[Words]] | None:
    """Return a question about the channel's current pieces: shared words, and each choice's."""
    ask = FORMS[word].at_table
    if ask is None:
        return None
    pieces = await interaction.client.tables.pieces(request_context.place(interaction), key)
    try:
        return ask(pieces, said)
    except PlayerError:  # the page has no words for a piece
        return None


def question_of(fragment: str) -> str:
    """Return a fragment's question; "" if invalid. Safe against decompression bombs."""
    try:
        packed = base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
        game, shared, asks = json.loads(zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, MAX_QUESTION))
    except (ValueError, TypeError, RecursionError, zlib.error):
        return ""
    return json.dumps({"game": game, "shared": shared, "asks": asks})


def fragment(game: str, shared: Words, asks: Sequence[Words]) -> str:
    """Return the URL fragment after ``#``, which servers never see: the shared fields and each choice's.

    ``[game, shared, asks]`` as JSON, deflated without a header (RFC 1951), in base64url without ``=`` (RFC 4648,
    section 5); ``site.js`` uses the same format.
    """
    text = json.dumps([game, shared, asks], ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")

"""A card set that a server keeps for itself: what becomes of the file, and what is said of it.

All of it is asked of a worker, because a set has thousands of cards. What is kept loads in a few milliseconds: it is
compact, no longer than ``KEPT_MOST``, and holds the index of its pilots.
"""

import json
from typing import Final

from bot.odds.effort import check
from bot.render.card import Card
from bot.render.xwing.card_sets import comparison_card, sets_card
from bot.rules.errors import BadText
from bot.rules.text import Text, Words
from bot.rules.xwing.cards.card_documents import from_bytes
from bot.rules.xwing.cards.card_import import imported
from bot.rules.xwing.cards.card_sets import OWN, POOLS, SHELF, parsed
from bot.rules.xwing.cards.pilots import index

KEPT_MOST: Final = 1_000_000
"""Characters; the set of 2025 has 350,000."""


def bring(name: str, as_of: str, before: str, content: bytes) -> tuple[str, Card]:
    """From a file that a GM sent: the text to keep, and how the set differs from the one ``before``, "" for none.

    Raises ``PlayerError`` for what is no set, or too much.
    """
    read = imported(from_bytes(name, content), OWN, as_of, {pool: SHELF.of(pool) for pool in POOLS})
    new = parsed(read.encode(errors="replace").decode())  # JSON can escape what is no character
    parts = {
        "set": {"key": new.key, "as_of": new.as_of, "pool": new.pool},
        "ships": new.ships,
        "pilots": new.pilots,
        "upgrades": new.upgrades,
        "aliases": new.aliases,
        "index": index(new),
    }
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    if len(text) > KEPT_MOST:
        raise BadText(Text("Its cards take more than {most} characters. Send less.", most=KEPT_MOST))
    card = comparison_card(new, parsed(before) if before else SHELF.of(new.pool))
    return text, card


def overview(own: str, chosen: Words) -> Card:
    """All sets that count on a server, with its own one, "" for none; ``chosen`` is what is set there, in words."""
    check(len(own), 0)
    return sets_card([*([parsed(own)] if own else []), *(SHELF.of(name) for name in SHELF.files())], chosen)

"""Finds a pilot among the cards of a set by what somebody types: its name, its ship, its caption.

The index of a set is made on the first question; every further question looks through it in well under a millisecond.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from bot.rules.xwing.card_sets import Card, CardSet
from bot.rules.xwing.cards import FACTIONS

FOUND_MOST: Final = 25
"""Choices that Discord takes for one option."""
LABEL_MOST: Final = 100
"""Characters of one choice."""


@dataclass(frozen=True, slots=True)
class Found:
    """A pilot as a list offers it: its id, and one line that tells it from its namesakes."""

    pilot: str
    label: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """A pilot and the words it is found by: ``name`` first, ``all`` is name, ship, caption and id."""

    found: Found
    name: str
    all: str = field(repr=False)


@lru_cache(maxsize=8)
def index(cards: CardSet) -> tuple[Indexed, ...]:
    """Every pilot of a set in the order of the alphabet; of one name, the highest initiative first.

    Where two lines would be the same, the faction stands in them, and the id where that does not help.
    """
    pilots = sorted(cards.pilots.items(), key=lambda item: (plain(item[1]["name"]), -item[1]["initiative"], item[0]))
    labels = {id_: label(card, cards) for id_, card in pilots}
    labels = told_apart(labels, lambda id_: f"{labels[id_]}, {FACTIONS[cards.pilots[id_]['faction']]}")
    labels = told_apart(labels, lambda id_: f"{cards.pilots[id_]['name']}, {id_}")
    return tuple(indexed(id_, card, labels[id_], cards) for id_, card in pilots)


def told_apart(labels: Mapping[str, str], otherwise: Callable[[str], str]) -> dict[str, str]:
    """Labels by id, another one for each that is there more than once, or that is too long for Discord."""
    often = Counter(labels.values())
    is_clear = {id_: often[line] == 1 and len(line) <= LABEL_MOST for id_, line in labels.items()}
    return {id_: line if is_clear[id_] else otherwise(id_) for id_, line in labels.items()}


def label(card: Card, cards: CardSet) -> str:
    """``Luke Skywalker, T-65 X-wing, Red Five, i5``."""
    loadout = "standard loadout" if "upgrades" in card else ""
    parts = (card["name"], cards.ships[card["ship"]]["name"], card.get("caption", ""), loadout)
    return ", ".join([*filter(None, parts), f"i{card['initiative']}"])


def indexed(id_: str, card: Card, line: str, cards: CardSet) -> Indexed:
    words = plain(" ".join((card["name"], cards.ships[card["ship"]]["name"], card.get("caption", ""))))
    return Indexed(Found(id_, line), plain(card["name"]), f" {words} {id_}")


def find_pilots(typed: str, cards: CardSet, most: int = FOUND_MOST) -> list[Found]:
    """The pilots whose name, ship, caption or id hold every typed word, best first, at most ``most``.

    A name that begins with what was typed comes before one that has a word beginning so, and that before the rest.
    """
    asked = plain(typed[:100])
    words = asked.split()
    hits = [one for one in index(cards) if all(word in one.all for word in words)]
    starts = f" {words[0]}" if words else ""
    hits.sort(key=lambda one: 0 if one.name.startswith(asked) else 1 if starts in f" {one.name}" else 2)
    return [one.found for one in hits[:most]]


def plain(text: str) -> str:
    """A text by its letters and digits: without capitals, accents, quotes, and with hyphens as they are typed."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in bare if sign.isalnum() or sign.isspace() or sign in "-/")
    return " ".join(letters.split())

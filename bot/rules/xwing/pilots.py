"""Finds a pilot among all cards by what somebody types: its name, its ship, its caption.

The index is made on the first question; every further question looks through it in well under a millisecond.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from bot.rules.xwing.cards import FACTIONS, cards

FOUND_MOST: Final = 25
"""Choices that Discord takes for one option."""


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


@cache
def index() -> tuple[Indexed, ...]:
    """Every pilot in the order of the alphabet; of one name, the highest initiative first."""
    pilots = sorted(cards().pilots.items(), key=lambda item: (plain(item[1]["name"]), -item[1]["initiative"], item[0]))
    labels = {id_: label(card) for id_, card in pilots}
    often = Counter(labels.values())
    return tuple(indexed(id_, card, labels[id_], clear=often[labels[id_]] == 1) for id_, card in pilots)


def label(card: Mapping[str, Any]) -> str:
    """``Luke Skywalker, T-65 X-wing, Red Five, i5``."""
    loadout = "standard loadout" if "upgrades" in card else ""
    parts = (card["name"], cards().ships[card["ship"]]["name"], card.get("caption", ""), loadout)
    return ", ".join([*filter(None, parts), f"i{card['initiative']}"])


def indexed(id_: str, card: Mapping[str, Any], line: str, *, clear: bool) -> Indexed:
    """A pilot by its words; where its line is not ``clear`` the faction stands in it, too."""
    words = plain(" ".join((card["name"], cards().ships[card["ship"]]["name"], card.get("caption", ""))))
    found = Found(id_, line if clear else f"{line}, {FACTIONS[card['faction']]}")
    return Indexed(found, plain(card["name"]), f" {words} {id_}")


def find_pilots(typed: str, most: int = FOUND_MOST) -> list[Found]:
    """The pilots whose name, ship, caption or id hold every typed word, best first, at most ``most``.

    A name that begins with what was typed comes before one that has a word beginning so, and that before the rest.
    """
    asked = plain(typed[:100])
    words = asked.split()
    hits = [one for one in index() if all(word in one.all for word in words)]
    starts = f" {words[0]}" if words else ""
    hits.sort(key=lambda one: 0 if one.name.startswith(asked) else 1 if starts in f" {one.name}" else 2)
    return [one.found for one in hits[:most]]


def plain(text: str) -> str:
    """A text by its letters and digits: without capitals, accents, quotes, and with hyphens as they are typed."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in bare if sign.isalnum() or sign.isspace() or sign in "-/")
    return " ".join(letters.split())

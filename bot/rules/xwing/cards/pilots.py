"""Finds pilots of a card set by a typed name, ship, or caption. A shipped set is indexed at the first search, a
server's own when its file is read, so that malicious names cost its reader only. A search takes under a millisecond.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from bot.rules.xwing.cards.card_sets import Card, CardSet, ListedPilot
from bot.rules.xwing.cards.cards import FACTIONS

MAX_FOUND: Final = 25
"""Maximum suggestions of an option in Discord."""
MAX_LABEL: Final = 100
"""Characters of one choice."""
NAMES: Final = Path(__file__).parents[1] / "data" / "names.json"
PRINTED_IN: Final = ("de", "fr", "es", "it", "pt-BR")
"""Languages of printed cards, as ``bot.languages`` names them."""
MAX_WORDS: Final = 250
"""Maximum search characters: a letter of some alphabets becomes eighteen plain ones."""


def index(cards: CardSet) -> Sequence[ListedPilot]:
    """Return a set's pilots in alphabetical order; of one name, highest initiative first."""
    return cards.index or new_index(cards)


@lru_cache(maxsize=8)
def new_index(cards: CardSet) -> tuple[ListedPilot, ...]:
    """Index a set's pilots; equal lines get the faction, or else the id."""
    pilots = sorted(
        cards.pilots.items(), key=lambda item: (search_key(item[1]["name"]), -item[1]["initiative"], item[0])
    )
    labels = {id_: label(card, cards) for id_, card in pilots}
    labels = distinct_labels(labels, lambda id_: f"{labels[id_]}, {FACTIONS[cards.pilots[id_]['faction']]}")
    labels = distinct_labels(labels, lambda id_: f"{cards.pilots[id_]['name']}, {id_}")
    return tuple(index_pilot(id_, card, labels[id_], cards) for id_, card in pilots)


def distinct_labels(labels: Mapping[str, str], otherwise: Callable[[str], str]) -> dict[str, str]:
    """Return labels by id, replacing duplicates and those too long for Discord."""
    often = Counter(labels.values())
    is_clear = {id_: often[line] == 1 and len(line) <= MAX_LABEL for id_, line in labels.items()}
    return {id_: line if is_clear[id_] else otherwise(id_) for id_, line in labels.items()}


def label(card: Card, cards: CardSet) -> str:
    """``Luke Skywalker, T-65 X-wing, Red Five, i5``."""
    loadout = "SL" if "upgrades" in card else ""  # players' abbreviation of a standard loadout
    parts = (card["name"], cards.ships[card["ship"]]["name"], card.get("caption", ""), loadout)
    return ", ".join([*filter(None, parts), f"i{card['initiative']}"])


def index_pilot(id_: str, card: Card, line: str, cards: CardSet) -> ListedPilot:
    words = search_key(" ".join((card["name"], cards.ships[card["ship"]]["name"], card.get("caption", ""))))
    return ListedPilot(id_, line[:MAX_LABEL], search_key(card["name"])[:MAX_WORDS], f" {words[:MAX_WORDS]} {id_}")


@cache
def printed_names(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return printed names of ``pilots`` and ``upgrades`` in a language, by id, where they differ from English."""
    every: Mapping[str, Any] = json.loads(NAMES.read_text(encoding="utf-8"))
    return every[language] if language in PRINTED_IN else {"pilots": {}, "upgrades": {}}


@lru_cache(maxsize=16)
def printed_index(cards: CardSet, language: str) -> Sequence[ListedPilot]:
    """Return the index for a language: printed names first, but English ones match too."""
    names = printed_names(language)["pilots"]
    return tuple(
        with_printed_name(pilot, names[pilot.pilot]) if pilot.pilot in names else pilot for pilot in index(cards)
    )


def with_printed_name(pilot: ListedPilot, name: str) -> ListedPilot:
    line, words = f"{name} ({pilot.label})", search_key(name)[:MAX_WORDS]
    return ListedPilot(pilot.pilot, line if len(line) <= MAX_LABEL else pilot.label, words, f" {words}{pilot.all}")


def find_pilots(typed: str, cards: CardSet, most: int = MAX_FOUND, language: str = "") -> list[ListedPilot]:
    """Return pilots whose name, ship, caption, or id contain every typed word, best first: name prefix, word prefix,
    then the rest. ``language``: the reader's key; names printed in it match and are shown.
    """
    asked = search_key(typed[:100])
    hits = list(printed_index(cards, language) if language in PRINTED_IN else index(cards))
    for word in set(asked.split()):
        hits = [hit for hit in hits if word in hit.all]
    starts = f" {asked.partition(' ')[0]}"
    hits.sort(key=lambda hit: 0 if hit.name.startswith(asked) else 1 if starts in f" {hit.name}" else 2)
    return hits[:most]


def search_key(text: str) -> str:
    """Return a text's letters and digits in lower case, without accents or quotes, with hyphens as typed."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in bare if sign.isalnum() or sign.isspace() or sign in "-/")
    return " ".join(letters.split())

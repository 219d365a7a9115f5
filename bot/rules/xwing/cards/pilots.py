"""Finds a pilot among the cards of a set by what somebody types: its name, its ship, its caption.

The index of a shipped set is made on the first question, that of a server's own when its file is read: names that are
made to be slow cost the reader of the file. Every question looks through an index in well under a millisecond.
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
"""Choices that Discord takes for one option."""
MAX_LABEL: Final = 100
"""Characters of one choice."""
NAMES: Final = Path(__file__).parents[1] / "data" / "names.json"
PRINTED_IN: Final = ("de", "fr", "es", "it", "pt-BR")
"""Languages of printed cards, as ``bot.languages`` names them."""
MAX_WORDS: Final = 250
"""Characters by which a pilot is found: one letter of some alphabets becomes eighteen plain ones."""


def index(cards: CardSet) -> Sequence[ListedPilot]:
    """Every pilot of a set in the order of the alphabet; of one name, the highest initiative first."""
    return cards.index or new_index(cards)


@lru_cache(maxsize=8)
def new_index(cards: CardSet) -> tuple[ListedPilot, ...]:
    """Where two lines would be the same, the faction stands in them, and the id where that does not help."""
    pilots = sorted(
        cards.pilots.items(), key=lambda item: (search_key(item[1]["name"]), -item[1]["initiative"], item[0])
    )
    labels = {id_: label(card, cards) for id_, card in pilots}
    labels = distinct_labels(labels, lambda id_: f"{labels[id_]}, {FACTIONS[cards.pilots[id_]['faction']]}")
    labels = distinct_labels(labels, lambda id_: f"{cards.pilots[id_]['name']}, {id_}")
    return tuple(index_pilot(id_, card, labels[id_], cards) for id_, card in pilots)


def distinct_labels(labels: Mapping[str, str], otherwise: Callable[[str], str]) -> dict[str, str]:
    """Labels by id, another one for each that is there more than once, or that is too long for Discord."""
    often = Counter(labels.values())
    is_clear = {id_: often[line] == 1 and len(line) <= MAX_LABEL for id_, line in labels.items()}
    return {id_: line if is_clear[id_] else otherwise(id_) for id_, line in labels.items()}


def label(card: Card, cards: CardSet) -> str:
    """``Luke Skywalker, T-65 X-wing, Red Five, i5``."""
    loadout = "SL" if "upgrades" in card else ""  # as players write a standard loadout
    parts = (card["name"], cards.ships[card["ship"]]["name"], card.get("caption", ""), loadout)
    return ", ".join([*filter(None, parts), f"i{card['initiative']}"])


def index_pilot(id_: str, card: Card, line: str, cards: CardSet) -> ListedPilot:
    words = search_key(" ".join((card["name"], cards.ships[card["ship"]]["name"], card.get("caption", ""))))
    return ListedPilot(id_, line[:MAX_LABEL], search_key(card["name"])[:MAX_WORDS], f" {words[:MAX_WORDS]} {id_}")


@cache
def printed_names(language: str) -> Mapping[str, Mapping[str, str]]:
    """What is printed on the ``pilots`` and ``upgrades`` of a language where that is not the English name, by id."""
    every: Mapping[str, Any] = json.loads(NAMES.read_text(encoding="utf-8"))
    return every[language] if language in PRINTED_IN else {"pilots": {}, "upgrades": {}}


@lru_cache(maxsize=16)
def printed_index(cards: CardSet, language: str) -> Sequence[ListedPilot]:
    """The index for readers of a language: the printed name stands first, and the English one finds a pilot as well."""
    names = printed_names(language)["pilots"]
    return tuple(
        with_printed_name(pilot, names[pilot.pilot]) if pilot.pilot in names else pilot for pilot in index(cards)
    )


def with_printed_name(pilot: ListedPilot, name: str) -> ListedPilot:
    line, words = f"{name} ({pilot.label})", search_key(name)[:MAX_WORDS]
    return ListedPilot(pilot.pilot, line if len(line) <= MAX_LABEL else pilot.label, words, f" {words}{pilot.all}")


def find_pilots(typed: str, cards: CardSet, most: int = MAX_FOUND, language: str = "") -> list[ListedPilot]:
    """The pilots whose name, ship, caption or id hold every typed word, best first, at most ``most``.

    A name that begins with what was typed comes before one that has a word beginning so, and that before the rest.
    ``language`` is the reader's, by its key: names that are printed in it are found and shown.
    """
    asked = search_key(typed[:100])
    hits = list(printed_index(cards, language) if language in PRINTED_IN else index(cards))
    for word in set(asked.split()):
        hits = [hit for hit in hits if word in hit.all]
    starts = f" {asked.partition(' ')[0]}"
    hits.sort(key=lambda hit: 0 if hit.name.startswith(asked) else 1 if starts in f" {hit.name}" else 2)
    return hits[:most]


def search_key(text: str) -> str:
    """A text by its letters and digits: without capitals, accents, quotes, and with hyphens as they are typed."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in bare if sign.isalnum() or sign.isspace() or sign in "-/")
    return " ".join(letters.split())

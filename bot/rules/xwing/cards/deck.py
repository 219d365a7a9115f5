"""A player's damage deck: 33 cards of 14 titles, and each faceup card's effect. Source: rules page, Squads and data.
Effects on dice are rows; the others are here by name.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.rules.data_tables import table
from bot.rules.dice import Rng
from bot.rules.text import Name

Timing = Literal["while faceup", "when dealt", "after a crit", "before engaging"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceupEffect:
    """The effect of a faceup card, and its timing. ``hits_become_crits``: hits on its ship become crits. Effects on
    dice are rows (``damage.json``). Its ship gets ``hits`` and ``tokens``; with ``rolls`` only if a red die shows a
    hit. ``repaired``: the card is then turned facedown.
    """

    timing: Timing = "while faceup"
    hits_become_crits: bool = False
    hits: int = 0
    tokens: tuple[tuple[str, int], ...] = ()
    rolls: bool = False
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class DamageCard:
    """A title of the deck, its number of cards, and its effect, or None."""

    title: Name
    copies: int
    effect: FaceupEffect | None = None


DAMAGE_CARDS: Final[Mapping[str, DamageCard]] = {
    card.title: replace(card, title=Name(card.title)) for card in table("xwing/tables/damage_cards.json", DamageCard)
}
DECK_SIZE: Final = sum(card.copies for card in DAMAGE_CARDS.values())


@dataclass(frozen=True, slots=True)
class Deck:
    """A player's deck: numbers of cards by title in the draw and discard piles; the rest are on ships. The draw pile
    has no order: each draw is uniform, which equals drawing from a shuffled pile, and no next card exists that anyone
    could know.
    """

    pile: Mapping[str, int]
    discarded: Mapping[str, int]


def new_deck() -> Deck:
    return Deck({title: card.copies for title, card in DAMAGE_CARDS.items()}, {})


def size(pile: Mapping[str, int]) -> int:
    return sum(pile.values())


def draw(deck: Deck, rng: Rng) -> tuple[Name | None, Deck]:
    """Draw a random card: its title, and the deck without it. An empty draw pile is refilled from the discard pile. The
    title is None if all 33 cards are on ships: a marker then stands for a facedown card.
    """
    pile, discarded = (deck.pile, deck.discarded) if size(deck.pile) else (deck.discarded, {})
    if not size(pile):
        return None, deck
    place = rng(size(pile))
    for title in DAMAGE_CARDS:
        if place < (held := pile.get(title, 0)):
            left = {**pile, title: held - 1}
            return Name(title), Deck({item: count for item, count in left.items() if count}, discarded)
        place -= held
    raise ValueError(f"the random number is beyond a pile of {size(pile)}")


DECKS: Final = "the damage decks"
"""The name of their piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decks:
    """Players' draw piles, by player number; default: all 33 cards. Cards neither there nor on the player's ships are
    discarded, so repaired cards and those of removed ships return automatically.
    """

    kind: Literal["decks"] = "decks"
    piles: Mapping[str, Mapping[str, int]]

    def deck(self, owner: int, on_ships: Iterable[str]) -> Deck:
        pile = self.piles.get(str(owner))
        if pile is None:
            return new_deck()
        lying = Counter(on_ships)
        rest = {title: card.copies - pile.get(title, 0) - lying[title] for title, card in DAMAGE_CARDS.items()}
        return Deck(pile, {title: count for title, count in rest.items() if count > 0})

    def with_deck(self, owner: int, deck: Deck) -> "Decks":
        return replace(self, piles={**self.piles, str(owner): deck.pile})


# Faceup cards


def effects(faceup: Iterable[str]) -> list[tuple[str, FaceupEffect]]:
    """Return the faceup cards with an effect, by title; unnamed ones have none."""
    known = [DAMAGE_CARDS[title] for title in faceup if title in DAMAGE_CARDS]
    return [(card.title, card.effect) for card in known if card.effect]


def effects_at(faceup: Iterable[str], timing: Timing) -> list[tuple[str, FaceupEffect]]:
    return [(title, effect) for title, effect in effects(faceup) if effect.timing == timing]


def hits_become_crits(faceup: Iterable[str]) -> bool:
    return any(effect.hits_become_crits for _, effect in effects(faceup))

"""Upgrades with two sides: what each side is called, and which one lies up where nobody says.

Which side lies up is a state of the ship, so no attack asks for it. Source: rules page, A round between the dice,
Two-sided cards; ``data/sides.json``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from bot.rules.xwing.cards.card_sets import SHIPPED

FIRES: Final = 0
"""The place of the side on which an attack of such a card is printed: the first."""


@dataclass(frozen=True, slots=True)
class TwoSided:
    """``titles``: of both sides, as they are printed; ``up``: the place of the one that lies up where nobody says."""

    titles: tuple[str, str]
    up: int

    @property
    def title(self) -> str:
        """Of the side that lies up."""
        return self.titles[self.up]

    @property
    def short(self) -> str:
        """``Closed: Servomotor S-foils``: what differs stands first, where there is little room for a title."""
        card, _, side = self.title.rstrip(")").partition(" (")
        return f"{side}: {card}" if side else card

    @property
    def word(self) -> str:
        """The same as rows and line-ups call it."""
        return self.words[self.up]

    @property
    def turned(self) -> "TwoSided":
        """The card with its other side up."""
        return replace(self, up=1 - self.up)

    @property
    def words(self) -> tuple[str, str]:
        """The sides as rows and line-ups call them: ``closed``, ``open``; a title without brackets as a whole."""
        first, second = (title.rpartition("(")[2].rstrip(")").casefold() for title in self.titles)
        return first, second


@cache
def two_sided() -> Mapping[str, TwoSided]:
    """The upgrades with two sides, by id."""
    cards = json.loads((SHIPPED / "sides.json").read_text(encoding="utf-8"))["cards"]
    return {id_: TwoSided(tuple(card["sides"]), card["up"]) for id_, card in cards.items()}

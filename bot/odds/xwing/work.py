"""How much one question may ask: every way that is looked at counts, so that no answer takes long.

It counts ways and not seconds, so that the same question is answered or refused on every machine.
"""

from typing import Final

from bot.rules.errors import BadInput
from bot.rules.xwing.declared import Declared

WAYS_MOST: Final = 200_000
"""Less than a tenth of a second."""


class Work:
    """Counts the ways that a question makes us look at."""

    def __init__(self, declared: Declared) -> None:
        defense = declared.defense.effects if declared.defense else ()
        self._attacks, self._effects = declared.attacks, len(declared.attack.effects) + len(defense)
        self._left, self._had = WAYS_MOST, 0

    def look(self, ways: int, effort: int = 1) -> None:
        """Count so many ways, each with the effort of ``effort`` outcomes of a reroll in the search.

        Raises ``BadInput`` when the question is too large: too many attacks, or too many effects for one.
        """
        self._left -= ways * effort
        if self._left >= 0:
            return
        limit = f"exact odds look at {WAYS_MOST:,} ways at most"
        if self._had:
            allowed = f"1 to {self._had} with so many dice, tokens and effects ({limit})"
            raise BadInput("attacks", self._attacks, allowed)
        allowed = f"fewer or smaller rerolls, changes, cancels and added results ({limit})"
        raise BadInput("effects", f"{self._effects} effects", allowed)

    def had(self, attacks: int) -> None:
        """So many attacks of the row were not too many."""
        self._had = attacks

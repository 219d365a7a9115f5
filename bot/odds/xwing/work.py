"""How much one question may ask: every way that is looked at counts, so that no answer takes long."""

from typing import Final

from bot.rules.errors import BadInput
from bot.rules.xwing.declared import Declared

WAYS_MOST: Final = 150_000


class Work:
    """Counts the ways that a question has made us look at.

    ``refused`` is what to say when there are too many; whoever knows better what to mend puts it there.
    """

    def __init__(self, declared: Declared) -> None:
        effects = (*declared.attack.effects, *(declared.defense.effects if declared.defense else ()))
        self.refused = BadInput(
            "effects", f"{len(effects)} effects", "for exact odds fewer rerolls, changes, cancels or added results"
        )
        self._left = WAYS_MOST

    def look(self, ways: int) -> None:
        """Raises ``refused`` when the question is too large."""
        self._left -= ways
        if self._left < 0:
            raise self.refused

"""Pieces of a channel that outlive a roll (ships, profiles), and what a roll takes from them.

``Pieces`` is a Protocol; a module or an object of the game fits it. The sessions load the pieces that a state names,
let ``settle`` say what the ply changes on them, and keep both in one transaction.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from bot.rules.dice import Rng


class Pieces(Protocol):
    """What a game's pieces provide. ``Any`` stands for the game's own state and the body of a piece."""

    @property
    def SCHEMA(self) -> int:
        """Raised when the stored form of ``Body`` changes."""

    @property
    def Body(self) -> Any:
        """The frozen dataclass of one piece."""

    def names(self, state: Any) -> tuple[str, ...] | None:
        """The pieces that a roll uses, by name; ``()`` for a roll without any, None for all of the channel."""

    def settle(
        self, before: Any | None, after: Any, pieces: Mapping[str, Any], rng: Rng
    ) -> tuple[Any, Mapping[str, Any | None]]:
        """The state ``after`` a ply as the pieces make it, and the pieces that the ply changes; None for one gone.

        The state that comes back is the one that is stored and shown, so that both say the same of the pieces.
        ``before`` is None for the ply that opens the roll. ``pieces`` holds those of ``names(after)`` that are in the
        channel, by the names they have there. ``rng`` is for what is drawn because of the ply. Raises ``PlayerError``
        when one is missing, or when it no longer has what the ply would spend.
        """


def key(name: str) -> str:
    """What a name is found by: capitals and extra spaces do not matter."""
    return " ".join(name.split()).casefold()

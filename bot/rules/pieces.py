"""Pieces of a channel that outlive a roll (ships, profiles), and what a roll takes from them.

``Pieces`` and ``PieceChanges`` are Protocols; a module or an object of the game fits them. The sessions load the pieces
that a state names, let ``settle`` say what the ply changes on them, and keep both in one transaction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.rules.dice import Rng, Rolled
from bot.rules.game import Choice, Field, Offer, Option
from bot.rules.text import Shown


class Pieces(Protocol):
    """Interface of a game's pieces. ``Any`` stands for the game's own state and the body of a piece."""

    @property
    def SCHEMA(self) -> int:
        """Raised when the stored form of ``Body`` changes, or the default of one of its fields."""

    @property
    def Body(self) -> Any:
        """The frozen dataclass of one piece."""


class PieceChanges(Protocol):
    """Interface for changes that a game's rolls make to its pieces."""

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


@dataclass(frozen=True, slots=True)
class BoardContext:
    """The context of a board act: the pieces by name, the one it is about, and the form's values.

    ``player``: number of the person who pressed, 0 for none. ``rng``: for draws that follow.
    """

    table: Mapping[str, Any]
    name: str
    filled: Mapping[str, str]
    rng: Rng
    player: int = 0


@dataclass(frozen=True, slots=True)
class BoardChange:
    """The result of a choice on the board: changes by name, and a sentence without its subject, for the history.

    ``is_told``: everyone is shown a card of it, with the ``dice`` that were rolled, each pool with its owner.
    """

    changes: Mapping[str, Any]
    sentence: Shown
    dice: tuple[tuple[Shown, tuple[Rolled, ...]], ...] = ()
    is_told: bool = False


class Controls(Protocol):
    """Interface of a board's controls: a piece for each player, and offers for it and for the table.

    ``table`` holds all pieces by name. Every offer is pressed or has a form; what ``FOLLOWS`` from one is a roll in the
    words of ``attack_words``.
    """

    @property
    def MATCH(self) -> str:
        """The name of the piece that an offer of the table changes."""

    def pieces(self, table: Mapping[str, Any]) -> tuple[Option, ...]:
        """The pieces to select from; each value is a name."""

    def first(self, table: Mapping[str, Any], owner: int | None = None, selected: str = "") -> str:
        """Return the piece for an owner's presses (None: anyone's): the ``selected`` one until its turn ends, or ""."""

    def offers(self, table: Mapping[str, Any], name: str) -> tuple[Offer, ...]:
        """Return the choices for a piece."""

    def table_offers(self, table: Mapping[str, Any]) -> tuple[Offer, ...]:
        """Return the choices for the table as a whole."""

    def next_offers(self, table: Mapping[str, Any]) -> tuple[tuple[str, Offer], ...]:
        """Return the game's next steps, each with its piece, or ``MATCH``; () if they aren't known."""

    def choose(self, table: Mapping[str, Any], name: str, choice: Choice, rng: Rng, player: int) -> BoardChange:
        """Return the result of a choice; ``player`` is the presser's number, 0 for none. Raises ``PlayerError``."""

    def attack_words(self, name: str, filled: Mapping[str, str], offer: str) -> Mapping[str, Any]:
        """The words of a declaration that the form of an attack holds; ``offer`` is its key."""


class FollowUps(Protocol):
    """Interface for offers that ``FOLLOWS``: rolls that follow from a finished one."""

    def fields(self, state: Any, act: Any, table: Mapping[str, Any]) -> tuple[Field, ...]:
        """The form that is filled in first; () where nothing more is to be said."""

    def declare_words(self, state: Any, act: Any, filled: Mapping[str, str]) -> Mapping[str, Any]:
        """The words of the declaration."""

    def open_follow_ups(self, state: Any, table: Mapping[str, Any]) -> Shown:
        """Say what may still follow from a finished roll before the game continues; "" for nothing."""

    def decision(self, offer: str) -> Shown:
        """Return the history's words for an offer of a finished roll, whose outcome stays; "" for any other."""


def key(name: str) -> str:
    """Return the key by which a name is found: case and extra spaces are ignored."""
    return " ".join(name.split()).casefold()

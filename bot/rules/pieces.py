"""Pieces of a channel that outlive a roll (ships, profiles), and a roll's effects on them. ``Pieces`` and
``PieceChanges`` are Protocols. The sessions load a state's pieces, call ``settle`` for the ply's changes, and store
both in one transaction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.rules.dice import Rng, Rolled
from bot.rules.game import Choice, Field, Offer, Option
from bot.rules.text import Shown


class Pieces(Protocol):
    """Interface of a game's pieces. ``Any``: the game's state, and a piece's body."""

    @property
    def SCHEMA(self) -> int:
        """Incremented when the stored form of ``Body``, or a field's default, changes."""

    @property
    def Body(self) -> Any:
        """The frozen dataclass of one piece."""


class PieceChanges(Protocol):
    """Interface of a game's changes to its pieces."""

    def names(self, state: Any) -> tuple[str, ...] | None:
        """Return the names of a roll's pieces; ``()`` for none, None for all of the channel."""

    def settle(
        self, before: Any | None, after: Any, pieces: Mapping[str, Any], rng: Rng
    ) -> tuple[Any, Mapping[str, Any | None]]:
        """Return the state ``after`` a ply, adjusted to the pieces, and the changed pieces; None for a removed one.

        The returned state is stored and shown, so that both agree. ``before``: None for the opening. ``pieces``: those
        of ``names(after)`` in the channel, by their names there. ``rng``: for further draws. Raises ``PlayerError`` if
        one is missing, or lacks what the ply would spend.
        """


@dataclass(frozen=True, slots=True)
class BoardContext:
    """The context of a board act: the pieces by name, its piece, and the form's values. ``player``: the presser's
    number, 0 for none. ``rng``: for further draws.
    """

    table: Mapping[str, Any]
    name: str
    filled: Mapping[str, str]
    rng: Rng
    player: int = 0


@dataclass(frozen=True, slots=True)
class BoardChange:
    """The result of a board choice: changes by name, and a history sentence without its subject. ``is_told``: it has a
    public card, with the rolled ``dice``, each pool with its owner.
    """

    changes: Mapping[str, Any]
    sentence: Shown
    dice: tuple[tuple[Shown, tuple[Rolled, ...]], ...] = ()
    is_told: bool = False


class Controls(Protocol):
    """Interface of a board's controls: each player's piece, and offers for it and for the table. ``table`` has all
    pieces by name. Every offer is pressed or has a form; what ``FOLLOWS`` from one is a roll in the words of
    ``attack_words``.
    """

    @property
    def MATCH(self) -> str:
        """The piece that an offer of the table changes."""

    def pieces(self, table: Mapping[str, Any]) -> tuple[Option, ...]:
        """Return the pieces to select; values are names."""

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
        """Return the declaration's words of an attack form; ``offer``: its key."""


class FollowUps(Protocol):
    """Interface for offers that ``FOLLOWS``: rolls that follow from a finished one."""

    def fields(self, state: Any, act: Any, table: Mapping[str, Any]) -> tuple[Field, ...]:
        """Return the preceding form; () without one."""

    def declare_words(self, state: Any, act: Any, filled: Mapping[str, str]) -> Mapping[str, Any]:
        """The words of the declaration."""

    def open_follow_ups(self, state: Any, table: Mapping[str, Any]) -> Shown:
        """Say what may still follow from a finished roll before the game continues; "" for nothing."""

    def decision(self, offer: str) -> Shown:
        """Return the history's words for an offer of a finished roll, whose outcome stays; "" for any other."""


def key(name: str) -> str:
    """Return the key by which a name is found: case and extra spaces are ignored."""
    return " ".join(name.split()).casefold()

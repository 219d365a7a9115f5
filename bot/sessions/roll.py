"""A roll as it stands: its state, who sits where, and what may follow."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.games import Game
from bot.rules.game import Offer, Side
from bot.sessions.chance import Draw
from bot.sessions.place import Person

UNDO: Final = "undo"
"""The offer of a ply that takes a press back."""
CLOSE: Final = "close"
"""The offer of a ply that takes the opening of a roll back."""


@dataclass(frozen=True, slots=True)
class Address:
    """What a button means: an offer of one ply of one session."""

    session: int
    ply: int
    offer: str


@dataclass(frozen=True, slots=True)
class Played:
    """A roll as it stands after a ply; ``seats`` lacks a side that nobody has taken yet.

    ``is_closed``: its opening was taken back. ``redraws`` are draws that come again, ``message_id`` where it is shown,
    ``opened_by`` the number of who opened it.
    """

    session: int
    ply: int
    game: Game
    state: Any
    seats: Mapping[Side, Person]
    is_closed: bool = False
    redraws: tuple[Draw, ...] = ()
    message_id: int | None = None
    opened_by: int = 0

    @property
    def offers(self) -> tuple[Offer, ...]:
        return () if self.is_closed else self.game.rules.offers(self.state)

    def sides_of(self, person: Person) -> tuple[Side, ...]:
        """Where somebody sits: nowhere, on one side, or on both."""
        return tuple(side for side, holder in self.seats.items() if holder.id == person.id)

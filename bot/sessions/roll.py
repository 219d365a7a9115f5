"""A roll in play: its state, seats, offers, viewers, and reasons to refuse a press.

A secret roll is rolled when opened, is one ply, changes no piece, and waits for nobody. Until revealed, the store
returns it only to callers that ask for hidden rolls (``bot.store.sessions.lock_newest``), so everything public is the
same whatever its dice. That includes undo, so nobody rerolls or peeks at a secret roll. Its dice never count for luck
or the fairness page, even once revealed: people reveal good rolls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final

from bot.games import Game
from bot.rules.errors import PlayerError
from bot.rules.game import AfterOffer, Offer, Side
from bot.rules.text import EMPTY, N_, Shown, Text, bracketed
from bot.sessions.request import Person
from bot.store.sessions import Opened


class Secrecy(StrEnum):
    """The only viewers of a secret roll: its roller, or the GMs. A practice is private too, may wait for choices, and
    is never revealed or counted; it is deleted when it ends, or a day after it began.
    """

    SECRET = "secret"  # noqa: S105 - no password
    BLIND = "blind"
    PRACTICE = "practice"


REVEALED: Final = Text("This roll is no longer secret. Find it with `/table history`.")


@dataclass(frozen=True, slots=True)
class Address:
    """The target of a button: an offer of a session's ply. Types: ``bot.ui.core.components``."""

    session: int
    ply: Annotated[int, range(10**9)]
    offer: Annotated[str, "[a-z0-9-]{1,40}"]


@dataclass(frozen=True, slots=True)
class ChainMark:
    """A position in a sealed table's chain: number and hash; no hash at 0."""

    seal_id: int
    place: int
    hash: str

    @property
    def digits(self) -> str:
        """The hash digits shown on cards."""
        return self.hash[:8]


@dataclass(frozen=True)
class Played(Opened):
    """A roll after a ply; ``seats`` lacks free sides.

    ``named``: people to whom the declaration gave single pieces, by number.

    ``is_closed``: its opening was undone. ``has_redraws``: undone draws wait to come again. ``mark``: its newest ply's
    position in a sealed table's chain; ``open_seal``: the chain end of its channel's sealed table. ``secrecy``: its
    viewers when rolled. ``is_new``: the newest ply was made just now; ``before``: the previous state, None for an
    opening; ``changes``: the record of its changes to pieces. ``told``: sentences about the bot's presses just now.
    """

    session: int
    ply: int
    game: Game
    state: Any
    seats: Mapping[Side, Person]
    is_closed: bool = False
    has_redraws: bool = field(default=False, compare=False)
    mark: ChainMark | None = None
    open_seal: ChainMark | None = field(default=None, compare=False)
    named: Mapping[int, Person] = field(default_factory=dict)
    secrecy: Secrecy | None = None
    is_new: bool = field(default=False, compare=False)
    before: Any = field(default=None, compare=False)
    changes: str = field(default="[]", compare=False)
    told: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def is_hidden(self) -> bool:
        """Whether it is still secret: nothing of it may be shown, copied, or announced publicly."""
        return self.secrecy is not None and self.revealed_at is None

    def may_be_seen_by(self, person: Person, *, is_gm: bool) -> bool:
        """Whether a person may see it now; unrevealed, that is a GM for a blind roll, else its opener."""
        if not self.is_hidden:
            return True
        return is_gm if self.secrecy is Secrecy.BLIND else person.id == self.opened_by

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Legal choices now, computed once for all uses; rolling the same values again is offered once per card."""
        if self.is_closed:
            return ()
        every = self.game.rules.offers(self.state)
        return tuple(offer for offer in every if offer.then is not AfterOffer.REOPENS or not self.is_repeated)

    @cached_property
    def cache(self) -> dict[object, Any]:
        """Cache of values derived from the roll's state."""
        return {}

    @property
    def is_opening(self) -> bool:
        """Whether nothing has happened since it was opened."""
        return self.ply == 0 and self.repeats is None

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for a choice; optional follow-ups of a finished roll don't count."""
        return any(offer.is_awaited for offer in self.offers)

    def seats_bot(self, bot_id: int) -> bool:
        return any(seat.id == bot_id for seat in self.seats.values())

    def sides_of(self, person: Person) -> tuple[Side, ...]:
        """Return a person's sides: none, one, or both."""
        return tuple(side for side, holder in self.seats.items() if holder.id == person.id)


# Reasons to refuse a press


class StaleCardError(PlayerError):
    """The pressed card is outdated; ``newest`` is the roll's current state."""

    def __init__(self, newest: Played) -> None:
        self.newest = newest
        super().__init__(Text("Someone pressed first. The card is up to date now."))


class NotYourSideError(PlayerError):
    """The choice belongs to the other seat; ``holder``: that person's name. ``side``: "" if the game's sides have no
    names. ``plays``: whether the presser has a seat in a roll that isn't over, so that their turn may come. ``free``:
    the label of a button that takes a free seat, if any.
    """

    def __init__(self, side: str, holder: Shown | None, *, plays: bool = True, free: Shown = EMPTY) -> None:
        if holder:
            whose = bracketed(holder, Side(side)) if side else holder
            joins = Text("To play yourself, press {label}.", label=free) if free else None
            hint = Text("Wait for your turn.") if plays else joins or Text("To play yourself, start your own roll.")
            super().__init__(Text("This choice is for {whose}. {hint}", whose=whose, hint=hint))
        elif not side:
            super().__init__(Text("Another player has to press this. You're playing the other side."))
        else:
            message = N_("Another player has to press this, as the {side}. You're playing the other side.")
            super().__init__(Text(message, side=Side(side)))


class UnknownRollError(PlayerError):
    def __init__(self) -> None:
        super().__init__(Text("I have no record of this roll in this channel. Please start a new one with a command."))


class NotYourPlyError(PlayerError):
    """Only its maker or a GM undoes a press; ``holder``: its maker, empty if unknown."""

    def __init__(self, holder: Shown) -> None:
        message = N_("The last press here is {holder}'s. Only they or a GM can take it back.")
        unknown = N_("The last press here isn't yours. Only the person who made it or a GM can take it back.")
        super().__init__(Text(message if holder else unknown, holder=holder))

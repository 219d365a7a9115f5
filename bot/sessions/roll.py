"""A roll in play: its state, seats, and offers, who may see it, and why a press is refused.

A secret roll is rolled when it is opened, is one ply, changes no piece, and waits for nobody. Until it is revealed the
store gives it only to those who ask for hidden rolls (``bot.store.sessions.lock_newest``), so that everything that
reads rolls for everybody is the same whatever the dice show. That includes undo, so that nobody rerolls a secret roll
or peeks at it. Its dice never count for luck nor on the fairness page, even once revealed: people show good rolls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final

from bot.games import Game
from bot.rules.errors import PlayerError
from bot.rules.game import AfterOffer, Offer, Side
from bot.rules.text import N_, Shown, Text, bracketed
from bot.sessions.request import Person
from bot.store.sessions import Opened


class Secrecy(StrEnum):
    """The only people who may see a secret roll: the person who rolled it, or the GMs.

    A practice is private too. It may wait for choices and is never revealed; it isn't counted anywhere, and is deleted
    when it ends, or a day after it began.
    """

    SECRET = "secret"  # noqa: S105 - no password
    BLIND = "blind"
    PRACTICE = "practice"


REVEALED: Final = Text("This roll is no longer secret. Find it with `/table history`.")


@dataclass(frozen=True, slots=True)
class Address:
    """The target of a button: an offer of one ply of one session. ``bot.ui.core.components`` explains the types."""

    session: int
    ply: Annotated[int, range(10**9)]
    offer: Annotated[str, "[a-z0-9-]{1,40}"]


@dataclass(frozen=True, slots=True)
class ChainMark:
    """A place in the chain of a sealed table: its number, and its hash; no hash at place 0."""

    seal_id: int
    place: int
    hash: str

    @property
    def digits(self) -> str:
        """The hash digits shown on cards."""
        return self.hash[:8]


@dataclass(frozen=True)
class Played(Opened):
    """A roll after a ply; ``seats`` lacks a side that nobody has taken yet.

    ``named``: people to whom the declaration gave single pieces, by their number there.

    ``is_closed``: its opening was taken back. ``has_redraws``: draws that were taken back wait to come again. ``mark``:
    its newest ply's place in the chain of a sealed table; ``open_seal``: the end of the chain of its channel's sealed
    table. ``secrecy``: who alone could see it when it was rolled. ``is_new``: the newest ply was made just now;
    ``before``: the state before it, None of an opening; ``changes``: the record of its changes to pieces. ``told``:
    sentences about the bot's own presses just now.
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
        """Whether it is still secret. Nothing of such a roll may be shown, copied or said to everybody."""
        return self.secrecy is not None and self.revealed_at is None

    def may_be_seen_by(self, person: Person, *, is_gm: bool) -> bool:
        """Whether a person may see it now: before it is revealed, a GM a blind one, else who opened it."""
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
        """Whether nothing has happened since a command opened it."""
        return self.ply == 0 and self.repeats is None

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for somebody's choice; what may still follow from a roll that is over does not count."""
        return any(offer.is_awaited for offer in self.offers)

    def seats_bot(self, bot_id: int) -> bool:
        """Whether the bot itself sits on a side."""
        return any(seat.id == bot_id for seat in self.seats.values())

    def sides_of(self, person: Person) -> tuple[Side, ...]:
        """Return a person's sides: none, one, or both."""
        return tuple(side for side, holder in self.seats.items() if holder.id == person.id)


# Reasons to refuse a press


class StaleCardError(PlayerError):
    """The card that was pressed is no longer the newest; ``newest`` is how the roll stands."""

    def __init__(self, newest: Played) -> None:
        self.newest = newest
        super().__init__(Text("Someone pressed first. The card is up to date now."))


class NotYourSideError(PlayerError):
    """The choice belongs to the other seat; ``holder``: the name of the person in it.

    ``side``: "" in a game whose sides have no names for people. ``plays``: whether the person who pressed has a seat,
    so that their turn may come.
    """

    def __init__(self, side: str, holder: Shown | None, *, plays: bool = True) -> None:
        if holder:
            whose = bracketed(holder, Side(side)) if side else holder
            hint = Text("Wait for your turn.") if plays else Text("To play yourself, start your own roll.")
            super().__init__(Text("This choice is for {whose}. {hint}", whose=whose, hint=hint))
        elif not side:
            super().__init__(Text("Another player has to press this. You're playing the other side."))
        else:
            super().__init__(
                Text("Another player has to press this, as the {side}. You're playing the other side.", side=Side(side))
            )


class UnknownRollError(PlayerError):
    """No such roll in this channel."""

    def __init__(self) -> None:
        super().__init__(Text("I have no record of this roll in this channel. Please start a new one with a command."))


class NotYourPlyError(PlayerError):
    """Only the one who pressed, or a GM, takes a press back; ``holder`` is who pressed, empty if nobody knows."""

    def __init__(self, holder: Shown) -> None:
        message = N_("The last press here is {holder}'s. Only they or a GM can take it back.")
        unknown = N_("The last press here isn't yours. Only the person who made it or a GM can take it back.")
        super().__init__(Text(message if holder else unknown, holder=holder))

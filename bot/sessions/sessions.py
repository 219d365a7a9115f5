"""Rolls in play: opened by a command, moved by presses, stored before anything is shown.

A press names the session and the ply that it was made on. Inside one transaction: is that still the newest ply? is the
choice offered? is it this person's side? Then the rules decide, and the new ply is a row. Two presses at once: the
second finds a newer ply.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rules.dice import Rng
from bot.rules.entered import signed
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Game, Offer, Side
from bot.rules.games import GAMES
from bot.ruleset.check import check_by_hand, check_count, check_game
from bot.ruleset.ruling import Ruling
from bot.sessions import codec, pieces
from bot.sessions.chance import REAL, Recorder
from bot.sessions.errors import NotYourSide, Settled, Unknown, Vacant
from bot.sessions.place import Person, Place
from bot.sessions.rulesets import Rulesets
from bot.store import sessions as rows
from bot.store.database import Database
from bot.store.people import FORGOTTEN


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
    redraws: str = "[]"
    message_id: int | None = None
    opened_by: int = 0

    @property
    def offers(self) -> tuple[Offer, ...]:
        return () if self.is_closed else self.game.offers(self.state)

    def sides_of(self, person: Person) -> tuple[Side, ...]:
        """Where somebody sits: nowhere, on one side, or on both."""
        return tuple(side for side, holder in self.seats.items() if holder.id == person.id)


UNDO, CLOSE = "undo", "close"
"""The offers of plies that take one back: a press, and the opening of a roll."""


class Sessions:
    """All rolls of one database. Every method raises ``StoreError`` where the database fails.

    ``changed`` is told of each channel in which something was kept.
    """

    def __init__(
        self,
        database: Database,
        rng: Rng = REAL,
        changed: Callable[[int], None] | None = None,
        rulesets: Rulesets | None = None,
    ) -> None:
        self._database = database
        self._rulesets = rulesets or Rulesets(database)
        self._rng = rng
        self._changed = changed or (lambda _: None)

    async def open(
        self, key: str, declared: object, *, by: Person, place: Place, opponent: Person | None = None
    ) -> Played:
        """Start a roll: ``by`` attacks, ``opponent`` (or the first other person who presses) defends.

        In a call of two, the other one is the opponent of a roll that waits for one; alone, oneself. Raises
        ``PlayerError`` if it cannot be declared so, or if the place has ruled it out; then nothing is stored.
        """
        game = GAMES[key]
        ruling = await self._rulesets.ruling(place, by.id)
        check_game(ruling, game)
        check_count(ruling, game, declared)
        async with self._database.transaction() as connection:
            session, waits = await rows.add(
                connection,
                game=key,
                guild_id=place.guild_id,
                channel_id=place.channel_id,
                opened_by=by.id,
                at=int(time.time()),
            )
            again = await rows.take_redraw(connection, place.channel_id, key) if waits else "[]"
            rng = Recorder(self._rng, codec.read_draws(again))
            state = allowed(ruling, game.start(declared, rng), Side.ATTACKER)
            seats = seated(by, opponent or called(game, state, by, place))
            for side, person in seats.items():
                await rows.add_seat(connection, session, side.value, person.id, person.name)
            played = Played(session, 0, game, state, seats, opened_by=by.id)
            played = await self._store(connection, played, None, place.channel_id, by, None, rng)
        self._changed(place.channel_id)
        return played

    async def choose(self, address: Address, choice: Choice, *, by: Person, place: Place) -> Played | Offer:
        """Make a press count; an offer that has still to be filled in comes back as it is, and nothing is stored.

        Raises ``Settled``, ``NotYourSide``, ``Unknown``, or what the rules or the place refuse.
        """
        ruling = await self._rulesets.ruling(place, by.id)
        async with self._database.transaction() as connection:
            now = await self._newest(connection, address.session, place)
            offer = judge(now, address, by, place)
            if offer.fields and choice.filled is None:
                return offer
            rng = Recorder(self._rng, codec.read_draws(now.redraws))
            side = next(iter(now.sides_of(by)), offer.side)
            state = allowed(ruling, now.game.choose(now.state, choice, rng), side)
            number = now.ply + 1
            if side not in now.seats:
                await rows.add_seat(connection, now.session, side.value, by.id, by.name, number)
            seats = {side: by, **now.seats}
            played = replace(now, ply=number, state=state, seats=seats, redraws="[]")
            played = await self._store(connection, played, now.state, place.channel_id, by, choice, rng)
        self._changed(place.channel_id)
        return played

    async def look(self, address: Address, *, by: Person, place: Place) -> Played:
        """A roll as it stands, for somebody whose turn it is; nothing is stored, and ``address.offer`` is not asked.

        Raises ``Settled``, ``NotYourSide``, ``Unknown``, or ``NotOffered`` where nobody has a turn.
        """
        async with self._database.transaction() as connection:
            now = await self._newest(connection, address.session, place)
        if address.ply != now.ply:
            raise Settled(now)
        if not now.offers:
            raise NotOffered
        allow(now, now.offers[0], by, place)
        return now

    async def _newest(self, connection: AsyncConnection, session: int, place: Place) -> Played:
        row = await rows.newest(connection, session)
        if row is None or row.channel_id != place.channel_id:
            raise Unknown
        return played(row)

    async def _store(
        self,
        connection: AsyncConnection,
        played: Played,
        before: Any | None,
        channel_id: int,
        by: Person,
        choice: Choice | None,
        rng: Recorder,
    ) -> Played:
        """Keep a ply, and what it takes from the pieces of the roll; the roll as the pieces make it."""
        state, changes = await pieces.settle(connection, played.game.KEY, channel_id, before, played.state)
        made = rows.Ply(
            session_id=played.session,
            number=played.ply,
            person_id=by.id,
            offer=choice.offer if choice else "open",
            choice=codec.write_choice(choice),
            draws=codec.write_draws(rng.draws),
            schema=played.game.SCHEMA,
            state=codec.write(played.game, state),
            at=int(time.time()),
            channel_id=channel_id,
            redraws=codec.write_draws(rng.left),
            changes=changes,
        )
        await rows.add_ply(connection, made)
        return replace(played, state=state)


def played(row: rows.Newest) -> Played:
    """A stored roll as it stands. Raises ``Unknown`` if its game is gone, ``Outdated`` for a form no longer read."""
    if row.game not in GAMES:
        raise Unknown
    game = GAMES[row.game]
    return Played(
        session=row.session_id,
        ply=row.number,
        game=game,
        state=codec.read(game, row.schema, row.state),
        seats={Side(side): Person(seat.person_id, seat.name) for side, seat in row.seats.items()},
        is_closed=row.offer == CLOSE,
        redraws=row.redraws,
        message_id=row.message_id,
        opened_by=row.opened_by,
    )


def allowed(ruling: Ruling, state: Any, side: Side) -> Any:
    """The state with what was typed in it signed, if dice may be typed here."""
    check_by_hand(ruling, state)
    return signed(state, side)


def seated(by: Person, opponent: Person | None) -> dict[Side, Person]:
    return {Side.ATTACKER: by} | ({Side.DEFENDER: opponent} if opponent else {})


def called(game: Game, state: object, by: Person, place: Place) -> Person | None:
    """Who else there is, if there is one and the roll waits for somebody's choice that not just anybody may make.

    That is the other one in a call of two; where one is alone, oneself.
    """
    others = (by,) if place.is_alone else place.others(by)
    waits = len(others) == 1 and not all(offer.free for offer in game.offers(state))
    return others[0] if waits else None


def judge(now: Played, address: Address, by: Person, place: Place) -> Offer:
    """The offer that an address means, if it is still open and this person's to take."""
    if address.ply != now.ply:
        raise Settled(now)
    offer = next((offer for offer in now.offers if offer.key == address.offer), None)
    if offer is None:
        raise NotOffered
    allow(now, offer, by, place)
    return offer


def allow(now: Played, offer: Offer, by: Person, place: Place) -> None:
    """Raises ``NotYourSide`` unless this person sits on the offer's side, or may take that seat; or ``Vacant``."""
    holder, sits = now.seats.get(offer.side), now.sides_of(by)
    if holder is None and (offer.free or not sits):
        check_call(now, offer, by, place)
        return
    if holder is not None and holder.id == FORGOTTEN:
        raise Vacant(offer.side.value)
    if offer.side not in sits:
        raise NotYourSide(offer.side.value, holder.name if holder else None)


def check_call(now: Played, offer: Offer, by: Person, place: Place) -> None:
    """Raises ``NotYourSide`` for somebody outside the call to whose other people an open seat belongs."""
    callers = {person.id for holder in now.seats.values() for person in place.others(holder)}
    if callers and not now.sides_of(by) and by.id not in callers:
        raise NotYourSide(offer.side.value, "the others in the call")

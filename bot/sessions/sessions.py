"""Rolls in play: opened by a command, moved by presses, stored before anything is shown.

A press names the session and the ply that it was made on. Inside one transaction: is that still the newest ply? is the
choice offered? is it this person's side? Then the rules decide, and the new ply is a row. Two presses at once: the
second finds a newer ply.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rules.dice import Rng
from bot.rules.entered import signed
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Game, Offer, Side
from bot.rules.games import GAMES
from bot.sessions import codec
from bot.sessions.chance import REAL, Recorder
from bot.sessions.errors import NotYourSide, Settled, Unknown
from bot.store import sessions as rows
from bot.store.database import Database


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: their number, and the name they go by here."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, and its server unless it is a direct message."""

    channel_id: int
    guild_id: int | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """What a button means: an offer of one ply of one session."""

    session: int
    ply: int
    offer: str


@dataclass(frozen=True, slots=True)
class Played:
    """A roll as it stands after a ply; ``seats`` lacks a side that nobody has taken yet."""

    session: int
    ply: int
    game: Game
    state: Any
    seats: Mapping[Side, Person]

    @property
    def offers(self) -> tuple[Offer, ...]:
        return self.game.offers(self.state)

    def sides_of(self, person: Person) -> tuple[Side, ...]:
        """Where somebody sits: nowhere, on one side, or on both."""
        return tuple(side for side, holder in self.seats.items() if holder.id == person.id)


class Sessions:
    """All rolls of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database, rng: Rng = REAL) -> None:
        self._database = database
        self._rng = rng

    async def open(
        self, key: str, declared: object, *, by: Person, place: Place, opponent: Person | None = None
    ) -> Played:
        """Start a roll: ``by`` attacks, ``opponent`` (or the first other person who presses) defends.

        Raises ``PlayerError`` if it cannot be declared so; then nothing is stored.
        """
        game, rng = GAMES[key], Recorder(self._rng)
        state = signed(game.start(declared, rng), Side.ATTACKER)
        seats = {Side.ATTACKER: by} | ({Side.DEFENDER: opponent} if opponent else {})
        async with self._database.transaction() as connection:
            session = await rows.add(
                connection,
                game=key,
                guild_id=place.guild_id,
                channel_id=place.channel_id,
                opened_by=by.id,
                at=int(time.time()),
            )
            for side, person in seats.items():
                await rows.add_seat(connection, session, side.value, person.id, person.name)
            played = Played(session, 0, game, state, seats)
            await self._store(connection, played, by, None, rng)
        return played

    async def choose(self, address: Address, choice: Choice, *, by: Person, place: Place) -> Played | Offer:
        """Make a press count; an offer that has still to be filled in comes back as it is, and nothing is stored.

        Raises ``Settled``, ``NotYourSide``, ``Unknown``, or what the rules refuse.
        """
        rng = Recorder(self._rng)
        async with self._database.transaction() as connection:
            now = await self._newest(connection, address.session, place)
            offer = judge(now, address, by)
            if offer.fields and choice.filled is None:
                return offer
            side = next(iter(now.sides_of(by)), offer.side)
            state = signed(now.game.choose(now.state, choice, rng), side)
            if side not in now.seats:
                await rows.add_seat(connection, now.session, side.value, by.id, by.name)
            played = Played(now.session, now.ply + 1, now.game, state, {side: by, **now.seats})
            await self._store(connection, played, by, choice, rng)
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
        allow(now, now.offers[0], by)
        return now

    async def _newest(self, connection: AsyncConnection, session: int, place: Place) -> Played:
        row = await rows.newest(connection, session)
        if row is None or row.channel_id != place.channel_id or row.game not in GAMES:
            raise Unknown
        game = GAMES[row.game]
        seats = {Side(side): Person(seat.person_id, seat.name) for side, seat in row.seats.items()}
        return Played(session, row.number, game, codec.read(game, row.schema, row.state), seats)

    async def _store(
        self, connection: AsyncConnection, played: Played, by: Person, choice: Choice | None, rng: Recorder
    ) -> None:
        await rows.add_ply(
            connection,
            session_id=played.session,
            number=played.ply,
            person_id=by.id,
            offer=choice.offer if choice else "open",
            choice=codec.write_choice(choice),
            draws=codec.write_draws(rng.draws),
            schema=played.game.SCHEMA,
            state=codec.write(played.game, played.state),
            at=int(time.time()),
        )


def judge(now: Played, address: Address, by: Person) -> Offer:
    """The offer that an address means, if it is still open and this person's to take."""
    if address.ply != now.ply:
        raise Settled(now)
    offer = next((offer for offer in now.offers if offer.key == address.offer), None)
    if offer is None:
        raise NotOffered
    allow(now, offer, by)
    return offer


def allow(now: Played, offer: Offer, by: Person) -> None:
    """Raises ``NotYourSide`` unless this person sits on the offer's side, or may take that seat."""
    holder, sits = now.seats.get(offer.side), now.sides_of(by)
    if holder is None and (offer.free or not sits):
        return
    if offer.side not in sits:
        raise NotYourSide(offer.side.value, holder.name if holder else None)

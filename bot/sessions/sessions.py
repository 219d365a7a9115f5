"""Rolls in play: opened by a command, moved by presses, stored before anything is shown.

A press names the session and the ply that it was made on. Inside one transaction: is that still the newest ply? is the
choice offered? is it this person's side? Then the rules decide, and the new ply is a row. Two presses at once: the
second finds a newer ply.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES, Game
from bot.rules.dice import Rng
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Offer, Side
from bot.ruleset.check import check_by_hand, check_count, check_game
from bot.ruleset.ruling import BUILT_IN, Ruling
from bot.sessions import codec, pieces
from bot.sessions.chance import REAL, Recorder
from bot.sessions.errors import NotYourSide, Stale, Unknown, Vacant
from bot.sessions.place import Person, Place
from bot.sessions.roll import Address, Played
from bot.store import sessions as rows
from bot.store.database import Database
from bot.store.people import FORGOTTEN


class Sessions:
    """All rolls of one database. Every method raises ``StoreError`` where the database fails.

    ``changed`` is told of each channel in which something was kept.
    """

    def __init__(
        self,
        database: Database,
        rng: Rng = REAL,
        changed: Callable[[int], None] | None = None,
    ) -> None:
        self._database = database
        self._rng = rng
        self._changed = changed or (lambda _: None)

    async def open(
        self,
        key: str,
        declared: object,
        *,
        by: Person,
        place: Place,
        ruling: Ruling = BUILT_IN,
        opponent: Person | None = None,
    ) -> Played:
        """Start a roll: ``by`` attacks, ``opponent`` (or the first other person who presses) defends.

        ``ruling`` is what counts at the place for ``by``. In a call of two, the other one is the opponent of a roll
        that waits for one; alone, oneself. Raises ``PlayerError`` if it cannot be declared so, or if the place has
        ruled it out; then nothing is stored.
        """
        game = GAMES[key]
        check_game(ruling, game)
        check_count(ruling, game.rules.dice_count(declared))
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
            state = game.rules.start(declared, rng)
            check_by_hand(ruling, (), game.rules.rolled(state))
            seats = first_seats(by, opponent or only_other(game, state, by, place))
            for side, person in seats.items():
                await rows.add_seat(connection, session, side.value, person.id, person.name)
            played = Played(session, 0, game, state, seats, opened_by=by.id)
            played = await self._store(connection, played, None, place.channel_id, by, None, rng)
        self._changed(place.channel_id)
        return played

    async def choose(
        self, address: Address, choice: Choice, *, by: Person, place: Place, ruling: Ruling = BUILT_IN
    ) -> Played | Offer:
        """Make a press count; an offer that has still to be filled in comes back as it is, and nothing is stored.

        ``ruling`` is what counts at the place for ``by``. Raises ``Stale``, ``NotYourSide``, ``Unknown``, or what the
        rules or the place refuse.
        """
        async with self._database.transaction() as connection:
            now = await self._newest(connection, address.session, place)
            offer = judge(now, address, by, place)
            if offer.fields and choice.filled is None:
                return offer
            rng = Recorder(self._rng, now.redraws)
            side, rules = next(iter(now.sides_of(by)), offer.side), now.game.rules
            state = rules.choose(now.state, replace(choice, by=side), rng)
            check_by_hand(ruling, rules.rolled(now.state), rules.rolled(state))
            number = now.ply + 1
            seats = dict(now.seats)
            if side not in seats and not offer.anybody:
                await rows.add_seat(connection, now.session, side.value, by.id, by.name, number)
                seats[side] = by
            played = replace(now, ply=number, state=state, seats=seats, redraws=())
            played = await self._store(connection, played, now.state, place.channel_id, by, choice, rng)
        self._changed(place.channel_id)
        return played

    async def look(self, address: Address, *, by: Person, place: Place) -> Played:
        """A roll as it stands, for somebody whose turn it is; nothing is stored, and ``address.offer`` is not asked.

        Raises ``Stale``, ``NotYourSide``, ``Unknown``, or ``NotOffered`` where nobody has a turn.
        """
        async with self._database.transaction() as connection:
            now = await self._newest(connection, address.session, place)
        if address.ply != now.ply:
            raise Stale(now)
        if not now.offers:
            raise NotOffered
        allow(now, now.offers[0], by, place)
        return now

    async def _newest(self, connection: AsyncConnection, session: int, place: Place) -> Played:
        row = await rows.newest(connection, session)
        if row is None or row.channel_id != place.channel_id:
            raise Unknown
        return codec.read_newest(row)

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
        state, changes = await pieces.apply_ply(connection, played.game, channel_id, before, played.state)
        made = rows.Ply(
            session_id=played.session,
            number=played.ply,
            person_id=by.id,
            offer=choice.offer if choice else "open",
            choice=codec.write_choice(choice),
            draws=codec.write_draws(rng.draws),
            schema=played.game.rules.SCHEMA,
            state=codec.write_state(played.game.rules, state),
            at=int(time.time()),
            channel_id=channel_id,
            redraws=codec.write_draws(rng.left),
            changes=changes,
        )
        await rows.add_ply(connection, made)
        return replace(played, state=state)


def first_seats(by: Person, opponent: Person | None) -> dict[Side, Person]:
    return {Side.ATTACKER: by} | ({Side.DEFENDER: opponent} if opponent else {})


def only_other(game: Game, state: object, by: Person, place: Place) -> Person | None:
    """Who else there is, if there is one and the roll waits for somebody's choice that not just anybody may make.

    That is the other one in a call of two; where one is alone, oneself.
    """
    others = (by,) if place.is_alone else place.others(by)
    waits = len(others) == 1 and not all(offer.free for offer in game.rules.offers(state))
    return others[0] if waits else None


def judge(now: Played, address: Address, by: Person, place: Place) -> Offer:
    """The offer that an address means, if it is still open and this person's to take."""
    if address.ply != now.ply:
        raise Stale(now)
    offer = next((offer for offer in now.offers if offer.key == address.offer), None)
    if offer is None:
        raise NotOffered
    allow(now, offer, by, place)
    return offer


def allow(now: Played, offer: Offer, by: Person, place: Place) -> None:
    """Raises ``NotYourSide`` unless this person sits on the offer's side, or may take that seat; or ``Vacant``."""
    holder, sits = now.seats.get(offer.side), now.sides_of(by)
    if offer.anybody or (holder is None and (offer.free or not sits)):
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

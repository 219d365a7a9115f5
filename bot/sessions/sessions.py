"""Rolls in play: opened by a command, advanced by presses, stored before anything is shown.

A press names the session and its ply. One transaction checks that the ply is still the newest, the choice is offered,
and the side is this person's; then the rules decide and the new ply is stored. Of two simultaneous presses, the second
finds a newer ply.
"""

import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import Game
from bot.rules.dice import Rng, Rolled, list_typists
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import AfterOffer, Choice, Offer, OpenTo, Side
from bot.rules.text import EMPTY, Name, Text
from bot.ruleset import ruling
from bot.ruleset.ruling import check_by_hand, check_count, check_forced, check_game, check_offer, check_sealed
from bot.sessions import codec, pieces, roll as rolls
from bot.sessions.chance import REAL, Draw, Recorder, recorder
from bot.sessions.events import PrivateStateStored, StateStored, Tell, ignore_event
from bot.sessions.request import MENTION, Person, Place, Request, with_names
from bot.sessions.roll import REVEALED, Address, ChainMark, NotYourSideError, Played, Secrecy, StaleCardError
from bot.sessions.seals import Seals, check_table, typed_faces
from bot.sessions.tables import chance, check_new, if_readable, keep_unused
from bot.store import history as past, retention, sessions as rows
from bot.store.database import Database
from bot.store.people import FORGOTTEN
from bot.store.pieces import Player, players_of

PRACTICE_LASTS: Final = 22 * 60 * 60
"""Seconds until an unfinished practice is deleted; with an hour between cleanups, under a day."""
PRACTICES: Final = 50
"""Practices deleted per step."""

NOT_YOURS: Final[Mapping[Secrecy, Text]] = {
    Secrecy.PRACTICE: Text("Only the person who is practicing can see this roll."),
    Secrecy.BLIND: Text("Only a GM can look at a blind roll. Ask a GM to look, or to reveal it."),
    Secrecy.SECRET: Text("Only the person who rolled can look at a secret roll. Ask them to reveal it."),
}
"""Refusals for secret rolls that someone may not see."""


@dataclass(frozen=True, slots=True)
class RollOpening:
    """A request to open a roll.

    ``opponent`` defends, else the first other person to press. ``attacker`` attacks in place of the opener: a GM may
    open a roll between two others. ``named``: people who play single pieces, by number (``@1``). ``follows``: the
    finished roll's offer that this roll takes, in the same transaction. ``sat_before``: its defender, who defends again
    if the target is unassigned. ``secrecy``: its viewers until the reveal. ``repeats``: the roll whose values are
    rolled again.
    """

    game: Game
    declared: object = None
    opponent: Person | None = None
    attacker: Person | None = None
    named: Mapping[int, Person] = field(default_factory=dict)
    follows: Address | None = None
    sat_before: Person | None = None
    secrecy: Secrecy | None = None
    repeats: Played | None = None


Chain = Callable[..., Awaitable[ChainMark]]
"""``Seals.keep`` for a ply at a sealed table, with roll, choice, and dice owner bound."""


class Sessions:
    """One database's rolls; ``tell`` gets each public change once stored. Every method may raise ``StoreError``."""

    def __init__(
        self, database: Database, rng: Rng = REAL, tell: Tell = ignore_event, seals: Seals | None = None
    ) -> None:
        self._database = database
        self._seals = seals or Seals(database)
        self._rng = rng
        self._tell = tell
        self._states = codec.StateCodec()

    async def open(self, request: Request, opening: RollOpening) -> Played:
        """Start a roll: ``request.by`` attacks, ``opponent`` (or the first other person to press) defends.

        The owner of an attacking or defending piece plays that side: raises ``NotYourPieceError`` for anybody else,
        unless a GM attacks in their place. In a call of two, the other person is the opponent if needed; alone,
        oneself. Raises ``PlayerError`` if the rules or the place refuse it; then nothing is stored.
        """
        game, declared = opening.game, opening.declared
        if opening.secrecy not in (None, Secrecy.PRACTICE):
            check_can_be_secret(game, declared)
        check_game(request.ruling, game)
        check_count(request.ruling, game.rules.dice_count(declared))

        async def begin(connection: AsyncConnection) -> Played:
            mine, defender = await self._owners(connection, game, declared, request)
            opponent = opening.opponent
            if defender and opponent and opponent.id != defender.id:
                raise PlayerError("Your target belongs to {defender}. Leave `opponent` out.", defender=defender.name)
            if opening.follows is not None:
                await self._take_follow_up(connection, request, opening.follows)
            seats = {Side.ATTACKER: opening.attacker or mine or request.by}
            if other := defender or opponent or opening.sat_before:
                seats[Side.DEFENDER] = other
            return await self._begin(connection, request, opening, seats)

        try:
            roll = await self._database.run(begin)
        except (
            rows.DuplicateInteractionError,
            IntegrityError,
        ):  # the latter if another process made the same ply
            if request.interaction_id is None:
                raise
            return await self._find_counted(request)
        if roll.is_hidden:
            await self._tell(PrivateStateStored(request, roll))
        else:
            await self._tell(StateStored(request, played=roll if opening.follows is None else None))  # else two changed
        return roll

    async def _owners(
        self, connection: AsyncConnection, game: Game, declared: object, request: Request
    ) -> tuple[Person | None, Person | None]:
        """Return the bot, if it attacks, and the defending piece's owner. Raises ``NotYourPieceError``."""
        names, channel_id = game.table.played_by(declared), request.place.channel_id
        if not names:
            return None, None
        held = await pieces.table(connection, channel_id, game.key, names.values())
        known = await players_of(connection, channel_id)
        attackers = [held[name] for side, name in names.items() if side is Side.ATTACKER and name in held]
        pieces.check_owner(attackers, known, request)
        attacks, defends = (pieces.owner(held.get(names.get(side, "")), known) for side in Side)
        mine = attacks if attacks is not None and attacks.person_id == request.bot_id else None
        return as_person(mine), as_person(defends)

    async def choose(
        self, request: Request, address: Address, choice: Choice, mentioned: Mapping[int, Person] | None = None
    ) -> Played | Offer:
        """Apply a press; return the offer instead if it needs a form or another roll follows; then nothing is stored.

        ``mentioned``: people mentioned in a form, by id. Raises ``StaleCardError``, ``NotYourSideError``,
        ``UnknownRollError``, or errors of the rules or the place.
        """
        by = request.by

        async def make(connection: AsyncConnection) -> Played | Offer:
            now = await self._read_newest(connection, address.session, request.place)
            offer = await self._judge(connection, request, now, address)
            check_offer(request.ruling, offer)
            if offer.then is AfterOffer.FOLLOWS or (offer.fields and choice.filled is None):
                return offer
            taken = replace(choice, by=next(iter(now.sides_of(by)), offer.side))
            taken, named = with_people(now, offer, taken, by, mentioned or {})
            new = {number: item for number, item in named.items() if number not in now.named}
            for number, person in new.items():
                await rows.add_seat(connection, now.session, codec.seat_of(number), person.id, person.name, now.ply + 1)
            now = replace(now, named=named) if new else now
            try:
                if offer.then is AfterOffer.REOPENS:
                    return await self._repeat(connection, request, now, taken)
                return await self._advance(connection, request, now, offer, taken)
            except PlayerError as error:
                raise with_names(error, named) from None

        try:
            result = await self._database.run(make)
        except rows.DuplicateInteractionError:
            return await self._find_counted(request)
        if isinstance(result, Played):
            hidden, shown = PrivateStateStored(request, result), StateStored(request, played=result)
            await self._tell(hidden if result.is_hidden else shown)
        return result

    async def end_practice(self, request: Request, session: int) -> None:
        """Delete a person's own practice; ignore any other roll."""

        async def end(connection: AsyncConnection) -> None:
            row = await rows.lock_newest(connection, session)
            if row is not None and row.secrecy == Secrecy.PRACTICE and row.opened_by == request.by.id:
                await retention.prune_rolls(connection, {session: 0}, 1)

        await self._database.run(end)

    async def sweep_practices(self, now: int) -> int:
        """Delete some abandoned practices; return how many."""
        async with self._database.transaction() as connection:
            old = await rows.practices_before(connection, now - PRACTICE_LASTS, PRACTICES)
            await retention.prune_rolls(connection, dict.fromkeys(old, 0), 1)
        return len(old)

    async def _take_follow_up(self, connection: AsyncConnection, request: Request, address: Address) -> None:
        """Take a finished roll's follow-up offer; the interaction counts for the next roll."""
        now = await self._read_newest(connection, address.session, request.place)
        offer = await self._judge(connection, request, now, address)
        asked, choice = replace(request, interaction_id=None), Choice(offer.key, by=offer.side)
        await self._advance(connection, asked, now, offer, choice)

    async def _judge(self, connection: AsyncConnection, request: Request, now: Played, address: Address) -> Offer:
        """Check like ``judge``; raises ``DuplicateInteractionError`` for a refused press that has counted already."""
        try:
            return judge(now, address, request)
        except PlayerError:
            await check_new(connection, request)
            raise

    async def _repeat(self, connection: AsyncConnection, request: Request, now: Played, choice: Choice) -> Played:
        """Open a roll with another one's values and people; that one stays."""
        check_game(request.ruling, now.game)
        ruling.check_repeated(request.ruling, now.game, now.state.declared, is_gm=request.is_gm)
        check_table(now.mark.seal_id if now.mark else None, now.open_seal)
        opening = RollOpening(now.game, now.state.declared, named=now.named, repeats=now)
        return await self._begin(connection, request, opening, {choice.by: request.by, **now.seats}, choice)

    async def _advance(
        self, connection: AsyncConnection, request: Request, now: Played, offer: Offer, choice: Choice
    ) -> Played:
        """Return the next ply of a roll. The person whom an offer names takes no side's seat."""
        rules, number, by, is_named = now.game.rules, now.ply + 1, request.by, player_of(now, offer) is not None
        check_table(now.mark.seal_id if now.mark else None, now.open_seal)
        sealed = await self._seals.open_table(connection, now.open_seal)
        if now.secrecy is not Secrecy.PRACTICE:
            check_sealed(request.ruling, is_sealed=now.open_seal is not None)
        chain = None
        if sealed is None:
            rng = await chance(connection, request, self._rng) if now.has_redraws else recorder(self._rng)
        else:
            holder = by if is_named else now.seats.get(choice.by, by)
            of = await dice_owner(connection, request, now.game, now.state.declared, choice.by, holder)
            roll_there = sealed.roll_of(now.session)
            chain = partial(self._seals.keep, connection, sealed, roll=roll_there, choice=plain_choice(choice), of=of)
            rng = sealed.recorder(of)
        state = rules.choose(now.state, choice, rng)
        await check_rolling(connection, request, now, state)
        check_forced(now.game, now.state, state, is_gm=request.is_gm)
        check_by_hand(request.ruling, rules.rolled(now.state), rules.rolled(state))
        seats = dict(now.seats)
        if choice.by not in seats and not is_named and offer.may not in (OpenTo.ANYBODY, OpenTo.JOINS):
            await rows.add_seat(connection, now.session, choice.by.value, by.id, by.name, number)
            seats[choice.by] = by
        roll = replace(now, ply=number, state=state, seats=seats, is_new=True, before=now.state)
        return await self._store(connection, request, roll, choice, rng, chain)

    async def _begin(
        self,
        connection: AsyncConnection,
        request: Request,
        opening: RollOpening,
        seats: dict[Side, Person],
        again: Choice | None = None,
    ) -> Played:
        """Store a roll's first ply, ``again`` of the same values. Raises ``DuplicateInteractionError``."""
        game, declared, first, secrecy = opening.game, opening.declared, opening.repeats, opening.secrecy
        place, by = request.place, request.by
        now, repeats = int(time.time()), dict[str, Any]()
        if first:
            repeats = {"repeats": first.session, "nth": 1 if again and again.picked else first.nth + 1}
        session, waits, chain_end = await rows.add(
            connection,
            game=game.key,
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            opened_by=by.id,
            at=now,
            interaction_id=request.interaction_id,
            secrecy=secrecy,
            answer=request.token or None,
            **repeats,
        )
        if secrecy is Secrecy.PRACTICE:  # not part of the table: not sealed, no undone dice
            waits, chain_end = False, None
        else:
            check_sealed(request.ruling, is_sealed=chain_end is not None)
        open_seal = codec.read_mark(chain_end)
        if open_seal is None:
            rng, chain = await chance(connection, request, self._rng) if waits else recorder(self._rng), None
        else:
            of = await dice_owner(connection, request, game, declared, Side.ATTACKER, seats.get(Side.ATTACKER, by))
            rng, chain = await self._open_in_chain(connection, opening, again, open_seal, of)
        state = game.rules.choose(first.state, again, rng) if first and again else game.rules.start(declared, rng)
        check_forced(game, first.state if first else None, state, is_gm=request.is_gm)
        check_by_hand(request.ruling, (), game.rules.rolled(state))
        if secrecy is not None:
            check_secret_dice(game.rules.rolled(state), rng.draws)
        if not first and Side.DEFENDER not in seats:
            seats |= only_other(game, state, request)
        for side, person in seats.items():
            await rows.add_seat(connection, session, side.value, person.id, person.name)
        for number, person in opening.named.items():
            await rows.add_seat(connection, session, codec.seat_of(number), person.id, person.name)
        roll = Played(
            session,
            0,
            game,
            state,
            seats,
            opened_by=by.id,
            opened_at=now,
            repeats_message_id=first.message_id if first else None,
            has_redraws=waits,
            open_seal=open_seal,
            named=dict(opening.named),
            secrecy=secrecy,
            is_new=True,
            **repeats,
        )
        return await self._store(connection, request, roll, None, rng, chain)

    async def _open_in_chain(
        self,
        connection: AsyncConnection,
        opening: RollOpening,
        again: Choice | None,
        open_seal: ChainMark,
        of: int,
    ) -> tuple[Recorder, Chain]:
        """Return a sealed table's chance for a new roll, and what stores its first ply in the chain."""
        sealed, first = await self._seals.follow(connection, open_seal), opening.repeats
        words: dict[str, Any] = {"game": opening.game.key, **(plain_choice(again) if again else {})}
        if first:
            words["repeats"] = sealed.roll_of(first.session)
        else:
            words["declared"] = codec.plain_declaration(opening.declared)
        chain = partial(self._seals.keep, connection, sealed, roll=None, choice=words, of=of)
        return sealed.recorder(of, is_secret=opening.secrecy is not None), chain

    async def _find_counted(self, request: Request) -> Played:
        async with self._database.transaction() as connection:
            session = await rows.session_of(connection, request.interaction_id or 0)
            return await self._read_newest(connection, session or 0, request.place, hidden=True)

    async def look(self, request: Request, address: Address) -> Played:
        """Return a roll for the person whose turn or offer it is; nothing is stored. Raises ``StaleCardError``,
        ``NotYourSideError``, ``UnknownRollError``, or ``NotOfferedError`` if it is nobody's turn.
        """
        now = await self._database.run(self._read_newest, address.session, request.place)
        if address.ply != now.ply:
            raise StaleCardError(now)
        if not now.offers:
            raise NotOfferedError
        allow(now, next((offer for offer in now.offers if offer.key == address.offer), now.offers[0]), request)
        return now

    async def find(self, session: int, place: Place) -> Played:
        """Return a roll. Raises ``UnknownRollError``, also if it is still secret."""
        return await self._database.run(self._read_newest, session, place)

    async def find_secret(self, request: Request, session: int) -> Played:
        """Return a secret roll to a person who may see it. Raises ``PlayerError`` for anyone else."""
        return await self._database.run(self._read_visible, request, session)

    async def secrets(self, request: Request, most: int) -> tuple[Played, ...]:
        """Return a channel's newest secret rolls that this person may see, newest first."""
        here, by = request.place.channel_id, request.by.id
        result = await self._database.run(past.secrets, here, by, most, is_gm=request.is_gm)
        return tuple(roll for item in result if (roll := if_readable(partial(codec.read_newest, item))) is not None)

    async def reveal(self, request: Request, session: int) -> Played:
        """Reveal a secret roll to everyone. Raises ``UnknownRollError``, or ``PlayerError`` if they may not see it."""
        async with self._database.transaction() as connection:
            roll = await self._read_visible(connection, request, session)
            if roll.secrecy is Secrecy.PRACTICE:
                raise NotOfferedError
            if not roll.is_hidden:
                raise PlayerError(REVEALED)
            now = int(time.time())
            await rows.reveal(connection, session, now)
        await self._tell(StateStored(request))
        return replace(roll, revealed_at=now)

    async def _read_visible(self, connection: AsyncConnection, request: Request, session: int) -> Played:
        roll = await self._read_newest(connection, session, request.place, hidden=True)
        if roll.secrecy is not None and not roll.may_be_seen_by(request.by, is_gm=request.is_gm):
            raise PlayerError(NOT_YOURS[roll.secrecy])
        return roll

    async def _read_newest(
        self, connection: AsyncConnection, session: int, place: Place, *, hidden: bool = False
    ) -> Played:
        row = await rows.lock_newest(connection, session, hidden=hidden)
        if row is None or row.channel_id != place.channel_id:
            raise rolls.UnknownRollError
        if row.secrecy == Secrecy.PRACTICE:
            row = replace(row, open_seal=None, has_redraws=False)
        return codec.read_newest(row, self._states.read)

    async def _store(
        self,
        connection: AsyncConnection,
        request: Request,
        roll: Played,
        choice: Choice | None,
        rng: Recorder,
        chain: Chain | None,
    ) -> Played:
        """Store a ply, its changes to pieces, and the seen draws it did not use; return the roll."""
        channel_id = request.place.channel_id
        state, changes, names = roll.state, "[]", roll.game.changed_by(roll.state)
        if names != ():
            state, changes = await pieces.apply_ply(connection, roll.game, channel_id, roll.before, state, rng, names)
        assert not roll.is_hidden or changes == "[]", "`not_secret` refuses what changes pieces"  # noqa: S101 - states it
        ply = codec.new_ply(
            request,
            roll.session,
            roll.ply,
            choice.offer if choice else "open",
            codec.write_choice(choice),
            draws=rng.draws,
            schema=roll.game.rules.SCHEMA,
            state=self._states.write(roll.game.rules, state),
            changes=changes,
        )
        await keep_unused(connection, rng)
        await rows.add_ply(connection, ply)
        if state is not roll.state or changes != roll.changes:
            roll = replace(roll, state=state, changes=changes)
        if chain is None:
            return roll
        before, after = (() if item is None else roll.game.rules.rolled(item) for item in (roll.before, state))
        typed = typed_faces(before, after)
        return replace(roll, mark=await chain(ply, draws=rng.draws, typed=typed, is_hidden=roll.is_hidden))


def check_can_be_secret(game: Game, declared: object) -> None:
    """Raise ``PlayerError`` for a roll that can't be secret. Only the declaration decides, never the dice."""
    if game.not_secret is None:
        raise PlayerError("{game} rolls can't be secret. Leave out `secret` and `blind`.", game=game.title)
    if reason := game.not_secret(declared):
        raise PlayerError("{reason} So this roll can't be secret. Leave out `secret` and `blind`.", reason=reason)


def check_secret_dice(dice: Iterable[Rolled], draws: Iterable[Draw]) -> None:
    """Raise ``PlayerError`` for typed or undone dice: everybody has seen the result."""
    if any(draw.is_replayed for draw in draws):
        raise PlayerError(
            "You took back dice like these, and everyone has seen the result that will come again. Roll "
            "these dice once without `secret` and `blind`; then you can roll in secret again."
        )
    if list_typists(dice):
        raise PlayerError("Nobody else saw the dice you rolled by hand. Leave them out of a secret roll.")


async def dice_owner(
    connection: AsyncConnection, request: Request, game: Game, declared: Any, side: Side, holder: Person
) -> int:
    """Return the owner of dice at a sealed table by piece or seat, so that pressing for others loses no seen dice."""
    name, channel_id = game.table.played_by(declared).get(side, ""), request.place.channel_id
    held = await pieces.table(connection, channel_id, game.key, [name]) if name else {}
    player = pieces.owner(held.get(name), await players_of(connection, channel_id)) if held else None
    return player.person_id if player is not None else holder.id if holder.id != FORGOTTEN else request.by.id


def as_person(player: Player | None) -> Person | None:
    return None if player is None else Person(player.person_id, Name(player.name))


async def check_rolling(connection: AsyncConnection, request: Request, now: Played, state: Any) -> None:
    """Raise ``NotYourPieceError`` for a person who declares or rolls with another's piece."""
    names, channel_id = now.game.table.rolling(now.state, state), request.place.channel_id
    if names and not request.is_gm:
        held = await pieces.table(connection, channel_id, now.game.key, names)
        pieces.check_owner(held.values(), await players_of(connection, channel_id), request)


def plain_choice(choice: Choice) -> dict[str, Any]:
    """Return the selected or typed values for a transcript."""
    said = {"picked": list(choice.picked), "filled": dict(choice.filled or {})}
    return {word: value for word, value in said.items() if value}


def with_people(
    now: Played, offer: Offer, choice: Choice, by: Person, mentioned: Mapping[int, Person]
) -> tuple[Choice, dict[int, Person]]:
    """Return the choice with its mentions as ``@1``, and all people by number, including one who joins by it."""
    named = dict(now.named)

    def number_of(person: Person) -> int:
        known = next((number for number, item in named.items() if item.id == person.id), None)
        number = known or max(named, default=0) + 1
        named.setdefault(number, person)
        return number

    def numbered(match: re.Match[str]) -> str:
        return f" @{number_of(mentioned[int(match[1])])} " if int(match[1]) in mentioned else match[0]

    if choice.filled:
        choice = replace(choice, filled={key: MENTION.sub(numbered, text) for key, text in choice.filled.items()})
    joins = offer.may is OpenTo.JOINS and offer.side.other not in now.sides_of(by)
    return replace(choice, player=number_of(by) if joins else 0), named


def only_other(game: Game, state: object, request: Request) -> dict[Side, Person]:
    """Return the defender if only one person may answer: in a call of two the other one, else oneself."""
    here = request.place
    others = (request.by,) if here.is_alone else here.others(request.by) if here.call else ()
    waits = len(others) == 1 and any(
        offer.is_awaited and offer.may is not OpenTo.FREE for offer in game.rules.offers(state)
    )
    return {Side.DEFENDER: others[0]} if waits else {}


def judge(now: Played, address: Address, request: Request) -> Offer:
    """Return the offer of an address, if it is still open to this person."""
    if address.ply != now.ply:
        raise StaleCardError(now)
    offer = next((offer for offer in now.offers if offer.key == address.offer), None)
    if offer is None:
        was_offered = any(item.key == address.offer for item in now.game.rules.offers(now.state))
        raise StaleCardError(now) if was_offered else NotOfferedError  # the roll has advanced since
    allow(now, offer, request)
    return offer


def allow(now: Played, offer: Offer, request: Request) -> None:
    """Raise ``NotYourSideError`` unless this person sits on the offer's side, or may take that seat. An offer for a
    named person is theirs alone; if they were forgotten, it is their side's.
    """
    by, player = request.by, player_of(now, offer)
    sits = now.sides_of(by)
    side = "" if now.game.is_general else offer.side.value
    if offer.may is OpenTo.EITHER and sits:
        return
    if player is not None:
        if player.id != by.id:
            raise NotYourSideError(side, player.name, plays=bool(sits) and now.is_waiting)
        return
    holder = now.seats.get(offer.side)
    if holder is None and (offer.may in (OpenTo.FREE, OpenTo.ANYBODY, OpenTo.JOINS) or not sits):
        check_call(now, offer, by, request.place)
        return
    if holder is not None and holder.id == FORGOTTEN:
        raise PlayerError(
            "Nobody is playing the {side} anymore. A GM can give that seat to someone with `/table "
            "seat`, or you can start a new roll.",
            side=Name(offer.side.value),
        )
    if offer.side not in sits:
        free = next((item.label for item in now.offers if item.is_awaited and item.side not in now.seats), EMPTY)
        raise NotYourSideError(side, holder.name if holder else None, plays=bool(sits) and now.is_waiting, free=free)


def player_of(now: Played, offer: Offer) -> Person | None:
    """Return the person named for an offer, unless forgotten."""
    player = now.named.get(offer.player)
    return None if player is None or player.id == FORGOTTEN else player


def check_call(now: Played, offer: Offer, by: Person, place: Place) -> None:
    """Raise ``NotYourSideError`` outside the call whose people may take the open seat."""
    callers = {person.id for holder in now.seats.values() for person in place.others(holder)}
    if callers and not now.sides_of(by) and by.id not in callers:
        raise NotYourSideError(offer.side.value, Text("the others in the call"))

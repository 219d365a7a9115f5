"""The table of a channel: its pieces, steps, history, and undo.

A table step is a ply of the channel's table session, so history and undo have one order over all games. Undo adds a
ply; it erases nothing, and seen draws come again.
"""

import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.bounded_dict import BoundedDict
from bot.fair.transcript import TABLE as THE_TABLE
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.pieces import BoardChange, key
from bot.rules.text import EMPTY, UNNAMED, Name, Sentences, Shown, Text
from bot.ruleset.ruling import check_sealed
from bot.sessions import codec, pieces
from bot.sessions.chance import REAL, Draw, Recorder, recorder
from bot.sessions.codec import CLEAR, SEAT, STEP, UNDO, name_of_maker, sentence_of, step_ply
from bot.sessions.events import PiecesChanged, StateStored, Tell, ignore_event
from bot.sessions.openings import PlanOpening, check_due, sheets_given_away
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, ChainMark, NotYourPlyError, Played, UnknownRollError
from bot.sessions.seals import SealedTable, Seals, check_table
from bot.sessions.undo import NOT_YOUR_ANSWER, REFUSED, LastPly, RequestExpiredError, UndoRequest, may_answer, who_agree
from bot.store import history as past, openings as opening_rows, seals as seal_rows, sessions as rows
from bot.store.database import Database
from bot.store.pieces import Piece, Player, ensure_player, players_of
from bot.store.sessions import Ply

TABLE: Final = past.TABLE
ROLLS_LOOKED_AT: Final = 20
MAX_REFUSED: Final = 1000
"""Maximum people whose refused dice are cached."""
NAME: Final = attrgetter("piece.name")
"""Names the piece of a change."""

Change = Callable[[Mapping[str, Any]], Mapping[str, Any | None]]
RolledChange = Callable[[Mapping[str, Any], Rng], BoardChange]
Prepare = Callable[[AsyncConnection, Mapping[str, Any]], Awaitable[RolledChange]]
"""Reads, in a step's transaction, what its change needs besides the pieces; its errors refuse the step."""


def refuse_chance(sides: int) -> int:
    raise AssertionError(f"a die of {sides} sides fell in a step that said it rolls none; use `roll_step`")


@dataclass(frozen=True, slots=True)
class UndoneStep:
    """An undone event: its words, its person, and the roll now and before; None for a step."""

    what: Shown
    person_id: int
    roll: Played | None
    was: Played | None = None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A history entry: person, time, game, and either a step's sentence or the roll after the ply. ``game`` is
    ``table`` for a step. ``offer``: the offer taken, or ``undo`` or ``close`` for an undo. ``roll``: None for an
    outdated schema.
    """

    at: int
    person_id: int
    game: str
    offer: str
    what: Shown
    roll: Played | None
    message_id: int | None
    is_undone: bool
    by: Name = UNNAMED


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table's state at one moment. ``pieces`` are by game and name, ``players`` by number; ``rolls``: those still
    open, newest first. ``last``: the latest event; ``mark``: a sealed table's chain end.
    """

    pieces: Mapping[str, Mapping[str, Any]]
    players: Mapping[int, Player]
    rolls: tuple[Played, ...]
    last: HistoryEntry | None
    mark: ChainMark | None


class Tables:
    """All tables of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(
        self, database: Database, tell: Tell = ignore_event, seals: Seals | None = None, rng: Rng = REAL
    ) -> None:
        self._database, self._rng = database, rng
        self._refused: BoundedDict[tuple[int, int], list[Draw]] = BoundedDict(MAX_REFUSED)
        """Dice of refused steps, by channel and person: they were seen and come next."""
        self._seals = seals or Seals(database)
        self._tell = tell
        self._rolls = codec.RollCache()

    async def pieces(self, place: Place, game: str) -> dict[str, Any]:
        """Return a game's pieces in a channel by name, sorted by name."""
        return pieces.bodies(await self._database.run(pieces.load, place.channel_id, game))

    async def snapshot(self, place: Place) -> TableSnapshot:
        channel_id = place.channel_id

        async def read(connection: AsyncConnection) -> TableSnapshot:
            held = await pieces.load(connection, channel_id)
            recent = await self._recent_entries(connection, place, None, None, 1)
            return TableSnapshot(
                pieces.by_game(held),
                await players_of(connection, channel_id),
                await self._waiting_rolls(connection, channel_id, and_last=True),
                recent[0] if recent else None,
                codec.read_mark(await seal_rows.open_in(connection, channel_id)),
            )

        return await self._database.run(read)

    async def player(self, place: Place, person: Person) -> Player:
        """Return a person as a player of a channel, added if new."""
        return await self._database.run(ensure_player, place.channel_id, place.guild_id, person.id, person.name)

    async def players(self, place: Place) -> dict[int, Player]:
        return await self._database.run(players_of, place.channel_id)

    async def step(
        self,
        request: Request,
        game: str,
        what: Shown,
        change: Change,
        *,
        of: Iterable[str] | None = None,
        by_player: bool = False,
        offer: str = STEP,
    ) -> PiecesChanged:
        """Apply one step to a game's pieces, which undo reverts as a whole; ``what``: its history sentence.

        ``change`` gets all pieces by name and returns the changed ones, None for a removed one. Its errors leave
        everything unchanged. A step without changes is not stored. It runs in the transaction, in the database thread:
        it must only compute.

        Only a piece's owner or a GM may change it: raises ``NotYourPieceError``. ``of``: the pieces that the step is
        about (default: all it changes); changes on others are consequences. ``by_player``: it is about the whole table,
        so anybody with pieces here may take it. ``offer``: its kind in the history.
        """

        def changed(now: Mapping[str, Any], _: Rng) -> BoardChange:
            return BoardChange(change(now), what)

        return await self.roll_step(request, game, changed, of=of, by_player=by_player, rolls=False, offer=offer)

    async def give(
        self, request: Request, game: str, to: Person, change: Callable[[Mapping[str, Any], int], BoardChange]
    ) -> PiecesChanged:
        """Give pieces to a person: ``change`` gets their player number, new if needed. Raises ``NotYourPieceError`` for
        those who may not give them away: see ``openings.sheets_given_away``.
        """

        async def prepare(connection: AsyncConnection, _: Mapping[str, Any]) -> RolledChange:
            place = request.place
            player = await ensure_player(connection, place.channel_id, place.guild_id, to.id, to.name)
            return lambda now, _: change(now, player.id)

        return await self.prepared_step(request, game, prepare, of=None, rolls=False)

    async def roll_step(
        self,
        request: Request,
        game: str,
        change: RolledChange,
        *,
        of: Iterable[str] | None = None,
        by_player: bool = False,
        rolls: bool = True,
        offer: str = STEP,
    ) -> PiecesChanged:
        """Apply a step that rolls dice or draws cards, like ``step``: ``change`` gets this step's chance, and returns
        the sentence too. Dice are stored even if nothing changes. At a sealed table they follow the protocol. A
        person's undone dice come again for them. Raises ``PlayerError`` if the ruling requires a seal.
        """

        async def prepare(_: AsyncConnection, __: Mapping[str, Any]) -> RolledChange:
            return change

        return await self.prepared_step(request, game, prepare, of=of, by_player=by_player, rolls=rolls, offer=offer)

    async def prepared_step(
        self,
        request: Request,
        game: str,
        prepare: Prepare,
        *,
        of: Iterable[str] | None,
        by_player: bool = False,
        rolls: bool = True,
        offer: str = STEP,
        opens: Collection[PlanOpening] = (),
    ) -> PiecesChanged:
        """Apply a step like ``roll_step``; ``prepare`` reads in the transaction what the change needs, and makes it.
        Without ``rolls``, no dice are rolled. ``opens``: the secrets that the step opens, filled in by ``prepare``.
        """
        channel_id = request.place.channel_id

        async def make(connection: AsyncConnection) -> PiecesChanged:
            session, number, open_seal = await self._table(connection, request)
            held = await pieces.load(connection, channel_id, game)
            before = pieces.bodies(held)
            known = await players_of(connection, channel_id)
            if by_player:
                pieces.check_player(before.values(), known, request)
            mine = named_bodies(before, of or ())
            pieces.check_owner(mine, known, request)  # before any other refusal
            change = await prepare(connection, before)
            sealed = await self._seals.open_table(connection, open_seal)
            rng = recorder(refuse_chance)
            dice_of = request.by.id
            if rolls:
                dice_of = next((player.person_id for body in mine if (player := pieces.owner(body, known))), dice_of)
                rng = await self._chance(connection, request) if sealed is None else sealed.recorder(dice_of)
            try:
                done = change(before, rng)
                if rng.draws:
                    check_sealed(request.ruling, is_sealed=sealed is not None)
                sheets = sheets_given_away(before, done.changes, known, request)
                changes = pieces.changes(game, held, done.changes)
                about = [*map(NAME, changes)] if of is None else of
                pieces.check_owner(named_bodies(before, about), known, request)
                pieces.check_count(held, changes)
                check_due(game, before, bodies_after(before, changes), about, known, request)
                changes += pieces.changes(game, held, sheets)
            except PlayerError:
                if sealed is None:  # a sealed table repeats its dice anyway
                    self._keep_refused(request, rng.draws)
                raise
            recorded = await pieces.keep(connection, channel_id, changes)
            sentence: Shown = EMPTY
            if changes or rng.draws or opens:
                sentence = done.sentence
                made_ply = step_ply(request, session, number, offer, sentence, changes=recorded, draws=rng.draws)
                await self._keep_step(connection, made_ply, sealed, sentence, changes, rng.draws, dice_of)
                await opening_rows.store_openings(connection, made_ply, [*map(attrgetter("as_row"), opens)])
            await keep_unused(connection, rng)
            return PiecesChanged(before, bodies_after(before, changes), tuple(map(NAME, changes)), sentence)

        stepped = await self._database.run(make)
        await self._tell(StateStored(request, game, stepped))
        return stepped

    async def _chance(self, connection: AsyncConnection, request: Request) -> Recorder:
        """Chance for one person's step: dice they saw in undone or refused steps come again."""
        waiting = self._refused.get((request.place.channel_id, request.by.id), [])

        def rng(sides: int) -> int:
            fallen = next((draw for draw in waiting if draw.sides == sides), None)
            if fallen is None:
                return self._rng(sides)
            waiting.remove(fallen)
            return fallen.drawn

        return await chance(connection, request, rng)

    def _keep_refused(self, request: Request, draws: Iterable[Draw]) -> None:
        """Remember a refused step's dice as that person's next ones, for a limited number of people."""
        key, fallen = (request.place.channel_id, request.by.id), [draw for draw in draws if not draw.is_replayed]
        if fallen:
            self._refused[key] = [*fallen, *self._refused.get(key, [])]

    async def clear(self, request: Request) -> tuple[Name, ...]:
        """Remove every piece of a channel in one step; return their names."""
        async with self._database.transaction() as connection:
            session, number, open_seal = await self._table(connection, request)
            held = await pieces.load(connection, request.place.channel_id)
            if not held:
                raise PlayerError("There's nothing to clear on this channel's table.")
            gone = [codec.PieceChange(piece, None) for piece in held]
            recorded = await pieces.keep(connection, request.place.channel_id, gone)
            what = Text("clears the table: {named}", named=Sentences(piece_names(held), ", "))
            sealed = await self._seals.open_table(connection, open_seal)
            ply = step_ply(request, session, number, CLEAR, what, changes=recorded)
            await self._keep_step(connection, ply, sealed, what, gone)
        await self._tell(StateStored(request))
        return piece_names(held)

    async def _keep_step(
        self,
        connection: AsyncConnection,
        ply: Ply,
        sealed: SealedTable | None,
        what: Shown,
        changes: Iterable[codec.PieceChange],
        draws: Iterable[Draw] = (),
        dice_of: int | None = None,
    ) -> None:
        """Store a table step; at a sealed table also in the chain, with the pieces in public form."""
        await rows.add_ply(connection, ply)
        if sealed is not None:
            choice = {"what": what, "pieces": pieces.public_bodies(changes)}
            await self._seals.keep(connection, sealed, ply, roll=THE_TABLE, choice=choice, of=dice_of, draws=draws)

    async def undo(self, request: Request, only: Address | None = None) -> UndoneStep | UndoRequest:
        """Undo the last event in a channel, or ask for consent.

        ``only``: a card's position; raises ``PlayerError`` if something has happened since, there or elsewhere.

        Players undo their own press if no die was rolled; a neutral GM undoes everything; someone alone in a channel
        needs no consent. Everything else is asked: see ``answer``. Raises ``PlayerError`` if there is nothing, or it
        was refused just now; ``NotYourPlyError`` for non-participants.
        """
        result = await self._database.run(self._take_or_ask, request, only)
        await self._tell(StateStored(request))
        return result

    async def _take_or_ask(
        self, connection: AsyncConnection, request: Request, only: Address | None
    ) -> UndoneStep | UndoRequest:
        by = request.by.id
        await check_new(connection, request)
        done, now = await self._last_ply(connection, request.place)
        if only is not None and (now.session_id, now.number) != (only.session, only.ply):
            raise PlayerError(
                "That wasn't the last thing that happened here, so this card can't take it back. To take "
                "back the last thing, use `/table undo`."
            )
        last = await self._with_seats(connection, done, now)
        if not (request.is_gm or last.is_involved(by)):
            raise NotYourPlyError(name_of_maker(last.ply, now))
        sealed = await self._seals.at_undo(connection, last.ply)
        agree = await self._must_agree(connection, request, last, sealed, asker=by)
        is_free = last.is_free(by, is_gm=request.is_gm) if agree is None else not agree
        if request.place.is_alone or is_free:
            return await self._undo(connection, request, last, sealed)
        people = last.people_to_ask(by) if agree is None else agree
        return await self._ask(connection, request, last, people, by_gm=agree is None)

    async def _with_seats(self, connection: AsyncConnection, done: past.HistoryRow, now: rows.Newest) -> LastPly:
        """Return a ply with what its undo needs. Raises ``PlayerError`` if the ply before it was deleted."""
        ply, before = done.ply, None
        if done.game != TABLE and ply.number:
            before = await past.ply_at(connection, ply.session_id, ply.number - 1)
            if before is None:
                raise PlayerError("The state before that press is no longer stored. Continue from the newest card.")
        if done.game != TABLE:
            return LastPly(done, now, before, [seat.person_id for seat in now.seats.values()])
        before_it = [change.before for change in codec.read_changes(ply.changes) if change.before is not None]
        owners = await pieces.list_owners(connection, ply.channel_id, before_it)
        return LastPly(done, now, None, [owner.person_id for owner in owners])

    async def _must_agree(
        self, connection: AsyncConnection, request: Request, last: LastPly, sealed: SealedTable | None, *, asker: int
    ) -> tuple[int, ...] | None:
        """Return people of whom one must agree to undo seen secrets or sealed dice; None if none must."""
        if opened := await opening_rows.opened_by_ply(connection, last.done.id):
            known = await players_of(connection, request.place.channel_id)
            side = {known[number].person_id for number in opened if number in known}
            return who_agree(asker, side, set(last.seated) - side if asker in side else {asker})
        if sealed is None or last.is_quiet:
            return None
        side = {last.ply.person_id, sealed.owner_of_dice(last.ply.session_id, last.ply.number)}
        others = set(last.seated) - side or await self._seals.players(connection, request.place) - side
        return who_agree(asker, side, others)

    async def _ask(
        self, connection: AsyncConnection, request: Request, last: LastPly, people: tuple[int, ...], *, by_gm: bool
    ) -> UndoRequest:
        """Return a request to undo a ply; the open one, if any."""
        what, known = last.words, await past.request_for(connection, last.done, request.by.id)
        if known is not None:
            session, number, is_refused = known
            if is_refused:
                raise PlayerError(REFUSED[by_gm])
            return UndoRequest(Address(session, number, past.ASK), what, people, by_gm, is_repeated=True)
        session, number, _ = await self._table(connection, request)
        sentence = Text("asks to take back: {what}", what=what)
        await rows.add_ply(connection, step_ply(request, session, number, past.ASK, sentence, about=last.done.id))
        return UndoRequest(Address(session, number, past.ASK), what, people, by_gm)

    async def answer(self, request: Request, asked: Address, *, allow: bool) -> UndoneStep | None:
        """Allow or refuse a request (None). Raises ``PlayerError`` for others, ``RequestExpiredError`` if closed."""
        undone = await self._database.run(self._allow_or_refuse, request, asked, allow=allow)
        await self._tell(StateStored(request))
        return undone

    async def _allow_or_refuse(
        self, connection: AsyncConnection, request: Request, asked: Address, *, allow: bool
    ) -> UndoneStep | None:
        session, number, _ = await self._table(connection, request)
        ask = await past.request_at(connection, asked.session, asked.ply)
        done = await past.ply_with(connection, ask.ply.about or 0) if ask and asked.session == session else None
        now = await rows.lock_newest(connection, done.ply.session_id) if done else None
        newest = await past.last_ply_of_session(connection, done.ply.session_id) if done else None
        if ask is None or done is None or now is None or newest is None or newest.id != done.id:
            raise RequestExpiredError
        asker = Person(ask.ply.person_id, Name(codec.read_step(ask.ply.choice).by))
        last = await self._with_seats(connection, done, now)
        sealed = await self._seals.at_undo(connection, last.ply)
        agree = await self._must_agree(connection, request, last, sealed, asker=asker.id)
        people = last.people_to_ask(asker.id) if agree is None else agree
        if not may_answer(request.by, asker.id, people, is_gm=request.is_gm and agree is None):
            raise PlayerError(NOT_YOUR_ANSWER[agree is None])
        offer = past.ALLOW if allow else past.REFUSE
        sentence = Text("agrees to take it back") if allow else Text("refuses to take it back")
        await rows.add_ply(connection, step_ply(request, session, number, offer, sentence, about=ask.id))
        if not allow:
            return None
        if done.ply.session_id == session:  # a table step: the answer is now the newest ply there
            last = replace(last, now=replace(now, number=number))
        theirs = replace(request, by=asker if asker.id else request.by, interaction_id=None)
        return await self._undo(connection, theirs, last, sealed, allowed_by=request.by)

    async def _undo(
        self,
        connection: AsyncConnection,
        request: Request,
        last: LastPly,
        sealed: SealedTable | None,
        allowed_by: Person | None = None,
    ) -> UndoneStep:
        """Undo a ply, at its sealed table if any."""
        ply, author = last.ply, last.ply.person_id
        result = await self._take_back(connection, request, last, is_sealed=sealed is not None)
        if sealed is not None:
            roll_number, at = sealed.place_of(ply.session_id, ply.number)
            consent = {} if allowed_by is None else {"allowed_by": str(allowed_by.id)}
            in_chain = replace(result, offer=UNDO)  # even if it closes the roll
            await self._seals.keep(connection, sealed, in_chain, roll=roll_number, choice=consent, undoes=at)
        after = await rows.lock_newest(connection, ply.session_id) if last.done.game != TABLE else None
        if after is None:
            return UndoneStep(last.words, author, None)
        roll, was = (if_readable(partial(codec.read_newest, item)) for item in (after, last.now))
        return UndoneStep(last.words, author, roll, was)

    async def seat(self, request: Request, session: int, side: Side, person: Person | None) -> Played:
        """Give a side to a checked person, or free it. Raises ``UnknownRollError``, ``PlayerError`` if finished."""
        async with self._database.transaction() as connection:
            now = await rows.lock_newest(connection, session)
            await check_new(connection, request)
            if now is None or now.channel_id != request.place.channel_id or now.game == TABLE:
                raise UnknownRollError
            roll = codec.read_newest(now)
            if not roll.is_waiting:
                raise PlayerError("That roll is over, so it needs no players. Start a new one with a command.")
            check_table(roll.mark.seal_id if roll.mark else None, roll.open_seal)
            sentence = (
                Text("frees the {side}'s seat", side=side)
                if person is None  # the sentence names nobody; the seat does
                else Text("gives the {side}'s seat to someone else", side=side)
            )
            ply = step_ply(request, session, now.number + 1, SEAT, sentence, schema=now.schema, state=now.state)
            await rows.add_ply(connection, ply)
            if roll.open_seal is not None:
                sealed = await self._seals.follow(connection, roll.open_seal)
                given = {"side": side.value, "to": str(person.id) if person else None}
                await self._seals.keep(connection, sealed, ply, roll=sealed.roll_of(session), choice=given)
            person_id, name = (person.id, person.name) if person else (None, "")
            await rows.add_seat(connection, session, side.value, person_id, name, roll.ply + 1)
            after = await rows.lock_newest(connection, session)
        await self._tell(StateStored(request))
        return codec.read_newest(after or now)

    async def _last_ply(self, connection: AsyncConnection, place: Place) -> tuple[past.HistoryRow, rows.Newest]:
        """Return the last undoable ply, and its session, locked."""
        last = await past.last_ply(connection, place.channel_id)
        while last is not None:
            now = await rows.lock_newest(connection, last.ply.session_id)
            row, last = last, await past.last_ply(connection, place.channel_id)  # while PostgreSQL waited for the lock
            if now is not None and row == last:
                return row, now
        raise PlayerError("There's nothing to take back in this channel.")

    async def _take_back(self, connection: AsyncConnection, request: Request, last: LastPly, *, is_sealed: bool) -> Ply:
        """Return the ply that undoes another; seen draws wait, at a sealed table as the protocol stores them."""
        ply, is_roll = last.ply, last.done.game != TABLE
        opens = is_roll and ply.number == 0
        if not is_sealed and codec.read_draws(ply.draws):
            await rows.add_redraws(connection, rows.Redraws(last.done.id, ply.session_id, ply.channel_id, ply.draws))
        if is_roll and not opens:
            await rows.free_seats(connection, ply.session_id, ply.number)
        what, stands = sentence_of(ply), last.before or ply
        result = step_ply(
            request,
            ply.session_id,
            last.now.number + 1,
            rows.CLOSE if opens else UNDO,
            Text("takes back: {what}", what=what) if what else what,
            schema=stands.schema,
            state=stands.state,
            changes=await pieces.take_back(connection, ply.channel_id, ply.changes),
            undoes=last.done.id,
        )
        await rows.add_ply(connection, result)
        return result

    async def history(
        self, place: Place, person: int | None = None, game: str | None = None, most: int = 10
    ) -> tuple[HistoryEntry, ...]:
        """Return a channel's latest events, newest first, of one person or game only."""
        return await self._database.run(self._recent_entries, place, person, game, most)

    async def _recent_entries(
        self, connection: AsyncConnection, place: Place, person: int | None, game: str | None, most: int
    ) -> tuple[HistoryEntry, ...]:
        result = await past.recent_plies(connection, place.channel_id, person, game, most)
        seats = await past.seats(connection, result)
        return tuple(entry(row, seats.get(row.ply.session_id, {})) for row in result)

    async def rolls(self, place: Place) -> tuple[Played, ...]:
        """Return a channel's newest open rolls, newest first."""
        return await self._database.run(self._waiting_rolls, place.channel_id)

    async def rolls_shown(self, place: Place, most: int) -> tuple[Played, ...]:
        """Return a channel's newest public rolls, finished or not, newest first."""
        read = await self._database.run(self._newest, place.channel_id, most)
        return tuple(roll for roll in read if roll is not None)

    async def _newest(self, connection: AsyncConnection, channel_id: int, most: int) -> list[Played | None]:
        """Return a channel's newest open rolls, newest first; None for each that can't be parsed."""
        rolls = await past.rolls(connection, channel_id, most)
        return [if_readable(partial(self._rolls.read, item)) for item in rolls]

    async def _waiting_rolls(
        self, connection: AsyncConnection, channel_id: int, *, and_last: bool = False
    ) -> tuple[Played, ...]:
        """Return a channel's newest rolls that wait for a choice, newest first, and perhaps its last roll."""
        read = await self._newest(connection, channel_id, ROLLS_LOOKED_AT)
        return tuple(
            roll for at, roll in enumerate(read) if roll is not None and (roll.is_waiting or (and_last and at == 0))
        )

    async def _table(self, connection: AsyncConnection, request: Request) -> tuple[int, int, ChainMark | None]:
        """Return a channel's table session (made with the first step), its next ply, and the open chain's end."""
        place = request.place
        result = await past.table(connection, place.channel_id)
        await check_new(connection, request)
        while result is None:  # first steps may be simultaneous
            at, by = int(time.time()), request.by.id
            await past.begin_table(connection, place.guild_id, place.channel_id, opened_by=by, at=at)
            result = await past.table(connection, place.channel_id)
        return result[0], result[1] + 1, codec.read_mark(result[2])


async def check_new(connection: AsyncConnection, request: Request) -> None:
    """Raise ``DuplicateInteractionError`` for an interaction that has counted already."""
    number = request.interaction_id
    if number is not None and await rows.session_of(connection, number) is not None:
        raise rows.DuplicateInteractionError


async def chance(connection: AsyncConnection, request: Request, rng: Rng) -> Recorder:
    """Chance for one person's ply: their undone dice in this channel come again."""
    seen = await rows.take_redraws(connection, request.place.channel_id, request.by.id)
    return recorder(rng, [draw for redraws in seen for draw in codec.read_draws(redraws.draws)], next(iter(seen), None))


async def keep_unused(connection: AsyncConnection, rng: Recorder) -> None:
    """Store seen draws that a ply did not use, for the next one."""
    if rng.waited is not None and rng.unused_redraws:
        await rows.add_redraws(connection, replace(rng.waited, draws=codec.write_draws(rng.unused_redraws)))


def named_bodies(bodies: Mapping[str, Any], names: Iterable[str]) -> list[Any]:
    keys = {key(name) for name in names}
    return [body for name, body in bodies.items() if key(name) in keys]


def bodies_after(before: Mapping[str, Any], changes: Collection[codec.PieceChange]) -> dict[str, Any]:
    gone = {change.before.name for change in changes if change.before}
    kept = {name: item for name, item in before.items() if name not in gone}
    return kept | {change.after.name: pieces.body(change.after) for change in changes if change.after}


def piece_names(held: Iterable[Piece]) -> tuple[Name, ...]:
    """Return the pieces' names; bodies without one, such as a game's round, are skipped."""
    bodies = ((piece.name, if_readable(partial(pieces.body, piece))) for piece in held)
    return tuple(Name(name) for name, body in bodies if getattr(body, "name", ""))


def entry(row: past.HistoryRow, seats: Mapping[str, rows.Seat]) -> HistoryEntry:
    ply = row.ply
    roll = None if row.game == TABLE else if_readable(lambda: codec.read_ply(row.game, ply, seats))
    by = codec.read_step(ply.choice).by
    return HistoryEntry(
        ply.at, ply.person_id, row.game, ply.offer, sentence_of(ply), roll, row.message_id, row.is_undone, Name(by)
    )


def if_readable(read: Callable[[], Played]) -> Played | None:
    """Return the roll; None for an unknown game or an outdated schema."""
    try:
        return read()
    except PlayerError:
        return None

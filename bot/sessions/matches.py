"""Luck over a match (the sum of the finished rolls' exact distributions), and the match ply by ply.

A match is everything played in a channel since its table was last cleared, the last rematch, or twelve hours without a
press. Only a roll's result counts, not the path to it; rolls with typed dice never count.

A match's public record feeds a page and a file. Its first pieces are found by undoing every recorded change.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

from bot.games import GAMES, Game
from bot.odds import size_limit
from bot.odds.luck import MatchLuck, RollResult, UncountableLuckError, match_luck
from bot.rules.errors import PlayerError
from bot.rules.plans import Commitment
from bot.rules.text import Noun, Shown, Text
from bot.sessions import codec, pieces
from bot.sessions.live_tables import PublicTable, TableEvent
from bot.sessions.openings import PublicSheet, sheet_of
from bot.sessions.personal_data import draw_seen
from bot.sessions.request import Person, Place
from bot.sessions.roll import Played
from bot.sessions.tables import TABLE, if_readable
from bot.store import history as past
from bot.store.database import Database
from bot.store.openings import openings_of as openings_of
from bot.store.people import FORGOTTEN
from bot.store.pieces import Piece, Player, players_of
from bot.store.sessions import CLOSE, Newest

PAUSE: Final = 12 * 60 * 60
"""Seconds without a press that end a match."""
MAX_ROLLS: Final = 300
"""Maximum rolls counted, the newest ones."""
ROLLS_AT_ONCE: Final = 4
"""Within ``size_limit.refuse_large_questions``: each may need its own distribution."""


@dataclass(frozen=True, slots=True)
class PersonLuck:
    """One person's luck in one game and unit, in ``parts`` of it; ``is_loss``: fewer is luckier."""

    person: Person
    game: Game
    unit: Noun
    parts: int
    is_loss: bool
    luck: MatchLuck


@dataclass(frozen=True, slots=True)
class MatchStatus:
    """The state of a channel's last match in one game. ``first``: number of its first press, 0 for none; identifies the
    match. ``players``: current and former owners of its pieces, by number. ``table``: the current pieces by name;
    ``lost``: the lost ones in their last state.
    """

    game: Game
    first: int
    players: Mapping[int, Player]
    table: Mapping[str, Any]
    lost: Mapping[str, Any]

    @property
    def winner(self) -> int | None:
        """Return the winner's number, 0 if nobody has anything left; None during the match."""
        ending = self.game.table.ending
        if ending is None or len(self.players) < 2:
            return None
        decided = ending.decided(self.table)
        if decided is not None or not self.lost:
            return decided
        left = ending.players(self.table)
        return next(iter(left), 0) if len(left) < 2 else None

    def lost_by(self, number: int) -> list[str]:
        return [name for name, item in self.lost.items() if getattr(item, "owner", 0) == number]


class Matches:
    """The matches of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.turn = asyncio.Lock()
        """Held while a match's files are made, which keeps a core busy for seconds."""

    async def of_channel(self, place: Place) -> tuple[Played, ...]:
        """The rolls of the last match in a channel, oldest first."""
        async with self._database.transaction() as connection:
            first = first_press(await past.presses(connection, place.channel_id))
            if first is None:
                return ()
            result = await past.rolls_since(connection, place.channel_id, first, MAX_ROLLS)
        return readable_rolls(result)

    async def status(self, place: Place, game: Game) -> MatchStatus:
        """Return the state of a game's last match in a channel, with each player's losses."""
        async with self._database.transaction() as connection:
            first = first_press(await past.presses(connection, place.channel_id)) or 0
            changes = await past.changes_since(connection, place.channel_id, first)
            held = await pieces.load(connection, place.channel_id, game.key)
            known = await players_of(connection, place.channel_id)
        return await asyncio.to_thread(status_of, game, first, changes, pieces.bodies(held), known)

    async def of_person(self, person: int) -> tuple[Played, ...]:
        """Return the newest rolls in which a person sat, in any channel, oldest first."""
        result = await self._database.run(past.rolls_of, person, MAX_ROLLS)
        return readable_rolls(result)

    async def replay(self, place: Place, first: int) -> "Replay":
        """Return the match of a channel that began with ply id ``first``. Raises ``PlayerError`` if impossible."""
        async with self._database.transaction() as connection:
            held = await pieces.load(connection, place.channel_id)
            known = await players_of(connection, place.channel_id)
            rows = await past.plies_since(connection, place.channel_id, first, MAX_PLIES + 1)
            seats = await past.seats(connection, rows)
            roots = {root for row in rows for root in ROOT.findall(row.ply.changes)}
            opened = await openings_of(connection, place.channel_id, roots)
        if not rows or rows[0].id != first:
            raise PlayerError(GONE)
        if len(rows) > MAX_PLIES:
            raise PlayerError(TOO_LONG)
        return await asyncio.to_thread(replay_of, held, known, rows, seats, opened)


def readable_rolls(result: Iterable[Newest]) -> tuple[Played, ...]:
    """Return the rolls that can still be parsed and were not undone."""
    read = [if_readable(partial(codec.read_newest, row)) for row in result]
    return tuple(roll for roll in read if roll is not None and not roll.is_closed)


def first_press(presses: Sequence[Any]) -> int | None:
    """Return the first press of the last match; ``presses`` are newest first."""
    first, later = None, None
    for press in presses:
        is_boundary = press.offer in codec.BOUNDARIES and not press.is_undone
        if is_boundary or (later is not None and later - press.at > PAUSE):
            break
        first, later = press.id, press.at
    return first


def status_of(
    game: Game, first: int, changes: Iterable[str], table: Mapping[str, Any], known: Mapping[int, Player]
) -> MatchStatus:
    """Return a match's state; its changes say what the missing pieces were."""
    seen, owners = dict[str, Any](), {getattr(item, "owner", 0) for item in table.values()}
    for recorded in changes:
        for change in codec.read_changes(recorded):
            body = body_of(game, change.after or change.before)
            owners.add(getattr(body, "owner", 0))
            seen[change.piece.name] = body
    names = game.table.ending.lost(table) if game.table.ending is not None else ()
    lost = {name: seen[name] for name in names if seen.get(name) is not None}
    return MatchStatus(
        game, first, {number: known[number] for number in sorted(owners) if number in known}, table, lost
    )


def body_of(game: Game, piece: Piece | None) -> Any | None:
    """Parse a piece of a game; None if missing, of another game, or of an outdated schema."""
    if piece is None or piece.game != game.key:
        return None
    try:
        return pieces.body(piece)
    except codec.OutdatedStateError:
        return None


@dataclass(frozen=True, slots=True)
class CountedRoll:
    roll: Played
    result: RollResult
    person: Person

    @property
    def chance_as_good(self) -> Fraction:
        value, is_loss = self.result.value, self.result.is_loss
        return self.result.distribution.probability(lambda other: other <= value if is_loss else other >= value)


@dataclass(frozen=True, slots=True)
class LuckOfMatch:
    """Each person's luck, the luckiest roll, and the number of rolls too large to count."""

    people: tuple[PersonLuck, ...]
    luckiest: CountedRoll | None
    left_out: int


def luck_of_match(rolls: Sequence[Played], only: int | None = None) -> LuckOfMatch:
    """Return the luck of a match, or of one person. Raises ``QuestionTooLargeError`` while those are refused."""
    size_limit.check(len(rolls), ROLLS_AT_ONCE)
    left_out = sum(results_of(roll) is None for roll in rolls)
    return LuckOfMatch(luck_of_rolls(rolls, only), luckiest(rolls), left_out)


def counted_rolls(rolls: Iterable[Played]) -> Iterator[CountedRoll]:
    for roll in rolls:
        for result in results_of(roll) or ():
            person = roll.named.get(result.player) or roll.seats.get(result.side)
            if person is not None and person.id != FORGOTTEN:
                yield CountedRoll(roll, result, person)


def results_of(roll: Played) -> tuple[RollResult, ...] | None:
    try:
        return roll.game.results_of(roll.state)
    except UncountableLuckError:
        return None


def luckiest(rolls: Iterable[Played]) -> CountedRoll | None:
    """Return the roll with the least likely result; None if no roll was better than most."""
    best = min(counted_rolls(rolls), key=lambda counted: counted.chance_as_good, default=None)
    return best if best is not None and best.chance_as_good < Fraction(1, 2) else None


def luck_of_rolls(rolls: Iterable[Played], only: int | None = None) -> tuple[PersonLuck, ...]:
    """Return each person's luck by game and unit, or one person's."""
    result: dict[tuple[int, str, Noun], list[CountedRoll]] = {}
    for counted in counted_rolls(rolls):
        if only in (None, counted.person.id):
            result.setdefault((counted.person.id, counted.roll.game.key, counted.result.unit), []).append(counted)
    every = []
    for of_kind in result.values():
        last, luck = of_kind[-1], match_luck([(roll.result.distribution, roll.result.value) for roll in of_kind])
        kind = last.result
        every.append(PersonLuck(last.person, last.roll.game, kind.unit, kind.parts, kind.is_loss, luck))
    return tuple(every)


# Ply by ply

ROOT: Final = re.compile(r'root\\*": ?\\*"([0-9a-f]{64})')
"""Key of the commitment in a change's record or a piece's body."""
MAX_PLIES: Final = 3000
"""Maximum plies examined; a long match has hundreds."""
TOO_LONG: Final = Text("Too much has happened here since that match began to fit it in one file.")
GONE: Final = Text("That match is no longer stored.")
TAKES_BACK: Final = Text("takes back the last press")


@dataclass(frozen=True, slots=True)
class MatchMoment:
    """A ply: time, person, game, choice, and the roll after it.

    ``picked`` and ``filled`` are as in ``Choice``. ``draws`` as everybody saw them (``draw_seen``). ``is_undone``:
    undone later. ``roll`` is None for a step and for an outdated schema.
    """

    at: int
    by: str
    game: str
    offer: str
    choice: Mapping[str, Any]
    what: Shown
    roll: Played | None
    changes: tuple[codec.PieceChange, ...]
    draws: tuple[Sequence[Any], ...]
    is_undone: bool

    @property
    def public_pieces(self) -> dict[str, dict[str, Any]]:
        """The pieces that it changed, in public form, by game and name; None for one that is gone."""
        result: dict[str, dict[str, Any]] = {}
        for change in self.changes:
            held = result.setdefault(change.piece.game, {})
            if change.before is not None and (change.after is None or change.after.name != change.before.name):
                held[change.before.name] = None
            held.update(pieces.public_bodies([change]))
        return {game: held for game, held in result.items() if held}

    def apply(self, table: PublicTable) -> None:
        """Apply it to a table. Raises ``PlayerError`` if the table is in another state."""
        if not table.take_changes(self.changes):
            raise PlayerError(GONE)
        if self.roll is not None:
            table.show_roll(self.roll)
        table.last = TableEvent(self.by, self.what, None if self.what else self.roll)


@dataclass(frozen=True, slots=True)
class Replay:
    """A match: the table at its beginning, and all events.

    ``start`` and ``end``: the public pieces by game and name; ``pieces``: the full ones at the beginning.
    ``standings``: the final state in each game that ends. ``sheets``: private plans, oldest first, as far as opened.
    ``is_past``: another match has begun since.
    """

    pieces: Mapping[str, Mapping[str, Any]]
    players: Mapping[int, Player]
    start: Mapping[str, Mapping[str, Any]]
    end: Mapping[str, Mapping[str, Any]]
    moments: tuple[MatchMoment, ...]
    standings: tuple[MatchStatus, ...] = ()
    sheets: tuple[PublicSheet, ...] = ()
    is_past: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether it has a winner, or another match has begun since."""
        return self.is_past or any(status.winner is not None for status in self.standings)

    def has_winner(self, game: str) -> bool:
        return any(status.winner is not None for status in self.standings if status.game.key == game)

    @property
    def rolls(self) -> tuple[Played, ...]:
        """The rolls at its end, without those taken back."""
        last = {item.roll.session: item.roll for item in self.moments if item.roll is not None}
        return tuple(roll for roll in last.values() if not roll.is_closed)

    def table(self) -> PublicTable:
        return PublicTable({game: dict(held) for game, held in self.pieces.items()}, self.players)


def replay_of(
    held: Sequence[Piece],
    known: Mapping[int, Player],
    rows: Sequence[past.HistoryRow],
    seats: Mapping[int, Mapping[str, Any]],
    opened: Mapping[str, Sequence[Any]],
) -> Replay:
    """Build the current match; ``held`` are the pieces at its end."""
    later = range(1, len(rows))
    ends = (at for at in later if is_boundary(rows[at]) or rows[at].ply.at - rows[at - 1].ply.at > PAUSE)
    match = rows[: next(ends, len(rows))]
    at_last = undo_all(held, rows[len(match) :])
    at_first = undo_all(at_last, match)
    names = {player.person_id: player.name for player in known.values()}
    moments = with_roll_before(moment(row, seats.get(row.ply.session_id, {}), names) for row in match)
    last, changes = pieces.by_game(at_last), [row.ply.changes for row in match]
    standings = [
        status_of(game, rows[0].id, changes, last.get(game.key, {}), known)
        for game in GAMES.values()
        if game.table.ending is not None
    ]
    left = (change.after for row in match for change in codec.read_changes(row.ply.changes))
    result: dict[str, PublicSheet] = {}
    for piece in [*at_first, *filter(None, left)]:
        if ROOT.search(piece.body) is not None and isinstance(body := pieces.body(piece), Commitment):
            result.setdefault(body.root, sheet_of(piece.game, body, opened.get(body.root, ())))
    sheets = tuple(result.values())
    start, end = public_view(at_first), public_view(at_last)
    is_past = len(match) < len(rows)
    return Replay(
        pieces.by_game(at_first), known, start, end, tuple(moments), tuple(standings), sheets, is_past=is_past
    )


def is_boundary(row: past.HistoryRow) -> bool:
    return row.ply.offer in codec.BOUNDARIES and not row.is_undone


def undo_all(held: Iterable[Piece], happened: Sequence[past.HistoryRow]) -> list[Piece]:
    """Undo all of ``happened`` on the pieces after it."""
    now = {(piece.game, piece.key): piece for piece in held}
    for row in reversed(happened):
        for change in reversed(codec.read_changes(row.ply.changes)):
            if change.after is not None:
                now.pop((change.after.game, change.after.key), None)
            if change.before is not None and change.before.game in GAMES:
                now[change.before.game, change.before.key] = change.before
    return list(now.values())


def public_view(held: Iterable[Piece]) -> dict[str, dict[str, Any]]:
    """Return the public form of pieces; games without any are left out."""
    result: dict[str, dict[str, Any]] = {}
    for piece in sorted(held, key=lambda item: (item.game, item.name)):
        shown = pieces.public_bodies([codec.PieceChange(None, piece)])
        if shown:
            result.setdefault(piece.game, {}).update(shown)
    return result


def moment(row: past.HistoryRow, seats: Mapping[str, Any], names: Mapping[int, str]) -> MatchMoment:
    ply, step = row.ply, codec.read_step(row.ply.choice)
    roll = None if row.game == TABLE else if_readable(partial(codec.read_ply, row.game, ply, seats))
    seated = {seat.person_id: seat.name for seat in seats.values() if seat.person_id}
    by = step.by or seated.get(ply.person_id) or names.get(ply.person_id, "")
    what: Shown = codec.sentence_of(ply)
    if not what and ply.offer in (codec.UNDO, CLOSE):
        what = TAKES_BACK
    choice = {
        key: value for key, value in codec.read_plain(ply.choice).items() if key in ("picked", "filled") and value
    }
    return MatchMoment(
        at=ply.at,
        by=by,
        game=row.game,
        offer=ply.offer,
        choice=choice,
        what=what,
        roll=roll,
        changes=tuple(codec.read_changes(ply.changes)),
        draws=tuple(draw_seen(draw) for draw in codec.read_draws(ply.draws)),
        is_undone=row.is_undone,
    )


def with_roll_before(moments: Iterable[MatchMoment]) -> Iterable[MatchMoment]:
    """Add each roll's previous state to the moments, so that new dice are known."""
    states: dict[int, Any] = {}
    for item in moments:
        roll = item.roll
        if roll is None:
            yield item
            continue
        fell = item.offer not in (codec.UNDO, CLOSE)
        yield replace(item, roll=replace(roll, is_new=fell, before=states.get(roll.session)))
        states[roll.session] = roll.state

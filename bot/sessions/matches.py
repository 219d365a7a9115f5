"""How lucky people were over a match: the exact distributions of their finished rolls, added up.

A match is what was played in a channel since its table was last cleared, since the last rematch, or since twelve hours
without a press. Only what a roll came to counts, never the path to it; rolls with dice that somebody typed in never
count.

And a match ply by ply, as everybody may see it: for a page and a file that people keep. The pieces at its beginning
follow from those there are now, by going back through the record of every change since.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

from bot.games import GAMES, Game
from bot.odds import effort
from bot.odds.luck import MatchLuck, RollResult, Uncountable, Unit, match_luck
from bot.rules.errors import PlayerError
from bot.rules.plans import Commitment
from bot.rules.text import Shown, Text
from bot.sessions import codec, pieces
from bot.sessions.openings import Sheet, sheet_of
from bot.sessions.people import draw_seen
from bot.sessions.place import Person, Place
from bot.sessions.roll import Played
from bot.sessions.tables import TABLE, if_readable
from bot.sessions.watching import Happened, Table
from bot.store import history as past
from bot.store.database import Database
from bot.store.openings import Opened
from bot.store.openings import of_roots as openings_of
from bot.store.people import FORGOTTEN
from bot.store.pieces import Piece, Player, players_of
from bot.store.sessions import CLOSE, Newest

PAUSE: Final = 12 * 60 * 60
"""Seconds without a press that end a match."""
ROLLS_MOST: Final = 300
"""So many of the newest rolls are counted."""
ROLLS_AT_ONCE: Final = 4
"""Within ``effort.small_only``: each may need its own distribution."""


@dataclass(frozen=True, slots=True)
class PersonLuck:
    """The luck of one person in one game, in one unit; ``parts`` of the result and the mean make one unit.

    ``is_loss``: the fewer the luckier.
    """

    person: Person
    game: Game
    unit: Unit
    parts: int
    is_loss: bool
    luck: MatchLuck


@dataclass(frozen=True, slots=True)
class Standing:
    """How the last match of a channel stands, in one game.

    ``first`` is the number of its first press, 0 without any: it tells one match from the next. ``players`` are those
    who have or had pieces in it, by number. ``table`` are the pieces by name now, ``lost`` those that were lost, as
    they were last.
    """

    game: Game
    first: int
    players: Mapping[int, Player]
    table: Mapping[str, Any]
    lost: Mapping[str, Any]

    @property
    def winner(self) -> int | None:
        """The number of the player who has won, 0 where nobody has anything left; None while the match goes on."""
        ending = self.game.ending
        if ending is None or len(self.players) < 2:
            return None
        decided = ending.decided(self.table)
        if decided is not None or not self.lost:
            return decided
        left = ending.players(self.table)
        return next(iter(left), 0) if len(left) < 2 else None

    def lost_by(self, number: int) -> list[str]:
        """The names of the pieces that a player lost."""
        return [name for name, one in self.lost.items() if getattr(one, "owner", 0) == number]


class Matches:
    """The matches of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.turn = asyncio.Lock()
        """Whoever makes the files of a match holds it: that takes a core for seconds, of which others play."""

    async def of_channel(self, place: Place) -> tuple[Played, ...]:
        """The rolls of the last match in a channel, oldest first."""
        async with self._database.transaction() as connection:
            first = first_press(await past.presses(connection, place.channel_id))
            if first is None:
                return ()
            found = await past.rolls_since(connection, place.channel_id, first, ROLLS_MOST)
        return readable(found)

    async def standing(self, place: Place, game: Game) -> Standing:
        """How the last match of a game stands in a channel, with who lost what."""
        async with self._database.transaction() as connection:
            first = first_press(await past.presses(connection, place.channel_id)) or 0
            changes = await past.changes_since(connection, place.channel_id, first)
            held = await pieces.load(connection, place.channel_id, game.key)
            known = await players_of(connection, place.channel_id)
        return await asyncio.to_thread(standing_of, game, first, changes, pieces.bodies(held), known)

    async def of_person(self, person: int) -> tuple[Played, ...]:
        """The newest rolls in which somebody sat, wherever that was, oldest first."""
        found = await self._database.run(past.rolls_of, person, ROLLS_MOST)
        return readable(found)

    async def replay(self, place: Place, first: int) -> "Replay":
        """The match of a channel that began with a ply, by its id. Raises ``PlayerError`` where that cannot be."""
        async with self._database.transaction() as connection:
            held = await pieces.load(connection, place.channel_id)
            known = await players_of(connection, place.channel_id)
            found = await past.since(connection, place.channel_id, first, PLIES_MOST + 1)
            seats = await past.seats(connection, found)
            roots = {root for one in found for root in ROOT.findall(one.ply.changes)}
            opened = await openings_of(connection, place.channel_id, roots)
        if not found or found[0].id != first:
            raise PlayerError(GONE)
        if len(found) > PLIES_MOST:
            raise PlayerError(TOO_LONG)
        return await asyncio.to_thread(replay_of, held, known, found, seats, opened)


def readable(found: Iterable[Newest]) -> tuple[Played, ...]:
    """The rolls that can still be read, and were not taken back."""
    read = [if_readable(partial(codec.read_newest, row)) for row in found]
    return tuple(roll for roll in read if roll is not None and not roll.is_closed)


def first_press(presses: Sequence[past.Press]) -> int | None:
    """The first press of the last match; ``presses`` are newest first."""
    first, later = None, None
    for press in presses:
        is_boundary = press.offer in codec.BOUNDARIES and not press.is_undone
        if is_boundary or (later is not None and later - press.at > PAUSE):
            break
        first, later = press.id, press.at
    return first


def standing_of(
    game: Game, first: int, changes: Iterable[str], table: Mapping[str, Any], known: Mapping[int, Player]
) -> Standing:
    """How a match stands; everything that changed on its pieces says what those were that are gone."""
    seen, owners = dict[str, Any](), {getattr(one, "owner", 0) for one in table.values()}
    for recorded in changes:
        for change in codec.read_changes(recorded):
            body = body_of(game, change.after or change.before)
            owners.add(getattr(body, "owner", 0))
            seen[change.piece.name] = body
    names = game.ending.lost(table) if game.ending is not None else ()
    lost = {name: seen[name] for name in names if seen.get(name) is not None}
    return Standing(game, first, {number: known[number] for number in sorted(owners) if number in known}, table, lost)


def body_of(game: Game, piece: Piece | None) -> Any | None:
    """A piece of a game; None where there is none, and for one of another game or a form that is no longer read."""
    if piece is None or piece.game != game.key:
        return None
    try:
        return pieces.body(piece)
    except codec.Outdated:
        return None


@dataclass(frozen=True, slots=True)
class CountedRoll:
    """A finished roll that counts, what it came to, and for whom."""

    roll: Played
    result: RollResult
    person: Person

    @property
    def as_good(self) -> Fraction:
        """The chance that such a roll comes out at least as well."""
        value, is_loss = self.result.value, self.result.is_loss
        return self.result.distribution.probability(lambda other: other <= value if is_loss else other >= value)


@dataclass(frozen=True, slots=True)
class LuckOfMatch:
    """Everybody's luck, the luckiest roll, and how many rolls are too large to be counted."""

    people: tuple[PersonLuck, ...]
    luckiest: CountedRoll | None
    left_out: int


def luck_of_match(rolls: Sequence[Played], only: int | None = None) -> LuckOfMatch:
    """The luck of a match, or of one person; raises ``TooLarge`` within ``small_only``, but for the shortest."""
    effort.check(len(rolls), ROLLS_AT_ONCE)
    left_out = sum(results_of(roll) is None for roll in rolls)
    return LuckOfMatch(luck_of_rolls(rolls, only), luckiest(rolls), left_out)


def counted(rolls: Iterable[Played]) -> Iterator[CountedRoll]:
    """What every roll came to that counts, in their order."""
    for roll in rolls:
        for result in results_of(roll) or ():
            person = roll.named.get(result.player) or roll.seats.get(result.side)
            if person is not None and person.id != FORGOTTEN:
                yield CountedRoll(roll, result, person)


def results_of(roll: Played) -> tuple[RollResult, ...] | None:
    """What a roll came to; None where that is too large to be counted."""
    try:
        return roll.game.results_of(roll.state)
    except Uncountable:
        return None


def luckiest(rolls: Iterable[Played]) -> CountedRoll | None:
    """The roll whose result was the least likely to be reached; None where no roll was better than most."""
    best = min(counted(rolls), key=lambda one: one.as_good, default=None)
    return best if best is not None and best.as_good < Fraction(1, 2) else None


def luck_of_rolls(rolls: Iterable[Played], only: int | None = None) -> tuple[PersonLuck, ...]:
    """Everybody's luck by game and unit, or that of one person."""
    found: dict[tuple[int, str, Unit], list[CountedRoll]] = {}
    for one in counted(rolls):
        if only in (None, one.person.id):
            found.setdefault((one.person.id, one.roll.game.key, one.result.unit), []).append(one)
    return tuple(map(luck_of_kind, found.values()))


def luck_of_kind(rolls: Sequence[CountedRoll]) -> PersonLuck:
    """The luck of rolls of one person, game and unit."""
    last, luck = rolls[-1], match_luck([(one.result.distribution, one.result.value) for one in rolls])
    return PersonLuck(last.person, last.roll.game, last.result.unit, last.result.parts, last.result.is_loss, luck)


# Ply by ply

ROOT: Final = re.compile(r'root\\*": ?\\*"([0-9a-f]{64})')
"""The commitment in the record of a change, or in the body of a piece."""
PLIES_MOST: Final = 3000
"""So many plies are looked at; a long match has some hundreds."""
TOO_LONG: Final = Text("So much has happened here since that match began that I cannot put it into one file.")
GONE: Final = Text("That match is no longer kept.")
TAKES_BACK: Final = Text("takes back the last press")


@dataclass(frozen=True, slots=True)
class Moment:
    """A ply: when, whose name stands for it, the game, what was taken and how, in words for a step, the roll after it.

    ``picked`` and ``filled`` are as in ``Choice``. ``draws`` as everybody saw them (``draw_seen``). ``is_undone``: it
    was taken back later. ``roll`` is None for a step, and for a state that is no longer read.
    """

    at: int
    by: str
    game: str
    offer: str
    choice: Mapping[str, Any]
    what: Shown
    roll: Played | None
    changes: tuple[codec.Change, ...]
    draws: tuple[Sequence[Any], ...]
    is_undone: bool

    @property
    def seen(self) -> dict[str, dict[str, Any]]:
        """The pieces that it changed, as everybody may see them, by game and name; None for one that is gone."""
        found: dict[str, dict[str, Any]] = {}
        for one in self.changes:
            held = found.setdefault(one.piece.game, {})
            if one.before is not None and (one.after is None or one.after.name != one.before.name):
                held[one.before.name] = None
            held.update(pieces.as_seen([one]))
        return {game: held for game, held in found.items() if held}

    def happen(self, table: Table) -> None:
        """Let it happen on a table. Raises ``PlayerError`` where that did not stand so."""
        if not table.take_changes(self.changes):
            raise PlayerError(GONE)
        if self.roll is not None:
            table.show_roll(self.roll)
        table.last = Happened(self.by, self.what, None if self.what else self.roll)


@dataclass(frozen=True, slots=True)
class Replay:
    """A match: how the table stood at its beginning, and everything that happened.

    ``start`` and ``end`` are the pieces as everybody may see them, by game and name; ``pieces`` are those of the
    beginning as they are, for ``table``. ``standings``: how it stood at its end, in each game that ends.
    ``sheets``: what players had planned in private, oldest first, as far as it was opened. ``is_past``: another match
    has begun since.
    """

    pieces: Mapping[str, Mapping[str, Any]]
    players: Mapping[int, Player]
    start: Mapping[str, Mapping[str, Any]]
    end: Mapping[str, Mapping[str, Any]]
    moments: tuple[Moment, ...]
    standings: tuple[Standing, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    is_past: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether somebody has won it, or another match has begun since."""
        return self.is_past or any(one.winner is not None for one in self.standings)

    def has_winner(self, game: str) -> bool:
        """Whether somebody has won it in a game."""
        return any(one.winner is not None for one in self.standings if one.game.key == game)

    @property
    def rolls(self) -> tuple[Played, ...]:
        """Its rolls as they stood at its end, but for those that were taken back."""
        last = {one.roll.session: one.roll for one in self.moments if one.roll is not None}
        return tuple(roll for roll in last.values() if not roll.is_closed)

    def table(self) -> Table:
        """The table at the beginning, on which the moments may happen."""
        return Table({game: dict(held) for game, held in self.pieces.items()}, self.players)


def replay_of(
    held: Sequence[Piece],
    known: Mapping[int, Player],
    found: Sequence[past.Happened],
    seats: Mapping[int, Mapping[str, Any]],
    opened: Mapping[str, Sequence[Opened]],
) -> Replay:
    """The match that begins with what was found first; ``held`` are the pieces after all of it."""
    match = found[: length(found)]
    at_last = taken_back(held, found[len(match) :])
    at_first = taken_back(at_last, match)
    names = {one.person_id: one.name for one in known.values()}
    moments = in_order(moment(one, seats.get(one.ply.session_id, {}), names) for one in match)
    last, changes = pieces.by_game(at_last), [one.ply.changes for one in match]
    standings = [
        standing_of(game, found[0].id, changes, last.get(game.key, {}), known)
        for game in GAMES.values()
        if game.ending is not None
    ]
    left = (change.after for one in match for change in codec.read_changes(one.ply.changes))
    sheets = sheets_in([*at_first, *filter(None, left)], opened)
    start, end = seen(at_first), seen(at_last)
    is_past = len(match) < len(found)
    return Replay(
        pieces.by_game(at_first), known, start, end, tuple(moments), tuple(standings), sheets, is_past=is_past
    )


def sheets_in(held: Iterable[Piece], opened: Mapping[str, Sequence[Opened]]) -> tuple[Sheet, ...]:
    """Every commitment that lay on the table, with what everybody was shown of it."""
    found: dict[str, Sheet] = {}
    for one in held:
        if ROOT.search(one.body) is not None and isinstance(body := pieces.body(one), Commitment):
            found.setdefault(body.root, sheet_of(one.game, body, opened.get(body.root, ())))
    return tuple(found.values())


def length(found: Sequence[past.Happened]) -> int:
    """How many of these plies are of one match: until the next one begins, or a long pause."""
    later = range(1, len(found))
    ends = (at for at in later if is_boundary(found[at]) or found[at].ply.at - found[at - 1].ply.at > PAUSE)
    return next(ends, len(found))


def is_boundary(one: past.Happened) -> bool:
    """Whether the next match begins with it."""
    return one.ply.offer in codec.BOUNDARIES and not one.is_undone


def taken_back(held: Iterable[Piece], happened: Sequence[past.Happened]) -> list[Piece]:
    """The pieces before all that happened, of those after it."""
    now = {(one.game, one.key): one for one in held}
    for one in reversed(happened):
        for change in reversed(codec.read_changes(one.ply.changes)):
            if change.after is not None:
                now.pop((change.after.game, change.after.key), None)
            if change.before is not None and change.before.game in GAMES:
                now[change.before.game, change.before.key] = change.before
    return list(now.values())


def seen(held: Iterable[Piece]) -> dict[str, dict[str, Any]]:
    """The same as everybody may see them; games without any are not there."""
    found: dict[str, dict[str, Any]] = {}
    for one in sorted(held, key=lambda one: (one.game, one.name)):
        shown = pieces.as_seen([codec.Change(None, one)])
        if shown:
            found.setdefault(one.game, {}).update(shown)
    return found


def moment(one: past.Happened, seats: Mapping[str, Any], names: Mapping[int, str]) -> Moment:
    ply, step = one.ply, codec.read_step(one.ply.choice)
    roll = None if one.game == TABLE else if_readable(partial(codec.read_ply, one.game, ply, seats))
    seated = {seat.person_id: seat.name for seat in seats.values() if seat.person_id}
    by = step.by or seated.get(ply.person_id) or names.get(ply.person_id, "")
    what: Shown = codec.sentence_of(ply)
    if not what and ply.offer in (codec.UNDO, CLOSE):
        what = TAKES_BACK
    choice = {
        key: value for key, value in codec.read_plain(ply.choice).items() if key in ("picked", "filled") and value
    }
    return Moment(
        at=ply.at,
        by=by,
        game=one.game,
        offer=ply.offer,
        choice=choice,
        what=what,
        roll=roll,
        changes=tuple(codec.read_changes(ply.changes)),
        draws=tuple(draw_seen(draw) for draw in codec.read_draws(ply.draws)),
        is_undone=one.is_undone,
    )


def in_order(moments: Iterable[Moment]) -> Iterable[Moment]:
    """The moments with what each roll was before, so that dice which fell are known."""
    states: dict[int, Any] = {}
    for one in moments:
        roll = one.roll
        if roll is None:
            yield one
            continue
        fell = one.offer not in (codec.UNDO, CLOSE)
        yield replace(one, roll=replace(roll, is_new=fell, before=states.get(roll.session)))
        states[roll.session] = roll.state

"""A whole match, ply by ply, as everybody may see it: for a page and a file that people keep.

The pieces at its beginning follow from those there are now, by going back through the record of every change since.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.plans import Commitment
from bot.rules.text import Shown, Text
from bot.sessions import codec, pieces
from bot.sessions.codec import BOUNDARIES, UNDO, sentence_of
from bot.sessions.matches import PAUSE, Standing, standing_of
from bot.sessions.people import draw_seen
from bot.sessions.place import Place
from bot.sessions.plans import as_json, hashes_of, leaves_of
from bot.sessions.roll import Played
from bot.sessions.tables import TABLE, if_readable
from bot.sessions.watching import Happened, Table
from bot.store import history as past
from bot.store import plans as plan_rows
from bot.store.database import Database
from bot.store.pieces import Piece, Player, players_of
from bot.store.sessions import CLOSE

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
    ``plans``: what players had planned in private, as ``bot.fair.plans.check_match`` reads it: all of it once the match
    is over.
    """

    pieces: Mapping[str, Mapping[str, Any]]
    players: Mapping[int, Player]
    start: Mapping[str, Mapping[str, Any]]
    end: Mapping[str, Mapping[str, Any]]
    moments: tuple[Moment, ...]
    standings: tuple[Standing, ...] = ()
    plans: tuple[Mapping[str, Any], ...] = ()

    @property
    def rolls(self) -> tuple[Played, ...]:
        """Its rolls as they stood at its end, but for those that were taken back."""
        last = {one.roll.session: one.roll for one in self.moments if one.roll is not None}
        return tuple(roll for roll in last.values() if not roll.is_closed)

    def table(self) -> Table:
        """The table at the beginning, on which the moments may happen."""
        return Table({game: dict(held) for game, held in self.pieces.items()}, self.players)


class Replays:
    """The matches of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.turn = asyncio.Lock()
        """Whoever makes the files of a match holds it: that takes a core for seconds, of which others play."""

    async def read(self, place: Place, first: int) -> Replay:
        """The match of a channel that began with a ply, by its id. Raises ``PlayerError`` where that cannot be."""
        async with self._database.transaction() as connection:
            held = await pieces.load(connection, place.channel_id)
            known = await players_of(connection, place.channel_id)
            found = await past.since(connection, place.channel_id, first, PLIES_MOST + 1)
            seats = await past.seats(connection, {one.ply.session_id for one in found}) if found else {}
            roots = {root for one in found for root in ROOT.findall(one.ply.changes)}
            sheets = await plan_rows.of_roots(connection, place.channel_id, roots)
        if not found or found[0].id != first:
            raise PlayerError(GONE)
        if len(found) > PLIES_MOST:
            raise PlayerError(TOO_LONG)
        return await asyncio.to_thread(replay_of, held, known, found, seats, sheets)


def replay_of(
    held: Sequence[Piece],
    known: Mapping[int, Player],
    found: Sequence[past.Happened],
    seats: Mapping[int, Mapping[str, Any]],
    sheets: Mapping[str, plan_rows.Sheet],
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
    is_over = len(match) < len(found) or any(one.winner is not None for one in standings)
    left = (change.after for one in match for change in codec.read_changes(one.ply.changes))
    planned = plans_of([*at_first, *filter(None, left)], sheets if is_over else {})
    start, end = seen(at_first), seen(at_last)
    return Replay(pieces.by_game(at_first), known, start, end, tuple(moments), tuple(standings), planned)


def plans_of(held: Iterable[Piece], sheets: Mapping[str, plan_rows.Sheet]) -> tuple[Mapping[str, Any], ...]:
    """Every commitment that lay on the table, with what is open of it; with all of it where its sheet is given."""
    found: dict[str, Commitment] = {}
    for one in held:
        if ROOT.search(one.body) is not None and isinstance(body := pieces.body(one), Commitment):
            found[body.root] = body
    for root, row in sheets.items():
        if root in found:
            leaves = leaves_of(row)
            found[root] = replace(found[root], leaves=hashes_of(leaves), opened=leaves)
    return tuple(map(as_json, found.values()))


def length(found: Sequence[past.Happened]) -> int:
    """How many of these plies are of one match: until the next one begins, or a long pause."""
    later = range(1, len(found))
    ends = (at for at in later if is_boundary(found[at]) or found[at].ply.at - found[at - 1].ply.at > PAUSE)
    return next(ends, len(found))


def is_boundary(one: past.Happened) -> bool:
    """Whether the next match begins with it."""
    return one.ply.offer in BOUNDARIES and not one.is_undone


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
    what: Shown = sentence_of(ply)
    if not what and ply.offer in (UNDO, CLOSE):
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
        fell = one.offer not in (UNDO, CLOSE)
        yield replace(one, roll=replace(roll, is_new=fell, before=states.get(roll.session)))
        states[roll.session] = roll.state

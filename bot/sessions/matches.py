"""How lucky people were over a match: the exact distributions of their finished rolls, added up.

A match is what was played in a channel since its table was last cleared, since the last rematch, or since twelve hours
without a press. Only what a roll came to counts, never the path to it; rolls with dice that somebody typed in never
count.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from bot.games import Game
from bot.odds import effort
from bot.odds.distribution import Distribution
from bot.odds.luck import MatchLuck, RollResult, Uncountable, Unit, match_luck
from bot.sessions import codec, pieces
from bot.sessions.codec import BOUNDARIES
from bot.sessions.place import Person, Place
from bot.sessions.roll import Played
from bot.sessions.tables import if_readable
from bot.store import history as rows
from bot.store.database import Database
from bot.store.history import Press
from bot.store.people import FORGOTTEN
from bot.store.pieces import Piece, Player, players_of
from bot.store.sessions import Newest

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

    async def of_channel(self, place: Place) -> tuple[Played, ...]:
        """The rolls of the last match in a channel, oldest first."""
        async with self._database.transaction() as connection:
            first = first_press(await rows.presses(connection, place.channel_id))
            if first is None:
                return ()
            found = await rows.rolls_since(connection, place.channel_id, first, ROLLS_MOST)
        return readable(found)

    async def standing(self, place: Place, game: Game) -> Standing:
        """How the last match of a game stands in a channel, with who lost what."""
        async with self._database.transaction() as connection:
            first = first_press(await rows.presses(connection, place.channel_id)) or 0
            changes = await rows.changes_since(connection, place.channel_id, first)
            held = await pieces.load(connection, place.channel_id, game.key)
            known = await players_of(connection, place.channel_id)
        return await asyncio.to_thread(standing_of, game, first, changes, pieces.bodies(held), known)

    async def of_person(self, person: int) -> tuple[Played, ...]:
        """The newest rolls in which somebody sat, wherever that was, oldest first."""
        found = await self._database.run(rows.rolls_of, person, ROLLS_MOST)
        return readable(found)


def readable(found: Iterable[Newest]) -> tuple[Played, ...]:
    """The rolls that can still be read, and were not taken back."""
    read = [if_readable(partial(codec.read_newest, row)) for row in found]
    return tuple(roll for roll in read if roll is not None and not roll.is_closed)


def first_press(presses: Sequence[Press]) -> int | None:
    """The first press of the last match; ``presses`` are newest first."""
    first, later = None, None
    for press in presses:
        is_boundary = press.offer in BOUNDARIES and not press.is_undone
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
    found: dict[tuple[int, str, Unit], list[tuple[Distribution[int], int]]] = {}
    kinds: dict[tuple[int, str, Unit], tuple[Person, Game, int, bool]] = {}
    for one in counted(rolls):
        roll, result, person = one.roll, one.result, one.person
        if only not in (None, person.id):
            continue
        kind = (person.id, roll.game.key, result.unit)
        kinds[kind] = (person, roll.game, result.parts, result.is_loss)
        found.setdefault(kind, []).append((result.distribution, result.value))
    return tuple(
        PersonLuck(person, game, kind[2], parts, is_loss, match_luck(found[kind]))
        for kind, (person, game, parts, is_loss) in kinds.items()
    )

"""How lucky people were over a match: the exact distributions of their finished rolls, added up.

A match is what was played in a channel since its table was last cleared, or since twelve hours without a press. Only
what a roll came to counts, never the path to it; rolls with dice that somebody typed in never count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.games import Game
from bot.odds import effort
from bot.odds.match_luck import MatchLuck, Roll, match_luck
from bot.sessions import codec
from bot.sessions.place import Person, Place
from bot.sessions.roll import Played
from bot.sessions.steps import CLEAR
from bot.sessions.tables import if_readable
from bot.store import matches as rows
from bot.store.database import Database
from bot.store.matches import Press
from bot.store.people import FORGOTTEN
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
    unit: str
    parts: int
    is_loss: bool
    luck: MatchLuck


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

    async def of_person(self, person: int) -> tuple[Played, ...]:
        """The newest rolls in which somebody sat, wherever that was, oldest first."""
        async with self._database.transaction() as connection:
            found = await rows.rolls_of(connection, person, ROLLS_MOST)
        return readable(found)


def readable(found: Iterable[Newest]) -> tuple[Played, ...]:
    """The rolls that can still be read, and were not taken back."""
    read = [if_readable(partial(codec.read_newest, row)) for row in found]
    return tuple(roll for roll in read if roll is not None and not roll.is_closed)


def first_press(presses: Sequence[Press]) -> int | None:
    """The first press of the last match; ``presses`` are newest first."""
    first, later = None, None
    for press in presses:
        is_clear = press.offer == CLEAR and not press.is_undone
        if is_clear or (later is not None and later - press.at > PAUSE):
            break
        first, later = press.id, press.at
    return first


def luck_of_rolls(rolls: Sequence[Played], only: int | None = None) -> tuple[PersonLuck, ...]:
    """Everybody's luck by game and unit, or that of one person.

    Raises ``TooLarge`` within ``small_only``, but for the shortest matches.
    """
    effort.check(len(rolls), ROLLS_AT_ONCE)
    found: dict[tuple[int, str, str], list[Roll]] = {}
    kinds: dict[tuple[int, str, str], tuple[Person, Game, int, bool]] = {}
    for roll in rolls:
        result = roll.game.result_of(roll.state)
        person = roll.seats.get(result.side) if result is not None else None
        if result is None or person is None or person.id == FORGOTTEN or only not in (None, person.id):
            continue
        kind = (person.id, roll.game.key, result.unit)
        kinds[kind] = (person, roll.game, result.parts, result.is_loss)
        found.setdefault(kind, []).append(Roll(result.distribution.weights, result.distribution.total, result.value))
    return tuple(
        PersonLuck(person, game, kind[2], parts, is_loss, match_luck(found[kind]))
        for kind, (person, game, parts, is_loss) in kinds.items()
    )

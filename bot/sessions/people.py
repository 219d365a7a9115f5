"""What is kept about one person: exported as JSON, and forgotten on demand.

Both go in small steps with a transaction each, so that nobody else waits long. Forgetting puts ``FORGOTTEN`` where the
person's number stood and leaves rolls as they are: they belong to the others too. Broken off anywhere, it is finished
by asking again.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rules.text import Text, english
from bot.sessions import codec, pieces
from bot.sessions.chance import Draw
from bot.sessions.secrecy import Secrecy
from bot.store import people as rows
from bot.store import plans, players, saved, seals, shown, watch_links
from bot.store.database import Database
from bot.store.history import TABLE
from bot.store.people import FORGOTTEN, Page

__all__ = ["FORGOTTEN", "SOMEBODY", "Forgotten", "People", "Record"]

SOMEBODY: Final = Text("Somebody")
"""What a forgotten person is called where their name stood."""
PAGE: Final = 200
"""Rows read in one transaction."""
STEP: Final = 300
"""Rows changed in one transaction."""
_ABOVE_ALL: Final = 2**62

Record = tuple[str, dict[str, Any]]
"""The list that an entry belongs to, and the entry."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many rows named the person."""

    preferences: int = 0
    seats: int = 0
    presses: int = 0
    rolls: int = 0
    players: int = 0
    saved: int = 0


class People:
    """What one database keeps about people. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def records(self, person: int) -> AsyncIterator[Record]:
        """Everything that is kept about a person, newest first in each list, ready for JSON."""
        async with self._database.transaction() as connection:
            held = await rows.preferences(connection, person)
            rolls = await saved.find(connection, [saved.of_person(person)])
            panels = await shown.panels(connection, person)
            links = await watch_links.of_person(connection, person)
        for record in chosen(held, rolls, panels, links):
            yield record
        page = Page(person, _ABOVE_ALL, PAGE)
        while found := await self._read(rows.presses, page):
            for row in found:
                yield press(row)
            page = Page(person, found[-1].id, PAGE)
        page = Page(person, _ABOVE_ALL, PAGE)
        while found := await self._read(rows.opened, page):
            for row in found:
                yield "rolls_opened", opened(row)
            page = Page(person, found[-1].id, PAGE)
        page = Page(person, _ABOVE_ALL, PAGE)
        while found := await self._read(rows.seats, page):
            for row in found:
                yield "seats", {"roll": str(row.session_id), "side": row.side, "name": row.name, "since": row.since}
            page = Page(person, found[-1].session_id, PAGE, found[-1].side, found[-1].since)
        page = Page(person, _ABOVE_ALL, PAGE)
        while found := await self._read(players.of_person, page):
            for row in found:
                yield "players", {**where(row), "player": row.id, "name": row.name}
            page = Page(person, found[-1].id, PAGE)

        async with self._database.transaction() as connection:
            words, plies = await seals.words_of(connection, person), await seals.plies_of(connection, person)
            sheets = await plans.of_person(connection, person)
        for record in (*map(given, words), *(("sealed_tables", chained(row, person)) for row in plies)):
            yield record
        for record in map(planned, sheets):
            yield record

    async def _read(
        self, query: Callable[[AsyncConnection, Page], Awaitable[Sequence[Any]]], page: Page
    ) -> Sequence[Any]:
        async with self._database.transaction() as connection:
            return await query(connection, page)

    async def forget(self, person: int) -> Forgotten:
        """Put nobody in place of a person, everywhere. Afterwards the files of the database do not say who it was."""
        async with self._database.transaction() as connection:
            preferences = await rows.forget_preferences(connection, person)
            saved_rolls = await saved.forget(connection, person)
            await shown.forget(connection, person)
            await watch_links.forget(connection, person)
            await plans.forget(connection, person)
            await seals.forget(connection, person)
        forgotten = Forgotten(
            preferences=preferences,
            seats=await self._repeat(lambda connection: rows.forget_seats(connection, person, english(SOMEBODY), STEP)),
            presses=await self._repeat(lambda connection: forget_presses(connection, person)),
            rolls=await self._repeat(lambda connection: rows.forget_opened(connection, person, STEP)),
            players=await self._repeat(lambda connection: players.forget(connection, person, english(SOMEBODY), STEP)),
            saved=saved_rolls,
        )
        await self._database.empty_log()
        return forgotten

    async def _repeat(self, step: Callable[[AsyncConnection], Awaitable[int]]) -> int:
        """Steps until one finds nothing more; how many rows they changed."""
        whole, changed = 0, STEP
        while changed == STEP:
            async with self._database.transaction() as connection:
                changed = await step(connection)
            whole += changed
        return whole


async def forget_presses(connection: AsyncConnection, person: int) -> int:
    """One step over the plies; how many it changed."""
    found = await rows.choices(connection, person, STEP)
    if found:
        reworded = {
            key: made for key, choice in found.items() if (made := codec.rename_step(choice, SOMEBODY)) != choice
        }
        await rows.forget_plies(connection, list(found), reworded)
    return len(found)


def chosen(
    preferences: Iterable[Any],
    rolls: Iterable[saved.SavedRoll],
    panels: Iterable[shown.ShownMessage],
    links: Iterable[Any],
) -> Iterator[Record]:
    """What somebody set and saved for themselves, and the links that they made."""
    for row in preferences:
        yield "preferences", {"setting": row.setting, "value": codec.read_value(row.value)}
    for roll in rolls:
        yield "saved_rolls", {"name": roll.name, "roll": roll.line}
    for panel in panels:
        yield "panels", {**where(panel), "message": str(panel.message_id)}
    for row in links:
        yield "links", {**where(row), "until": iso_time(row.until), "sha256": row.digest}


def press(row: Any) -> Record:
    """A ply as the one who made it reads it."""
    record: dict[str, Any] = {"at": iso_time(row.at), **where(row)}
    choice = codec.read_plain(row.choice)
    if row.game == TABLE:
        if "what" in choice:  # in words, not as message and places
            step = codec.read_step(row.choice)
            choice = {"what": english(step.sentence), "by": step.by}
        return "table_steps", record | {"step": row.offer, **choice, "pieces": pieces_seen(row.changes)}
    record |= {"roll": str(row.session_id), "press": row.number, "game": row.game, "taken": row.offer}
    record |= {key: value for key, value in choice.items() if value}
    if row.opening is not None and "declared" in (state := codec.read_plain(row.opening)):
        record["declared"] = state["declared"]
    if row.secrecy == Secrecy.BLIND and row.revealed_at is None:  # the GMs alone see what fell, also from its maker
        return "presses", record
    return "presses", record | {"draws": [draw_seen(one) for one in codec.read_draws(row.draws)]}


def pieces_seen(recorded: str) -> dict[str, Any]:
    """The pieces that a step left, as everybody may see them; none where their form is no longer read."""
    try:
        return pieces.as_seen(codec.read_changes(recorded))
    except codec.Outdated:
        return {}


def draw_seen(draw: Draw) -> list[Any]:
    """A draw as its card showed it: what was drawn for no dice, as a facedown damage card, was shown to nobody."""
    drawn = draw.drawn if draw.pool else None
    return [draw.sides, drawn, draw.pool, *([True] if draw.is_replayed else [])]


def given(row: Any) -> Record:
    """A word that somebody gave when a table was sealed."""
    return "words", {"at": iso_time(row.opened_at), **where(row), "word": row.word, "name": row.name}


def planned(row: Any) -> Record:
    """A sheet as the one who planned it reads it."""
    named = {"game": row.game, "player": row.player_id, "sheet": row.sheet, "commitment": row.root}
    return "plans", {"at": iso_time(row.at), **where(row), **named, "chosen": codec.read_plain(row.body)}


def chained(row: Any, person: int) -> dict[str, Any]:
    """A ply of a sealed table as somebody reads it who made it or is named in it.

    What was drawn stands there once the transcript is out; of what others did, only where it stands.
    """
    ply: dict[str, Any] = codec.read_plain(row.ply)
    entry: dict[str, Any] = {"at": iso_time(row.at), **where(row), "table": str(row.seal_id), "place": row.place}
    if ply["by"] != str(person):
        return entry | {"names_you": True}
    if row.ended_at is None or (row.secrecy is not None and row.revealed_at is None):
        ply = {part: held for part, held in ply.items() if part not in ("draws", "salt", "secret")}
    return entry | ply


def opened(row: Any) -> dict[str, Any]:
    """A session as the one who opened it reads it."""
    message = None if row.message_id is None else str(row.message_id)
    entry = {"at": iso_time(row.opened_at), **where(row), "roll": str(row.id), "game": row.game, "message": message}
    if row.secrecy is None:
        return entry
    revealed = None if row.revealed_at is None else iso_time(row.revealed_at)
    return entry | {"secrecy": row.secrecy, "revealed_at": revealed}


def where(row: Any) -> dict[str, str | None]:
    """Server and channel; ids are text, because many readers of JSON lose digits of large numbers."""
    return {"server": None if row.guild_id is None else str(row.guild_id), "channel": str(row.channel_id)}


def iso_time(at: int) -> str:
    """Seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat()

"""A database brought to another engine: every row, numbers that go on, and a source that stays as it was."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text

from bot.games import GAMES
from bot.rules.xwing.dice.loose_dice import LooseDice
from bot.sessions.request import Person, Place, Request
from bot.sessions.sessions import RollOpening, Sessions
from bot.store import copy_database as moving
from bot.store.copy_database import CopyMismatchError, OrphanedRowsError, move, orphans
from bot.store.database import Database, file_of
from bot.store.errors import DatabaseTooOldError, DatabaseUnreachableError
from bot.store.schema import metadata
from tests.engines import Server, connected, fetch

ANA = Person(7, "Żółw")
ROLLS = 7


@pytest.fixture
async def played(database: Database) -> None:
    """Rolls and rulesets in languages whose order differs, and the newest roll gone again."""
    sessions = Sessions(database, lambda _: 0)
    for number in range(ROLLS):
        await sessions.open(
            Request(ANA, Place(12 + number % 2, 11), interaction_id=100 + number),
            RollOpening(GAMES["xwing"], LooseDice(red=2)),
        )
    async with database.transaction() as connection:
        for name in ("b", "a", "B", "Ä", "_", "ż"):
            await connection.execute(
                metadata.tables["ruleset"].insert(),
                {"scope": name, "scope_id": 1, "setting": "x", "value": '"ż"', "locked": 0, "guild_id": None},
            )
        for table in ("seat", "ply", "session"):
            column = "id" if table == "session" else "session_id"
            await connection.execute(text(f"DELETE FROM {table} WHERE {column} = {ROLLS}"))  # noqa: S608 - from above


@pytest.fixture
def target(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of the other engine, if there is one here."""
    if engine == "postgresql":
        yield f"sqlite+aiosqlite:///{tmp_path}/moved/rolls.db"
        return
    server: Server = request.getfixturevalue("postgres")
    result = server.empty()
    yield result
    server.drop(result)


def numbers(moved: list[moving.MovedTable]) -> dict[str, int]:
    return {moved_table.table: moved_table.rows for moved_table in moved if moved_table.rows}


async def content(url: str) -> list[moving.MovedTable]:
    database = await Database.open(url, migrates=False)
    try:
        return [await database.run(moving._digest, table) for table in metadata.sorted_tables]
    finally:
        await database.close()


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("most", [1, 3, 1000])
async def test_every_row_comes_and_new_ones_are_numbered_on(
    url: str, target: str, database: Database, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(moving, "ROWS", most)
    before = await content(url)
    moved = await move(url, target)
    assert numbers(moved) == {"session": ROLLS - 1, "ply": ROLLS - 1, "seat": ROLLS - 1, "ruleset": 6, "counted": 1}
    assert await content(target) == before == await content(url) == moved
    other = await Database.open(target)
    try:
        roll = await Sessions(other, lambda _: 0).open(
            Request(ANA, Place(12, 11)), RollOpening(GAMES["xwing"], LooseDice(red=1))
        )
    finally:
        await other.close()
    assert roll.session == ROLLS + 1, "the number of the roll that is gone is not given again"


@pytest.mark.usefixtures("played")
async def test_broken_off_anywhere_it_goes_on(
    url: str, target: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "ROWS", 2)
    left, whole = 0, moving._next_rows

    async def failing(*args: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise ConnectionResetError
        return await whole(*args)  # type: ignore[arg-type]  # as it came

    monkeypatch.setattr(moving, "_next_rows", failing)
    for pages in (3, 6, 9, 12):
        left = pages
        with pytest.raises(DatabaseUnreachableError):
            await move(url, target)
    monkeypatch.setattr(moving, "_next_rows", whole)
    assert numbers(await move(url, target))["ply"] == ROLLS - 1


@pytest.mark.usefixtures("played")
async def test_a_target_with_rows_of_its_own_is_left_alone(url: str, target: str, database: Database) -> None:
    other = await Database.open(target)
    for _ in range(ROLLS + 3):
        await Sessions(other, lambda _: 0).open(
            Request(ANA, Place(12, 11)), RollOpening(GAMES["xwing"], LooseDice(red=1))
        )
    await other.close()
    before = await content(target)
    with pytest.raises(CopyMismatchError) as caught:
        await move(url, target)
    assert "not in the source" in caught.value.reason
    assert await content(target) == before


@pytest.mark.usefixtures("played")
async def test_a_target_that_was_played_on_is_found_out(url: str, target: str, database: Database) -> None:
    await move(url, target)
    other = await Database.open(target)
    async with other.transaction() as connection:
        await connection.execute(text("UPDATE ply SET person_id = 8 WHERE session_id = 1"))
    await other.close()
    with pytest.raises(CopyMismatchError, match="The two databases don't match, so don't use the target yet") as caught:
        await move(url, target)
    assert caught.value.reason == f"ply has {ROLLS - 1} rows in the source and {ROLLS - 1} in the target"


async def test_one_database_is_not_moved_onto_itself(url: str, database: Database) -> None:
    with pytest.raises(CopyMismatchError, match="The two databases don't match, so don't use the target yet"):
        await move(url, url)


async def test_a_source_that_is_not_there_is_not_made(tmp_path: Path, target: str, engine: str) -> None:
    with pytest.raises(DatabaseTooOldError) as caught:
        await move(f"sqlite+aiosqlite:///{tmp_path}/nowhere/rolls.db", target)
    assert "Check the address" in str(caught.value)
    assert not (tmp_path / "nowhere").exists()


async def without_its_roll(url: str) -> None:
    """A seat of no roll, written past the foreign keys."""
    add = "INSERT INTO seat (session_id, side, since, person_id, name) VALUES (999, 'attacker', 0, 7, 'Ann')"
    if url.startswith("postgresql"):
        with pytest.raises(asyncpg.ForeignKeyViolationError):
            await asyncio.to_thread(fetch, url, add)
        async with connected(url) as stranger, stranger.transaction():
            await stranger.execute("SET LOCAL session_replication_role = replica")
            await stranger.execute(add)
        return
    with closing(sqlite3.connect(file_of(url) or "")) as stranger, stranger:
        stranger.execute(add)


@pytest.mark.usefixtures("played")
async def test_a_row_that_belongs_to_nothing_is_named_and_once_it_is_gone_moving_goes_on(
    url: str, target: str, database: Database
) -> None:
    before = await content(url)
    await without_its_roll(url)
    async with database.transaction() as connection:
        (result,) = await orphans(connection)
    assert str(result) == "1 rows of seat belong to no session"
    with pytest.raises(OrphanedRowsError, match="1 rows of seat belong to no session") as caught:
        await move(url, target)
    assert result.delete_statement in str(caught.value)
    assert result.delete_statement == "DELETE FROM seat WHERE session_id NOT IN (SELECT id FROM session)"
    async with database.transaction() as connection:
        await connection.execute(text(result.delete_statement))
    assert await move(url, target) == before

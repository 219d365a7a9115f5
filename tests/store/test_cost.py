"""What everybody waits for costs the same however much is stored; counted in steps of SQLite's own machine."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import history, pieces, seals, sessions
from bot.store.pieces import players_of
from bot.store.sessions import Ply, Redraws
from bot.store.sqlite_driver import Body, SyncConnection, transact

HERE, ANN = 12, 13


@pytest.fixture
def connection(migrated: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    shutil.copy(migrated, tmp_path / "rolls.db")
    with closing(sqlite3.connect(tmp_path / "rolls.db", isolation_level=None)) as opened:
        yield opened


def steps(connection: sqlite3.Connection, body: Body[object]) -> int:
    """The steps that a transaction takes."""
    taken = 0

    def step() -> None:
        nonlocal taken
        taken += 1

    connection.set_progress_handler(step, 1)
    transact(SyncConnection(connection), body, lambda: True)
    connection.set_progress_handler(None, 0)
    return taken


async def open_roll(connection: AsyncConnection) -> int:
    key, *_ = await sessions.add(connection, game="xwing", guild_id=None, channel_id=HERE, opened_by=ANN, at=1)
    await sessions.add_ply(connection, Ply(key, 0, ANN, "open", "{}", "[[8,1]]", 1, "{}", 1, HERE))
    return key


async def open_many(connection: AsyncConnection) -> None:
    for _ in range(300):
        await open_roll(connection)


def test_opening_a_roll_costs_the_same_in_a_channel_with_many(connection: sqlite3.Connection) -> None:
    before = steps(connection, open_roll)
    steps(connection, open_many)
    assert steps(connection, open_roll) < 1.2 * before


def test_draws_that_come_again_are_found_at_the_same_cost_for_somebody_with_many_plies(
    connection: sqlite3.Connection,
) -> None:
    async def take_back_and_draw_again(connection: AsyncConnection) -> None:
        session = await open_roll(connection)
        ply = await connection.scalar(text("SELECT max(id) FROM ply"))
        await sessions.add_redraws(connection, Redraws(ply, session, HERE, "[[8,1]]"))
        assert await sessions.take_redraws(connection, HERE, ANN + 1) == []
        assert len(await sessions.take_redraws(connection, HERE, ANN)) == 1

    before = steps(connection, take_back_and_draw_again)
    steps(connection, open_many)
    assert steps(connection, take_back_and_draw_again) < 1.2 * before


def planned(connection: sqlite3.Connection, body: Body[object]) -> int:
    """How often SQLite asks while it plans the statements of a transaction that ran twice before."""
    asked = 0

    def ask(*_: object) -> int:
        nonlocal asked
        asked += 1
        return sqlite3.SQLITE_OK

    ours = SyncConnection(connection)
    connection.set_authorizer(ask)  # it is asked about each table and column when a statement is planned
    for _ in range(2):
        transact(ours, body, lambda: True)
    assert asked > 0
    asked = 0
    transact(ours, body, lambda: True)
    connection.set_authorizer(None)
    return asked


async def open_and_press(connection: AsyncConnection) -> None:
    session = await open_roll(connection)
    await sessions.add_seat(connection, session, "attacker", ANN, "Ann")
    assert await sessions.lock_newest(connection, session) is not None
    await sessions.add_ply(connection, Ply(session, 1, ANN, "done", "{}", "[]", 1, "{}", 1, HERE))


async def look_at_the_table(connection: AsyncConnection) -> None:
    await history.begin_table(connection, None, HERE, opened_by=ANN, at=1)
    assert await history.table(connection, HERE) is not None
    await history.last_ply(connection, HERE)
    await history.rolls(connection, HERE, 5)
    await pieces.find(connection, HERE, "xwing", ["Luke"])
    await players_of(connection, HERE)
    await seals.lock_current(connection, HERE)
    await seals.open_in(connection, HERE)


@pytest.mark.parametrize("body", [open_and_press, look_at_the_table])
def test_nothing_that_everybody_does_is_planned_twice(connection: sqlite3.Connection, body: Body[object]) -> None:
    assert planned(connection, body) <= 1, "COMMIT at most, of which commit() of Python's driver keeps no plan"

"""Hot statements go straight to SQLite: they give and raise what SQLAlchemy would, in the same transaction."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import history, pieces, seals, sessions, sqlite_driver
from bot.store.database import Database
from bot.store.errors import DiskFullError
from bot.store.pieces import Piece, ensure_player, players_of
from bot.store.schema import player, ply, session
from bot.store.sessions import DuplicateInteractionError, Ply, Redraws
from bot.store.sqlite_driver import CompiledStatement, SyncConnection, hot_statement, transact
from tests.examples import share_of

HERE, ANN, BEN = 12, 13, 14


@pytest.fixture
def connection(migrated: Path) -> Iterator[sqlite3.Connection]:
    """An empty database of the newest version; whatever happens in it is taken back."""
    with closing(sqlite3.connect(f"file:{migrated}?mode=ro", uri=True)) as stored:
        opened = sqlite3.connect(":memory:", isolation_level=None)
        stored.backup(opened)
        yield opened
        opened.close()


NUMBERS = st.integers(0, 3) | st.none()
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["open", "secret", "press", "press", "sit", "free", "wait", "take", "piece", "player"]),
        st.integers(1, 4),
        st.integers(0, 3),
        NUMBERS,
        st.sampled_from(["", "Ann", "O'Hara", "Zoë :x ?", "\N{DRAGON}"]),
    ),
    max_size=20,
)


async def do(connection: AsyncConnection, deeds: list[tuple[str, int, int, int | None, str]]) -> list[Any]:
    """What a table's life makes the store say, hot statements and others in turn."""
    said: list[Any] = []
    for kind, key, number, other, name in deeds:
        try:
            said.append(await one(connection, kind, key, number, other, name))
        except (IntegrityError, DuplicateInteractionError) as error:
            said.append((type(error), str(getattr(error, "orig", ""))))
        said.append(await sessions.lock_newest(connection, key, hidden=True))
        said.append(await seals.open_in(connection, HERE))
        said.append(await seals.of_ply(connection, key, number))
        said.append(await history.rolls(connection, HERE, 3))
        said.append(await history.last_ply(connection, HERE))
        said.append(await history.recent_plies(connection, HERE, None, None, 3))
    return said


async def one(connection: AsyncConnection, kind: str, key: int, number: int, other: int | None, name: str) -> Any:
    if kind in ("open", "secret"):
        secrecy = "secret" if kind == "secret" else None
        values: dict[str, Any] = {"repeats": key if other else None, "interaction_id": other, "secrecy": secrecy}
        return await sessions.add(
            connection, game="xwing", guild_id=other, channel_id=HERE, opened_by=ANN, at=1, **values
        )
    if kind == "press":
        result = Ply(key, number, ANN, name, "{}", "[[8,1]]", 1, "{}", 1, HERE, interaction_id=other)
        return await sessions.add_ply(connection, result)
    if kind in ("sit", "free"):
        person = ANN if kind == "sit" else None
        return await sessions.add_seat(connection, key, "attacker", person, name, number)
    if kind == "wait":
        return await sessions.add_redraws(connection, Redraws(key, key, HERE, name))
    if kind == "take":
        return await sessions.take_redraws(connection, HERE, ANN if number else BEN)
    if kind == "piece":
        await pieces.add(connection, HERE, [Piece("xwing", f"{name}{number}", name, "{}", 1)])
        await pieces.change(connection, HERE, [Piece("xwing", f"{name}{at}", name, f"{number}", 1) for at in (0, 1)])
        return [await pieces.find(connection, HERE, game) for game in (None, "xwing", "infinity")]
    await ensure_player(connection, HERE, other, ANN, name)
    return await players_of(connection, HERE)


def rows(connection: sqlite3.Connection) -> list[list[Any]]:
    tables = ("session", "ply", "seat", "redraw", "piece", "player")
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]  # noqa: S608 - our own


def played(connection: sqlite3.Connection, deeds: list[Any]) -> tuple[list[Any], list[list[Any]]]:
    """What was said and what is stored at the end, which is then taken back."""
    result: list[Any] = []

    async def body(asked: AsyncConnection) -> None:
        result.append((await do(asked, deeds), rows(connection)))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        transact(SyncConnection(connection), body, lambda: True)
    assert rows(connection) == [[] for _ in range(6)], "nothing of it stays"
    connection.execute("DELETE FROM sqlite_sequence")
    return result[0]  # type: ignore[no-any-return]  # it was put there


@settings(max_examples=share_of(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=DEEDS)
def test_a_hot_statement_gives_stores_and_raises_what_sqlalchemy_does(
    connection: sqlite3.Connection, deeds: list[Any]
) -> None:
    straight = played(connection, deeds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_driver, "_HOT", {})
        through_sqlalchemy = played(connection, deeds)
    assert straight == through_sqlalchemy


def test_a_list_is_no_plain_value() -> None:
    listed = select(session.c.id).where(session.c.id.in_(bindparam("keys", expanding=True)))
    with pytest.raises(TypeError, match="no plain value"):
        CompiledStatement(listed, ["keys"])


def test_other_columns_are_not_lost(connection: sqlite3.Connection) -> None:
    """An INSERT is compiled for the columns that it got first; with others it must not leave any out."""
    adding = hot_statement(insert(player))
    ann = {"channel_id": HERE, "person_id": ANN, "name": "Ann"}

    async def body(asking: AsyncConnection) -> None:
        for values in (ann, ann | {"guild_id": 11, "person_id": BEN}, ann | {"person_id": 15}):
            await asking.execute(adding, values)

    transact(SyncConnection(connection), body, lambda: True)
    assert connection.execute("SELECT guild_id, person_id FROM player").fetchall() == [
        (None, ANN),
        (11, BEN),
        (None, 15),
    ]


def test_truth_comes_back_as_truth(connection: sqlite3.Connection) -> None:
    asked = hot_statement(select((session.c.id == bindparam("key")).label("is_it"), session.c.guild_id))

    async def body(asking: AsyncConnection) -> list[Any]:
        await sessions.add(asking, game="xwing", guild_id=None, channel_id=HERE, opened_by=ANN, at=1)
        return [(await asking.execute(asked, {"key": key})).one() for key in (1, 2, None)]

    result = transact(SyncConnection(connection), body, lambda: True)
    assert [(item.is_it, item.guild_id) for item in result] == [(True, None), (False, None), (None, None)]
    assert result[0].is_it is True


async def test_what_hot_statements_break_is_told_as_ever(database: Database, opened: int, file: Path) -> None:
    result = Ply(opened, 0, ANN, "done", "{}", "[]", 1, "{}", 1, HERE)
    with pytest.raises(IntegrityError) as caught:
        await database.run(lambda connection: sessions.add_ply(connection, result))
    assert "UNIQUE constraint failed: ply.session_id, ply.number" in str(caught.value)
    assert "done" not in str(caught.value), "no error tells the log what people typed"

    async def press(connection: AsyncConnection) -> None:
        for number in range(1, 20_000):
            await sessions.add_ply(connection, Ply(opened, number, ANN, "x" * 900, "{}", "[]", 1, "{}", 1, HERE))

    async with database.transaction() as connection:
        pages = await connection.scalar(text("PRAGMA page_count"))
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(DiskFullError):
        await database.run(press)
    counted = select(ply.c.id)
    async with database.transaction() as connection:
        assert len((await connection.execute(counted)).all()) == 1

"""Where the bot is, as Discord says it and as the file holds it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import servers
from bot.store.database import Database
from bot.store.servers import Servers


def noted(file: Path) -> dict[int, int | None]:
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT id, left_at FROM server").fetchall())


def odd(server: int) -> bool:
    return server % 2 == 1


async def test_a_call_notes_who_is_new_who_is_back_and_who_is_gone(database: Database, file: Path) -> None:
    item = Servers(database)
    await item.note_present([1, 3, 5], odd, 100)
    await item.note_left(5, 200)
    assert noted(file) == {1: None, 3: None, 5: 200}
    await Servers(database).note_present([1, 5, 7], odd, 300)
    assert noted(file) == {1: None, 3: 300, 5: None, 7: None}


async def test_a_farewell_keeps_its_moment(database: Database, file: Path) -> None:
    await Servers(database).note_present([1], odd, 100)
    for now in (200, 300):
        await Servers(database).note_present([], odd, now)
    assert noted(file) == {1: 200}


async def test_what_another_process_would_know_is_left_to_it(database: Database, file: Path) -> None:
    await Servers(database).note_present([1, 2], odd, 100)
    await Servers(database).note_present([], odd, 200)
    assert noted(file) == {1: 200, 2: None}


async def test_a_known_server_is_not_written_again(database: Database, file: Path) -> None:
    item = Servers(database)
    await item.note_present([1], odd, 100)
    item.note_joined(1)
    assert not item._waiting
    item.note_joined(3)
    await item.write()
    assert noted(file) == {1: None, 3: None}


async def test_many_are_written_in_batches(database: Database, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "BATCH", 3)
    await Servers(database).note_present(range(10), odd, 100)
    assert noted(file) == dict.fromkeys(range(10))


async def test_the_last_word_about_a_server_counts(database: Database, file: Path) -> None:
    item = Servers(database)
    item.note_joined(1)
    await item.note_left(1, 100)
    item.note_joined(1)
    await item.note_left(1, 200)
    assert noted(file) == {1: 200}

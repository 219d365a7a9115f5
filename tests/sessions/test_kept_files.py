"""Files that servers keep: one of a kind, made into what it is for only when it is new, erased with the server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.resources.quotas import QuotaLimits
from bot.sessions import kept_files
from bot.sessions.kept_files import KeptFiles, StorageFullError
from bot.store import kept_files as rows
from bot.store.database import Database


async def test_a_file_is_made_once_until_another_one_is_kept(database: Database) -> None:
    result: list[str] = []

    def make(text: str) -> str:
        result.append(text)
        return text.upper()

    files = KeptFiles(database, lambda: 100.0)
    assert await files.find(1, "cards", make) is None
    await files.store_file(1, "cards", "one")
    await files.store_file(2, "cards", "two")
    assert [await files.find(1, "cards", make) for _ in range(2)] == ["ONE", "ONE"]
    assert await files.find(2, "cards", make) == "TWO"
    await files.store_file(1, "cards", "three")
    assert await files.find(1, "cards", make) == "THREE", "in the same second"
    assert result == ["one", "two", "three"]
    await files.remove(1, "cards")
    assert await files.find(1, "cards", make) is None
    assert await files.find(2, "other", make) is None


async def test_another_process_hears_of_a_newer_file(database: Database) -> None:
    here, there = KeptFiles(database), KeptFiles(database)
    await here.store_file(1, "cards", "one")
    assert await there.find(1, "cards", str) == "one"
    await here.store_file(1, "cards", "two")
    assert await there.find(1, "cards", str) == "two"


async def test_so_many_characters_are_remembered_at_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MAX_REMEMBERED", 8)
    files, result = KeptFiles(database), list[str]()

    def make(text: str) -> str:
        result.append(text)
        return text

    async def keep(server: int, text: str) -> None:
        await files.store_file(server, "cards", text)
        assert await files.find(server, "cards", make) == text

    for server in range(8):
        await keep(server, str(server))
    for server in range(8):
        await files.find(server, "cards", make)
    assert len(result) == 8, "all of them are remembered"
    await keep(8, "eight")
    assert await files.find(5, "cards", make) == "5", "the newest stay"
    assert await files.find(0, "cards", make) == "0"
    assert result.count("0") == 2
    await keep(9, "more than eight characters")
    assert await files.find(9, "cards", make) == "more than eight characters"
    assert len(result) == 11, "the newest is remembered, however long it is"


async def test_a_file_is_made_outside_of_the_transaction(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made takes milliseconds, in which nobody else could store a roll."""
    files, is_open = KeptFiles(database), [False]
    await files.store_file(1, "cards", "one")
    whole = database.transaction

    @asynccontextmanager
    async def watched() -> AsyncIterator[AsyncConnection]:
        async with whole() as connection:
            is_open[0] = True
            yield connection
        is_open[0] = False

    monkeypatch.setattr(database, "transaction", watched)
    assert await files.find(1, "cards", lambda _: is_open[0]) is False


async def test_a_file_is_told_as_it_is(database: Database) -> None:
    files = KeptFiles(database)
    assert await files.text(1, "army") == ""
    await files.store_file(1, "army", "data")
    assert await files.text(1, "army") == "data"


async def test_a_server_keeps_so_many_characters_and_others_as_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_files, "LIMITS", QuotaLimits(kept=2_000_000))
    files, large = KeptFiles(database), "x" * 1_200_000
    await files.store_file(1, "cards", large)
    with pytest.raises(StorageFullError) as refused:
        await files.store_file(1, "army", large)
    assert str(refused.value) == (
        "I already store 1.2 MB of files for this server, and the limit is 2 MB. Send a smaller file."
    )
    assert await files.text(1, "army") == ""
    await files.store_file(1, "cards", large.upper())
    await files.store_file(2, "army", large)
    assert await database.run(rows.largest_total) == 1_200_000

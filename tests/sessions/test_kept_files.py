"""Files that servers keep: one of a kind, made into what it is for only when it is new, erased with the server."""

from bot.sessions.kept_files import REMEMBERED_MOST, KeptFiles
from bot.store.database import Database


async def test_a_file_is_made_once_until_another_one_is_kept(database: Database) -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text.upper()

    files = KeptFiles(database, lambda: 100.0)
    assert await files.find(1, "cards", make) is None
    await files.put(1, "cards", "one")
    await files.put(2, "cards", "two")
    assert [await files.find(1, "cards", make) for _ in range(2)] == ["ONE", "ONE"]
    assert await files.find(2, "cards", make) == "TWO"
    await files.put(1, "cards", "three")
    assert await files.find(1, "cards", make) == "THREE", "in the same second"
    assert made == ["one", "two", "three"]
    await files.remove(1, "cards")
    assert await files.find(1, "cards", make) is None
    assert await files.find(2, "other", make) is None


async def test_another_process_hears_of_a_newer_file(database: Database) -> None:
    here, there = KeptFiles(database), KeptFiles(database)
    await here.put(1, "cards", "one")
    assert await there.find(1, "cards", str) == "one"
    await here.put(1, "cards", "two")
    assert await there.find(1, "cards", str) == "two"


async def test_few_are_remembered_at_once(database: Database) -> None:
    files, made = KeptFiles(database), list[str]()

    def make(text: str) -> str:
        made.append(text)
        return text

    for server in range(REMEMBERED_MOST + 1):
        await files.put(server, "cards", str(server))
        await files.find(server, "cards", make)
    assert await files.find(0, "cards", make) == "0"
    assert made.count("0") == 2

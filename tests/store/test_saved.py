"""Saved rolls and panels on both engines: one of each name, ids that stay, and nothing of a person who is forgotten."""

import asyncio

import pytest

from bot.store import panels, saved
from bot.store.database import Database
from bot.store.panels import EVERYBODY, SAVED, TURNS, KeptPanel
from bot.store.rulesets import Scope
from bot.store.saved import SavedRoll

MINE, THEIRS, HERE = Scope("person", 2**62), Scope("person", 7), Scope("channel", 7)


async def put(database: Database, scope: Scope, name: str, line: str, guild_id: int | None = None) -> None:
    async with database.transaction() as connection:
        await saved.put(connection, SavedRoll(scope, name, name.casefold(), line), guild_id)


async def found(database: Database, *scopes: Scope) -> list[tuple[str, str]]:
    async with database.transaction() as connection:
        return [(one.name, one.line) for one in await saved.find(connection, scopes)]


@pytest.mark.both
async def test_a_person_and_a_channel_of_one_number_have_rolls_of_their_own(database: Database) -> None:
    await put(database, THEIRS, "Ärger", "/roll dice:1d6")
    await put(database, HERE, "Trap", "/roll dice:2d6", 11)
    assert await found(database, THEIRS) == [("Ärger", "/roll dice:1d6")]
    assert await found(database, HERE) == [("Trap", "/roll dice:2d6")]
    assert sorted(await found(database, HERE, THEIRS, MINE)) == [
        ("Trap", "/roll dice:2d6"),
        ("Ärger", "/roll dice:1d6"),
    ]
    assert await found(database, MINE) == []


@pytest.mark.both
async def test_a_roll_that_replaces_another_keeps_its_id_and_one_that_is_gone_gives_it_to_nobody(
    database: Database,
) -> None:
    await put(database, MINE, "Fireball", "/roll dice:8d6")
    async with database.transaction() as connection:
        (first,) = await saved.find(connection, [MINE])
    await put(database, MINE, "FIREBALL", "/roll dice:9d6")
    async with database.transaction() as connection:
        again = await saved.one(connection, first.id)
        assert again == SavedRoll(MINE, "FIREBALL", "fireball", "/roll dice:9d6", first.id)
        assert await saved.remove(connection, MINE, "fireball")
        assert not await saved.remove(connection, MINE, "fireball")
        assert await saved.one(connection, first.id) is None
    await put(database, MINE, "Fireball", "/roll dice:8d6")
    async with database.transaction() as connection:
        (new,) = await saved.find(connection, [MINE])
    assert new.id > first.id, "old buttons carry the old id"


@pytest.mark.both
async def test_of_rolls_that_are_saved_at_once_under_one_name_one_is_kept(database: Database) -> None:
    await asyncio.gather(*(put(database, MINE, "Fireball", f"/roll dice:{number}d6") for number in range(1, 9)))
    ((name, line),) = await found(database, MINE)
    assert name == "Fireball"
    assert line in {f"/roll dice:{number}d6" for number in range(1, 9)}


@pytest.mark.both
async def test_who_is_forgotten_has_no_rolls_and_no_panels(database: Database) -> None:
    await put(database, THEIRS, "Fireball", "/roll dice:8d6")
    await put(database, HERE, "Trap", "/roll dice:2d6")
    mine = KeptPanel(SAVED, 1, THEIRS.id, 11, 100)
    ours = KeptPanel(SAVED, 1, EVERYBODY, 11, 101)
    async with database.transaction() as connection:
        await panels.keep(connection, mine)
        await panels.keep(connection, ours)
        assert await saved.forget(connection, THEIRS.id) == 1
        await panels.forget(connection, THEIRS.id)
        await panels.forget(connection, EVERYBODY)
        assert await panels.of_kind(connection, SAVED) == [ours]
    assert await found(database, THEIRS, HERE) == [("Trap", "/roll dice:2d6")]


@pytest.mark.both
async def test_each_channel_has_one_panel_of_a_kind_for_each_person(database: Database) -> None:
    async def keep(message_id: int) -> None:
        async with database.transaction() as connection:
            await panels.keep(connection, KeptPanel(SAVED, 1, 7, None, message_id))

    await asyncio.gather(*(keep(message_id) for message_id in range(10, 30)))
    async with database.transaction() as connection:
        (kept,) = await panels.of_person(connection, SAVED, 7)
        assert kept.message_id in range(10, 30)
        await panels.keep(connection, KeptPanel(TURNS, 1, EVERYBODY, 11, 50))
        await panels.keep(connection, KeptPanel(SAVED, 2, 7, 11, 51))
        assert len(await panels.of_kind(connection, SAVED)) == 2
        assert await panels.find(connection, TURNS, 1) == KeptPanel(TURNS, 1, EVERYBODY, 11, 50)
        await panels.drop(connection, 50)
        assert await panels.find(connection, TURNS, 1) is None

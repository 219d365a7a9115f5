"""Saved rolls on both engines: one of each name, ids that stay, and nothing of a person who is forgotten."""

import asyncio

import pytest

from bot.store import people, saved
from bot.store.database import Database
from bot.store.rulesets import Scope
from bot.store.saved import SavedRoll

MINE, THEIRS, HERE = Scope("person", 2**62), Scope("person", 7), Scope("channel", 7)


async def put(database: Database, scope: Scope, name: str, line: str, guild_id: int | None = None) -> None:
    async with database.transaction() as connection:
        await saved.store_roll(connection, SavedRoll(scope, name, name.casefold(), line), guild_id)


async def found(database: Database, *scopes: Scope) -> list[tuple[str, str]]:
    async with database.transaction() as connection:
        return [(saved_roll.name, saved_roll.line) for saved_roll in await saved.find(connection, scopes)]


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
        again = await saved.read_roll(connection, first.id)
        assert again == SavedRoll(MINE, "FIREBALL", "fireball", "/roll dice:9d6", first.id)
        assert await saved.remove(connection, MINE, "fireball")
        assert not await saved.remove(connection, MINE, "fireball")
        assert await saved.read_roll(connection, first.id) is None
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
async def test_who_is_forgotten_has_no_rolls(database: Database) -> None:
    await put(database, THEIRS, "Fireball", "/roll dice:8d6")
    await put(database, HERE, "Trap", "/roll dice:2d6")
    async with database.transaction() as connection:
        assert (await people.erase(connection, THEIRS.id))["saved"] == 1
    assert await found(database, THEIRS, HERE) == [("Trap", "/roll dice:2d6")]

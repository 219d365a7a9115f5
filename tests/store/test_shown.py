"""Which messages show what, on both engines: of each one, the newest, and nothing of a person who is forgotten."""

import asyncio

import pytest

from bot.store import people
from bot.store.database import Database
from bot.store.shown import EVERYBODY, Kind, Look, ShownMessage, ShownMessages

BOARD = ShownMessage(Kind.BOARD, 1, EVERYBODY, 11, 10, Look.WORDS)


@pytest.mark.both
async def test_of_messages_that_are_posted_at_once_the_newest_is_kept(database: Database) -> None:
    messages = ShownMessages(database)
    numbers = [17, 29, 10, 2**62, 12, 28]
    kept = await asyncio.gather(
        *(messages.keep(ShownMessage(Kind.BOARD, 1, EVERYBODY, 11, one, Look.TEXT)) for one in numbers)
    )
    newest = ShownMessage(Kind.BOARD, 1, EVERYBODY, 11, 2**62, Look.TEXT)
    assert await messages.find(Kind.BOARD, 1) == newest
    assert kept[3] == newest
    assert all(was.message_id >= number for was, number in zip(kept, numbers, strict=True)), (
        "each hears which one it is"
    )
    assert await messages.keep(BOARD) == newest, "an older one never comes back"


@pytest.mark.both
async def test_each_kind_channel_and_thing_has_a_message_of_its_own(database: Database) -> None:
    messages = ShownMessages(database)
    mine, yours = (ShownMessage(Kind.SAVED, 1, person, 11, 20 + person) for person in (7, 8))
    turns, there = ShownMessage(Kind.TURNS, 1, EVERYBODY, None, 30), ShownMessage(Kind.SAVED, 2, 7, 11, 31)
    for one in (BOARD, mine, yours, turns, there):
        assert await messages.keep(one) == one
    assert sorted(await messages.of_kinds([Kind.BOARD, Kind.TURNS]), key=str) == [BOARD, turns]
    assert sorted(await messages.here(1, [Kind.SAVED, Kind.TURNS]), key=str) == [mine, yours, turns]
    assert sorted(await messages.of(Kind.SAVED, 7), key=str) == [mine, there]
    assert await messages.find(Kind.SAVED, 2, 7) == there
    assert await messages.find(Kind.SAVED, 2, 8) is None
    assert await messages.of_kinds([]) == []


@pytest.mark.both
async def test_a_message_that_is_gone_is_dropped_and_the_one_in_its_place_stays(database: Database) -> None:
    messages = ShownMessages(database)
    newer = ShownMessage(Kind.BOARD, 1, EVERYBODY, 11, 40)
    await messages.keep(BOARD)
    await messages.keep(newer)
    await messages.drop(BOARD)
    assert await messages.find(Kind.BOARD, 1) == newer
    await messages.drop(newer)
    assert await messages.find(Kind.BOARD, 1) is None


@pytest.mark.both
async def test_of_who_is_forgotten_no_panel_is_kept_up_to_date(database: Database) -> None:
    messages = ShownMessages(database)
    mine, ours = ShownMessage(Kind.SAVED, 1, 7, 11, 100), ShownMessage(Kind.SAVED, 1, EVERYBODY, 11, 101)
    copy = ShownMessage(Kind.LOG, 2, 7, 11, 102)
    for one in (mine, ours, copy):
        await messages.keep(one)
    async with database.transaction() as connection:
        await people.erase(connection, 7)
        await people.erase(connection, EVERYBODY)
    assert await messages.of_kinds([*Kind]) == [ours, copy], "a roll of the same number keeps its copy"

"""Which messages show what, on both engines: of each one, the newest, and nothing of a person who is forgotten."""

import asyncio

import pytest

from bot.store import people
from bot.store.database import Database
from bot.store.tracked_messages import EVERYBODY, MessageKind, RenderMode, TrackedMessage, TrackedMessages

BOARD = TrackedMessage(MessageKind.BOARD, 1, EVERYBODY, 11, 10, RenderMode.WORDS)


@pytest.mark.both
async def test_of_messages_that_are_posted_at_once_the_newest_is_kept(database: Database) -> None:
    messages = TrackedMessages(database)
    numbers = [17, 29, 10, 2**62, 12, 28]
    kept = await asyncio.gather(
        *(messages.keep(TrackedMessage(MessageKind.BOARD, 1, EVERYBODY, 11, item, RenderMode.TEXT)) for item in numbers)
    )
    newest = TrackedMessage(MessageKind.BOARD, 1, EVERYBODY, 11, 2**62, RenderMode.TEXT)
    assert await messages.find(MessageKind.BOARD, 1) == newest
    assert kept[3] == newest
    assert all(was.message_id >= number for was, number in zip(kept, numbers, strict=True)), (
        "each hears which one it is"
    )
    assert await messages.keep(BOARD) == newest, "an older one never comes back"


@pytest.mark.both
async def test_each_kind_channel_and_thing_has_a_message_of_its_own(database: Database) -> None:
    messages = TrackedMessages(database)
    mine, yours = (TrackedMessage(MessageKind.SAVED, 1, person, 11, 20 + person) for person in (7, 8))
    turns, there = (
        TrackedMessage(MessageKind.TURNS, 1, EVERYBODY, None, 30),
        TrackedMessage(MessageKind.SAVED, 2, 7, 11, 31),
    )
    for tracked in (BOARD, mine, yours, turns, there):
        assert await messages.keep(tracked) == tracked
    assert sorted(await messages.of_kinds([MessageKind.BOARD, MessageKind.TURNS]), key=str) == [BOARD, turns]
    assert sorted(await messages.in_channel(1, [MessageKind.SAVED, MessageKind.TURNS]), key=str) == [mine, yours, turns]
    assert sorted(await messages.by_subject(MessageKind.SAVED, 7), key=str) == [mine, there]
    assert await messages.find(MessageKind.SAVED, 2, 7) == there
    assert await messages.find(MessageKind.SAVED, 2, 8) is None
    assert await messages.of_kinds([]) == []


@pytest.mark.both
async def test_a_message_that_is_gone_is_dropped_and_the_one_in_its_place_stays(database: Database) -> None:
    messages = TrackedMessages(database)
    newer = TrackedMessage(MessageKind.BOARD, 1, EVERYBODY, 11, 40)
    await messages.keep(BOARD)
    await messages.keep(newer)
    await messages.drop(BOARD)
    assert await messages.find(MessageKind.BOARD, 1) == newer
    await messages.drop(newer)
    assert await messages.find(MessageKind.BOARD, 1) is None


@pytest.mark.both
async def test_of_who_is_forgotten_no_panel_is_kept_up_to_date(database: Database) -> None:
    messages = TrackedMessages(database)
    mine, ours = (
        TrackedMessage(MessageKind.SAVED, 1, 7, 11, 100),
        TrackedMessage(MessageKind.SAVED, 1, EVERYBODY, 11, 101),
    )
    copy = TrackedMessage(MessageKind.LOG, 2, 7, 11, 102)
    for tracked in (mine, ours, copy):
        await messages.keep(tracked)
    async with database.transaction() as connection:
        await people.erase(connection, 7)
        await people.erase(connection, EVERYBODY)
    assert await messages.of_kinds([*MessageKind]) == [ours, copy], "a roll of the same number keeps its copy"

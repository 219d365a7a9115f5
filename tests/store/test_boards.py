"""Which message shows the board of a channel, with several of them posted at once."""

import asyncio

import pytest

from bot.store import boards
from bot.store.boards import KeptBoard, Shown
from bot.store.database import Database


@pytest.mark.both
async def test_of_boards_that_are_posted_at_once_one_is_kept(database: Database) -> None:
    async def keep(message_id: int) -> None:
        async with database.transaction() as connection:
            await boards.keep(connection, KeptBoard(1, 2, message_id, Shown.PICTURE))

    await asyncio.gather(*(keep(message_id) for message_id in range(10, 30)))
    async with database.transaction() as connection:
        (kept,) = await boards.find(connection)
    assert kept.message_id in range(10, 30)
    await keep(40)
    async with database.transaction() as connection:
        assert await boards.find(connection) == [KeptBoard(1, 2, 40, Shown.PICTURE)]

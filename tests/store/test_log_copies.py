"""Where results stand in log channels: one copy of a roll, on both engines."""

import asyncio

import pytest

from bot.store import log_copies
from bot.store.database import Database
from bot.store.log_copies import LogCopy


@pytest.mark.both
async def test_a_roll_has_one_copy_and_the_last_one_counts(database: Database) -> None:
    async def keep(message_id: int) -> None:
        async with database.transaction() as connection:
            await log_copies.keep(connection, LogCopy(1, 7, message_id))

    await asyncio.gather(*(keep(message_id) for message_id in range(10, 20)))
    await keep(2**62)
    async with database.transaction() as connection:
        await log_copies.keep(connection, LogCopy(2, 8, 30))
        assert await log_copies.find(connection, 1) == LogCopy(1, 7, 2**62)
        await log_copies.drop(connection, 1)
        assert await log_copies.find(connection, 1) is None
        assert await log_copies.find(connection, 2) == LogCopy(2, 8, 30)

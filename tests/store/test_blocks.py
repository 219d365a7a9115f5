"""Blocks in the store: each ends by itself, and a person's is no server's."""

from bot.store import blocks
from bot.store.blocks import PERSON, SERVER, AccessBlock, Blocks
from bot.store.database import Database

REASON = "spam"


async def test_a_block_ends_by_itself(database: Database) -> None:
    now = 100.0
    known = Blocks(database, lambda: now)
    await database.run(blocks.store_block, AccessBlock(PERSON, 1, REASON, 1, 150))
    await database.run(blocks.store_block, AccessBlock(SERVER, 2, REASON, 1))
    await known.read()
    assert known.of(1, None) is not None
    assert known.of(3, 2) is not None
    assert known.of(2, 1) is None, "a person is no server"
    now = 150.0
    assert known.of(1, None) is None
    assert known.of(1, 2) is not None
    await database.run(blocks.drop_ended, 150)
    assert [item.id for item in await database.run(blocks.every)] == [2]

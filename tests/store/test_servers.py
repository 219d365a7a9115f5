"""What is kept of a server, on both engines: that the bot left it, and that its admin was asked for its language."""

from bot.store import servers as rows
from bot.store.database import Database
from bot.store.servers import Servers


async def test_a_server_is_left_and_entered_again(database: Database) -> None:
    for left in ({1: None, 2: None}, {1: 100, 3: None}, {1: None}):
        async with database.transaction() as connection:
            await rows.remember(connection, left)
    async with database.transaction() as connection:
        assert await rows.known_servers(connection) == {1: None, 2: None, 3: None}


async def test_an_admin_is_asked_once_whoever_comes_and_goes(database: Database) -> None:
    item, other = Servers(database), Servers(database)
    item.note_joined(7)
    assert await item.ask_language(7, 100)
    assert not await other.ask_language(7, 200), "another process knows it too"
    await other.note_left(7, 300)
    other.note_joined(7)
    assert not await other.ask_language(7, 400)
    assert not await item.ask_language(8, 500), "nobody is asked for a server where the bot is not"

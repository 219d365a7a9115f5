"""The boards of all channels, kept beyond a restart."""

from bot.store import boards as rows
from bot.store.boards import KeptBoard, Shown
from bot.store.database import Database

__all__ = ["Boards", "KeptBoard", "Shown"]


class Boards:
    """The boards of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self) -> list[KeptBoard]:
        """The boards of all channels."""
        async with self._database.transaction() as connection:
            return await rows.find(connection)

    async def of_channel(self, channel_id: int) -> KeptBoard | None:
        """The board of one channel, if it has one."""
        return await self._database.run(lambda connection: rows.of_channel(connection, channel_id))

    async def keep(self, kept: KeptBoard) -> None:
        """Put a board in place of the one that its channel had."""
        async with self._database.transaction() as connection:
            await rows.keep(connection, kept)

    async def forget(self, channel_id: int) -> None:
        """A channel has no board any more."""
        async with self._database.transaction() as connection:
            await rows.forget(connection, channel_id)

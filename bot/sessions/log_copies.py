"""The copies of results in log channels, known beyond a restart."""

from bot.store import log_copies as rows
from bot.store.database import Database
from bot.store.log_copies import LogCopy

__all__ = ["LogCopies", "LogCopy"]


class LogCopies:
    """The copies of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, session_id: int) -> LogCopy | None:
        """The copy of a roll's result, if there is one that still counts."""
        return await self._database.run(lambda connection: rows.find(connection, session_id))

    async def keep(self, copy: LogCopy) -> None:
        """Put a copy in place of the one that the roll had."""
        await self._database.run(lambda connection: rows.keep(connection, copy))

    async def drop(self, session_id: int) -> None:
        """The copy of a roll does not count any more."""
        await self._database.run(lambda connection: rows.drop(connection, session_id))

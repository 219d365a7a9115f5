"""Messages that are kept up to date beside the board, known beyond a restart."""

from bot.store import panels as rows
from bot.store.database import Database
from bot.store.panels import EVERYBODY, SAVED, TURNS, KeptPanel

__all__ = ["EVERYBODY", "SAVED", "TURNS", "KeptPanel", "Panels"]


class Panels:
    """The panels of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_kind(self, kind: str) -> list[KeptPanel]:
        """The panels of a kind in all channels."""
        return await self._database.run(lambda connection: rows.of_kind(connection, kind))

    async def of_person(self, kind: str, person_id: int) -> list[KeptPanel]:
        """The panels of a kind that show what belongs to a person, in all channels."""
        return await self._database.run(lambda connection: rows.of_person(connection, kind, person_id))

    async def find(self, kind: str, channel_id: int, person_id: int = EVERYBODY) -> KeptPanel | None:
        """The panel of a kind in a channel."""
        return await self._database.run(lambda connection: rows.find(connection, kind, channel_id, person_id))

    async def keep(self, kept: KeptPanel) -> None:
        """Put a panel in place of the one that its channel had of this kind and person."""
        await self._database.run(lambda connection: rows.keep(connection, kept))

    async def drop(self, message_id: int) -> None:
        """A message is no panel any more."""
        await self._database.run(lambda connection: rows.drop(connection, message_id))

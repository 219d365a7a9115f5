"""All services over the sessions of one database."""

from bot.rules.dice import Rng
from bot.sessions import (
    fairness,
    kept_files,
    links,
    matches,
    personal_data,
    plans,
    rulesets,
    saved,
    seals,
    sessions,
    tables,
)
from bot.sessions.events import Tell
from bot.sessions.live_tables import WatchLinks
from bot.store import (
    blocks,
    coordination,
    fairness as fairness_rows,
    servers,
    sessions as session_rows,
    tracked_messages,
)
from bot.store.database import Database
from bot.store.errors import DatabaseUnreachableError


class Services:
    """All services; without a store until ``serve``."""

    _database: Database | None = None

    def serve(self, database: Database, rng: Rng, tell: Tell) -> None:
        """``rng``: the chance of unsealed tables; ``tell`` receives every stored event."""
        self._database = database
        self.interactions = coordination.InteractionRegistry(database)
        self.blocks = blocks.Blocks(database)
        self.rulesets = rulesets.Rulesets(database)
        self.kept_files = kept_files.KeptFiles(database)
        self.saved = saved.SavedRolls(database)
        self.seals = seals.Seals(database)
        self.sessions = sessions.Sessions(database, rng, tell, self.seals)
        self.tables = tables.Tables(database, tell, self.seals, rng)
        self.plans = plans.Plans(database, self.tables, tell)
        self.shown = tracked_messages.TrackedMessages(database)
        """Stored messages that are kept up to date."""
        self.fairness = fairness.Fairness(database)
        self.matches = matches.Matches(database)
        self.watch_links = WatchLinks(database)
        self.links = links.Links(database)
        self.lost = links.LostCards(database)
        self.people = personal_data.PersonalData(database)
        self.servers = servers.Servers(database)

    def open_database(self) -> Database:
        """Return the store. Raises ``StoreError`` while it is not open, as do its services."""
        if self._database is None:
            raise DatabaseUnreachableError("it is not open yet")
        return self._database

    async def count_store(self, now: int) -> tuple[int, dict[str, int]]:
        """Return the number of rolls opened in the last hour, and of fresh draws by kind."""
        async with self.open_database().transaction() as connection:
            rolls = await session_rows.opened_since(connection, now - 3600)
            draws = await fairness_rows.counts(connection)
        return rolls, {kind: sum(sides) for kind, sides in draws.items()}

"""What the sessions of one database offer, made in one place."""

from bot.rules.dice import Rng
from bot.sessions.facts import Tell
from bot.sessions.fairness import Fairness
from bot.sessions.kept_files import KeptFiles
from bot.sessions.links import Links, Lost
from bot.sessions.matches import Matches, Replays
from bot.sessions.people import People
from bot.sessions.plans import Plans
from bot.sessions.rulesets import Rulesets
from bot.sessions.saved import SavedRolls
from bot.sessions.seals import Seals
from bot.sessions.sessions import Sessions
from bot.sessions.tables import Tables
from bot.sessions.watching import WatchLinks
from bot.store import fairness as fairness_rows
from bot.store import sessions as session_rows
from bot.store.database import Database
from bot.store.errors import Unreachable
from bot.store.processes import Interactions
from bot.store.servers import Servers
from bot.store.shown import ShownMessages


class Services:
    """All of them, from ``serve`` on; until then there is no store."""

    _database: Database | None = None

    def serve(self, database: Database, rng: Rng, tell: Tell) -> None:
        """``rng`` is the chance of unsealed tables; ``tell`` hears of everything that is stored."""
        self._database = database
        self.interactions = Interactions(database)
        self.rulesets = Rulesets(database)
        self.kept_files = KeptFiles(database)
        self.saved = SavedRolls(database)
        self.seals = Seals(database)
        self.sessions = Sessions(database, rng, tell, self.seals)
        self.tables = Tables(database, tell, self.seals, rng)
        self.plans = Plans(database, self.tables, tell)
        self.shown = ShownMessages(database)
        """The messages that follow what they show, in the store."""
        self.fairness = Fairness(database)
        self.matches = Matches(database)
        self.watch_links = WatchLinks(database)
        self.replays = Replays(database)
        self.links = Links(database)
        self.lost = Lost(database)
        self.people = People(database)
        self.servers = Servers(database)

    def opened(self) -> Database:
        """The store. Raises ``StoreError`` while it is not open yet, nor what is made of it."""
        if self._database is None:
            raise Unreachable("it is not open yet")
        return self._database

    async def count_store(self, now: int) -> tuple[int, dict[str, int]]:
        """Rolls that were opened in the last hour, and fresh draws by kind."""
        async with self.opened().transaction() as connection:
            rolls = await session_rows.opened_since(connection, now - 3600)
            draws = await fairness_rows.counts(connection)
        return rolls, {kind: sum(sides) for kind, sides in draws.items()}

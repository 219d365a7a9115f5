"""Which pages of PostgreSQL an opening and a press read, by table and index: with many old rolls, and with none.

``python -m benchmarks.pages [--rolls N] [--buffers MB]``. The old rolls stand in 997 channels, each of one person. The
server keeps few pages in its memory (``--buffers``), so whatever is not used again soon has to be read. Somebody opens
an attack and presses on it: again and again in one channel, then once in each of many channels where nothing has
happened since the old rolls. Printed: pages read for one opening with its press; those that are found in memory cost no
disk. A page is 8 kB.
"""

import argparse
import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from signal import SIGINT
from typing import Final

from benchmarks.history import PAGE
from benchmarks.retention import NUMBERS, written
from benchmarks.wire import p99
from bot.games import GAMES
from bot.rules.game import Choice
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.store.database import Database
from tests.engines import Server, fetch

TIMES: Final = 300
FIRST: Final = 1_000
"""The first channel of the old rolls."""
PLAYED: Final = 12
OLD: Final = (
    NUMBERS
    + """
INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at)
SELECT :base + i, 'xwing', 11, 1000 + i % 997, 1000 + i % 997, 1000 FROM n
""",
    """
INSERT INTO seat (session_id, side, since, person_id, name)
SELECT id, 'attacker', 0, channel_id, 'Ann' FROM session WHERE id >= :base + :first AND id <= :base + :last
""",
    """
INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, changes, schema, state, at,
                 interaction_id)
SELECT s.id, m.number, s.channel_id, s.channel_id, 'focus', '{}', '[[8,1]]', '[]', p.schema, p.state, 1000,
       s.id * 4 + m.number
FROM session s, ply p, (SELECT 0 AS number UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) m
WHERE s.id >= :base + :first AND s.id <= :base + :last AND p.session_id = :model AND p.number = 0
""",
)
READ: Final = """
SELECT relname, heap_blks_read FROM pg_statio_user_tables
UNION ALL SELECT indexrelname, idx_blks_read FROM pg_statio_user_indexes
"""
BASE: Final = 1_000
LEAST: Final = 0.02
STATED: Final = 1.5
"""Seconds after which PostgreSQL's processes have told what they read."""


class Table:
    """A database with so many old rolls."""

    def __init__(self, database: Database, url: str) -> None:
        self.sessions, self.database, self.url = Sessions(database, lambda _: 4), database, url
        self.number = 1 << 40

    async def open(self, channel: int) -> tuple[Played, float]:
        """Open an attack; it, and how many seconds that took."""
        attack, began = Declared(attack=LineUp(dice=3, focus=1), defense=LineUp(dice=0)), time.perf_counter()
        opened = await self.sessions.open(self.request(channel), RollOpening(GAMES["xwing"], attack))
        return opened, time.perf_counter() - began

    async def press(self, channel: int, opened: Played) -> float:
        """Press on it; the seconds of that."""
        offer, began = opened.offers[0].key, time.perf_counter()
        assert await self.sessions.choose(self.request(channel), Address(opened.session, 0, offer), Choice(offer))
        return time.perf_counter() - began

    def request(self, channel: int) -> Request:
        return Request(Person(channel, "Ann"), Place(channel, 11), interaction_id=self.next())

    def next(self) -> int:
        self.number += 1
        return self.number

    async def fill(self, rolls: int) -> None:
        await self.open(PLAYED)
        model = fetch(self.url, "SELECT max(id) FROM session")[0][0]
        for first in range(1, rolls + 1, PAGE):
            part = {"first": first, "last": min(rolls, first + PAGE - 1), "base": BASE, "model": model}
            for statement in OLD:
                await asyncio.to_thread(fetch, self.url, written(statement, part))
        await asyncio.to_thread(fetch, self.url, "SELECT setval('session_id_seq', (SELECT max(id) FROM session))")
        await asyncio.to_thread(fetch, self.url, "VACUUM ANALYZE")

    async def read(self) -> Counter[str]:
        await asyncio.sleep(STATED)
        return Counter(dict(await asyncio.to_thread(fetch, self.url, READ)))

    async def measured(self, name: str, channels: Sequence[int]) -> None:
        """Print what openings in these channels read, and then a press on each."""
        for _ in range(5):  # plans are made
            await self.press(PLAYED, (await self.open(PLAYED))[0])
        before = await self.read()
        opened = [await self.open(channel) for channel in channels]
        between = await self.read()
        took = [await self.press(item, roll) for item, (roll, _) in zip(channels, opened, strict=True)]
        self.tell(f"an opening {name}", between, before, [seconds for _, seconds in opened])
        self.tell(f"a press {name}", await self.read(), between, took)

    def tell(self, name: str, after: Counter[str], before: Counter[str], took: Sequence[float]) -> None:
        each = {what: (many - before[what]) / len(took) for what, many in after.items()}
        most = sorted(((many, what) for what, many in each.items() if many > LEAST), reverse=True)
        pages = ", ".join(f"{what} {many:.2f}" for many, what in most)
        times = f"median {1e3 * statistics.median(took):.2f} ms, p99 {1e3 * p99(took):.1f} ms"
        print(f"  {name}: {sum(each.values()):.2f} pages ({pages}); {times}", flush=True)


async def measure(server: Server, rolls: int) -> None:
    for many in (0, rolls):
        url = server.database()
        filled = Table(await Database.open(url), url)
        await filled.fill(many)
        await filled.database.close()
        server.stop(SIGINT)
        server.start()  # nothing is in its memory
        table = Table(await Database.open(url), url)
        size = fetch(url, "SELECT pg_database_size(current_database())")[0][0]
        print(f"{many:,} old rolls, {size / 1e6:.0f} MB", flush=True)
        many_channels = range(FIRST, FIRST + TIMES)
        await table.measured("in one channel", [PLAYED] * TIMES)
        await table.measured("in channels of which nothing is in memory", many_channels)
        await table.measured("in the same once more", many_channels)
        await table.database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rolls", type=int, default=1_000_000)
    parser.add_argument("--buffers", type=int, default=128, help="megabytes of the server's memory for pages")
    asked = parser.parse_args()
    server = Server(shared_buffers=f"{asked.buffers}MB", autovacuum="on")
    try:
        asyncio.run(measure(server, asked.rolls))
    finally:
        server.close()


if __name__ == "__main__":
    main()

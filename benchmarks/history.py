"""What an opening and a press cost with nothing, 100,000 and 1,000,000 stored plies: it should be the same.

``python -m benchmarks.history [--postgres] [--rounds N]``. Half of the stored plies stand in the channel that is played
in, half in 997 others. A press is one choice in an X-Wing attack, an opening the attack itself, from the session's
side: read, rules, one transaction. The databases take turns, so that a slow moment of the machine meets them all.
Printed: median and p99 of the time that each takes and their ratios to those of the empty database, and processor time
of this process and of PostgreSQL for both; then one undo, and one history of a game that was never played.
"""

import argparse
import asyncio
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from sqlalchemy import text

from benchmarks.load import server_cpu
from benchmarks.retention import NUMBERS, SERVER, written
from benchmarks.wire import p99
from bot.games import GAMES
from bot.rules.game import Choice
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database
from tests.engines import Server, fetch

SIZES: Final = (0, 100_000, 1_000_000)
PRESSES: Final = 100
"""Openings and presses in one turn of a database."""
PLIES_EACH: Final = 4
HERE, ANA = Place(12, 11), Person(1, "Ana")
MOST: Final = 1.2
FIRST: Final = 1_000_000
PAGE: Final = 50_000

OLD_SESSIONS: Final = """
INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at)
SELECT :base + i, 'xwing', 11, CASE WHEN i % 2 = 1 THEN 12 ELSE 1000 + i % 997 END, 1, 1000 FROM n
"""
OLD_PLIES: Final = """
INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, changes, schema, state, at)
SELECT s.id, m.number, s.channel_id, 1, 'focus', '{}', '[[8,1]]', '[]', p.schema, p.state, 1000
FROM session s, ply p, (SELECT 0 AS number UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) m
WHERE s.id >= :base + :first AND s.id <= :base + :last AND p.session_id = :model AND p.number = 0
"""


@dataclass(slots=True)
class Figures:
    """Seconds of each opening and press, and of each turn the processor time that one of either took."""

    openings: list[float] = field(default_factory=list)
    presses: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)


class Store:
    """A database with so many plies in it, and what was measured there; ``server`` says PostgreSQL's processor time."""

    def __init__(self, database: Database, plies: int, server: Callable[[], float] = lambda: 0.0) -> None:
        faces = count()
        self.database, self.plies, self._server = database, plies, server
        self.sessions = Sessions(database, lambda _: 4 if next(faces) % 3 == 0 else 0)
        self.figures = Figures()

    async def open(self) -> Played:
        attack = Declared(attack=LineUp(dice=3, focus=1), defense=LineUp(dice=0))
        return await self.sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], attack))

    async def fill(self) -> None:
        """An open attack, and so many plies like its first one."""
        model, last = await self.open(), self.plies // PLIES_EACH
        for first in range(1, last + 1, PAGE):
            part = {"first": first, "last": min(last, first + PAGE - 1), "base": FIRST, "model": model.session}
            async with self.database.transaction() as connection:
                for statement in (NUMBERS + OLD_SESSIONS, OLD_PLIES):
                    await connection.execute(text(written(statement, part)))

    async def turn(self, figures: Figures) -> None:
        """A reroll in an attack that is opened anew each time."""
        ours, theirs = time.process_time(), self._server()
        for _ in range(PRESSES):
            began = time.perf_counter()
            opened = await self.open()
            middle = time.perf_counter()
            offer = opened.offers[0].key
            assert await self.sessions.choose(Request(ANA, HERE), Address(opened.session, 0, offer), Choice(offer))
            figures.openings.append(middle - began)
            figures.presses.append(time.perf_counter() - middle)
        figures.ours.append((time.process_time() - ours) / PRESSES)
        figures.theirs.append((self._server() - theirs) / PRESSES)

    async def seldom(self) -> str:
        """What is not asked at each press."""
        tables, began = Tables(self.database), time.perf_counter()
        await tables.undo(Request(ANA, HERE, is_gm=True))
        middle = time.perf_counter()
        await tables.history(HERE, game="albion")
        undo, history = middle - began, time.perf_counter() - middle
        return f"undo {1e3 * undo:.1f} ms, history of a game never played {1e3 * history:.1f} ms"


async def measure(urls: dict[int, str], rounds: int, server: Callable[[], float]) -> bool:
    """Print what was measured; whether the largest is as fast as the empty one."""
    stores = [Store(await Database.open(url), plies, server) for plies, url in urls.items()]
    for store in stores:
        await store.fill()
        if store.database.is_shared:
            await asyncio.to_thread(fetch, urls[store.plies], "VACUUM ANALYZE")
        await store.turn(Figures())  # warms the caches
    gc.freeze()
    for number in range(rounds):
        for store in stores if number % 2 else reversed(stores):
            await store.turn(store.figures)
    ratios = list[float]()
    for store in stores:
        result, empty = store.figures, stores[0].figures
        line = f"{store.plies:>9,} plies:"
        for name in ("openings", "presses"):
            took, before = getattr(result, name), statistics.median(getattr(empty, name))
            ratios.append(statistics.median(took) / before)
            line += f" {len(took)} {name} {1e3 * statistics.median(took):.2f} ms (x{ratios[-1]:.2f}), "
            line += f"p99 {1e3 * p99(took):.1f} (x{p99(took) / p99(getattr(empty, name)):.2f});"
        ours, theirs = (1e3 * statistics.median(item) for item in (result.ours, result.theirs))
        print(f"{line} CPU of both {ours:.2f} and {theirs:.2f} ms; {await store.seldom()}", flush=True)
        await store.database.close()
    return max(ratios) <= MOST


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server that is started for this")
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(**SERVER) if given.postgres else None
        urls = {
            size: server.database() if server else f"sqlite+aiosqlite:///{Path(folder) / str(size)}.db"
            for size in SIZES
        }
        try:
            fast = asyncio.run(
                measure(urls, given.rounds, lambda: server_cpu(server.pid) if server is not None else 0.0)
            )
        finally:
            if server is not None:
                server.close()
    return 0 if fast else 1


if __name__ == "__main__":
    sys.exit(main())

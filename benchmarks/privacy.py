"""How long tidying, forgetting and telling hold the store, on 200,000 plies, and what presses feel of it.

    python -m benchmarks.privacy

A step is one transaction or two; nobody else can use SQLite meanwhile. Prints the longest and the median step in
milliseconds for pruning, for erasing a server, for forgetting a person and for reading a page of the export; then the
median and the longest press while all of it is pruned without a pause.
"""

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from benchmarks.history import ANA, Figures, Store
from bot.sessions.personal_data import PersonalData, export
from bot.sessions.request import Place
from bot.sessions.retention import DAY, GRACE, Retention
from bot.store.database import Database, Does, Values
from bot.store.servers import Servers
from bot.store.sqlite_driver import Outcome

PLIES = 200_000
MOST = 50.0
"""Milliseconds that a step may hold the store."""
LATE = 1000.0
"""Milliseconds that a press may take while the store is tidied."""


class Timed(Database):
    """Takes down how long each transaction had the store, in milliseconds."""

    held: list[float]

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        async with super().transaction() as connection:
            began = time.perf_counter()
            yield connection
        self.held.append((time.perf_counter() - began) * 1000)

    async def run(self, body: Does[Values, Outcome], *values: Values.args, **named: Values.kwargs) -> Outcome:
        began = time.perf_counter()
        try:
            return await super().run(body, *values, **named)
        finally:
            self.held.append((time.perf_counter() - began) * 1000)


def address(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


async def timed(file: Path, work: Callable[[Timed], Awaitable[object]]) -> list[float]:
    """The milliseconds of every transaction of some work."""
    database = await Timed.open(address(file))
    database.held = []
    await work(database)
    await database.close()
    return database.held


async def a_year(_: Place) -> int:
    return 365


async def prune(database: Database) -> None:
    """Take away all that is old, without a pause."""
    keeper = Retention(database, Servers(database), a_year)
    while await keeper.step(int(time.time())) is not None:
        pass


async def erase(database: Database) -> None:
    servers = Servers(database)
    await servers.note_left(11, 0)
    keeper = Retention(database, servers, a_year)
    while await keeper.step(GRACE + DAY // 2) is not None:
        pass


async def told(database: Database) -> None:
    files, _ = await export(ANA.id, PersonalData(database).records(ANA.id), int(time.time()))
    print(f"          export of {sum(map(len, files)):,} bytes in {len(files)} files")


async def play(file: Path) -> list[float]:
    """Milliseconds of presses while everything old is pruned."""
    database = await Database.open(address(file))
    pruning = asyncio.create_task(prune(database))
    store, result = Store(database, 0), Figures()
    while not pruning.done():
        await store.turn(result)
    await pruning
    await database.close()
    return [1e3 * seconds for seconds in result.presses]


async def measure() -> int:
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.db"
        database = await Database.open(address(full))
        await Store(database, PLIES).fill()
        await database.close()
        worst = 0.0
        works = {
            "prune": prune,
            "erase": erase,
            "forget": lambda database: PersonalData(database).forget(ANA.id),
            "export": told,
        }
        for name, work in works.items():
            file = copied(full)
            began = time.perf_counter()
            held = await timed(file, work)
            worst = max(worst, *held)
            print(
                f"{name:>8}: {len(held):,} transactions in {time.perf_counter() - began:.1f} s, "
                f"median {statistics.median(held):.1f} ms, longest {max(held):.1f} ms"
            )
        taken = await play(copied(full))
        middle = statistics.median(taken)
        print(f"   press: {len(taken):,} while pruning, median {middle:.1f} ms, longest {max(taken):.0f} ms")
    return 0 if worst <= MOST and max(taken) <= LATE else 1


def copied(file: Path) -> Path:
    """The same database once more."""
    copy = file.with_name(f"copy{time.monotonic_ns()}.db")
    with sqlite3.connect(file) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
    connection.close()
    return copy


def main() -> int:
    return asyncio.run(measure())


if __name__ == "__main__":
    sys.exit(main())

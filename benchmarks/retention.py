"""How fast old rolls go, what that costs, and whether people who play notice.

``python -m benchmarks.retention [--sessions N] [--postgres]``. A database with N old rolls of two plies and two seats
in 1,000 channels, which keep them 1 to 365 days; half of all are due. Then retention goes its round as it does in the
bot, while somebody opens a roll and presses on it four times a second. Printed: rolls that went a second, processor
time of this process, and the median and p99 of a press before and meanwhile.
"""

import argparse
import asyncio
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import text

from bot.app import TIDY_RESTS
from bot.games import GAMES
from bot.rules.game import Choice
from bot.rules.xwing.loose import LooseDice
from bot.sessions.place import Person, Place
from bot.sessions.request import Request
from bot.sessions.retention import Retention
from bot.sessions.roll import Address, Played
from bot.sessions.servers import Servers
from bot.sessions.sessions import Opening, Sessions
from bot.store.database import Database
from tests.engines import Server

CHANNELS: Final = 1_000
LONGEST: Final = 365
PAUSE: Final = 0.25
PRESSES_BEFORE: Final = 60
ANA: Final = Person(1, "Ana")
PLAYED: Final = Place(5, 1)

NUMBERS: Final = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows) "
OLD_SESSIONS: Final = """
INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at, opening)
SELECT 1000000 + i, 'xwing', 1, 1000 + i % :channels, 1,
    :now - 86400 * (((i * 7919) % 1000) * 2 * (1 + i % :channels % :longest) / 1000), 'LooseDice' FROM n
"""
"""A roll's age is up to twice what its channel keeps, so half of all are due."""
OLD_PLIES: Final = """
INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, changes, schema, state, at)
SELECT s.id, n.i - 1, s.channel_id, 1, p.offer, p.choice, p.draws, '[]', p.schema, p.state, s.opened_at
FROM session s, n, ply p WHERE s.id > 1000000 AND p.session_id = :model AND p.number = n.i - 1
"""
OLD_SEATS: Final = """
INSERT INTO seat (session_id, side, since, person_id, name)
SELECT s.id, CASE n.i WHEN 1 THEN 'attacker' ELSE 'defender' END, 0, n.i, 'Ana' FROM session s, n WHERE s.id > 1000000
"""


async def fill(database: Database, sessions: Sessions, rows: int, now: int) -> None:
    """Old rolls, copied from a real one."""
    model = await press(sessions, await sessions.open(Request(ANA, PLAYED), Opening(GAMES["xwing"], LooseDice(red=3))))
    words = {"channels": CHANNELS, "longest": LONGEST, "now": now, "model": model.session}
    async with database.transaction() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SET LOCAL statement_timeout = 0"))
            await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        for statement, count in ((OLD_SESSIONS, rows), (OLD_PLIES, 2), (OLD_SEATS, 2)):
            await connection.execute(text(NUMBERS + statement), words | {"rows": count})
    if database.is_shared:
        async with database.transaction() as connection:
            await connection.execute(text("ANALYZE"))


async def press(sessions: Sessions, roll: Played) -> Played:
    made = await sessions.choose(
        Request(ANA, PLAYED), Address(roll.session, roll.ply, "cocked"), Choice("cocked", ("red-0",))
    )
    assert isinstance(made, Played)
    return made


async def play(sessions: Sessions, took: list[float], most: int) -> None:
    """Press now and then, ``most`` times."""
    roll = await sessions.open(Request(ANA, PLAYED), Opening(GAMES["xwing"], LooseDice(red=3)))
    for _ in range(most):
        began = time.perf_counter()
        roll = await press(sessions, roll)
        took.append(time.perf_counter() - began)
        await asyncio.sleep(PAUSE)


async def measure(url: str, rows: int) -> None:
    database, now = await Database.open(url), int(time.time())
    sessions = Sessions(database)

    async def keep_days(place: Place) -> int:
        return 1 + (place.channel_id - 1000) % LONGEST if place.channel_id >= 1000 else LONGEST

    began = time.perf_counter()
    await fill(database, sessions, rows, now)
    print(f"{rows:,} old rolls were made in {time.perf_counter() - began:.0f} s")
    before: list[float] = []
    meanwhile: list[float] = []
    await play(sessions, before, PRESSES_BEFORE)
    playing = asyncio.create_task(play(sessions, meanwhile, 1_000_000))
    keeper = Retention(database, Servers(database), keep_days)
    began, cpu, worked = time.perf_counter(), time.process_time(), 0.0
    while (step := time.perf_counter()) and (gone := await keeper.step(now)) is not None:
        worked += time.perf_counter() - step
        if gone:
            await asyncio.sleep(TIDY_RESTS * (time.perf_counter() - step))
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    playing.cancel()
    async with database.transaction() as connection:
        left = (await connection.execute(text("SELECT count(*) FROM session WHERE id > 1000000"))).scalar_one()
    await database.close()
    went = rows - left
    print(f"{went:,} rolls went in {took:.0f} s: {went / took:,.0f} a second, {3_600 * went / took:,.0f} an hour")
    print(f"processor of this process, with the presses: {100 * cpu / took:.1f} % of a core; steps took {worked:.1f} s")
    for name, presses in (("before", before), ("meanwhile", meanwhile)):
        ranked = sorted(presses)
        print(f"a press {name}: median {1e3 * median(ranked):.1f} ms, p99 {1e3 * ranked[len(ranked) * 99 // 100]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=50_000)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server that is started for this")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        server = Server() if asked.postgres else None
        url = server.database() if server else f"sqlite+aiosqlite:///{Path(folder) / 'rolls.db'}"
        try:
            asyncio.run(measure(url, asked.sessions))
        finally:
            if server is not None:
                server.close()


if __name__ == "__main__":
    main()

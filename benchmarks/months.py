"""What partitions by month would cost those who play: why there are none.

``python -m benchmarks.months [--rolls N]``. Two databases on PostgreSQL with N rolls in each of 15 months: one as the
bot makes it, and one whose sessions, plies and seats are partitions by the number of their session. That is the only
key by which a press finds its roll in one partition, and by which (session, number) of a ply stays unique. Printed:
processor time of PostgreSQL for an opening, a press and a board, in both by turns.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from sqlalchemy import text

from benchmarks.retention import ANA, PLAYED, press, written
from benchmarks.share import cpu_clock
from bot.games import GAMES
from bot.rules.xwing.dice.loose_dice import LooseDice
from bot.sessions.request import Request
from bot.sessions.roll import Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database
from bot.store.schema import metadata, ply, seat, session
from tests.engines import Server

MONTHS: Final = 15
STEP: Final = 10**9
"""Numbers of sessions in a month."""
TIMES: Final = 200
KEYS: Final = {
    "session": ("id", "PRIMARY KEY (id)"),
    "ply": ("session_id", "UNIQUE (session_id, number)"),
    "seat": ("session_id", "PRIMARY KEY (session_id, side, since)"),
}
"""The column that says the month, and what stays unique over all of them."""

OLD_SESSIONS: Final = """
INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at)
SELECT i, 'xwing', 1, 1000 + i % 1000, 1, :month FROM generate_series(CAST(:first AS BIGINT), :last) i
"""
OLD_PLIES: Final = """
INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, changes, schema, state, at,
    interaction_id)
SELECT s.id, p.number, s.channel_id, 1, p.offer, p.choice, p.draws, '[]', p.schema, p.state, s.opened_at,
    2 * s.id + p.number
FROM session s, ply p WHERE s.id >= :first AND s.id <= :last AND p.session_id = 1
"""
OLD_SEATS: Final = """
INSERT INTO seat (session_id, side, since, person_id, name)
SELECT id, 'attacker', 0, 1, 'Ana' FROM session WHERE id >= :first AND id <= :last
"""
ASKED: Final = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"


def by_months() -> Iterator[str]:
    """The tables anew, as partitions; what cannot be unique over all of them is so in each."""
    for table in (ply, seat, session):
        key, unique = KEYS[table.name]
        yield f"ALTER TABLE {table.name} RENAME TO old"
        yield f"CREATE TABLE {table.name} (LIKE old INCLUDING DEFAULTS, {unique}) PARTITION BY RANGE ({key})"
        if table.name != "seat":
            yield f"ALTER SEQUENCE {table.name}_id_seq OWNED BY {table.name}.id"
        yield "DROP TABLE old CASCADE"  # with the keys of others to it, which a partition would ask beside
        for month in range(MONTHS + 1):
            part = f"{table.name}_{month}"
            bounds = f"FROM ({month * STEP}) TO ({(month + 1) * STEP})"
            yield f"CREATE TABLE {part} PARTITION OF {table.name} FOR VALUES {bounds}"
            if table is ply:
                yield f"CREATE UNIQUE INDEX ON {part} (id)"
        for index in table.indexes:
            names = ", ".join(column.name for column in index.columns)
            where = index.dialect_options["postgresql"]["where"]
            only = "" if where is None else f" WHERE {str(where.compile()).replace(f'{table.name}.', '')}"
            parts = [f"{table.name}_{month}" for month in range(MONTHS + 1)] if index.unique else [table.name]
            for part in parts:
                yield f"CREATE {'UNIQUE ' if index.unique else ''}INDEX ON {part} ({names}){only}"


def old_rolls(month: int, rolls: int) -> Iterator[str]:
    first = month * STEP + 100_000
    for statement in (OLD_SESSIONS, OLD_PLIES, OLD_SEATS):
        yield written(statement, {"month": month, "first": first, "last": first + rolls})


async def prepare(url: str, rolls: int, *, parted: bool) -> None:
    database = await Database.open(url)
    async with database.transaction() as connection:
        for statement in by_months() if parted else ():
            await connection.execute(text(statement))
    sessions = Sessions(database)
    await press(sessions, await sessions.open(Request(ANA, PLAYED), RollOpening(GAMES["xwing"], LooseDice(red=3))))
    for month in range(MONTHS):
        async with database.transaction() as connection:
            for statement in old_rolls(month, rolls):
                await connection.execute(text(statement))
    async with database.transaction() as connection:
        await connection.execute(text(f"SELECT setval('session_id_seq', {MONTHS}::bigint * {STEP})"))
    async with database.transaction() as connection:
        await connection.execute(text("ANALYZE"))
    await database.close()


async def measure(url: str) -> dict[str, float]:
    """Milliseconds of PostgreSQL for each of the things that people do."""
    database = await Database.open(url)
    sessions, tables, rolls = Sessions(database), Tables(database), list[Played]()
    numbers = iter(range(time.time_ns(), 2 * time.time_ns()))

    async def opening() -> None:
        request = Request(ANA, PLAYED, interaction_id=next(numbers))
        rolls.append(await sessions.open(request, RollOpening(GAMES["xwing"], LooseDice(red=3))))

    async def pressing() -> None:
        await press(sessions, rolls.pop())

    async def board() -> None:
        await tables.snapshot(PLAYED)

    async with database.transaction() as connection:
        asked = (
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        )
        pids: list[int] = list((await connection.execute(text(asked))).scalars())
    acts: dict[str, Callable[[], Awaitable[Any]]] = {"opening": opening, "press": pressing, "board": board}
    spent = {}
    for name, act in acts.items():
        for _ in range(TIMES // 10):
            await opening()
            await act()
        rolls.clear()
        for _ in range(TIMES if name == "press" else 0):
            await opening()
        before = sum(time.clock_gettime(cpu_clock(pid)) for pid in pids)
        for _ in range(TIMES):
            await act()
        spent[name] = (sum(time.clock_gettime(cpu_clock(pid)) for pid in pids) - before) / TIMES * 1e3
    await database.close()
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=5_000)
    rolls = parser.parse_args().rolls
    assert {"ply", "seat", "session"} <= metadata.tables.keys()
    server = Server()
    try:
        urls = {"one table": server.database(), "by months": server.database()}
        for name, url in urls.items():
            asyncio.run(prepare(url, rolls, parted=name == "by months"))
        for _ in range(2):
            for name, url in urls.items():
                spent = asyncio.run(measure(url))
                print(f"{name}: " + ", ".join(f"{act} {ms:.2f} ms" for act, ms in spent.items()), flush=True)
    finally:
        server.close()


if __name__ == "__main__":
    main()

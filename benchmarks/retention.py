"""How fast old rolls go, what that costs, and whether people who play notice.

``python -m benchmarks.retention [--sessions N] [--postgres] [--minutes M]``. A database with N old rolls of two plies
and two seats, made in the order of time over a year in 1,000 channels by turns, which keep them 1 to 365 days; half of
all are due. Then retention goes its round as it does in the bot, for M minutes at most, while somebody presses four
times a second. For six seconds of each minute it stands still, so that presses with and without it meet the same
machine. PostgreSQL tidies up after it meanwhile (autovacuum), waits for its disk, and has 1 GB of shared buffers.
Printed: rolls that went a second; processor time of this process and of PostgreSQL, of which what they need for the
presses alone is taken away; and the median and p99 of a press. Seconds are those in which retention went on.
"""

import argparse
import asyncio
import gc
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import text

from benchmarks.load import server_cpu
from bot.games import GAMES
from bot.rules.game import Choice
from bot.rules.xwing.dice.loose_dice import LooseDice
from bot.sessions.request import Person, Place, Request
from bot.sessions.retention import Retention
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.store.database import Database
from bot.store.servers import Servers
from tests.engines import Server, fetch

CHANNELS: Final = 1_000
LONGEST: Final = 365
PAUSE: Final = 0.25
OF_A_ROLL: Final = 4
"""Presses."""
BEFORE: Final = 30.0
GOES: Final = 54.0
STANDS: Final = 6.0
"""Seconds of presses before retention, and by turns beside it and while it stands still."""
SERVER: Final = {"shared_buffers": "1GB", "max_wal_size": "4GB", "autovacuum": "on", "fsync": "on"}
ANA: Final = Person(1, "Ana")
PLAYED: Final = Place(5, 1)
FIRST: Final = 1_000_000
"""The rolls of before have numbers above this one."""
PAGE: Final = 50_000
"""Rolls that are made in one transaction."""

NUMBERS: Final = "WITH RECURSIVE n(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last) "
OLD_SESSIONS: Final = """
INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at, message_id)
SELECT :base + i, 'xwing', 1, 1000 + i % :channels, 1,
    :now - CAST(86400 AS BIGINT) * :longest * (:rows - i) / :rows, i FROM n
"""
OLD_PLIES: Final = """
INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, changes, schema, state, at,
    interaction_id)
SELECT s.id, p.number, s.channel_id, 1, p.offer, p.choice, p.draws, '[]', p.schema, p.state, s.opened_at,
    2 * s.id + p.number
FROM session s, ply p WHERE s.id >= :base + :first AND s.id <= :base + :last AND p.session_id = :model AND p.number < 2
"""
OLD_SEATS: Final = """
INSERT INTO seat (session_id, side, since, person_id, name)
SELECT s.id, v.side, 0, v.person, 'Ana'
FROM session s, (SELECT 'attacker' AS side, 1 AS person UNION SELECT 'defender', 2) v
WHERE s.id >= :base + :first AND s.id <= :base + :last
"""


async def fill(database: Database, sessions: Sessions, rows: int, now: int) -> None:
    """Old rolls, copied from a real one."""
    model = await press(
        sessions, await sessions.open(Request(ANA, PLAYED), RollOpening(GAMES["xwing"], LooseDice(red=3)))
    )
    words = {"channels": CHANNELS, "longest": LONGEST, "now": now, "model": model.session, "base": FIRST, "rows": rows}
    for first in range(1, rows + 1, PAGE):
        async with database.transaction() as connection:
            part = words | {"first": first, "last": min(rows, first + PAGE - 1)}
            for statement in (NUMBERS + OLD_SESSIONS, OLD_PLIES, OLD_SEATS):
                await connection.execute(text(written(statement, part)))


def written(statement: str, words: Mapping[str, int]) -> str:
    """A statement with its numbers in it: so each engine knows of what type they are."""
    return re.sub(r":(\w+)", lambda match: str(words[match[1]]), statement)


async def press(sessions: Sessions, roll: Played) -> Played:
    result = await sessions.choose(
        Request(ANA, PLAYED), Address(roll.session, roll.ply, "cocked"), Choice("cocked", ("red-0",))
    )
    assert isinstance(result, Played)
    return result


@dataclass(slots=True)
class Presses:
    """Seconds of presses: before retention began, beside it, and while it stood still; ``now`` are those of now."""

    before: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    between: list[float] = field(default_factory=list)
    now: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.now = self.before


async def play(sessions: Sessions, presses: Presses) -> None:
    """Press now and then, a few times on each roll: a die remembers whatever happened to it."""
    while True:
        roll = await sessions.open(Request(ANA, PLAYED), RollOpening(GAMES["xwing"], LooseDice(red=3)))
        for _ in range(OF_A_ROLL):
            await asyncio.sleep(PAUSE)
            took, began = presses.now, time.perf_counter()
            roll = await press(sessions, roll)
            took.append(time.perf_counter() - began)


async def keep_days(place: Place) -> int:
    return 1 + (place.channel_id - 1000) % LONGEST if place.channel_id >= 1000 else LONGEST


async def prepare(url: str, rows: int) -> None:
    database, began = await Database.open(url), time.perf_counter()
    await fill(database, Sessions(database), rows, int(time.time()))
    if database.is_shared:
        await asyncio.to_thread(fetch, url, "VACUUM ANALYZE")
    print(f"{rows:,} old rolls were made in {time.perf_counter() - began:.0f} s", flush=True)
    await database.close()


async def measure(url: str, seconds: float, server: Callable[[], float]) -> None:
    """``server`` says how much processor time the database server has used."""
    database, clock = await Database.open(url), time.perf_counter
    presses, is_over = Presses(), False

    def spent() -> tuple[float, float]:
        return time.process_time(), server()

    gc.freeze()  # as the bot does: the first collection of everything takes a tenth of a second
    start, playing = spent(), asyncio.create_task(play(Sessions(database), presses))
    await asyncio.sleep(BEFORE)
    alone = [(after - item) / len(presses.before) for item, after in zip(start, spent(), strict=True)]
    keeper = Retention(database, Servers(database), keep_days)
    start, began, took = spent(), clock(), 0.0
    while not is_over and clock() - began < seconds:
        presses.now, since = presses.beside, clock()
        is_over = await keeper.round(int(time.time()), lambda: clock() < since + GOES)  # noqa: B023 - it ends here
        took += clock() - since
        presses.now = presses.between
        print(f"{clock() - began:.0f} s: {keeper.gone:,} rolls and plies", file=sys.stderr, flush=True)
        await asyncio.sleep(STANDS)
    ours, theirs = (after - item for item, after in zip(start, spent(), strict=True))
    whole = clock() - began
    playing.cancel()
    went = keeper.gone // 3  # of each the roll and two plies
    count = len(presses.beside) + len(presses.between)
    ours, theirs = ours - alone[0] * count, theirs - alone[1] * count
    how = "all that is due" if is_over else "not all yet"
    print(f"{went:,} rolls went in {took:.0f} of {whole:.0f} s ({how}): {went / took:,.0f} a second")
    print(f"of a core: this process {100 * ours / took:.1f} %, PostgreSQL {100 * theirs / took:.1f} %", end="; ")
    print(f"for a roll {1e6 * ours / went:.0f} and {1e6 * theirs / went:.0f} us")
    for name in ("before", "beside", "between"):
        ranked = sorted(getattr(presses, name))
        slow, slowest = ranked[len(ranked) * 99 // 100], ranked[-1]
        figures = f"median {1e3 * median(ranked):.2f} ms, p99 {1e3 * slow:.1f}, slowest {1e3 * slowest:.0f}"
        print(f"{len(ranked)} presses {name}: {figures}")
    await database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=50_000)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server that is started for this")
    parser.add_argument("--minutes", type=float, default=60.0)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        server = Server(**SERVER) if given.postgres else None
        url = server.database() if server else f"sqlite+aiosqlite:///{Path(folder) / 'rolls.db'}"
        try:
            asyncio.run(prepare(url, given.sessions))
            asyncio.run(measure(url, 60 * given.minutes, lambda: server_cpu(server.pid) if server else 0.0))
        finally:
            if server is not None:
                server.close()


if __name__ == "__main__":
    main()

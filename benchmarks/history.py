"""What an opening and a press cost with nothing, 100,000 and 1,000,000 stored plies: it should be the same.

    python -m benchmarks.history

Half of the stored plies stand in the channel that is played in, half in others. A press is one choice in an X-Wing
attack, an opening the attack itself, from the session's side: read, rules, one transaction, in CPU time. Prints the
median of each and the ratio to the first.
"""

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from bot.games import GAMES
from bot.rules.game import Choice
from bot.rules.xwing.declared import Declared, LineUp
from bot.sessions.place import Person, Place
from bot.sessions.request import Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import Opening, Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database

SIZES = (0, 100_000, 1_000_000)
PRESSES = 400
ROUNDS = 5
PLIES_EACH = 4
HERE, ANA = Place(12, 11), Person(1, "Ana")
MOST = 1.2

PLY = (
    "INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, changes, schema, "
    "state, at) VALUES (?, ?, ?, 1, 'focus', '{}', '[[8,1]]', '[]', 1, ?, 1000)"
)
SESSION = (
    "INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at) VALUES (?, 'xwing', 11, ?, 1, 1000)"
)


def fill(file: Path, plies: int, state: str) -> None:
    """Store so many plies more, in sessions of ``PLIES_EACH``."""
    with sqlite3.connect(file) as connection:
        first = (connection.execute("SELECT coalesce(max(id), 0) FROM session").fetchone()[0] or 0) + 1
        sessions = range(first, first + plies // PLIES_EACH)
        connection.executemany(SESSION, ((key, 12 if key % 2 else 1000 + key % 997) for key in sessions))
        rows = (
            (key, number, 12 if key % 2 else 1000 + key % 997, state)
            for key in sessions
            for number in range(PLIES_EACH)
        )
        connection.executemany(PLY, rows)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


async def presses(sessions: Sessions) -> tuple[list[float], list[float]]:
    """Milliseconds of each opening, and of each press: a reroll in an attack that is opened anew each time."""
    opens, taken = [], []
    for _ in range(PRESSES):
        attack = Declared(attack=LineUp(dice=3, focus=1), defense=LineUp(dice=0))
        began = time.process_time()
        opened = await sessions.open(Request(ANA, HERE), Opening(GAMES["xwing"], attack))
        opens.append((time.process_time() - began) * 1000)
        offer = opened.offers[0].key if opened.waits else None
        if offer is None:
            continue
        began = time.process_time()
        moved = await sessions.choose(Request(ANA, HERE), Address(opened.session, 0, offer), Choice(offer))
        taken.append((time.process_time() - began) * 1000)
        assert isinstance(moved, Played)
    return opens, taken


async def measure(url: str) -> tuple[list[float], list[float], float, float]:
    """Each opening and each press; then an undo and the history once each, in milliseconds."""
    database = await Database.open(url)
    faces = count()
    sessions, tables = Sessions(database, lambda _: 4 if next(faces) % 3 == 0 else 0), Tables(database)
    await presses(sessions)  # warms the caches
    opens, every = await presses(sessions)
    began = time.perf_counter()
    await tables.undo(Request(ANA, HERE, is_gm=True))
    undo = (time.perf_counter() - began) * 1000
    began = time.perf_counter()
    await tables.history(HERE, game="albion")
    history = (time.perf_counter() - began) * 1000
    await database.close()
    return opens, every, undo, history


def main() -> int:
    """The files are filled first and measured in turns, so that a slow moment of the machine meets them all."""
    with tempfile.TemporaryDirectory() as folder:
        files = {size: Path(folder) / f"{size}.db" for size in SIZES}
        for size, file in files.items():
            asyncio.run(prepare(file, size))
        openings: dict[int, list[float]] = {size: [] for size in SIZES}
        times: dict[int, list[float]] = {size: [] for size in SIZES}
        rest: dict[int, tuple[float, float]] = {}
        for _ in range(ROUNDS):
            for size, file in files.items():
                opens, every, undo, history = asyncio.run(measure(address(file)))
                openings[size].append(statistics.median(opens))
                times[size].append(statistics.median(every))
                rest[size] = (undo, history)
    opening, press = (
        {size: statistics.median(medians) for size, medians in measured.items()} for measured in (openings, times)
    )
    for size in SIZES:
        undo, history = rest[size]
        print(
            f"{size:>9,} plies: opening {opening[size]:.2f} ms (x{opening[size] / opening[0]:.2f}), "
            f"press {press[size]:.2f} ms (x{press[size] / press[0]:.2f}), undo {undo:.1f} ms, "
            f"history of a game never played {history:.1f} ms"
        )
    return 0 if all(max(medians.values()) <= MOST * medians[0] for medians in (opening, press)) else 1


async def prepare(file: Path, size: int) -> None:
    """An open attack, and so many plies like its own."""
    database = await Database.open(address(file))
    attack = Declared(attack=LineUp(dice=3, focus=1), defense=LineUp(dice=0))
    opened = await Sessions(database, lambda _: 4).open(Request(ANA, HERE), Opening(GAMES["xwing"], attack))
    await database.close()
    with sqlite3.connect(file) as connection:
        state = connection.execute("SELECT state FROM ply WHERE session_id = ?", (opened.session,)).fetchone()[0]
    connection.close()
    fill(file, size, state)


def address(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


if __name__ == "__main__":
    sys.exit(main())

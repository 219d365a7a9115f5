"""Bytes that an attack stores, on both engines, with its indexes.

``python -m benchmarks.bytes [--attacks N]``. N X-Wing attacks with tokens on both sides whose presses are chosen by
chance, from the first to the last; then the database is written anew without gaps. Printed: plies and bytes of an
attack, and the largest tables and indexes.
"""

import argparse
import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from bot.games import GAMES
from bot.rules.game import AfterOffer, Choice
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.store.database import Database
from tests.engines import Server, fetch

DECLARED: Final = {"dice": 3, "with": "focus, lock", "agility": 2, "against": "evade"}
FIRST: Final = 10**18
"""Discord's numbers have so many digits."""
HERE: Final = Place(FIRST, FIRST + 1)
ANA, BO = Person(FIRST // 10 + 1, "Ana"), Person(FIRST // 10 + 2, "Bo")
LARGEST: Final = 12


async def play(url: str, attacks: int) -> None:
    """Attacks from their first press to their last."""
    database, chance, xwing = await Database.open(url), Random(1), GAMES["xwing"]
    sessions, numbers = Sessions(database, chance.randrange), iter(range(FIRST, 2 * FIRST))
    for _ in range(attacks):
        opening = RollOpening(xwing, xwing.rules.declare(dict(DECLARED)), opponent=BO)
        roll = await sessions.open(Request(ANA, HERE, interaction_id=next(numbers)), opening)
        while awaited := [
            offer
            for offer in roll.offers
            if offer.is_awaited and not offer.fields and offer.then is not AfterOffer.FOLLOWS
        ]:
            offer = chance.choice(awaited)
            choice = Choice(offer.key, tuple(option.value for option in offer.options[:1]))
            by = ANA if offer.side.value == "attacker" else BO
            request = Request(by, HERE, interaction_id=next(numbers))
            result = await sessions.choose(request, Address(roll.session, roll.ply, offer.key), choice)
            assert isinstance(result, Played)
            roll = result
    await database.close()


Sizes = dict[str, int]
"""Bytes by table and index."""


def of_sqlite(file: Path) -> tuple[int, Sizes]:
    """Plies, and what each table and index takes."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM")
        ((plies,),) = connection.execute("SELECT count(*) FROM ply").fetchall()
        sizes = dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall())
    return plies, sizes


def of_postgres(url: str) -> tuple[int, Sizes]:
    fetch(url, "VACUUM FULL")
    ((plies,),) = fetch(url, "SELECT count(*) FROM ply")
    asked = (
        "SELECT relname::text, CASE WHEN relkind = 'r' THEN pg_table_size(oid) ELSE pg_relation_size(oid) END "
        "FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace"
    )
    return plies, {str(name): int(size) for name, size in fetch(url, asked)}


def report(name: str, attacks: int, before: Sizes, plies: int, sizes: Sizes) -> None:
    grown = {key: (size - before.get(key, 0)) / attacks for key, size in sizes.items()}
    print(f"{name}: {plies / attacks:.1f} plies and {sum(grown.values()):,.0f} bytes an attack, of these")
    for key in sorted(grown, key=lambda key: -grown[key])[:LARGEST]:
        print(f"  {key:28}{grown[key]:8,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", type=int, default=1_000)
    attacks = parser.parse_args().attacks
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rolls.db"
        url = f"sqlite+aiosqlite:///{file}"
        asyncio.run(play(url, 0))
        _, before = of_sqlite(file)
        asyncio.run(play(url, attacks))
        report("SQLite", attacks, before, *of_sqlite(file))
    server = Server()
    try:
        url = server.database()
        _, before = of_postgres(url)
        asyncio.run(play(url, attacks))
        report("PostgreSQL", attacks, before, *of_postgres(url))
    finally:
        server.close()


if __name__ == "__main__":
    main()

"""What goes and what stays when rolls are taken away, the same on both engines; and a press that comes between."""

import asyncio
from collections.abc import Sequence

from sqlalchemy import func, insert, select, text

from bot.store import sessions
from bot.store.database import Database
from bot.store.retention import _UNASKED, PruneTarget, is_15_or_newer, lock_rolls, old_rolls, prune_rolls
from bot.store.schema import TABLE, ply, redraw, seat, session, shown
from bot.store.sessions import Ply, Redraws
from tests.engines import fetch
from tests.plies import plies_of

MANY = 1_000


async def roll(database: Database, channel: int, at: Sequence[int], game: str = "xwing") -> int:
    """A roll with a ply at each of these moments, and one of everything that goes with it."""
    async with database.transaction() as connection:
        key, *_ = await sessions.add(
            connection, game=game, guild_id=11, channel_id=channel, opened_by=13, at=at[0], interaction_id=None
        )
        for number, moment in enumerate(at):
            await sessions.add_ply(connection, Ply(key, number, 13, "", "{}", "[]", 1, "{}", moment, channel))
        await sessions.add_seat(connection, key, "attacker", 13, "Ann")
        await sessions.add_redraws(connection, Redraws(1, key, channel, "[[8, 1]]"))
        copy = {"channel_id": 6, "kind": "log", "of_id": key, "guild_id": 11, "message_id": 7, "look": 1}
        await connection.execute(insert(shown).values(copy))
    return key


async def left(database: Database) -> set[tuple[int, ...]]:
    """How many rows there are in each table for each session."""
    of = {ply: ply.c.session_id, seat: seat.c.session_id, redraw: redraw.c.session_id, shown: shown.c.of_id}
    result = []
    async with database.transaction() as connection:
        for key in (await connection.scalars(select(session.c.id))).all():
            counts = [
                await connection.scalar(select(func.count()).select_from(table).where(column == key))
                for table, column in of.items()
            ]
            result.append((key, *counts))
        for table, column in of.items():
            orphans = select(func.count()).select_from(table).where(column.not_in(select(session.c.id)))
            assert await connection.scalar(orphans) == 0, table.name
    return set(result)


async def test_old_rolls_of_several_channels_are_found_from_where_the_last_look_ended(database: Database) -> None:
    here = [await roll(database, 12, [at]) for at in (10, 20, 30)]
    there = [await roll(database, 13, [at]) for at in (10, 40)]
    await roll(database, 12, [5], TABLE)
    for sought, most, expected in (
        ([PruneTarget(12, 0, 25), PruneTarget(13, 0, 99), PruneTarget(14, 0, 99)], MANY, [here[:2], there, []]),
        ([PruneTarget(13, 0, 99), PruneTarget(12, here[0], 99)], MANY, [there, here[1:]]),
        ([PruneTarget(12, 0, 99), PruneTarget(13, 0, 40)], 2, [here[:2], there[:1]]),
        ([PruneTarget(13, 0, 10)], MANY, [[]]),
    ):
        async with database.transaction() as connection:
            assert await old_rolls(connection, sought, most) == expected


async def test_a_roll_goes_with_all_that_belongs_to_it_and_nothing_else_does(database: Database) -> None:
    old, long, young = [await roll(database, 12, at) for at in ([10], [10, 11, 12], [10])]
    async with database.transaction() as connection:
        now = await lock_rolls(connection, [old, long, 10**9])
        kept = {key: (row.plies, row.at) for key, row in now.items()}
        assert kept == {old: (1, 10), long: (3, 12)}, "one that has gone already is not there"
        assert await prune_rolls(connection, {old: 1, long: 3}, 3) == (2, [old]), "a roll and a ply; no more plies fit"
    assert await left(database) == {(long, 3, 1, 1, 1), (young, 1, 1, 1, 1)}
    async with database.transaction() as connection:
        assert await prune_rolls(connection, {long: 3}, 2) == (2, ())
    assert await left(database) == {(long, 1, 1, 1, 1), (young, 1, 1, 1, 1)}
    async with database.transaction() as connection:
        assert (await plies_of(connection, long))[0].number == 2, "the newest stays until the last"
        assert await prune_rolls(connection, {long: 1}, 2) == (2, [long])
        assert await prune_rolls(connection, {}, 2) == (0, [])
    assert await left(database) == {(young, 1, 1, 1, 1)}


async def test_who_writes_to_a_roll_waits_until_it_has_gone_and_writes_nothing(database: Database) -> None:
    """So nobody runs into a foreign key."""
    key = await roll(database, 12, [10])
    came: list[object] = []

    async def press() -> None:
        async with database.transaction() as connection:
            came.append(await sessions.lock_newest(connection, key))

    async def take_back() -> None:
        async with database.transaction() as connection:
            await sessions.add_redraws(connection, Redraws(1, key, 12, "[]"))

    async with database.transaction() as connection:
        await lock_rolls(connection, [key])
        late = [asyncio.create_task(press()), asyncio.create_task(take_back())]
        for _ in range(20):
            await asyncio.sleep(0)
        assert came == []
        await prune_rolls(connection, {key: 1}, 2)
    await asyncio.gather(*late)
    assert came == [None]
    assert await left(database) == set()


async def test_foreign_keys_are_spared_while_rolls_go_and_asked_again_after_it(database: Database, engine: str) -> None:
    key = await roll(database, 12, (1, 2))
    if engine == "sqlite":
        async with database.transaction() as connection:
            assert not is_15_or_newer(connection)
        return
    role = text("SELECT current_setting('session_replication_role')")
    async with database.transaction() as connection:
        await prune_rolls(connection, {key: 2}, MANY)
        assert await connection.scalar(role) == "replica"
    async with database.transaction() as connection:
        assert await connection.scalar(role) == "origin"


def test_a_role_that_may_not_spare_the_foreign_keys_pays_for_them(rolls: str) -> None:
    """Asking does not fail where the parameter may not be set, and sets it where it may, for this transaction."""
    fetch(rolls, "DROP ROLE IF EXISTS plain")
    fetch(rolls, "CREATE ROLE plain LOGIN")
    plain = rolls.replace("//rollcall@", "//plain@")
    assert fetch(plain, str(_UNASKED)) == []
    fetch(rolls, "GRANT SET ON PARAMETER session_replication_role TO plain")
    assert fetch(plain, str(_UNASKED)) == [("replica",)]
    assert fetch(plain, "SHOW session_replication_role") == [("origin",)]
    fetch(rolls, "REVOKE SET ON PARAMETER session_replication_role FROM plain")
    fetch(rolls, "DROP ROLE plain")

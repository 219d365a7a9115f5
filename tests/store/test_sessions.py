"""Rows go in and come out as they were; the newest ply is the one that counts."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import coordination, sessions
from bot.store.database import Database
from bot.store.schema import redraw
from bot.store.sessions import Newest, Ply, Redraws, Seat
from tests.plies import plies_of

SNOWFLAKE = 2**63 - 1  # the largest that Discord's 64 bits leave once the sign is taken


async def test_a_session_is_found_with_its_newest_ply_and_its_seats(database: Database, opened: int) -> None:
    async with database.transaction() as connection:
        await sessions.add_ply(
            connection,
            Ply(
                session_id=opened,
                number=1,
                person_id=14,
                offer="focus",
                choice='{"offer": "focus"}',
                draws="[]",
                schema=2,
                state='{"hits": 2}',
                at=1_001,
                channel_id=12,
            ),
        )
    async with database.transaction() as connection:
        result = await sessions.lock_newest(connection, opened)
    assert result == Newest(
        session_id=opened,
        game="xwing",
        guild_id=11,
        channel_id=12,
        number=1,
        person_id=14,
        offer="focus",
        schema=2,
        state='{"hits": 2}',
        seats={"attacker": Seat(13, "Ann"), "defender": Seat(14, "Bob")},
        opened_by=13,
        opened_at=1000,
    )


async def test_a_session_may_have_no_server_and_nobody_seated(database: Database) -> None:
    async with database.transaction() as connection:
        key, *_ = await sessions.add(
            connection, game="albion", guild_id=None, channel_id=SNOWFLAKE, opened_by=SNOWFLAKE, at=5
        )
        await sessions.add_ply(
            connection,
            Ply(
                session_id=key,
                number=0,
                person_id=SNOWFLAKE,
                offer="",
                choice="{}",
                draws="[]",
                schema=1,
                state='"é🎲"',
                at=5,
                channel_id=12,
            ),
        )
        result = await sessions.lock_newest(connection, key)
    assert result is not None
    assert (result.guild_id, result.channel_id, result.person_id) == (None, SNOWFLAKE, SNOWFLAKE)
    assert result.state == '"é🎲"'
    assert result.seats == {}


async def test_an_unknown_session_is_none(database: Database, opened: int) -> None:
    async with database.transaction() as connection:
        assert await sessions.lock_newest(connection, opened + 1) is None
        assert await plies_of(connection, opened + 1) == ()


async def test_sessions_do_not_see_each_other(database: Database, opened: int) -> None:
    async with database.transaction() as connection:
        other, *_ = await sessions.add(connection, game="infinity", guild_id=11, channel_id=12, opened_by=15, at=1_001)
        for number in range(3):
            await sessions.add_ply(
                connection,
                Ply(
                    session_id=other,
                    number=number,
                    person_id=15,
                    offer="",
                    choice="{}",
                    draws="[]",
                    schema=1,
                    state="{}",
                    at=1_001,
                    channel_id=12,
                ),
            )
        first, second = await sessions.lock_newest(connection, opened), await sessions.lock_newest(connection, other)
    assert first is not None
    assert second is not None
    assert (first.game, first.number) == ("xwing", 0)
    assert (second.game, second.number) == ("infinity", 2)


async def test_the_audit_reads_every_ply_oldest_first(database: Database, opened: int) -> None:
    async with database.transaction() as connection:
        for number in (2, 1):
            await sessions.add_ply(
                connection,
                Ply(
                    session_id=opened,
                    number=number,
                    person_id=14,
                    offer="lock",
                    choice='{"picked": ["0"]}',
                    draws="[3, 4]",
                    schema=1,
                    state="{}",
                    at=1_000 + number,
                    channel_id=12,
                ),
            )
        plies = await plies_of(connection, opened)
    assert [ply.number for ply in plies] == [0, 1, 2]
    assert plies[2] == Ply(opened, 2, 14, "lock", '{"picked": ["0"]}', "[3, 4]", 1, "{}", 1_002, 12)


async def test_a_side_seats_one_person(database: Database, opened: int) -> None:
    with pytest.raises(IntegrityError):
        async with database.transaction() as connection:
            await sessions.add_seat(connection, opened, "defender", 15, "Cy")
    async with database.transaction() as connection:
        result = await sessions.lock_newest(connection, opened)
    assert result is not None
    assert result.seats["defender"] == Seat(14, "Bob")


async def test_foreign_keys_are_on(database: Database, opened: int, file: Path) -> None:
    with pytest.raises(IntegrityError):
        async with database.transaction() as connection:
            await sessions.add_seat(connection, opened + 1, "attacker", 15, "Cy")


async def test_draws_of_a_roll_that_has_gone_meanwhile_do_not_wait(database: Database, opened: int) -> None:
    async with database.transaction() as connection:
        for session in (opened, opened + 1):
            await sessions.add_redraws(connection, Redraws(1, session, 12, "[[8, 1]]"))
        assert len((await connection.execute(select(redraw.c.session_id))).all()) == 1


async def test_a_registration_is_remembered_per_scope_and_replaced(database: Database) -> None:
    async with database.transaction() as connection:
        assert await coordination.registered_digest(connection, "all") is None
        await coordination.note_registered(connection, "all", "aaa", 1)
        await coordination.note_registered(connection, "11", "bbb", 2)
        await coordination.note_registered(connection, "all", "ccc", 3)
    async with database.transaction() as connection:
        assert await coordination.registered_digest(connection, "all") == "ccc"
        assert await coordination.registered_digest(connection, "11") == "bbb"


async def test_a_transaction_in_one_piece_does_the_same(database: Database, opened: int) -> None:
    async def seated_by_a_bug(connection: AsyncConnection) -> None:
        await sessions.add_seat(connection, opened, "judge", 15, "Cy")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.run(seated_by_a_bug)
    with pytest.raises(IntegrityError):
        await database.run(lambda connection: sessions.add_seat(connection, opened, "defender", 15, "Cy"))
    newest = await database.run(lambda connection: sessions.lock_newest(connection, opened))
    async with database.transaction() as connection:
        assert newest == await sessions.lock_newest(connection, opened)
    assert newest is not None
    assert dict(newest.seats) == {"attacker": Seat(13, "Ann"), "defender": Seat(14, "Bob")}

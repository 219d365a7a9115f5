"""Pieces go in and come out by channel, game and key; the history looks at one channel."""

import pytest
from sqlalchemy.exc import IntegrityError

from bot.store import history, pieces, sessions
from bot.store.database import Database
from bot.store.pieces import Piece
from bot.store.sessions import Ply, Redraws

LUKE = Piece("xwing", "luke", "Luke", '{"hull": 4}', 1)
LEIA = Piece("xwing", "leia", "Leia", "{}", 1)
ANGUS = Piece("infinity", "luke", "Luke", "{}", 3)


async def test_pieces_are_found_by_channel_game_and_key(database: Database) -> None:
    async with database.transaction() as connection:
        await pieces.add(connection, 12, [LUKE, LEIA, ANGUS])
        await pieces.add(connection, 13, [LUKE])
        assert await pieces.find(connection, 12) == (ANGUS, LEIA, LUKE)
        assert await pieces.find(connection, 12, "xwing") == (LEIA, LUKE)
        assert await pieces.find(connection, 12, "xwing", ["luke", "han"]) == (LUKE,)
        assert await pieces.find(connection, 12, "xwing", []) == ()
        assert await pieces.find(connection, 14) == ()


async def test_a_change_and_a_removal_meet_one_piece(database: Database) -> None:
    wounded = Piece("xwing", "luke", "LUKE", '{"hull": 1}', 2)
    async with database.transaction() as connection:
        await pieces.add(connection, 12, [LUKE, LEIA, ANGUS])
        await pieces.add(connection, 13, [LUKE])
        await pieces.change(connection, 12, [wounded])
        await pieces.remove(connection, 12, [LEIA])
        assert await pieces.find(connection, 12) == (ANGUS, wounded)
        assert await pieces.find(connection, 13) == (LUKE,)


async def test_a_key_stands_once_in_a_channel(database: Database) -> None:
    with pytest.raises(IntegrityError):
        async with database.transaction() as connection:
            await pieces.add(connection, 12, [LUKE, LUKE])
    async with database.transaction() as connection:
        assert await pieces.find(connection, 12) == ()


async def test_a_channel_has_one_session_of_table_steps(database: Database) -> None:
    async with database.transaction() as connection:
        assert await history.table(connection, 12) is None
        key, *_ = await sessions.add(connection, game="table", guild_id=11, channel_id=12, opened_by=1, at=1)
        await sessions.add(connection, game="table", guild_id=11, channel_id=13, opened_by=1, at=1)
        await sessions.add(connection, game="xwing", guild_id=11, channel_id=12, opened_by=1, at=1)
        assert await history.table(connection, 12) == (key, -1, None)
    with pytest.raises(IntegrityError):
        async with database.transaction() as connection:
            await sessions.add(connection, game="table", guild_id=11, channel_id=12, opened_by=1, at=1)


async def test_the_last_ply_is_neither_undone_nor_an_undo(database: Database, opened: int) -> None:
    async with database.transaction() as connection:
        first = await history.last_ply(connection, 12)
        assert first is not None
        assert (first.game, first.ply.number) == ("xwing", 0)
        await sessions.add_ply(connection, Ply(opened, 1, 14, "focus", "{}", "[]", 1, "{}", 1_001, 12))
        second = await history.last_ply(connection, 12)
        assert second is not None
        assert second.ply.number == 1
        await sessions.add_ply(connection, Ply(opened, 2, 14, "undo", "{}", "[]", 1, "{}", 1_002, 12, undoes=second.id))
        assert await history.last_ply(connection, 12) == first
        told = await history.recent_plies(connection, 12, None, None, 10)
        assert [(row.ply.number, row.is_undone) for row in told] == [(2, False), (1, True), (0, False)]
        assert await history.last_ply(connection, 13) is None


async def test_waiting_draws_are_told_on_opening_and_taken_once(database: Database) -> None:
    async with database.transaction() as connection:

        async def opens(channel: int, person: int) -> tuple[int, bool]:
            key, waits, _ = await sessions.add(
                connection, guild_id=None, at=1, game="xwing", channel_id=channel, opened_by=person
            )
            return key, waits

        taken_back, waits = await opens(12, 1)
        assert not waits
        redraws = []
        for number in range(2):
            await sessions.add_ply(connection, Ply(taken_back, number, 1, "open", "{}", "[]", 1, "{}", 1_000, 12))
            last = await history.last_ply(connection, 12)
            assert last is not None
            redraws.append(Redraws(last.id, taken_back, 12, f"[[8,{number}]]"))
            await sessions.add_redraws(connection, redraws[-1])
        assert not (await opens(13, 1))[1], "another channel"
        assert (await opens(12, 2))[1], "for somebody there"
        assert await sessions.take_redraws(connection, 12, 2) == [], "nobody else gets them"
        assert await sessions.take_redraws(connection, 12, 1) == redraws[::-1], "what was taken back last comes first"
        assert await sessions.take_redraws(connection, 12, 1) == []
        assert not (await opens(12, 1))[1]

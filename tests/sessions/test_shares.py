"""The processes of one bot agree how many requests each of them sends."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.store.coordination import LEAST, SILENT, RateShares
from bot.store.database import Database

WHOLE = 40.0


async def test_whoever_is_alone_has_the_whole(database: Database) -> None:
    shares = RateShares(database, WHOLE)
    assert [await shares.agree(wants, now) for wants, now in ((1000, 100), (0, 102))] == [WHOLE, WHOLE]
    await shares.leave()


@pytest.fixture
async def shared(rolls: str) -> AsyncIterator[list[Database]]:
    """A database on a server, as each of three processes opens it."""
    opened = [await Database.open(rolls) for _ in range(3)]
    yield opened
    for database in opened:
        await database.close()


async def test_together_they_never_have_more_than_the_whole(shared: list[Database]) -> None:
    """But for the little that whoever comes last has until the others have heard of it."""
    processes = [RateShares(database, WHOLE) for database in shared]
    may = [0.0, 0.0, 0.0]
    for wants in ([0, 0, 0], [99, 0, 0], [99, 99, 0], [0, 0, 500], [7, 7, 7]):
        for number, rate_shares in enumerate(processes):
            may[number] = await rate_shares.agree(wants[number], 100)
            assert sum(may) <= WHOLE + 2 * LEAST
    for _ in range(2):
        may = [await process.agree(7, 100) for process in processes]
    assert may == [pytest.approx(WHOLE / 3, abs=LEAST)] * 3


async def test_also_when_they_agree_at_the_same_moment(shared: list[Database]) -> None:
    processes = [RateShares(database, WHOLE) for database in shared]
    for _ in range(5):
        may = await asyncio.gather(*(process.agree(30, 100) for process in processes))
        assert sum(may) <= WHOLE + 2 * LEAST


async def test_whoever_wants_more_gets_more_and_nobody_gets_nothing(shared: list[Database]) -> None:
    busy, idle = RateShares(shared[0], WHOLE), RateShares(shared[1], WHOLE)
    for _ in range(3):
        parts = [await busy.agree(98, 100), await idle.agree(0, 100)]
    assert parts == [pytest.approx(39.5, abs=0.2), LEAST]


async def test_a_part_that_grows_waits_until_the_others_have_heard_of_it(shared: list[Database]) -> None:
    first, second = RateShares(shared[0], WHOLE), RateShares(shared[1], WHOLE)
    assert await first.agree(9, 100) == WHOLE
    assert await second.agree(9, 101) == LEAST
    assert await first.agree(9, 102) == WHOLE / 2
    assert await second.agree(9, 103) == WHOLE / 2


async def test_whoever_stops_or_is_silent_leaves_its_part(shared: list[Database]) -> None:
    stays, stops, dies = (RateShares(database, WHOLE) for database in shared)
    for _ in range(3):
        for rate_shares in (stays, stops, dies):
            await rate_shares.agree(9, 100)
    await stops.leave()
    parts = [await stays.agree(9, now) for now in (101, 101 + SILENT)]
    assert parts == [pytest.approx(WHOLE / 2), WHOLE]

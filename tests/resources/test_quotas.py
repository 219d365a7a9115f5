"""What one server may cost the others: what it has used comes back with time, and the next place is not its."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.resources.quotas import MAX_KNOWN, Caller, QuotaLimits, Quotas, TokenBucket, payer
from bot.resources.worker_pool import QuotaExceededError, WorkerPool
from tests.resources import large_questions as ask
from tests.resources.test_worker_pool import begun, ended


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_again_and_no_further() -> None:
    clock = Clock()
    bucket = TokenBucket(20.0, 60.0, clock)
    bucket.consume(50.0)
    assert (bucket.remaining, bucket.delay()) == (-30.0, 90.0)
    clock.now += 90.0
    assert (bucket.remaining, bucket.delay(), bucket.delay(1.0)) == (0.0, 0.0, 3.0)
    clock.now += 1000.0
    assert bucket.remaining == 20.0
    clock.now -= 500.0
    assert bucket.remaining == 20.0, "a clock that goes back takes nothing"


def test_a_person_without_a_server_pays_alone() -> None:
    allowances = Quotas()
    assert payer(5, 1) == payer(5, 2)
    assert payer(None, 1) != payer(None, 2)
    allowances.of(payer(None, 1)).work.consume(100.0)
    assert not allowances.of(payer(None, 1)).may_paint
    assert allowances.of(payer(None, 2)).may_paint


def test_it_is_remembered_of_many_and_not_of_all() -> None:
    allowances = Quotas()
    first = allowances.of(-1)
    for number in range(MAX_KNOWN - 1):
        allowances.of(number)
    assert allowances.of(-1) is first
    for number in range(MAX_KNOWN):
        allowances.of(number)
    assert allowances.of(-1) is not first


@pytest.fixture
async def workers() -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(2, allowances=Quotas(QuotaLimits(waiting=1)))
    yield pool
    await pool.close()


async def test_one_server_never_has_all_places_and_only_so_many_questions_wait(
    workers: WorkerPool, tmp_path: Path
) -> None:
    endless, _ = await begun(workers, tmp_path / "first", asked_by=Caller(1, 1))
    waiting = asyncio.create_task(workers.run(ask.where, asked_by=Caller(2, 1)))
    await asyncio.sleep(0)
    with pytest.raises(QuotaExceededError, match="I'm still working on other people's questions here"):
        await workers.run(ask.where, asked_by=Caller(3, 1))
    assert await workers.run(ask.where, asked_by=Caller(4, 2)), "another server is served at once"
    assert not waiting.done(), "though there is a place"
    await ended(endless)
    assert await waiting


async def test_the_next_place_goes_to_who_has_used_least(tmp_path: Path) -> None:
    allowances = Quotas()
    workers, done = WorkerPool(1, allowances=allowances), list[int]()
    endless, _ = await begun(workers, tmp_path / "first", asked_by=Caller(1, 1))
    allowances.of(2).work.consume(5.0)

    async def count(number: int) -> None:
        await workers.run(ask.where, asked_by=Caller(number, number))
        done.append(number)

    waiting = [asyncio.create_task(count(number)) for number in (2, 3)]
    await asyncio.sleep(0)
    await ended(endless)
    await asyncio.gather(*waiting)
    assert done == [3, 2]
    await workers.close()


async def test_who_is_canceled_while_they_wait_takes_no_place(tmp_path: Path) -> None:
    workers = WorkerPool(1)
    endless, _ = await begun(workers, tmp_path / "first", asked_by=Caller(1, 1))
    waiting = asyncio.create_task(workers.run(partial(ask.endless, str(tmp_path / "never")), asked_by=Caller(2, 2)))
    await asyncio.sleep(0)
    await ended(waiting)
    await ended(endless)
    assert await workers.run(ask.where, asked_by=Caller(3, 3))
    assert not (tmp_path / "never").exists()
    await workers.close()


async def test_what_was_counted_is_paid_and_who_has_used_too_much_is_told_how_long_to_wait() -> None:
    clock = Clock()
    allowances = Quotas(clock=clock)
    workers = WorkerPool(1, allowances=allowances)
    await workers.run(ask.where, asked_by=Caller(1, 1))
    assert 0.01 < 20.0 - allowances.of(1).work.remaining < 20.0, "the CPU time of the process, its start included"
    allowances.of(1).work.consume(30.0)
    with pytest.raises(QuotaExceededError, match=r"other servers come first now\. Ask again in \d+ seconds\."):
        await workers.run(ask.where, asked_by=Caller(1, 1))
    assert await workers.run(ask.small, asked_by=Caller(1, 1)), "what is small is counted all the same"
    assert await workers.run(ask.where, asked_by=Caller(2, 2))
    clock.now += 60.0
    assert await workers.run(ask.where, asked_by=Caller(1, 1))
    await workers.close()

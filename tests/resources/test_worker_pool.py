"""Large questions are counted in processes of their own, real ones here: replaced when they fail, never left behind."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from bot.child_environment import inherited_variables
from bot.games import GAMES
from bot.odds import xwing
from bot.odds.infinity.sides import count_orders
from bot.odds.size_limit import QuestionTooLargeError, refuse_large_questions
from bot.resources.quotas import Caller
from bot.resources.worker_pool import (
    AT_ONCE,
    COUNTING,
    NOBODY,
    READING,
    ComputationError,
    ComputationRunningError,
    UploadedFile,
    WorkerPool,
    exchange,
    read_opened,
    start,
    wait_until_gone,
)
from bot.rules.errors import BadInputError, NotOfferedError, UnknownWordError, WholeNumber
from bot.rules.infinity.troopers.declared import Order
from bot.rules.text import Text
from bot.rules.xwing.attack.json_attacks import declare_attack
from bot.rules.xwing.dice.declared import Declared
from bot.settings import Settings
from tests.resources import large_questions as ask
from tests.wire.process import until

ROOT = Path(__file__).parents[2]
SMALL: Final = {"attack": {"dice": 5, "focus": 1, "lock": 1}, "defense": {"dice": 4, "focus": 1, "evade": 1}}
LARGE: Final = {
    "attack": {"dice": 6, "focus": 1, "lock": 1, "calculate": 2, "force": 2, "rerolls": [1, 2]},
    "defense": {"dice": 6, "focus": 1, "calculate": 1, "evade": 2, "force": 1, "rerolls": [1, 1]},
    "hull": 6,
    "attacks": 3,
}


@pytest.fixture
async def workers() -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(2)
    yield pool
    await pool.close()


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that has ended and waits for its parent does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def read(file: Path) -> int:
    return int(file.read_text())


async def begun(workers: WorkerPool, file: Path, asked_by: Caller = NOBODY) -> tuple[asyncio.Task[None], int]:
    """A question without an end that is being counted, and the process that counts it."""
    task = asyncio.create_task(workers.run(partial(ask.endless, str(file)), asked_by=asked_by))
    await until(file.exists)
    return task, read(file)


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


# Which questions are large


def declared(raw: Mapping[str, Any]) -> Declared:
    return declare_attack(raw)


def test_common_odds_are_small_and_the_heaviest_are_not() -> None:
    with refuse_large_questions():
        xwing.count([("focus", declared(SMALL)), ("lock", declared(SMALL))])
        with pytest.raises(QuestionTooLargeError):
            xwing.count([("everything", declared(LARGE))])
    assert xwing.count([("everything", declared(LARGE))])


def test_a_large_order_of_infinity_is_not_small() -> None:
    lines = "; ".join(f"T{number} 13 b6 EXP PS 7 vs Ana" for number in range(6))
    order = GAMES["infinity"].rules.declare({"order": f"{lines}; Ana 10 dodge ARM 1 W 1"})
    assert isinstance(order, Order)
    with refuse_large_questions(), pytest.raises(QuestionTooLargeError):
        count_orders([("all", order)])
    assert count_orders([("all", order)])


def test_a_card_with_two_line_ups_has_one_budget() -> None:
    """Each of them may be counted by itself, both together are more than one card may cost."""
    large = declared({**LARGE, "attacks": 5})
    assert xwing.count([("one", large)])
    with pytest.raises(BadInputError, match="exact odds can check at most 200,000 combinations"):
        xwing.count([("one", large)] * 4)


# Where they are counted


async def test_a_small_question_is_counted_at_once_and_a_large_one_elsewhere(workers: WorkerPool) -> None:
    assert await workers.run(ask.small) == os.getpid()
    assert await workers.run(ask.where) != os.getpid()


async def test_real_questions_come_back_as_they_are(workers: WorkerPool) -> None:
    line_ups = [("everything", declared(LARGE))]
    assert await workers.run(partial(xwing.count, line_ups)) == xwing.count(line_ups)


async def test_a_worker_counts_one_question_after_another(workers: WorkerPool) -> None:
    assert await workers.run(ask.where) == await workers.run(ask.where)


async def test_a_worker_stands_back_and_knows_no_secret(workers: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    assert await workers.run(ask.niceness) > os.nice(0)
    assert await workers.run(ask.secret) is None


def test_what_is_started_inherits_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also none that will be added, and no secret of somebody else's that happens to be there."""
    names = [*(name.upper() for name in Settings.model_fields), "AWS_SECRET_ACCESS_KEY", "GH_TOKEN"]
    for name in names:
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("PGSSLMODE", "require")
    assert set(names) & inherited_variables().keys() == set()
    assert set(names) & inherited_variables("PG").keys() == set()
    assert {"PATH", "LC_ALL"} <= inherited_variables().keys()
    assert ("PGSSLMODE" in inherited_variables(), "PGSSLMODE" in inherited_variables("PG")) == (False, True)


async def test_what_a_question_prints_does_not_disturb_its_answer(workers: WorkerPool) -> None:
    assert await workers.run(ask.chatty) == "counted"


async def test_a_refusal_comes_back_with_its_sentence_and_its_facts(workers: WorkerPool) -> None:
    with pytest.raises(BadInputError) as refusal:
        await workers.run(ask.refused)
    assert str(refusal.value) == str(BadInputError("attacks", 12, WholeNumber(1, 3)))
    assert (refusal.value.field, refusal.value.given, refusal.value.wanted) == ("attacks", 12, (WholeNumber(1, 3),))
    with pytest.raises(UnknownWordError) as misread:
        await workers.run(ask.misread)
    assert misread.value.near == "focus"
    with pytest.raises(NotOfferedError) as late:
        await workers.run(ask.too_late)
    assert str(late.value) == str(NotOfferedError(Text("Too late.")))


async def test_a_bug_comes_back_with_its_stack(workers: WorkerPool) -> None:
    with pytest.raises(ZeroDivisionError) as bug:
        await workers.run(ask.wrong)
    assert "in wrong" in bug.value.__notes__[0]
    with pytest.raises(RuntimeError, match="in unspeakable"):
        await workers.run(ask.unspeakable)


# Many people


async def test_somebody_has_one_large_question_open_and_small_ones_besides(workers: WorkerPool, tmp_path: Path) -> None:
    task, _ = await begun(workers, tmp_path / "first", asked_by=Caller(1, 1))
    with pytest.raises(ComputationRunningError, match="I'm still calculating your previous question"):
        await workers.run(ask.where, asked_by=Caller(1, 1))
    assert await workers.run(ask.small, asked_by=Caller(1, 1)) == os.getpid()
    assert await workers.run(ask.where, asked_by=Caller(2, 2)) != os.getpid()
    await ended(task)
    assert await workers.run(ask.where, asked_by=Caller(1, 1)) != os.getpid()


async def test_a_small_question_never_waits_for_large_ones(workers: WorkerPool, tmp_path: Path) -> None:
    open_ones = [await begun(workers, tmp_path / str(number), asked_by=Caller(number, number)) for number in (1, 2)]
    waiting = asyncio.create_task(workers.run(ask.where, asked_by=Caller(3, 3)))
    await asyncio.sleep(0)
    assert await workers.run(ask.small, asked_by=Caller(4, 4)) == os.getpid()
    assert not waiting.done()
    for task, _ in open_ones:
        await ended(task)
    assert await waiting != os.getpid()


async def test_a_canceled_question_frees_its_worker_and_its_place(tmp_path: Path) -> None:
    workers = WorkerPool(1)
    task, pid = await begun(workers, tmp_path / "endless")
    await ended(task)
    assert not is_running(pid)
    assert await workers.run(ask.where) != pid
    await workers.close()


# Workers that fail


async def refused_late(tasks: Any, question: Any, has_begun: Callable[[], bool]) -> str:
    """What somebody is told whose question never ends, once its process has begun with it.

    On a busy machine a process may take longer than that only to start, so each one has twice the time of the last.
    """
    sentence, patience = "", 0.5
    while not has_begun():
        patience *= 2
        pool = WorkerPool(1, replace(tasks, patience=patience))
        with pytest.raises(ComputationError) as caught:
            await pool.run(question)
        sentence = str(caught.value)
        await pool.close()
    return sentence


async def test_a_worker_that_hangs_is_ended_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    sentence = await refused_late(COUNTING, partial(ask.endless, str(file)), file.exists)
    assert sentence == "That took too long to calculate. Use fewer dice, tokens, or effects."
    assert not is_running(read(file))


async def test_a_worker_that_was_killed_while_it_waited_is_replaced(workers: WorkerPool) -> None:
    pid = await workers.run(ask.where)
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not is_running(pid))
    assert await workers.run(ask.where) != pid
    assert len(workers._running) == 1


async def test_a_worker_that_dies_over_a_question_is_replaced_once(workers: WorkerPool) -> None:
    with pytest.raises(ComputationError, match="My calculation was interrupted"):
        await workers.run(ask.deadly)
    assert await workers.run(ask.where) != os.getpid()


async def test_a_worker_that_cannot_be_started_is_no_bug(workers: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(ROOT / "no-such-python"))
    with pytest.raises(ComputationError, match="My calculation was interrupted"):
        await workers.run(ask.where)


# Reading what people send


@pytest.fixture
async def readers() -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(2, replace(READING, patience=300.0))
    yield pool
    await pool.close()


LONG: Final = "x" * (AT_ONCE + 1)


async def test_a_short_text_is_read_at_once_and_a_long_one_in_a_process_that_ends(readers: WorkerPool) -> None:
    assert await readers.run(partial(read_opened, ask.reader, "short")) == os.getpid()
    first = await readers.run(partial(read_opened, ask.reader, LONG))
    assert first != os.getpid()
    assert not is_running(first), "its memory is gone"
    assert await readers.run(partial(read_opened, ask.reader, "two", LONG)) != first


@pytest.mark.parametrize("is_text", [True, False])
async def test_a_file_is_never_opened_here_however_short_it_is(readers: WorkerPool, is_text: bool) -> None:
    sent = UploadedFile(name="a.json", content=b"{}", what="a squad", is_text=is_text)
    assert await readers.run(partial(read_opened, ask.reader, sent)) != os.getpid()
    assert await readers.run(partial(read_opened, ask.reader, "short", sent)) != os.getpid()


async def test_a_file_in_another_encoding_is_refused(readers: WorkerPool) -> None:
    sent = UploadedFile(name="squad.json", content="Zoë".encode("latin-1"), what="a squad", is_text=True)
    with pytest.raises(BadInputError, match="Use a text file in UTF-8 with a squad"):
        await readers.run(partial(read_opened, ask.reader, sent))


async def test_a_text_that_needs_too_much_memory_is_refused(readers: WorkerPool) -> None:
    with pytest.raises(ComputationError, match="That takes more memory than I can use for one file"):
        await readers.run(partial(read_opened, ask.glutton, LONG))
    assert await readers.run(partial(read_opened, ask.reader, LONG)) != os.getpid()


async def test_a_text_that_takes_too_long_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    sentence = await refused_late(READING, partial(read_opened, ask.slow_reader, str(file), LONG), file.exists)
    assert sentence == "That takes too long to read. Send a smaller file."
    assert not is_running(read(file))


async def test_somebody_has_one_text_read_at_a_time(readers: WorkerPool, tmp_path: Path) -> None:
    file = tmp_path / "endless"
    question = partial(read_opened, ask.slow_reader, str(file), LONG)
    task = asyncio.create_task(readers.run(question, asked_by=Caller(1, 1)))
    await until(file.exists)
    with pytest.raises(ComputationRunningError, match="I'm still reading what you sent before"):
        await readers.run(partial(read_opened, ask.reader, LONG), asked_by=Caller(1, 1))
    assert await readers.run(partial(read_opened, ask.reader, LONG), asked_by=Caller(2, 2)) != os.getpid()
    await ended(task)


# The end


async def test_closing_ends_workers_that_wait_and_workers_that_count(tmp_path: Path) -> None:
    workers = WorkerPool(2)
    task, busy = await begun(workers, tmp_path / "endless")
    free = await workers.run(ask.where, asked_by=Caller(2, 2))  # another server: one server has one place of two
    await workers.close()
    with pytest.raises(ComputationError):
        await task
    assert not is_running(busy)
    assert not is_running(free)


BOT = """
import asyncio, sys
from functools import partial
from bot.resources.worker_pool import WorkerPool
from tests.resources import large_questions as ask

asyncio.run(WorkerPool(1).run(partial(ask.endless, sys.argv[1])))
"""


async def test_no_worker_outlives_a_bot_that_is_killed_while_it_counts(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, str(file), cwd=ROOT)
    try:
        await until(file.exists)
        worker = read(file)
        assert is_running(worker)
    finally:
        bot.kill()
        await bot.wait()
    await until(lambda: not is_running(worker))


async def test_a_worker_that_nobody_asks_ends_without_a_word() -> None:
    pipe, code = asyncio.subprocess.PIPE, "from bot.resources import worker_process as w; w.IDLE = 0.1; w.main()"
    waiting = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=ROOT, stdin=pipe, stderr=pipe)
    assert waiting.stderr is not None
    assert (await waiting.stderr.read(), await waiting.wait()) == (b"", 0)


def test_a_pipe_that_is_closed_while_an_answer_is_awaited_is_the_end_of_its_worker() -> None:
    worker = start(None)
    try:
        assert worker.stdout is not None
        worker.stdout.close()
        with pytest.raises(EOFError):
            exchange(worker, b"")
    finally:
        worker.kill()
        wait_until_gone(worker)

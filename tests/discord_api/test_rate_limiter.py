"""The turns of requests: how many in a second, the most urgent first, none lost."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from bot.discord_api.rate_limiter import BURST, FIRST, PER_SECOND, URGENCY, Priority, RateLimiter
from bot.store.coordination import own_share
from tests.examples import share_of
from tests.rows import for_each_row


class Clock:
    """A time that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def go_on(budget: RateLimiter, clock: Clock, seconds: float) -> None:
    """Let time pass in steps in which at most one turn comes, as the loop's timer would."""
    for _ in range(round(seconds * budget.rate)):
        clock.now += 1 / budget.rate + 1e-9
        budget._serve()
        await asyncio.sleep(0)


def waiting(budget: RateLimiter, order: list[str], name: str, urgency: Priority) -> asyncio.Task[None]:
    async def wait() -> None:
        await budget.take(urgency)
        order.append(name)

    return asyncio.create_task(wait())


async def empty(budget: RateLimiter) -> None:
    for _ in range(int(FIRST)):
        await budget.take(Priority.AWAITED)


async def test_the_most_urgent_goes_first_and_of_equals_the_first() -> None:
    clock = Clock()
    budget = RateLimiter(10, clock)
    await empty(budget)
    order: list[str] = []
    wanted = [
        ("tidy", Priority.TIDYING),
        ("board", Priority.BOARD),
        ("ana", Priority.AWAITED),
        ("bo", Priority.AWAITED),
    ]
    tasks = [waiting(budget, order, name, urgency) for name, urgency in wanted]
    await asyncio.sleep(0)
    assert budget.queue_length == 4
    await go_on(budget, clock, 1)
    await asyncio.gather(*tasks)
    assert order == ["ana", "bo", "board", "tidy"]


@settings(max_examples=share_of(50), deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=30))
def test_of_one_urgency_servers_take_turns_by_turns_however_many_each_wants(wanted: list[str]) -> None:
    """Between two turns of a server that goes on waiting each other that waits has one, or the first has none more."""

    async def play() -> list[str]:
        clock = Clock()
        budget = RateLimiter(10, clock)
        await empty(budget)
        order: list[str] = []

        async def board(server: str) -> None:
            async with budget.turn(Priority.BOARD, ord(server)):
                await budget.request()
                order.append(server)

        tasks = [asyncio.create_task(board(server)) for server in wanted]
        await asyncio.sleep(0)
        await go_on(budget, clock, 1 + len(wanted))
        await asyncio.gather(*tasks)
        return order

    order = asyncio.run(play())
    assert Counter(order) == Counter(wanted)
    for at in range(len(order)):
        had = Counter(order[:at])
        left = Counter(order[at:])
        assert max((had[item] for item in had), default=0) - min((had[item] for item in left), default=0) <= 1


async def test_a_server_that_comes_late_waits_for_none_of_the_hundred_boards_of_another() -> None:
    clock = Clock()
    budget = RateLimiter(10, clock)
    await empty(budget)
    order: list[str] = []

    def board(name: str, server: int) -> asyncio.Task[None]:
        async def wait() -> None:
            await budget.take(Priority.BOARD, server)
            order.append(name)

        return asyncio.create_task(wait())

    tasks = [board("worst", 1) for _ in range(100)]
    await asyncio.sleep(0)
    await go_on(budget, clock, 3)
    tasks += [board("other", 2), board("other", 2)]
    await asyncio.sleep(0)
    before = len(order)
    await go_on(budget, clock, 1)
    assert [at for at, name in enumerate(order[before:]) if name == "other"] in ([0, 2], [1, 3], [1, 2], [0, 1])
    await go_on(budget, clock, 20)
    await asyncio.gather(*tasks)
    assert len(order) == 102
    assert budget._rounds, "known while somebody waits"
    await budget.take(Priority.BOARD, 3)


async def test_a_turn_that_was_not_used_is_given_back() -> None:
    budget = RateLimiter(10, Clock())
    await empty(budget)
    budget._left = 1
    async with budget.turn(Priority.BOARD):
        pass
    async with budget.turn(Priority.BOARD):
        await budget.request()
    assert (budget.taken, budget._left) == (FIRST + 1, 0)


async def test_a_turn_that_was_taken_before_is_for_one_request_only() -> None:
    clock = Clock()
    budget = RateLimiter(10, clock)
    async with budget.turn(Priority.BOARD):
        await budget.request()
        await budget.request()
    assert budget.taken == 2


async def test_a_request_is_as_urgent_as_its_task_says() -> None:
    clock = Clock()
    budget = RateLimiter(10, clock)
    await empty(budget)
    order: list[str] = []

    async def ask(name: str, urgency: Priority) -> None:
        URGENCY.set(urgency)
        await budget.request()
        order.append(name)

    tasks = [asyncio.create_task(ask("copy", Priority.LOG_COPY)), asyncio.create_task(ask("ana", Priority.AWAITED))]
    await asyncio.sleep(0)
    await go_on(budget, clock, 1)
    await asyncio.gather(*tasks)
    assert order == ["ana", "copy"]


async def test_whoever_gives_up_takes_no_turn() -> None:
    clock = Clock()
    budget = RateLimiter(10, clock)
    await empty(budget)
    order: list[str] = []
    gone, stays = (waiting(budget, order, name, Priority.BOARD) for name in ("gone", "stays"))
    await asyncio.sleep(0)
    gone.cancel()
    await go_on(budget, clock, 0.1)
    await stays
    assert order == ["stays"]
    assert budget.taken == FIRST + 1


async def test_a_share_has_its_part_of_what_goes_at_once_and_counts_at_once() -> None:
    clock = Clock()
    budget = RateLimiter(PER_SECOND, clock)
    clock.now = 1.0
    budget.share(PER_SECOND / 2)
    for _ in range(int(FIRST)):
        await budget.take(Priority.BOARD)
    order: list[str] = []
    last = waiting(budget, order, "last", Priority.BOARD)
    await asyncio.sleep(0)
    assert (budget.queue_length, order) == (1, [])
    clock.now += 1 / PER_SECOND + 1e-9
    budget.share(PER_SECOND)  # half a turn came before, and a whole one would have taken longer
    clock.now += 1 / PER_SECOND + 1e-9
    budget._serve()
    await last
    assert order == ["last"]


async def test_whoever_waits_for_a_slow_turn_is_served_when_the_share_grows() -> None:
    budget = RateLimiter()
    budget.share(0.001)
    await empty(budget)
    order: list[str] = []
    last = waiting(budget, order, "last", Priority.BOARD)
    await asyncio.sleep(0)
    budget.share(1000)
    await last
    assert order == ["last"]


@for_each_row("processes", range(1, 30))
def test_all_processes_together_stay_below_what_discord_takes(processes: int) -> None:
    whole = own_share(PER_SECOND, processes - 1)
    budgets = [RateLimiter() for _ in range(processes)]
    for budget in budgets:
        budget.rate = whole / processes
        budget.burst = max(1.0, BURST * budget.rate / PER_SECOND)
    assert sum(rate_limiter.rate + rate_limiter.burst for rate_limiter in budgets) + FIRST < 50, (
        "also while one more begins"
    )


async def test_the_loop_s_own_timer_serves_whoever_waits() -> None:
    budget = RateLimiter(1000)
    await asyncio.gather(*(budget.take(Priority.BOARD) for _ in range(50)))
    assert budget.taken == 50


@settings(max_examples=share_of(50), deadline=None)
@given(st.lists(st.tuples(st.floats(0, 0.5), st.sampled_from(Priority)), max_size=150))
def test_never_more_than_the_rate_and_a_burst_in_any_second(wanted: list[tuple[float, Priority]]) -> None:
    async def play() -> list[float]:
        clock, gone, tasks = Clock(), [], []
        budget = RateLimiter(40, clock)

        async def ask(urgency: Priority) -> None:
            await budget.take(urgency)
            gone.append(clock.now)

        for pause, urgency in wanted:
            await go_on(budget, clock, pause)
            tasks.append(asyncio.create_task(ask(urgency)))
            await asyncio.sleep(0)
        await go_on(budget, clock, len(wanted) / 40 + 1)
        await asyncio.gather(*tasks)
        return gone

    gone = asyncio.run(play())
    assert len(gone) == len(wanted)
    for at in gone:
        assert sum(at <= item < at + 1 for item in gone) <= 40 + BURST + 1


@pytest.mark.parametrize("urgency", Priority)
async def test_every_urgency_is_measured(urgency: Priority) -> None:
    from bot import metrics

    budget = RateLimiter(1000)
    await asyncio.gather(*(budget.take(urgency) for _ in range(20)))
    labels = Counter(
        sample.labels.get("urgency") for family in metrics.REQUEST_WAITS.collect() for sample in family.samples
    )
    assert labels[urgency.name.lower()]

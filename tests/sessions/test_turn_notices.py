"""Who is called to their turn: with a clock that is handed in, so that nothing waits."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sessions.turn_notices import Remove, TurnNotices


@dataclass
class Bell:
    """One call that waits for its time."""

    seconds: float
    then: Callable[[], None]
    is_canceled: bool = False

    def cancel(self) -> None:
        self.is_canceled = True


@dataclass
class Clock:
    """Time passes only when a test says so."""

    bells: list[Bell] = field(default_factory=list)

    def later(self, seconds: float, then: Callable[[], None]) -> Bell:
        self.bells.append(Bell(seconds, then))
        return self.bells[-1]

    def ring(self, bell: Bell) -> None:
        if not bell.is_canceled:
            bell.then()


@dataclass
class Channel:
    """What was posted, and what was taken away again."""

    posted: int = 0
    removed: int = 0

    async def send(self) -> Remove:
        self.posted += 1

        async def remove() -> None:
            self.removed += 1

        return remove


async def rung(calls: TurnNotices, clock: Clock, session: int) -> None:
    """The clock of a roll's turn rings, and what it starts is done."""
    turn = calls.waiting[session]
    clock.ring(clock.bells[-1])
    if turn.sending is not None:
        await turn.sending


async def test_a_turn_that_lasts_is_called_once_and_the_mention_goes_with_the_press() -> None:
    clock, channel = Clock(), Channel()
    calls = TurnNotices(clock.later)
    calls.call(1, 60, channel.send)
    assert [bell.seconds for bell in clock.bells] == [60]
    assert channel.posted == 0
    await rung(calls, clock, 1)
    assert (channel.posted, channel.removed) == (1, 0)
    await calls.end(1)
    assert (channel.posted, channel.removed) == (1, 1)
    await calls.end(1)
    assert channel.removed == 1


async def test_a_press_in_time_stops_the_clock() -> None:
    clock, channel = Clock(), Channel()
    calls = TurnNotices(clock.later)
    calls.call(1, 60, channel.send)
    await calls.end(1)
    assert clock.bells[0].is_canceled
    clock.bells[0].then()  # even if the loop had started it already
    await asyncio.sleep(0)
    assert channel.posted == 0
    assert not calls.waiting


async def test_a_mention_that_is_on_its_way_when_somebody_presses_goes_again() -> None:
    clock, channel, may_go_on = Clock(), Channel(), asyncio.Event()
    calls = TurnNotices(clock.later)

    async def slow() -> Remove:
        await may_go_on.wait()
        return await channel.send()

    calls.call(1, 0, slow)
    turn = calls.waiting[1]
    clock.bells[0].then()
    await calls.end(1)
    may_go_on.set()
    assert turn.sending is not None
    await turn.sending
    assert (channel.posted, channel.removed) == (1, 1)


async def test_nothing_is_called_once_the_bot_stops() -> None:
    clock, channel = Clock(), Channel()
    calls = TurnNotices(clock.later)
    calls.call(1, 60, channel.send)
    calls.call(2, 60, channel.send)
    calls.close()
    assert all(bell.is_canceled for bell in clock.bells)
    assert not calls.waiting

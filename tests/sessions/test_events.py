"""Facts and their subscribers: each hears of what it asked for, and a failure is nobody else's."""

import asyncio
import logging
from dataclasses import dataclass

import pytest

from bot.sessions.events import EventBus, StateStored
from bot.sessions.request import Person, Place, Request

STORED = StateStored(Request(Person(1, "Ana"), Place(7)))


@dataclass(frozen=True)
class Other:
    """Another kind of fact."""


class LateError(Exception):
    """An error that is no defect."""


async def test_each_subscriber_hears_of_its_facts_in_the_order_of_subscription() -> None:
    bus, heard = EventBus(), list[str]()

    async def second(fact: StateStored) -> None:
        heard.append(f"second {fact.request.place.channel_id}")

    bus.subscribe(StateStored, lambda fact: heard.append(f"first {fact.request.place.channel_id}"))
    bus.subscribe(StateStored, second)
    bus.subscribe(Other, lambda _: heard.append("other"))
    await bus.publish(STORED)
    assert heard == ["first 7", "second 7"]


async def test_who_waits_for_something_else_is_not_called(caplog: pytest.LogCaptureFixture) -> None:
    bus, heard = EventBus(), list[str]()

    def is_broken(_: StateStored) -> bool:
        raise ZeroDivisionError("a defect")

    bus.subscribe(StateStored, lambda _: heard.append("of 8"), lambda fact: fact.request.place.channel_id == 8)
    bus.subscribe(StateStored, lambda _: heard.append("broken"), is_broken)
    bus.subscribe(StateStored, lambda _: heard.append("of 7"), lambda fact: fact.request.place.channel_id == 7)
    await bus.publish(STORED)
    assert heard == ["of 7"]
    assert len(caplog.records) == 1, "a condition that fails is a failure of its own subscriber"


async def test_a_failure_is_logged_once_and_hurts_nobody(caplog: pytest.LogCaptureFixture) -> None:
    bus, heard = EventBus(expected=(LateError,)), list[int]()

    def fails(_: StateStored) -> None:
        raise ZeroDivisionError("a defect")

    async def is_late(_: StateStored) -> None:
        raise LateError("in a minute")

    bus.subscribe(StateStored, fails)
    bus.subscribe(StateStored, is_late)
    bus.subscribe(StateStored, lambda fact: heard.append(fact.request.place.channel_id))
    with caplog.at_level(logging.WARNING):
        await bus.publish(STORED)
    assert heard == [7]
    defect, late = caplog.records
    assert (defect.levelname, defect.exc_info is not None) == ("ERROR", True)
    assert "fails did not follow StateStored" in defect.message
    assert (late.levelname, late.exc_info) == ("WARNING", None)
    assert "is_late did not follow StateStored: in a minute" in late.message


async def test_who_is_canceled_stops() -> None:
    bus, heard = EventBus(), list[int]()

    async def canceled(_: StateStored) -> None:
        raise asyncio.CancelledError

    bus.subscribe(StateStored, canceled)
    bus.subscribe(StateStored, lambda fact: heard.append(fact.request.place.channel_id))
    with pytest.raises(asyncio.CancelledError):
        await bus.publish(STORED)
    assert heard == []

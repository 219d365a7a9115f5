"""Facts and their subscribers: each hears of what it asked for, and a failure is nobody else's."""

import asyncio
import logging
from dataclasses import dataclass

import pytest

from bot.sessions.facts import Bus, Stored
from bot.sessions.place import Person, Place, Request

STORED = Stored(Request(Person(1, "Ana"), Place(7)))


@dataclass(frozen=True)
class Other:
    """Another kind of fact."""


class Late(Exception):
    """An error that is no defect."""


async def test_each_subscriber_hears_of_its_facts_in_the_order_of_subscription() -> None:
    bus, heard = Bus(), list[str]()

    async def second(fact: Stored) -> None:
        heard.append(f"second {fact.request.place.channel_id}")

    bus.on(Stored, lambda fact: heard.append(f"first {fact.request.place.channel_id}"))
    bus.on(Stored, second)
    bus.on(Other, lambda _: heard.append("other"))
    await bus.tell(STORED)
    assert heard == ["first 7", "second 7"]


async def test_who_waits_for_something_else_is_not_called(caplog: pytest.LogCaptureFixture) -> None:
    bus, heard = Bus(), list[str]()

    def is_broken(_: Stored) -> bool:
        raise ZeroDivisionError("a defect")

    bus.on(Stored, lambda _: heard.append("of 8"), lambda fact: fact.request.place.channel_id == 8)
    bus.on(Stored, lambda _: heard.append("broken"), is_broken)
    bus.on(Stored, lambda _: heard.append("of 7"), lambda fact: fact.request.place.channel_id == 7)
    await bus.tell(STORED)
    assert heard == ["of 7"]
    assert len(caplog.records) == 1, "a condition that fails is a failure of its own subscriber"


async def test_a_failure_is_logged_once_and_hurts_nobody(caplog: pytest.LogCaptureFixture) -> None:
    bus, heard = Bus(expected=(Late,)), list[int]()

    def fails(_: Stored) -> None:
        raise ZeroDivisionError("a defect")

    async def is_late(_: Stored) -> None:
        raise Late("in a minute")

    bus.on(Stored, fails)
    bus.on(Stored, is_late)
    bus.on(Stored, lambda fact: heard.append(fact.request.place.channel_id))
    with caplog.at_level(logging.WARNING):
        await bus.tell(STORED)
    assert heard == [7]
    defect, late = caplog.records
    assert (defect.levelname, defect.exc_info is not None) == ("ERROR", True)
    assert "fails did not follow Stored" in defect.message
    assert (late.levelname, late.exc_info) == ("WARNING", None)
    assert "is_late did not follow Stored: in a minute" in late.message


async def test_who_is_cancelled_stops() -> None:
    bus, heard = Bus(), list[int]()

    async def cancelled(_: Stored) -> None:
        raise asyncio.CancelledError

    bus.on(Stored, cancelled)
    bus.on(Stored, lambda fact: heard.append(fact.request.place.channel_id))
    with pytest.raises(asyncio.CancelledError):
        await bus.tell(STORED)
    assert heard == []

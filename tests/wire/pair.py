"""Two bot processes with the same shards and database: what one of them did, the other knows."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from tests.ports import free_port
from tests.wire.interactions import Answer
from tests.wire.process import PATIENCE
from tests.wire.test_operations import ask, is_ready, value
from tests.wire.wire import PATIENT, Wire

IN_ONE_LOOP: Final = pytest.mark.asyncio(loop_scope="module")


class Pair:
    """Two processes with the same shards, of which one hears of everything first."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._ports = (free_port(), free_port())
        self._elsewhere = [0, 0]

    async def start(self) -> None:
        for port in self._ports:
            await self.wire.start_bot(PATIENT, {"OPERATIONS_PORT": str(port)})
            await is_ready(port)

    async def by(self, first: int, act: Callable[[], Awaitable[Answer]]) -> Answer:
        """Do something that the ``first`` of them answers; return when the other one knows that it did."""
        self.wire.first, other = first, 1 - first
        answer = await act()
        self._elsewhere[other] += 1
        async with asyncio.timeout(PATIENCE):
            while await self._taken_elsewhere(other) < self._elsewhere[other]:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.02)
        return answer

    async def _taken_elsewhere(self, number: int) -> float:
        _, page = await ask(self._ports[number], "/metrics")
        return value(page, "rollcall_taken_elsewhere_total")


def kept(wire: Wire, kind: str) -> list[tuple[int]]:
    """The messages of a kind that the store knows."""
    return wire.rows(f"SELECT message_id FROM shown WHERE kind = '{kind}'")  # noqa: S608 - our own words

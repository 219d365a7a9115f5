"""A wire for each test; what the bot sent is judged when the test is over."""

from collections.abc import AsyncIterator

import pytest

from tests.wire.wire import Wire


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with Wire() as wire:
        yield wire

"""A wire for each test; what the bot sent is judged when the test is over."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.wire import Wire


@pytest.fixture
async def wire(migrated: Path) -> AsyncIterator[Wire]:
    async with Wire() as wire:
        shutil.copy(migrated, wire.folder / "rollcall.db")
        yield wire

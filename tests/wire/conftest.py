"""A wire for each test; what the bot sent is judged when the test is over."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.engines import ENGINES, Server
from tests.wire.pair import Pair
from tests.wire.wire import Wire


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A whole process is slow to start, so only tests that are marked ``both`` run on PostgreSQL too."""
    if "engine" in metafunc.fixturenames:
        is_both = metafunc.definition.get_closest_marker("both") is not None
        metafunc.parametrize("engine", ENGINES if is_both else ENGINES[:1])


@pytest.fixture
def served(engine: str, request: pytest.FixtureRequest) -> str:
    """The address of a database on a server; empty for a file in the wire's own folder."""
    return "" if engine == "sqlite" else str(request.getfixturevalue("rolls"))


@pytest.fixture
async def wire(migrated: Path, served: str) -> AsyncIterator[Wire]:
    async with Wire(database_url=served) as wire:
        shutil.copy(migrated, wire.folder / "rollcall.db")
        yield wire


@pytest.fixture
async def shared(rolls: str) -> AsyncIterator[Wire]:
    """A wire whose processes share a database on a server."""
    async with Wire(database_url=rolls) as wire:
        yield wire


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(postgres: Server) -> AsyncIterator[Pair]:
    """The same two processes for all tests of a file, each of which has a channel of its own and ``IN_ONE_LOOP``."""
    url = postgres.database()
    async with Wire(database_url=url) as wire:
        result = Pair(wire)
        await result.start()
        yield result
    postgres.give_back(url)

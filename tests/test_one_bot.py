"""What the tests of a module share is one bot, and nothing that a test has left."""

import asyncio
import multiprocessing.connection
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import pytest

from tests.conftest import Club, Home, club_in, put_off, settings_for


@pytest.fixture
async def home(file: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Home]:
    put_off(monkeypatch)
    result = Home(file, migrated, settings_for(file))
    yield result
    await result.leave()


async def played(home: Home) -> tuple[Club, str]:
    """An attack in a new server, with a board and a question whether it may be taken back, and a button of its card."""
    club = club_in(await home.enter(), home.file, home.settings, home.dice)
    home.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    button = club.custom_id("focus")
    await club.ana.slash(club.channel, "table show")
    await club.bo.slash(club.channel, "table undo")
    return club, button


def rows(file: Path) -> dict[str, int]:
    with closing(sqlite3.connect(file)) as store:
        tables = [
            name
            for (name,) in store.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
        ]
        return {name: store.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}  # noqa: S608 - ours


async def test_the_next_test_finds_the_bot_without_what_was_played(home: Home) -> None:
    club, button = await played(home)
    bot: Any = club.env.bot
    assert bot.live
    assert rows(home.file)["ply"] > 0
    env = await home.enter()
    is_same = env.bot is bot
    assert is_same
    assert list(bot.guilds) == []
    assert not bot.live
    assert not any(home.memories)
    assert rows(home.file) == rows(home.migrated)
    assert env.http_requests == []
    assert (await played(home))[1] == button, "rolls are numbered as before"


@pytest.mark.parametrize("part", ["site_url", "settings", "rate_limit", "tokens"])
async def test_a_bot_that_was_given_another_part_is_not_used_again(home: Home, part: str) -> None:
    bot: Any = (await home.enter()).bot
    setattr(bot, part, object())
    assert (await home.enter()).bot is not bot
    assert bot.is_closed()


async def test_a_bot_that_was_started_anew_or_closed_is_not_used_again(home: Home) -> None:
    for act in ("restart", "close"):
        club, _ = await played(home)
        bot = club.env.bot
        await (club.restart() if act == "restart" else bot.close())
        assert (await home.enter()).bot not in (bot, club.env.bot if act == "restart" else bot)


async def test_whether_a_worker_has_ended_is_looked_up_by_the_real_clock(home: Home) -> None:
    """By simcord's, which stands still, such a look ended only when something else moved that clock."""
    await home.enter()
    assert not isinstance(time.monotonic, BuiltinFunctionType)
    assert isinstance(vars(multiprocessing.connection)["time"].monotonic, BuiltinFunctionType)


async def test_no_timer_fires_in_a_long_test(club: Club) -> None:
    """A crawl lasts for more than 1,000 seconds on a busy machine; what was put off would come all the same."""
    await club.ana.slash(club.channel, "roll", dice="2d6+")
    loop = asyncio.get_running_loop()
    left = {timer.real_handle.when() - loop.time() for timer in club.env._work.callbacks if timer.real_handle}
    assert left
    assert min(left) > 24 * 3600

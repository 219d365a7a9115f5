"""Servers that the bot joins and leaves, in a whole Discord; and the loop that tidies up after them."""

import asyncio
import sqlite3
import time
from contextlib import closing
from typing import Any

import discord
import pytest

from bot.runtime import maintenance
from bot.runtime.app import App
from bot.sessions.retention import GRACE
from bot.store.errors import DatabaseBusyError
from tests.conftest import Club


def bot(club: Club) -> App:
    assert isinstance(club.env.bot, App)
    return club.env.bot


def rows(club: Club, query: str) -> list[Any]:
    with closing(sqlite3.connect(club.file)) as file:
        return file.execute(query).fetchall()


def servers(club: Club) -> dict[int, bool]:
    """Whether the bot has left each server that is noted."""
    return {key: left is not None for key, left in rows(club, "SELECT id, left_at FROM server")}


async def tidied(club: Club, days: int = 0) -> None:
    """One round of tidying, so many days later."""
    while await bot(club).upkeep.keeper.step(int(time.time()) + days * 24 * 60 * 60) is not None:
        pass


async def outage(club: Club) -> None:
    club.env.backend.emit("GUILD_DELETE", {"id": str(club.guild.id), "unavailable": True})
    await club.env.settle()
    assert bot(club).get_guild(club.guild.id).unavailable  # type: ignore[union-attr]  # an outage leaves it known


async def removed(club: Club) -> None:
    club.env.backend.remove_guild(club.guild.id)
    await club.env.settle()


async def played(club: Club) -> None:
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=4)
    await club.ana.slash(club.channel, "table show")
    await club.env.advance_time(maintenance.TIDY_FIRST)


async def test_a_server_that_the_bot_joins_is_noted_with_the_next_tidying(club: Club) -> None:
    assert servers(club) == {}
    await club.env.advance_time(maintenance.TIDY_FIRST)
    assert servers(club) == {club.guild.id: False}


async def test_a_removed_bot_s_server_is_erased_after_thirty_days(club: Club) -> None:
    await played(club)
    await removed(club)
    assert servers(club) == {club.guild.id: True}
    assert bot(club).live == {}
    await tidied(club, 29)
    assert len(rows(club, "SELECT * FROM piece")) == 1
    await tidied(club, 31)
    for table in ("session", "ply", "seat", "piece", "redraw", "server"):
        assert rows(club, f"SELECT * FROM {table}") == [], table  # noqa: S608 - names from above


async def test_rolls_are_kept_as_long_as_the_place_says(club: Club) -> None:
    role = club.guild.create_role("Admin", permissions=discord.Permissions(administrator=True))
    admin = club.guild.add_member(club.env.create_user("ada", global_name="Ada"), roles=[role])
    other = club.guild.create_text_channel("other")
    await admin.slash(club.channel, "ruleset set", setting="keep_days", value="10", where="server")
    await admin.slash(other, "ruleset set", setting="keep_days", value="30")
    for channel in (club.channel, other):
        club.dice.red("hit")
        await club.ana.slash(channel, "xwing attack", dice=1, agility=0)
    club.dice.red("hit")
    await club.ana.user.send_dm("hello")
    await club.ana.user.slash("xwing attack", dice=1, agility=0)
    for days, left in ((9, 3), (11, 2), (31, 1), (364, 1), (366, 0)):
        await tidied(club, days)
        assert len(rows(club, "SELECT * FROM session")) == left, days


async def test_an_outage_is_no_farewell(club: Club) -> None:
    await played(club)
    await outage(club)
    await tidied(club, 400)
    assert servers(club) == {club.guild.id: False}
    assert len(rows(club, "SELECT * FROM piece")) == 1


async def test_a_restart_during_an_outage_is_no_farewell(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await played(club)
    await club.restart()
    await outage(club)
    await bot(club).on_ready()
    await club.env.advance_time(maintenance.TIDY_FIRST)
    assert servers(club) == {club.guild.id: False}


async def test_who_comes_back_within_thirty_days_finds_everything(club: Club) -> None:
    await played(club)
    await bot(club).servers.note_left(club.guild.id, int(time.time()) - GRACE + 60)
    assert servers(club) == {club.guild.id: True}
    await bot(club).on_guild_join(bot(club).get_guild(club.guild.id))  # type: ignore[arg-type]  # it is there
    await tidied(club, 31)
    assert servers(club) == {club.guild.id: False}
    assert len(rows(club, "SELECT * FROM piece")) == 1


async def test_a_removal_while_the_bot_was_down_is_found_on_the_next_start(club: Club) -> None:
    await played(club)
    with closing(sqlite3.connect(club.file)) as file:
        file.execute("INSERT INTO server (id) VALUES (4194304)")
        file.commit()
    await club.restart()
    await club.env.advance_time(maintenance.TIDY_FIRST)
    assert servers(club) == {club.guild.id: False, 4194304: True}


async def test_a_return_while_the_bot_was_down_is_found_on_the_next_start(club: Club) -> None:
    await played(club)
    with closing(sqlite3.connect(club.file)) as file:
        file.execute("UPDATE server SET left_at = 1000")
        file.commit()
    await club.restart()
    await club.env.advance_time(maintenance.TIDY_FIRST)
    assert servers(club) == {club.guild.id: False}
    assert len(rows(club, "SELECT * FROM piece")) == 1, "nothing was erased before Discord was heard"


async def test_a_server_of_another_shard_s_process_is_not_this_one_s(club: Club) -> None:
    app = bot(club)
    assert app.is_ours(club.guild.id)
    app.shard_count = 2
    assert [app.is_ours(key << 22) for key in range(4)] == [True, False, True, False], "shard 0 is here, 1 is not"


async def test_a_farewell_that_could_not_be_written_is_written_later(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await played(club)
    with closing(sqlite3.connect(club.file)) as other:
        other.execute("BEGIN IMMEDIATE")
        await removed(club)
    assert "1 servers were not noted" in caplog.text
    assert servers(club) == {club.guild.id: False}
    await tidied(club)
    assert servers(club) == {club.guild.id: True}


async def test_tidying_goes_on_whatever_happens(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    errors: list[Exception] = [DatabaseBusyError("locked"), RuntimeError("a bug")]
    steps: list[int] = []

    async def step(now: int) -> int | None:
        steps.append(now)
        if errors:
            raise errors.pop(0)
        return 1 if len(steps) < 5 else None

    monkeypatch.setattr(bot(club).upkeep.keeper, "step", step)
    await club.env.advance_time(maintenance.TIDY_FIRST)
    assert len(steps) == 1
    await club.env.advance_time(2 * maintenance.TIDY_LATER + 10)
    assert len(steps) == 5
    assert "old rows were not taken away: locked" in caplog.text
    assert "a bug" in caplog.text
    await club.env.advance_time(maintenance.TIDY_AGAIN)
    assert len(steps) == 6


async def test_tidying_ends_with_the_bot(club: Club) -> None:
    await club.env.advance_time(maintenance.TIDY_FIRST)
    (task,) = [task for task in asyncio.all_tasks() if task.get_name() == "tidy"]
    await bot(club).close()
    assert task.cancelled()

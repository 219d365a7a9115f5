"""What the bot tells whoever runs it: that it lives, is ready, what it measures; and that it is alone on its file."""

import asyncio
import re
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from bot.store import backups
from tests.ports import free_port
from tests.test_settings import run
from tests.wire.process import PATIENCE, BotProcess, until
from tests.wire.wire import PATIENT, ROLLCALL, TOKEN, Wire

OPERATIONS: Final = Path(__file__).parents[2] / "docs" / "operations.md"


async def ask(port: int, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


async def is_ready(port: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await ask(port, "/readyz"))[0] != 200:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.05)


def value(page: str, name: str) -> float:
    match = re.search(rf"^{re.escape(name)} (\S+)$", page, re.MULTILINE)
    assert match is not None, f"{name} is not on the page:\n{page}"
    return float(match[1])


@pytest.mark.both
async def test_it_says_that_it_is_ready_and_what_it_measures(wire: Wire) -> None:
    ana, *_ = wire.people
    port = free_port()
    await wire.start_bot(PATIENT, {"OPERATIONS_PORT": str(port)})
    assert await ask(port, "/healthz") == (200, "alive\n")
    await is_ready(port)
    for _ in range(3):
        await wire.slash(ana, wire.channel, "xwing roll", red=2)
    status, page = await ask(port, "/metrics")
    assert status == 200
    assert value(page, "rollcall_first_answer_seconds_count") >= 2, "the last may not be noted yet"
    assert value(page, "rollcall_database_seconds_count") > 3
    assert value(page, "rollcall_painting_seconds_count") == 3
    assert value(page, "rollcall_open_sessions") == 3
    assert value(page, "rollcall_servers") == 1
    assert value(page, "rollcall_identifies_left") == 999
    assert value(page, 'rollcall_gateway_latency_seconds{shard="0"}') < 60


async def test_an_operator_backs_up_rehearses_blocks_and_sees_the_status(wire: Wire) -> None:
    """Beside a bot that runs: what docs/operations.md says, command by command."""
    ana, *_ = wire.people
    port, pages = free_port(), free_port()
    settings = {"PUBLIC_URL": f"http://127.0.0.1:{pages} {pages}", "SUPPORT_URL": "https://help.example.org"}
    await wire.start_bot(PATIENT, {"OPERATIONS_PORT": str(port), **settings})
    await is_ready(port)
    await wire.slash(ana, wire.channel, "xwing roll", red=2)

    async def rollcall(*words: str) -> str:
        given = {"DATABASE_URL": wire.database_url, "LOG_LEVEL": "error"}
        ended = await asyncio.to_thread(run, wire.folder, *words, **given)
        assert (ended.returncode, ended.stderr) == (0, ""), words
        return ended.stdout

    assert "holds everything" in await rollcall("backup", "rolls.backup")
    assert "can be restored" in await rollcall("restore", "--check", "rolls.backup")
    _, page = await ask(port, "/metrics")
    assert value(page, "rollcall_backup_timestamp_seconds") > 1e9
    assert value(page, "rollcall_rehearsal_timestamp_seconds") > 1e9
    async with asyncio.timeout(PATIENCE):
        while "All shards answer." not in (await ask(pages, "/status"))[1]:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.2)
    assert (await ask(pages, "/terms"))[0] == (await ask(pages, "/privacy"))[0] == 200
    await rollcall("block", "person", str(ana.id), "--reason", "Spam")
    async with asyncio.timeout(PATIENCE):
        while "has blocked you" not in (await wire.slash(ana, wire.channel, "about")).text:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.5)
    assert f"person {ana.id}: blocked" in await rollcall("block")
    await rollcall("block", "person", str(ana.id), "--lift")


async def test_a_bot_that_is_started_on_a_restored_file_goes_on_where_the_backup_was_made(wire: Wire) -> None:
    """The steps of docs/operations.md: what was rolled after the backup is gone, and every row before it is there."""
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    card = (await wire.slash(ana, wire.channel, "roll", dice="3d6")).shown
    saved, file = wire.folder / "rolls.backup", wire.folder / "rollcall.db"
    given = {"DATABASE_URL": wire.database_url, "LOG_LEVEL": "error"}
    ended = await asyncio.to_thread(run, wire.folder, "backup", str(saved), **given)
    assert (ended.returncode, ended.stderr) == (0, "")
    before = await backups.digests(f"sqlite+aiosqlite:///{saved}")
    lost = (await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=0)).shown
    await wire.kill(bot)
    for old in wire.folder.glob("rollcall.db*"):
        old.unlink()
    shutil.copyfile(saved, file)
    assert await backups.digests(wire.database_url) == before
    with closing(sqlite3.connect(file)) as connection, connection:
        skip = re.search(r"UPDATE sqlite_sequence[^\"]+", OPERATIONS.read_text(encoding="utf-8"))
        assert skip is not None
        connection.execute(skip[0])
    bot = await wire.start_bot(PATIENT)
    assert not (await wire.press(ana, card, "Roll again")).ephemeral
    await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=0)
    assert "no record of this roll" in (await wire.press(ana, lost, "Done")).text, "and no other roll has its number"
    await wire.kill(bot)
    after = {item.table: item for item in await backups.digests(wire.database_url)}
    changed = {item.table for item in before if item != after[item.table]}
    assert changed == {"session", "seat", "ply"}, "nothing but what was done since"


async def test_without_its_database_it_is_not_ready_and_says_why(wire: Wire) -> None:
    port = free_port()
    await wire.start_bot(PATIENT, {"OPERATIONS_PORT": str(port)})
    await is_ready(port)
    (wire.folder / "rollcall.db").rename(wire.folder / "elsewhere.db")
    status, why = await ask(port, "/readyz")
    assert (status, "moved away" in why) == (503, True)
    assert await ask(port, "/healthz") == (200, "alive\n"), "to start it again would not help"
    (wire.folder / "elsewhere.db").rename(wire.folder / "rollcall.db")
    await is_ready(port)


async def test_a_port_that_is_in_use_is_said_in_a_sentence(wire: Wire) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        env = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": wire.url, "DATABASE_URL": wire.database_url}
        env |= {"OPERATIONS_PORT": str(port), "LOG_LEVEL": "error"}
        bot = await BotProcess.start(ROLLCALL, env, wire.folder, wire.folder / "busy.log", forked=True)
        assert await bot.wait() == 2
    assert bot.log() == (
        "OPERATIONS_PORT cannot be used (Address already in use): set it to a free port from 1 to 65535, or to 0 to "
        "turn the pages off.\n"
    )


async def test_without_a_port_nobody_is_answered(wire: Wire) -> None:
    bot = await wire.start_bot()
    await bot.logged("all that answers share is made")  # the last that a start does
    assert "health and metrics" not in bot.log()


async def test_a_second_process_on_one_file_is_refused_and_the_first_plays_on(wire: Wire) -> None:
    ana, *_ = wire.people
    await wire.start_bot(PATIENT)
    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": wire.url, "DATABASE_URL": wire.database_url}
    settings |= {"LOG_LEVEL": "error"}
    second = await BotProcess.start(ROLLCALL, settings, wire.folder, wire.folder / "second.log", forked=True)
    assert await second.wait() == 1
    (sentence,) = second.log().splitlines()
    assert "Another process of this bot is using the same SQLite file, so this one wasn't started" in sentence
    assert (await wire.slash(ana, wire.channel, "about")).text
    assert wire.gateway.heard == ["IDENTIFY"]


async def test_it_ends_when_it_is_told_to_though_it_cannot_reach_the_gateway(wire: Wire) -> None:
    wire.gateway.is_down = True
    port = free_port()
    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": wire.url, "DATABASE_URL": wire.database_url}
    settings |= {"OPERATIONS_PORT": str(port)}
    bot = await BotProcess.start(ROLLCALL, settings, wire.folder, wire.folder / "alone.log", forked=True)
    try:
        await bot.logged("Failed to connect")
        assert await ask(port, "/readyz") == (503, "not connected to Discord yet\n")
        assert await bot.terminate() == 0
    finally:
        await bot.kill()


async def test_the_next_process_waits_until_the_one_before_has_ended(wire: Wire) -> None:
    first = await wire.start_bot(PATIENT)
    starting = asyncio.ensure_future(wire.start_bot(PATIENT))
    await asyncio.sleep(0)
    assert await first.terminate() == 0
    assert (await starting).running
    await until(lambda: wire.gateway.heard.count("IDENTIFY") == 2)

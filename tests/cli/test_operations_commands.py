"""`move`, `backup` and `doctor`, as whoever runs the bot types them."""

import asyncio
import re
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import discord
import pytest

from bot.store import backups
from tests.engines import Server, fetch, programs, server
from tests.test_settings import NOWHERE, TOKEN, assert_one_sentence, run
from tests.wire.process import BotProcess
from tests.wire.wire import TOKEN as WIRE_TOKEN, Wire
from tests.wire.world import GUILD_ID, TEXT, Channel, Json

ROLLS = 3
OPERATIONS: Final = Path(__file__).parents[2] / "docs" / "operations.md"


def play(file: Path) -> None:
    """Some rolls, as rows."""
    with closing(sqlite3.connect(file)) as connection:
        for number in range(1, ROLLS + 1):
            add = "INSERT INTO session (game, channel_id, opened_by, opened_at) VALUES ('xwing', 1, ?, 1)"
            connection.execute(add, (number,))
        connection.commit()


@pytest.fixture
def made(tmp_path: Path, migrated: Path) -> Path:
    file = tmp_path / "data" / "rollcall.db"
    file.parent.mkdir()
    shutil.copy(migrated, file)
    play(file)
    return file


def rolls(file: Path) -> list[tuple[int]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT opened_by FROM session ORDER BY id").fetchall()


# move


def test_move_says_what_it_moved_and_what_to_do_next(tmp_path: Path, made: Path) -> None:
    ended = run(tmp_path, "move", f"sqlite:///{made}", f"sqlite:///{tmp_path}/new.db", LOG_LEVEL="error")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"session: {ROLLS} rows, SHA-256 " in ended.stdout
    assert "Set DATABASE_URL to the new address" in ended.stdout.splitlines()[-1]
    assert rolls(tmp_path / "new.db") == rolls(made)


def test_move_from_nowhere_is_one_sentence(tmp_path: Path) -> None:
    ended = run(tmp_path, "move", "sqlite:///nowhere.db", "sqlite:///new.db", LOG_LEVEL="error")
    assert ended.returncode == 1
    (sentence,) = ended.stderr.splitlines()
    assert "Check the address" in sentence
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_counts_rows_that_belong_to_nothing(tmp_path: Path, made: Path) -> None:
    with closing(sqlite3.connect(made)) as stranger, stranger:
        stranger.execute("INSERT INTO redraw (ply_id, session_id, channel_id, draws) VALUES (1, 99, 1, '[]')")
    ended = run(tmp_path, "doctor", LOG_LEVEL="error")
    assert "MISSING rows: 1 rows of redraw belong to no session" in ended.stdout
    assert "DELETE FROM redraw WHERE session_id NOT IN (SELECT id FROM session)" in ended.stdout


# backup


def test_a_backup_is_a_database_to_start_from(tmp_path: Path, made: Path) -> None:
    file = tmp_path / "backup.db"
    with closing(sqlite3.connect(made, isolation_level=None)) as somebody:
        somebody.execute("BEGIN IMMEDIATE")  # people play on
        ended = run(tmp_path, "backup", str(file), LOG_LEVEL="error")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.db", "backup.db.rows"]
    made.unlink()
    file.rename(made)  # as docs/operations.md says
    for rest in made.parent.glob("rollcall.db-*"):
        rest.unlink()
    assert run(tmp_path, "migrate", LOG_LEVEL="error").returncode == 0
    assert rolls(made) == [(number,) for number in range(1, ROLLS + 1)]


def test_a_backup_overwrites_nothing(tmp_path: Path, made: Path) -> None:
    ended = run(tmp_path, "backup", str(made), LOG_LEVEL="error")
    assert ended.returncode == 1
    assert "is there already" in ended.stderr
    assert rolls(made)


def test_a_backup_of_nothing_is_not_made(tmp_path: Path) -> None:
    ended = run(tmp_path, "backup", "backup.db", LOG_LEVEL="error")
    assert ended.returncode == 1
    assert "Check the address" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_backup_of_a_server_can_be_restored(tmp_path: Path, made: Path, postgres: Server) -> None:
    result = programs()
    assert result is not None
    path = {"PATH": f"{result}:/usr/bin:/bin", "LOG_LEVEL": "error"}
    served, restored, file = postgres.empty(), postgres.empty(), tmp_path / "rolls.dump"
    assert run(tmp_path, "move", f"sqlite:///{made}", served, **path).returncode == 0
    ended = run(tmp_path, "backup", str(file), DATABASE_URL=served, **path)
    assert (ended.returncode, ended.stderr) == (0, "")
    restore = [str(result / "pg_restore"), "--no-owner", f"--dbname={restored.replace('+asyncpg', '')}", str(file)]
    subprocess.run(restore, check=True)
    query = re.search(r"SELECT setval[^\"]+", OPERATIONS.read_text(encoding="utf-8"))
    assert query is not None
    psql = [
        str(result / "psql"),
        "--tuples-only",
        f"--dbname={restored.replace('+asyncpg', '')}",
        "--command",
        query[0],
    ]
    assert int(subprocess.run(psql, check=True, capture_output=True).stdout) == ROLLS + 1_000_000
    ended = run(tmp_path, "move", restored, f"sqlite:///{tmp_path}/back.db", **path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert rolls(tmp_path / "back.db") == rolls(made)


# restore


def rehearsal(folder: Path, file: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "restore", "--check", str(file), **{"LOG_LEVEL": "error"} | settings)


def noted(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT scope FROM registration WHERE scope IN ('backup', 'rehearsal') AND at > 0 ORDER BY scope"
        return [scope for (scope,) in connection.execute(query)]


def test_a_restored_database_equals_the_original_by_the_hash_of_its_rows(tmp_path: Path, made: Path) -> None:
    file = tmp_path / "backup.db"
    before = asyncio.run(backups.digests(f"sqlite+aiosqlite:///{made}"))
    assert run(tmp_path, "backup", str(file), LOG_LEVEL="error").returncode == 0
    assert noted(made) == ["backup"]
    content = file.read_bytes()
    ended = rehearsal(tmp_path, file)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = [f"{item.table}: {item.rows} rows, SHA-256 {item.digest}" for item in before]
    assert f"session: {ROLLS} rows" in "\n".join(lines)
    assert ended.stdout.splitlines()[:-1] == lines, "every table"
    assert noted(made) == ["backup", "rehearsal"]
    assert file.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.db", "backup.db.rows", "data"]


@pytest.mark.parametrize(
    "change", ["UPDATE session SET opened_by = 9 WHERE id = 2", "DELETE FROM session WHERE id = 3"]
)
def test_a_backup_that_holds_other_rows_is_not_restored(tmp_path: Path, made: Path, change: str) -> None:
    file = tmp_path / "backup.db"
    run(tmp_path, "backup", str(file), LOG_LEVEL="error")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(change)
    ended = rehearsal(tmp_path, file)
    assert ended.returncode == 1
    assert "its rows differ in session" in ended.stderr
    assert noted(made) == ["backup"]


@pytest.mark.parametrize("missing", ["backup.db", "backup.db.rows"])
def test_what_is_not_there_is_not_restored(tmp_path: Path, made: Path, missing: str) -> None:
    run(tmp_path, "backup", "backup.db", LOG_LEVEL="error")
    (tmp_path / missing).unlink()
    ended = rehearsal(tmp_path, tmp_path / "backup.db")
    assert ended.returncode == 1
    assert f"{missing} isn't there" in ended.stderr


def test_a_truncated_backup_is_not_restored(tmp_path: Path, made: Path) -> None:
    file = tmp_path / "backup.db"
    run(tmp_path, "backup", str(file), LOG_LEVEL="error")
    file.write_bytes(file.read_bytes()[:20_000])
    ended = rehearsal(tmp_path, file)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr


def test_a_restored_server_equals_the_original_by_the_hash_of_its_rows(
    tmp_path: Path, made: Path, postgres: Server
) -> None:
    result = programs()
    assert result is not None
    more = {"PATH": f"{result}:/usr/bin:/bin", "LOG_LEVEL": "error"}
    served, file = postgres.empty(), tmp_path / "rolls.dump"
    assert run(tmp_path, "move", f"sqlite:///{made}", served, **more).returncode == 0
    assert run(tmp_path, "backup", str(file), DATABASE_URL=served, **more).returncode == 0
    ended = rehearsal(tmp_path, file, DATABASE_URL=served, **more)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"session: {ROLLS} rows" in ended.stdout
    lines = (tmp_path / "rolls.dump.rows").read_text().splitlines()
    (tmp_path / "rolls.dump.rows").write_text("\n".join(lines[1:]))
    assert rehearsal(tmp_path, file, DATABASE_URL=served, **more).returncode == 1


# block


def test_a_block_is_put_listed_and_lifted(tmp_path: Path, made: Path) -> None:
    def block(*words: str) -> subprocess.CompletedProcess[str]:
        return run(tmp_path, "block", *words, LOG_LEVEL="error")

    assert block("person", "7", "--reason", "Spam", "--until", "2099-01-31").returncode == 0
    assert block("server", "8", "--reason", "Gambling").returncode == 0
    listed = block().stdout.splitlines()
    assert [line.partition(":")[0] for line in listed] == ["person 7", "server 8"]
    assert "to 2099-01-31. Reason: Spam" in listed[0]
    assert "to no end. Reason: Gambling" in listed[1]
    assert block("person", "7", "--lift").returncode == 0
    assert block("person", "7", "--lift").returncode == 1
    assert len(block().stdout.splitlines()) == 1
    for words in (
        ("person",),
        ("person", "7"),
        ("person", "0", "--reason", "x"),
        ("server", "9" * 19, "--reason", "x"),
        ("person", "7", "--reason", "x", "--until", "2020-01-31"),
        ("--lift",),
        ("--reason", "x"),
    ):
        ended = block(*words)
        assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1), ended.stderr


def test_leaving_without_a_token_is_one_sentence(tmp_path: Path) -> None:
    assert_one_sentence(run(tmp_path, "leave", "7"), "DISCORD_TOKEN")


# doctor

SOUND = "ok      pages: the database finds nothing wrong"


def overwrite_every_seventh_page(path: Path, size: int) -> None:
    """As a bad disk does it; the rest is as it was."""
    with path.open("r+b") as file:
        for page in range(6, path.stat().st_size // size, 7):
            file.seek(page * size)
            file.write(bytes(range(256)) * (size // 256))


def test_the_doctor_says_what_is_missing_and_what_to_do(tmp_path: Path, made: Path) -> None:
    ended = run(tmp_path, "doctor", LOG_LEVEL="error")
    assert ended.returncode == 1
    assert "ok      database: answers in" in ended.stdout
    assert "ok      rows: each has what it belongs to" in ended.stdout
    assert "MISSING token: cannot be used" in ended.stdout
    assert "DISCORD_TOKEN is not set" in ended.stdout


def test_the_doctor_finds_damaged_pages(tmp_path: Path, made: Path) -> None:
    with closing(sqlite3.connect(made)) as connection:
        ((size,),) = connection.execute("PRAGMA page_size")
    overwrite_every_seventh_page(made, size)
    ended = run(tmp_path, "doctor", LOG_LEVEL="error")
    assert ended.returncode == 1
    result = next(line for line in ended.stdout.splitlines() if line.startswith(("MISSING pages", "MISSING database")))
    assert "ok      pages" not in ended.stdout
    assert "ackup" in ended.stdout.partition(result)[2].splitlines()[1], "it says what to do"


def test_the_doctor_says_that_pages_are_sound(tmp_path: Path, made: Path) -> None:
    assert SOUND in run(tmp_path, "doctor", LOG_LEVEL="error").stdout


def test_the_doctor_finds_damaged_pages_of_a_server(tmp_path: Path) -> None:
    """Those that nobody has read, and those that somebody has read before they were gone."""
    add = "INSERT INTO session (game, channel_id, opened_by, opened_at) SELECT 'xwing', 1, n, 1"
    with server() as own:
        url = own.database()
        fetch(url, f"{add} FROM generate_series(1, 2000) n")
        ((path,),) = fetch(url, "SELECT pg_relation_filepath('session')")
        doctor = partial(run, tmp_path, "doctor", DATABASE_URL=url, LOG_LEVEL="error")
        assert SOUND in doctor().stdout
        with own.stopped() as data:
            overwrite_every_seventh_page(data / path, 8192)
        ended = doctor()
        assert "MISSING pages: XX001: invalid page in block 6 of relation" in ended.stdout
        assert "restore the newest backup" in ended.stdout
        assert "Traceback" not in ended.stderr
        fetch(url, "TRUNCATE session CASCADE")
        assert re.search("MISSING pages: the server read [1-9][0-9]* pages whose checksum was wrong", doctor().stdout)


@pytest.mark.parametrize(("processes", "verdict"), [("2", "ok      "), ("40", "MISSING ")])
def test_the_doctor_compares_connections_with_what_the_server_takes(
    tmp_path: Path, postgres: Server, processes: str, verdict: str
) -> None:
    words = {"DATABASE_URL": postgres.database(), "PROCESSES": processes, "SHARD_COUNT": "40", "LOG_LEVEL": "error"}
    ended = run(tmp_path, "doctor", **words)
    assert f"{verdict}connections: the server takes 197 and has " in ended.stdout
    assert ("Set max_connections of the server to" in ended.stdout) == (verdict == "MISSING ")


def test_the_doctor_says_that_discord_is_out_of_reach(tmp_path: Path) -> None:
    ended = run(tmp_path, "doctor", DISCORD_TOKEN=TOKEN, DISCORD_API_URL=NOWHERE, LOG_LEVEL="error")
    assert ended.returncode == 1
    assert "the bot brings it up to date on its next start" in ended.stdout
    assert "Check the network" in ended.stdout
    assert not (tmp_path / "data").exists(), "nothing was made"


@pytest.mark.parametrize(("token", "code", "words"), [(WIRE_TOKEN, 0, "ok      time"), ("no", 1, "Discord refuses it")])
async def test_the_doctor_asks_discord(wire: Wire, token: str, code: int, words: str) -> None:
    settings = {"DISCORD_TOKEN": token, "DISCORD_API_URL": wire.url, "LOG_LEVEL": "error"}
    asking = await doctor(wire, settings)
    assert await asking.wait() == code
    assert words in asking.log()


async def doctor(wire: Wire, settings: dict[str, str], *words: str) -> BotProcess:
    return await BotProcess.start(("bot", "doctor", *words), settings, wire.folder, wire.folder / "log", forked=True)


async def examined(wire: Wire, channel_id: int) -> tuple[int, str]:
    """The exit code of the doctor, and what it says of a channel."""
    settings = {"DISCORD_TOKEN": WIRE_TOKEN, "DISCORD_API_URL": wire.url, "LOG_LEVEL": "error"}
    asking = await doctor(wire, settings, "--channel", str(channel_id))
    code = await asking.wait()
    before, result, after = asking.log().partition("channel: ")
    assert result, asking.log()
    return code, before.splitlines()[-1] + after


def without(channel: Json, *permissions: str) -> Json:
    """A channel in which everybody lacks some permissions."""
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    rule = {"id": str(GUILD_ID), "type": 0, "allow": "0", "deny": str(denied)}
    return channel | {"permission_overwrites": [rule]}


async def test_the_doctor_finds_that_the_bot_may_do_all_it_needs_in_a_channel(wire: Wire) -> None:
    code, line = await examined(wire, TEXT.id)
    assert (code, line) == (0, "ok      #table: the bot may do all it needs\n")


async def test_the_doctor_names_the_permissions_that_are_missing(wire: Wire) -> None:
    wire.rest.channels[TEXT.id] = without(TEXT.dump(), "embed_links", "attach_files")
    code, line = await examined(wire, TEXT.id)
    assert code == 1
    assert line.startswith("MISSING #table: missing Embed Links, Attach Files\n")
    assert "→ Give the bot's role these permissions there." in line


async def test_in_a_thread_the_permissions_of_its_channel_count(wire: Wire) -> None:
    thread = Channel(TEXT.id + 500, "evening", 11)
    wire.rest.channels[thread.id] = thread.dump()
    assert await examined(wire, thread.id) == (0, "ok      #evening: the bot may do all it needs\n")
    wire.rest.channels[TEXT.id] = without(TEXT.dump(), "send_messages")
    assert (await examined(wire, thread.id))[0] == 0, "that is another permission"
    wire.rest.channels[TEXT.id] = without(TEXT.dump(), "send_messages_in_threads")
    code, line = await examined(wire, thread.id)
    assert (code, "#evening: missing Send Messages In Threads\n" in line) == (1, True)


async def test_of_a_channel_that_it_may_not_see_the_doctor_says_so(wire: Wire) -> None:
    wire.rest.hidden.add(TEXT.id)
    code, line = await examined(wire, TEXT.id)
    assert (code, line.splitlines()[0]) == (1, "MISSING the bot may not see it")
    assert "invite the bot" in line
    assert "View Channel" in line


async def test_of_a_channel_that_there_is_not_the_doctor_says_so(wire: Wire) -> None:
    code, line = await examined(wire, 1)
    assert (code, line.splitlines()[0]) == (1, "MISSING Discord knows no channel 1")
    assert "Copy Channel ID" in line


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with Wire() as wire:
        yield wire

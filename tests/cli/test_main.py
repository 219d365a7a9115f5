"""The command line: play, run, sync and migrate."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.test_settings import NOWHERE, ROOT, TOKEN, run
from tests.wire.process import PATIENCE, BotProcess
from tests.wire.wire import TOKEN as WIRE_TOKEN, Wire


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with Wire() as wire:
        yield wire


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for command in ("play", "run", "sync", "migrate", "roll", "odds", "squad"):
        assert f"\n    {command} " in shown


@pytest.mark.parametrize("arguments", [[], ["dance"], ["play", "--port", "many"], ["sync", "--guild", "ours"]])
def test_wrong_words_are_refused_with_a_usage_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m bot" in capsys.readouterr().err


@pytest.mark.parametrize("count", [600, 1], ids=["more than a pipe holds", "less than is kept back"])
def test_whoever_reads_no_further_ends_it_quietly(count: int) -> None:
    """As `| head -1` does: the reader takes a line and is gone while more is to come; or is gone before the first."""
    command = [sys.executable, "-m", "bot", "roll", "xwing"]
    pipe, kept_back = subprocess.PIPE, os.environ | {"PYTHONUNBUFFERED": ""}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, text=True, env=kept_back) as ran:
        assert ran.stdin is not None
        assert ran.stdout is not None
        assert ran.stderr is not None
        if count == 1:
            ran.stdout.close()
        ran.stdin.write("[" + ",".join(["{}"] * count) + "]")
        ran.stdin.close()
        assert ran.stdout.closed or ran.stdout.readline()
        ran.stdout.close()
        assert ran.stderr.read() == ""
    assert ran.returncode == 141


# migrate


def test_migrate_makes_the_database_and_may_be_repeated(tmp_path: Path) -> None:
    for said in ("now", "already"):
        ended = run(tmp_path, "migrate", LOG_LEVEL="error")
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout == f"The database is of the newest version {said}.\n"
    with sqlite3.connect(tmp_path / "data" / "rollcall.db") as stranger:
        assert stranger.execute("SELECT count(*) FROM session").fetchone() == (0,)
    stranger.close()


def test_migrate_leaves_a_newer_database_alone(tmp_path: Path) -> None:
    run(tmp_path, "migrate")
    with sqlite3.connect(tmp_path / "data" / "rollcall.db") as stranger:
        stranger.execute("UPDATE alembic_version SET version_num = '9999'")
    stranger.close()
    ended = run(tmp_path, "migrate", LOG_LEVEL="error")
    assert ended.returncode == 1
    (sentence,) = ended.stderr.splitlines()
    assert "newer version of Rollcall" in sentence
    assert "9999" in sentence


# sync


@pytest.mark.parametrize("command", ["run", "sync"])
def test_discord_out_of_reach_is_one_sentence(tmp_path: Path, command: str) -> None:
    ended = run(tmp_path, command, DISCORD_TOKEN=TOKEN, DISCORD_API_URL=NOWHERE, LOG_LEVEL="error")
    assert ended.returncode == 1
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("Discord cannot be reached")


@pytest.mark.parametrize(("arguments", "scope"), [((), None), (("--guild", "77"), 77)])
async def test_sync_registers_every_time(wire: Wire, arguments: tuple[str, ...], scope: int | None) -> None:
    settings = {"DISCORD_TOKEN": WIRE_TOKEN, "DISCORD_API_URL": wire.url, "LOG_LEVEL": "warning"}
    for times in (1, 2):
        syncing = await BotProcess.start(
            ("bot", "sync", *arguments), settings, wire.folder, wire.folder / "log", forked=True
        )
        assert await syncing.wait() == 0, syncing.log()
        assert wire.rest.commands.registrations == times
    assert "xwing" in [command["name"] for command in wire.rest.commands.listed(scope)]
    assert syncing.log() == ""


def test_sync_needs_a_token(tmp_path: Path) -> None:
    ended = run(tmp_path, "sync")
    assert ended.returncode == 2
    assert ended.stderr.startswith("DISCORD_TOKEN is not set")


# play


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM is not delivered there")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_play_prints_its_address_and_stops_when_told(tmp_path: Path, how: signal.Signals) -> None:
    pytest.importorskip("simcord.preview", reason="needs simcord: pip install 'rollcall[play]'")
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "play", "--port", "0", "--db", "rolls/play.db"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "BROWSER": "true"},  # a browser that shows nothing
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        assert playing.stdout is not None
        shown = ""
        while "Stop with" not in shown:
            line = playing.stdout.readline()
            assert line, "it ended before it said where it plays"
            shown += line
        playing.send_signal(how)  # before anything is asked: a test that fails here would wait for it for ever
        _, errors = playing.communicate(timeout=PATIENCE)
    assert len(set(re.findall(r"http://127\.0\.0\.1:\d+", shown))) == 3, "a page of each game, and the live pages"
    assert "/table link" in shown
    assert str(tmp_path / "rolls" / "play.db") in shown
    assert playing.returncode == 0
    assert errors == ""
    assert (tmp_path / "rolls" / "play.db").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "99999"], ["--port"]),
        (["--db", "file/play.db"], ["I can't reach my database right now, so nothing was changed", "file"]),
    ],
)
def test_play_that_cannot_start_says_why(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    pytest.importorskip("simcord.preview", reason="needs simcord: pip install 'rollcall[play]'")
    (tmp_path / "file").touch()
    ended = run(tmp_path, "play", *arguments)
    assert ended.returncode == 1
    (sentence,) = ended.stderr.splitlines()
    for word in words:
        assert word in sentence


def test_play_without_its_extra_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "simcord", None)
    monkeypatch.delitem(sys.modules, "bot.cli.play", raising=False)
    assert main(["play"]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "simcord" in sentence
    assert "pip install 'rollcall[play]'" in sentence


def test_the_orm_stays_out_of_the_memory_and_whoever_asks_for_it_gets_it(tmp_path: Path) -> None:
    code = (
        "import sys; from bot.__main__ import main; done = main(['sync']); loaded = 'sqlalchemy.orm' in sys.modules; "
        "from sqlalchemy.orm import Session; print(done, loaded, Session.__name__)"
    )
    there = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=there, capture_output=True, text=True, check=False
    )
    assert said.stdout.split() == ["2", "False", "Session"], said.stderr


def test_a_start_leaves_no_migration_and_no_other_dialect_in_its_process(tmp_path: Path) -> None:
    code = (
        "import sys; from bot.cli import commands; from bot.store import database; "
        "url = 'sqlite+aiosqlite:///new/a.db'; commands.migrate_apart(url); commands.migrate_apart(url); "
        "commands.run(database.check_version(url)); "
        "print([name for name in ('alembic', 'sqlalchemy.dialects.postgresql') if name in sys.modules])"
    )
    there = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=there, capture_output=True, text=True, check=False
    )
    assert said.stdout == "[]\n", said.stderr

"""Whoever sets the bot up wrongly reads one sentence that names the variable, and no secret is ever repeated."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot import settings
from bot.settings import Settings, SettingsError

ROOT = Path(__file__).parents[1]
TOKEN = "MTIzNDU2.secret.do-not-show"  # noqa: S105 - it opens nothing
NOWHERE = "http://127.0.0.1:9"


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """``python -m bot`` in an empty folder, with nothing in its environment but what is given."""
    clean = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    command = [sys.executable, "-m", "bot", *arguments]
    environment = clean | {"PYTHONPATH": str(ROOT)} | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90, check=False)


def assert_one_sentence(ended: subprocess.CompletedProcess[str], variable: str) -> None:
    assert ended.returncode == 2
    assert ended.stdout == ""
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith(f"{variable} ")


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No variable of ours is set, and there is no `.env`."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# The process


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": TOKEN, "TEST_GUILD": "my server"}, "TEST_GUILD"),
        ({"DISCORD_TOKEN": f"{TOKEN} {TOKEN}"}, "DISCORD_TOKEN"),
    ],
)
def test_a_wrong_setting_is_one_sentence_and_exit_code_2(tmp_path: Path, variables: dict[str, str], named: str) -> None:
    ended = run(tmp_path, "run", **variables)
    assert_one_sentence(ended, named)
    assert TOKEN not in ended.stderr
    assert list(tmp_path.iterdir()) == [], "nothing was made"


def test_an_address_of_no_database_is_one_sentence_too(tmp_path: Path) -> None:
    ended = run(tmp_path, "migrate", DATABASE_URL="mysql://me:hunter2@host/rolls")
    assert_one_sentence(ended, "DATABASE_URL")
    assert "hunter2" not in ended.stderr


def test_the_token_is_in_no_log_however_much_is_logged(tmp_path: Path) -> None:
    ended = run(tmp_path, "run", DISCORD_TOKEN=TOKEN, DISCORD_API_URL=NOWHERE, LOG_LEVEL="debug", LOG_FORM="json")
    assert ended.returncode == 1
    assert "Discord cannot be reached" in ended.stderr
    assert "DISCORD_API_URL" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert TOKEN not in ended.stderr + ended.stdout
    assert len(ended.stderr.splitlines()) > 1, "there was a log"


# Each variable


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "loud"),
        ("LOG_LEVEL", "3"),
        ("LOG_FORM", "xml"),
        ("TEST_GUILD", "abc"),
        ("TEST_GUILD", "12.5"),
        ("TEST_GUILD", "-7"),
        ("TEST_GUILD", "0"),
        ("DISCORD_API_URL", "nonsense"),
        ("DISCORD_API_URL", "ftp://discord.com/api"),
    ],
)
def test_a_malformed_variable_is_named(clean: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        settings.read()
    assert str(caught.value).startswith(f"{name} is not valid: set it to ")
    assert value not in str(caught.value).split(":", 1)[0]


@pytest.mark.parametrize("value", ["", "   ", "\t\n"])
def test_an_empty_token_is_none(clean: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", value)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN is not set: "):
        settings.token(settings.read())


@pytest.mark.parametrize("value", ["two words", "tokén", "line\nbreak"])
def test_a_token_that_cannot_be_one_is_refused_before_discord_is_asked(
    clean: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", value)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN is not valid: ") as caught:
        settings.token(settings.read())
    assert value not in str(caught.value)


def test_a_value_in_the_wrong_variable_is_not_repeated(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_GUILD", TOKEN)
    with pytest.raises(SettingsError) as caught:
        settings.read()
    assert TOKEN not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_token_hides_in_every_form_of_the_settings(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f"  {TOKEN}\n")
    read = settings.read()
    assert TOKEN not in f"{read!r} {read} {read.model_dump()} {read.model_dump_json()}"
    assert settings.token(read) == TOKEN


def test_words_may_be_in_capitals_and_empty_variables_count_as_left_out(
    clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("TEST_GUILD", "")
    read = settings.read()
    assert read.log_level == "debug"
    assert read.test_guild is None


# The file .env


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_beside_the_bot_is_read(clean: Path, encoding: str) -> None:
    (clean / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding=encoding)
    assert settings.token(settings.read()) == TOKEN


def test_a_variable_beats_the_file(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clean / ".env").write_text("LOG_LEVEL=error\nSOMETHING_ELSE=1\n", encoding="utf-8")
    monkeypatch.setenv("LOG_LEVEL", "warning")
    assert settings.read().log_level == "warning"


def test_a_file_in_another_encoding_is_told(clean: Path) -> None:
    (clean / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    with pytest.raises(SettingsError, match=r"^\.env cannot be read: "):
        settings.read()
